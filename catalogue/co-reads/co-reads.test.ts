import { expect, test } from 'vitest'
import { countCoReads } from './co-reads.ts'

/** Two readers of each list, as fewer in common count for nothing. */
async function* twice(...libraries: string[][]): AsyncGenerator<string[][]> {
  yield libraries
  yield libraries
}

const isbn = (n: number) => String(9780000000000 + n)
const near = async (libraries: AsyncIterable<string[][]>, of: number) =>
  (await countCoReads(libraries)).near(isbn(of)).map(({ isbn13 }) => Number(isbn13.slice(-3)))
const shelf = (...books: number[]) => books.map(isbn)

test('books are near that two readers or more have, whatever everybody has', async () => {
  const known = twice(
    shelf(1, 2, 9),
    shelf(1, 2),
    shelf(3, 9),
    shelf(4, 9),
    shelf(5, 9),
    shelf(1, 9),
  )
  expect(await near(known, 1)).toEqual([2, 9])
})

test('a single reader makes nothing near', async () => {
  async function* once() {
    yield [shelf(1, 2), shelf(1, 3), shelf(4)]
  }
  const { near: nearest, shelved } = await countCoReads(once())
  expect(nearest(isbn(1))).toEqual([])
  expect(Array.from(shelved.isbns, Number)).toEqual([1, 2, 3, 4].map((n) => Number(isbn(n))))
  expect([...shelved.readers]).toEqual([2, 1, 1, 1])
})

test('a reader with few books weighs more than one with many', async () => {
  const many = Array.from({ length: 60 }, (_, n) => n + 100)
  const known = twice(shelf(1, 3), shelf(1, 2, ...many), shelf(2, 3))
  const [first] = await near(known, 1)
  expect(first).toBe(3)
})

test('there are 24 at most, the nearest first, and none of an unknown book', async () => {
  const others = Array.from({ length: 40 }, (_, n) => n + 2)
  const known = () => twice(shelf(1, ...others), shelf(1, 7), shelf(1, 7, 11))
  const found = await near(known(), 1)
  expect(found).toHaveLength(24)
  expect(found.slice(0, 2)).toEqual([7, 11])
  expect(await near(known(), 999)).toEqual([])
})

test('ends when it is told to, and when the libraries cannot be read', async () => {
  const over = new AbortController()
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  async function* endless() {
    for (;;) {
      yield [shelf(1, 2)]
      resolve()
      await new Promise((done) => setImmediate(done))
      over.signal.throwIfAborted()
    }
  }
  const counting = countCoReads(endless(), over.signal)
  await begun
  over.abort()
  await expect(counting).rejects.toThrow('aborted')
  async function* broken(): AsyncGenerator<string[][]> {
    yield [shelf(1, 2)]
    throw new Error('The database is gone.')
  }
  await expect(countCoReads(broken())).rejects.toThrow('The database is gone.')
})
