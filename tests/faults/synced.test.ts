import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Octavo } from '#tests/octavo.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'
import { openInstallation } from './installation.ts'

const canTrace =
  process.platform === 'linux' &&
  spawnSync('strace', ['-e', 'trace=none', 'true'], { stdio: 'ignore' }).status === 0

/** Written through the server, each acknowledged before the next. */
const writes = 20

test.runIf(canTrace)(
  'R2: acknowledges a write only after it was synced to disk',
  { timeout: 60_000 },
  async () => {
    const synced = await acknowledgements(await openOctavo())
    expect(synced).toEqual(synced.map(() => 'synced'))
    expect(synced.length).toBeGreaterThanOrEqual(writes)
  },
)

test.runIf(canTrace)('R2: that test fails for a log that is not synced', async () => {
  const octavo = await openOctavo({ NODE_OPTIONS: imported(relaxing) })
  octavo.process.kill('SIGUSR2')
  expect(await acknowledgements(octavo)).toContain('not synced')
})

test('R2: does not start on a database whose log is not synced', async () => {
  await expect(openOctavo({ NODE_OPTIONS: imported(relaxed) })).rejects.toThrow(
    /ended with 1: Octavo [\d.]+\nOctavo cannot start: .*does not keep a durable write-ahead log/,
  )
})

const imported = (script: string) => `--import data:text/javascript,${encodeURIComponent(script)}`

/** Opens every database with `synchronous = NORMAL`. */
const relaxed = `
  import { DatabaseSync } from 'node:sqlite'
  const { exec } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function (text) {
    return exec.call(this, text.replace('synchronous = FULL', 'synchronous = NORMAL'))
  }`

/** Does so once the process is told to, after the check at the start; never inside a transaction. */
const relaxing = `
  import { DatabaseSync } from 'node:sqlite'
  const { exec } = DatabaseSync.prototype
  const open = new Set()
  DatabaseSync.prototype.exec = function (text) {
    open.add(this)
    return exec.call(this, text)
  }
  process.on('SIGUSR2', () => setInterval(() => {
    for (const db of open)
      if (db.isOpen && !db.isTransaction) db.exec('PRAGMA synchronous = NORMAL')
  }, 1))`

interface Traced extends Octavo {
  token: string
}

async function openOctavo(env: Record<string, string> = {}): Promise<Traced> {
  const { post, start } = await openInstallation('SQLite', env)
  const octavo = await start()
  return { ...octavo, token: await signUp(octavo, post) }
}

/** @returns of each answer to a write, whether the log was synced after it was last written to */
async function acknowledgements(octavo: Traced): Promise<string[]> {
  const shelves = signedIn(octavo, octavo.token).collection('bookshelves')
  const trace = join(octavo.dataDir, 'trace')
  const stopTracing = await attach(octavo, trace)
  for (let n = 0; n < writes; n++)
    await shelves.create({ name: `Shelf ${n}`, visibility: 'public' })
  await stopTracing()
  return judged(readFileSync(trace, 'latin1'))
}

async function attach({ process: { pid } }: Octavo, file: string): Promise<() => Promise<void>> {
  const calls = 'trace=pwrite64,fdatasync,fsync,write,writev,sendto'
  const words = ['-f', '-y', '-s', '40', '-e', calls, '-o', file, '-p', String(pid)]
  const strace = spawn('strace', words, { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void strace.kill())
  // It says so on standard error once it is attached.
  await once(strace.stderr, 'data')
  return async () => {
    const ended = once(strace, 'exit')
    strace.kill('SIGINT')
    await ended
  }
}

/** Reads the calls in the order in which the system was asked. */
function judged(trace: string): string[] {
  let isSynced = true
  return trace.split('\n').flatMap((line) => {
    if (/ pwrite64\(\d+<[^>]*octavo\.db-wal>/.test(line)) isSynced = false
    else if (/ f(?:data)?sync\(\d+<[^>]*octavo\.db-wal>/.test(line)) isSynced = true
    else if (/ (?:write|writev|sendto)\(.*HTTP\/1\.1 200/.test(line))
      return isSynced ? 'synced' : 'not synced'
    return []
  })
}
