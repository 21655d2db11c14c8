import { join } from 'node:path'
import { burst } from './load.ts'
import { getting, rounds } from './measure.ts'
import { startProduct } from './product.ts'
import { seed } from './seed.ts'
import type { ServerProcess } from './server-process.ts'
import { median, table } from './table.ts'
import { records } from './writes.ts'

const signingIn = 8
const reading = 4

/** How long lists take while passwords are being checked, which is meant to be slow. */
export async function signIns(folder: string): Promise<string> {
  const { shelf } = await seed(join(folder, 'octavo.db'))
  await using candidate = await startProduct(folder)
  const list = `${records}?filter=${encodeURIComponent(`shelf="${shelf}"`)}&sort=-rating`
  const pairs: { idle: number; busy: number }[] = []
  for (let round = -1; round < rounds; round++) {
    const idle = await slowest(candidate, list)
    const signing = new AbortController()
    const sessions = Array.from({ length: signingIn }, () => signOn(candidate, signing.signal))
    const busy = await slowest(candidate, list)
    signing.abort()
    await Promise.all(sessions)
    if (round >= 0) pairs.push({ idle, busy })
  }
  const rows = [
    ['p99 of a list, ms', 'idle', `${signingIn} sign-ins at a time`, 'ratio'],
    [
      `${reading} connections`,
      median(pairs.map(({ idle }) => idle)).toFixed(1),
      median(pairs.map(({ busy }) => busy)).toFixed(1),
      median(pairs.map(({ idle, busy }) => busy / idle)).toFixed(1),
    ],
  ]
  return `## Sign-ins\n\n${table(rows)}\n`
}

async function slowest(server: ServerProcess, path: string): Promise<number> {
  const { times } = await burst(new URL(server.origin), reading, 2, getting(path)(server))
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN
}

/** Tries a password again and again: for no account the same work is done as for a real one. */
async function signOn(server: ServerProcess, end: AbortSignal): Promise<void> {
  const url = `${server.origin}/api/collections/users/auth-with-password`
  while (!end.aborted) {
    const body = JSON.stringify({ identity: 'nobody@example.org', password: 'turns the page' })
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body })
    if (answer.status !== 400) throw new Error(`${url}: ${answer.status}`)
    await answer.text()
  }
}
