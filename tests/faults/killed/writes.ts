import type PocketBase from 'pocketbase'
import type { RecordModel } from 'pocketbase'
import { expect } from 'vitest'
import type { Octavo } from '#tests/octavo.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'
import type { MailServer } from '#tests/smtp.ts'
import { untilCut, type Work } from './work.ts'

const writers = 8
/** Enough for the kill to fall among more of the same. */
const enough = 40
/** Books that come in one request, all of them or none. */
const pileOf = 4

/** The last state the server acknowledged for each record, by id. */
type Acknowledged = Map<string, { progress: number } | 'deleted'>

/** A reader who adds, changes and deletes books, one by one and many at once. */
export async function openWrites(first: Octavo, post: MailServer): Promise<Work> {
  const token = await signUp(first, post, 'writing')
  const shelf = await signedIn(first, token)
    .collection('bookshelves')
    .create({ name: 'Night shift', visibility: 'public' })
  const acknowledged: Acknowledged = new Map()
  return {
    begin: (octavo) => {
      const before = acknowledged.size
      return untilCut(octavo, writers, (isEnough) =>
        write(octavo, token, shelf.id, acknowledged, () => {
          if (acknowledged.size >= before + enough) isEnough()
        }),
      )
    },
    expectKept: (octavo) => expectKept(signedIn(octavo, token), shelf.id, acknowledged),
  }
}

async function write(
  octavo: Octavo,
  token: string,
  shelf: string,
  acknowledged: Acknowledged,
  onCreated: () => void,
): Promise<never> {
  const books = signedIn(octavo, token).collection('user_books')
  for (let n = 0; ; n++) {
    const book = await books.create({
      title: `Volume ${n}`,
      shelf,
      page_count: 300,
      status: 'reading',
    })
    acknowledged.set(book.id, { progress: 0 })
    onCreated()
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

async function expectKept(
  client: PocketBase,
  shelf: string,
  acknowledged: Acknowledged,
): Promise<void> {
  const filter = client.filter('shelf = {:shelf}', { shelf })
  const books = await client
    .collection('user_books')
    .getFullList<RecordModel>({ batch: 500, filter })
  const stored = new Map(books.map((book) => [book.id, Number(book['progress'])]))
  // Each writer's last request may have been stored before the kill, so the next state is fine, too.
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
    .getFullList({ batch: 500, filter: `book != "" && ${filter}` })
  for (const { book } of activities) expect(stored.has(String(book))).toBe(true)
}
