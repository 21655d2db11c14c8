/**
 * "More like this" on real readers, half of each reader's books held back:
 * `npm run bench -- similar FILE.csv.gz...`, lines of a reader and a book.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { shelvedTogether } from '#catalogue/together.ts'
import { table } from './table.ts'

const wanted = 20

export async function similar(files: readonly string[]): Promise<void> {
  if (files.length === 0) throw new Error('npm run bench -- similar FILE.csv.gz...')
  const rows: string[][] = [
    ['File', 'readers', 'books', 'popularity: recall@20', 'together: recall@20', 'times', 'ms'],
  ]
  for (const file of files) rows.push([basename(file), ...(await measure(file))])
  console.log(table(rows))
}

async function measure(file: string): Promise<string[]> {
  const libraries = read(file)
  const known = libraries.map((books) => books.filter((_, i) => i % 2 === 0))
  const held = libraries.map((books) => new Set(books.filter((_, i) => i % 2 === 1)))
  const start = performance.now()
  const together = await shelvedTogether(known, () => setImmediate())
  const taken = performance.now() - start
  const owners = new Map<string, number>()
  for (const book of known.flat()) owners.set(book, (owners.get(book) ?? 0) + 1)
  const popular = [...owners].sort((a, b) => b[1] - a[1]).map(([book]) => book)
  let [byFame, byReaders] = [0, 0]
  for (const [reader, books] of known.entries()) {
    const own = new Set(books)
    const missing = held[reader] ?? new Set()
    const recall = (list: string[]) =>
      list.filter((book) => missing.has(book)).length / missing.size
    const scores = new Map<string, number>()
    for (const book of books)
      for (const { isbn13, closeness } of together.get(book) ?? [])
        if (!own.has(isbn13)) scores.set(isbn13, (scores.get(isbn13) ?? 0) + closeness)
    byFame += recall(popular.filter((book) => !own.has(book)).slice(0, wanted))
    const near = [...scores].sort((a, b) => b[1] - a[1]).map(([book]) => book)
    byReaders += recall(near.slice(0, wanted))
  }
  const [fame, cosine] = [byFame / known.length, byReaders / known.length]
  return [
    String(known.length),
    String(owners.size),
    fame.toFixed(3),
    cosine.toFixed(3),
    (cosine / fame).toFixed(2),
    taken.toFixed(0),
  ]
}

/** @returns the books of each reader who has two or more, in an order that tells nothing */
function read(file: string): string[][] {
  const readers = new Map<string, string[]>()
  const [, ...lines] = gunzipSync(readFileSync(file)).toString().trim().split('\n')
  for (const line of lines) {
    const [reader = '', book = ''] = line.split(',')
    readers.set(reader, [...(readers.get(reader) ?? []), book])
  }
  return [...readers.values()]
    .filter((books) => books.length > 1)
    .map((books) => books.toSorted((a, b) => scattered(a) - scattered(b)))
}

/** The same at every run. */
function scattered(text: string): number {
  let value = 7
  for (const character of text) value = Math.imul(value ^ character.charCodeAt(0), 0x9e3779b1)
  return value >>> 0
}
