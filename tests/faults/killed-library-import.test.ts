import { once } from 'node:events'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { importRowStates, type ImportRecord } from '#shared/import.ts'
import { libraryOf } from '#tests/imports.ts'
import type { Octavo } from '#tests/octavo.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'
import { engines, openInstallation } from './installation.ts'

const kills = 6
const rows = 100

// 10 s: the server starts seven times.
test.for(engines)(
  'an import that is killed at random moments ends as one that is left alone (%s)',
  { timeout: 300_000 },
  async (engine) => {
    const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
    // A row is stored when the file is read, and once more when it is applied.
    const moment = fc.integer({ min: 1, max: 1.75 * rows })
    const moments = fc.uniqueArray(moment, { minLength: kills, maxLength: kills })
    const [at] = fc.sample(moments, { seed, numRuns: 1 })
    console.log(`KILL_SEED=${seed} kills at ${at!.join(', ')} (${engine})`)

    const { post, start } = await openInstallation(engine)
    let octavo = await start()
    const [alone, killed] = [
      await signUp(octavo, post, 'alone'),
      await signUp(octavo, post, 'killed'),
    ]
    for (const token of [alone, killed]) await addOwnBooks(octavo, token)
    const id = await send(octavo, alone)
    await until(octavo, alone, id, Infinity)

    const broken = await send(octavo, killed)
    let reached = 0
    for (const steps of at!.toSorted((a, b) => a - b)) {
      // After two kills without a step between them, it would be given up.
      reached = await until(octavo, killed, broken, Math.max(steps, reached + 1))
      const ended = once(octavo.process, 'exit')
      octavo.process.kill('SIGKILL')
      await ended
      octavo = await start()
    }
    await until(octavo, killed, broken, Infinity)

    const counts = (one: ImportRecord) => importRowStates.map((state) => one[state])
    const [whole, resumed] = [await get(octavo, alone, id), await get(octavo, killed, broken)]
    expect(counts(resumed)).toEqual(counts(whole))
    expect(await library(octavo, killed)).toEqual(await library(octavo, alone))
  },
)

const get = (octavo: Octavo, token: string, id: string) =>
  signedIn(octavo, token).collection('imports').getOne<ImportRecord>(id)

/** Waits until so many steps are done, and applies what has been read. @returns the steps done */
async function until(octavo: Octavo, token: string, id: string, steps: number): Promise<number> {
  const imports = signedIn(octavo, token).collection('imports')
  let done = 0
  const isDone = async () => {
    const now = await imports.getOne<ImportRecord>(id)
    done = now.total + (now.state === 'reading' ? 0 : now.applied)
    if (now.state === 'done' || done >= steps) return true
    if (now.state === 'waiting') await imports.update(id, { state: 'applying' })
    else if (now.error) throw new Error(`the import is ${now.state}: ${now.error}`)
    return false
  }
  // Asking without a pause would take the processor from the import.
  await vi.waitUntil(isDone, { timeout: 120_000, interval: 20 })
  return done
}

async function addOwnBooks(octavo: Octavo, token: string): Promise<void> {
  const client = signedIn(octavo, token)
  const shelf = await client
    .collection('bookshelves')
    .create({ name: 'Here before', visibility: 'private' })
  for (const n of [3, 50, 90])
    await client
      .collection('user_books')
      .create({ shelf: shelf.id, status: 'planning', title: `Volume ${n}`, authors: ['Ann Other'] })
}

/** Re-reads, halves, books twice, books that are there, and rows without a title. */
async function send(octavo: Octavo, token: string): Promise<string> {
  const lines = Array.from({ length: rows }, (_, n) => {
    if (n % 40 === 39) return ',,,,,,'
    const number = n % 25 === 24 ? n - 1 : n
    const days = `"2021/01/02-2021/02/0${1 + (n % 9)}, 2023/05/06"`
    return `Volume ${number},Ann Other,,read,${days},${(n % 10) / 2 + 0.5},"quiet, t${n % 7}"`
  })
  const header = 'Title,Authors,ISBN/UID,Read Status,Dates Read,Star Rating,Tags'
  const file = new File([`${header}\n${lines.join('\n')}\n`], 'storygraph.csv')
  return (await signedIn(octavo, token).collection('imports').create({ file })).id
}

async function library({ url }: Octavo, token: string) {
  const headers = { Authorization: token }
  const answer = await fetch(`${url}/api/v1/account/export`, { headers })
  const all = JSON.parse(await answer.text()) as Record<string, Record<string, unknown>[]>
  // The two were brought in at different times.
  for (const group of Object.values(all))
    if (Array.isArray(group))
      for (const one of group) for (const name of ['created', 'updated', 'at']) delete one[name]
  return libraryOf(JSON.stringify(all))
}
