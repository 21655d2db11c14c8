import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type PocketBase from 'pocketbase'
import type { ClientResponseError, RecordModel } from 'pocketbase'
import { expect, test } from 'vitest'
import type { Octavo } from '#tests/octavo.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'
import { engines, openInstallation } from './installation.ts'

const writers = 8
const kills = 3
/** Books that come in one request, all of them or none. */
const pileOf = 4

/** What the server acknowledged: the last state of each record it said yes to, by id. */
type Acknowledged = Map<string, { progress: number } | 'deleted'>

// 8 s: the server is killed and starts again several times.
test.for(engines)(
  'R1: loses nothing it acknowledged when it is killed (%s)',
  { timeout: 300_000 },
  async (engine) => {
    const { dataDir, post, start } = await openInstallation(engine)
    let octavo = await start()
    const token = await signUp(octavo, post)
    const client = signedIn(octavo, token)
    const shelf = await client
      .collection('bookshelves')
      .create({ name: 'Night shift', visibility: 'public' })
    const acknowledged: Acknowledged = new Map()

    for (let round = 0; round < kills; round++) {
      await writeUntilKilled(octavo, token, shelf.id, acknowledged)
      octavo = await start()
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
      if (acknowledged.size >= before + 60) octavo.process.kill('SIGKILL')
      const changed = await books.update(book.id, { progress: 1 + (n % 200) })
      acknowledged.set(book.id, { progress: Number(changed['progress']) })
      if (n % 5 === 4) {
        await books.delete(book.id)
        acknowledged.set(book.id, 'deleted')
      }
      if (n % 3 !== 2) continue
      const pile = signedIn(octavo, token).createBatch()
      const name = crypto.randomUUID()
      for (let nth = 0; nth < pileOf; nth++)
        pile
          .collection('user_books')
          .create({ title: `Pile ${name}, ${nth}`, shelf, status: 'planning' })
      for (const { body } of await pile.send())
        acknowledged.set((body as RecordModel).id, { progress: 0 })
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

  const piles = Map.groupBy(
    books.filter((book) => String(book['title']).startsWith('Pile ')),
    (book) => String(book['title']).split(',')[0],
  )
  for (const [name, pile] of piles) expect([name, pile.length]).toEqual([name, pileOf])

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
