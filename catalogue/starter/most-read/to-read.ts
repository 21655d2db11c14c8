import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { coReadCounter } from '../../co-reads/count.ts'
import { foldTitle } from '../../text/fold.ts'
import type { MostReadBook } from './books.ts'

/** Neighbours of one book; a page shows as many. */
const maxNeighbours = 12

/**
 * Finds the books that stand on the same to-read lists. Books of the same series are left out, as a
 * book's page shows them anyway.
 *
 * @param file rows of a reader and a book's number in goodbooks-10k, sorted by reader
 * @returns lines of a book's ISBN-13 and those of its neighbours, nearest first
 */
export async function neighbourLines(
  books: readonly MostReadBook[],
  file: string,
): Promise<string[]> {
  const byId = new Map(books.map((book) => [Number(book.id), book]))
  const { isbns: ids, starts, near } = await countLists(byId, file)
  const lines = books.flatMap((book) => {
    const place = ids.indexOf(Number(book.id))
    if (place < 0 || book.isbns.length === 0) return []
    const others = [...near.subarray(starts[place], starts[place + 1])]
      .flatMap((id) => byId.get(id) ?? [])
      .filter((other) => !isSameSeries(book, other))
      .flatMap(({ isbns: [isbn] }) => isbn ?? [])
    return others.length > 0 ? [[book.isbns[0], ...others.slice(0, maxNeighbours)].join(' ')] : []
  })
  return lines
}

async function countLists(byId: ReadonlyMap<number, MostReadBook>, file: string) {
  const counter = coReadCounter()
  let reader = ''
  let list: string[] = []
  const rows = createInterface(createReadStream(file).pipe(createGunzip()))
  for await (const row of rows) {
    const [user = '', id = ''] = row.split(',')
    if (user !== reader) {
      counter.add(list)
      reader = user
      list = []
    }
    if (byId.has(Number(id))) list.push(id)
  }
  counter.add(list)
  return counter.finish()
}

function isSameSeries(book: MostReadBook, other: MostReadBook): boolean {
  const names = new Set(book.series.map(({ name }) => foldTitle(name)))
  return other.series.some(({ name }) => names.has(foldTitle(name)))
}
