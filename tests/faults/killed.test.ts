import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type PocketBase from 'pocketbase'
import type { ClientResponseError, RecordModel } from 'pocketbase'
import { expect, onTestFinished, test } from 'vitest'
import { newPostgresUrl } from '#tests/databases.ts'
import { startOctavo, type Octavo } from '#tests/octavo.ts'
import { openPostOffice } from '#tests/smtp.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'

const writers = 8
const kills = 3

/** What the server acknowledged: the last state of each record it said yes to, by id. */
type Acknowledged = Map<string, { progress: number } | 'deleted'>

test.for(['SQLite', 'PostgreSQL'])(
  'a killed process loses nothing it acknowledged (%s)',
  { timeout: 120_000 },
  async (engine) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'octavo-killed-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const post = await openPostOffice()
    onTestFinished(() => post.close())
    const env = {
      DATA_DIR: dataDir,
      DATABASE_URL: engine === 'SQLite' ? '' : await newPostgresUrl(),
      SMTP_URL: post.url,
      PLAN_DEFAULT: 'premium',
    }

    let octavo = await startOctavo(env)
    onTestFinished(async () => void (await octavo.stop()))
    const token = await signUp(octavo, post)
    const client = signedIn(octavo, token)
    const shelf = await client
      .collection('bookshelves')
      .create({ name: 'Night shift', visibility: 'public' })
    const acknowledged: Acknowledged = new Map()

    for (let round = 0; round < kills; round++) {
      await writeUntilKilled(octavo, token, shelf.id, acknowledged)
      octavo = await startOctavo(env)
      await expectKept(signedIn(octavo, token), shelf.id, acknowledged)
    }
    expect(acknowledged.size).toBeGreaterThan(writers)
    if (engine === 'SQLite') expectSound(join(dataDir, 'octavo.db'))
  },
)

/** Many writers at once, until the process is killed in the middle of their work. */
async function writeUntilKilled(
  octavo: Octavo,
  token: string,
  shelf: string,
  acknowledged: Acknowledged,
): Promise<void> {
  const before = acknowledged.size
  const ended = once(octavo.process, 'exit')
  async function write(): Promise<void> {
    const books = signedIn(octavo, token).collection('user_books')
    for (let n = 0; ; n++) {
      const book = await books.create({
        title: `Volume ${n}`,
        shelf,
        page_count: 300,
        status: 'reading',
      })
      acknowledged.set(book.id, { progress: 0 })
      // Killed when enough was written for the kill to fall among more of the same.
      if (acknowledged.size === before + 60) octavo.process.kill('SIGKILL')
      const changed = await books.update(book.id, { progress: 1 + (n % 200) })
      acknowledged.set(book.id, { progress: Number(changed['progress']) })
      if (n % 5 === 4) {
        await books.delete(book.id)
        acknowledged.set(book.id, 'deleted')
      }
    }
  }
  // Every writer ends with an error: status 0, the connection that was cut.
  const failures = await Promise.all(
    Array.from({ length: writers }, () => write().catch((error: ClientResponseError) => error)),
  )
  expect(failures, octavo.output()).toEqual(
    failures.map(() => expect.objectContaining({ status: 0 })),
  )
  await ended
}

async function expectKept(
  client: PocketBase,
  shelf: string,
  acknowledged: Acknowledged,
): Promise<void> {
  const books = await client.collection('user_books').getFullList<RecordModel>({ batch: 500 })
  const stored = new Map(books.map((book) => [book.id, Number(book['progress'])]))
  // What was under way at the kill may have happened or not, so the next state is fine, too.
  const undone = [...acknowledged].filter(([id, state]) => {
    const progress = stored.get(id)
    return state === 'deleted' ? progress !== undefined : Number(progress) < state.progress
  })
  expect(undone).toEqual([])
  const lost = [...acknowledged].filter(([id, state]) => state !== 'deleted' && !stored.has(id))
  // At most the one delete each writer was waiting for.
  expect(lost.length).toBeLessThanOrEqual(writers)
  for (const [id] of lost) acknowledged.set(id, 'deleted')

  const { book_count: count } = await client.collection('bookshelves').getOne(shelf)
  expect(count).toBe(books.length)
  const activities = await client
    .collection('activities')
    .getFullList({ batch: 500, filter: 'book != ""' })
  for (const { book } of activities) expect(stored.has(String(book))).toBe(true)
}

function expectSound(file: string): void {
  const db = new DatabaseSync(file, { readOnly: true })
  expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([])
  db.close()
}
