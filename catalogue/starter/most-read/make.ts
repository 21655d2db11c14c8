/**
 * Writes `books.tsv`, the most read books of goodbooks-10k as facts, and `neighbours.txt`, which of
 * them stand on the same to-read lists. README.md says where they come from.
 *
 * Usage: npm run catalogue:most-read -- FOLDER
 */
import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import * as z from 'zod'
import { toIsbn13 } from '#shared/isbn.ts'
import { foldTitle } from '../../text/fold.ts'
import type { SeriesPlace } from '../../index/work.ts'
import { columns, type MostReadBook } from './books.ts'
import { neighbourLines } from './to-read.ts'

const folder = process.argv[2]
if (folder === undefined) {
  console.error('Usage: npm run catalogue:most-read -- FOLDER')
  process.exit(2)
}

const csvRow = z.object({
  book_id: z.string(),
  isbn: z.string(),
  authors: z.string(),
  original_publication_year: z.string(),
  original_title: z.string(),
  title: z.string(),
  language_code: z.string(),
  ratings_count: z.coerce.number(),
})

const pagesOfEdition = z.object({
  pages: z.int().positive().optional(),
  ids: z.object({ goodbooks: z.string() }),
  sources: z.array(z.string()),
})

/** Authors are listed with translators and illustrators; only these share a book. */
const coAuthors = z
  .object({ of: z.record(z.string(), z.array(z.string())), anyone: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(new URL('co-authors.json', import.meta.url), 'utf8')))

/** Words in brackets after a title that name one edition. */
const imprints = new Set(
  z
    .array(z.string())
    .parse(JSON.parse(readFileSync(new URL('imprints.json', import.meta.url), 'utf8'))),
)

/** The sources of rows whose facts may be passed on. */
const free = ['goodbooks-10k', 'ol-enriched']

/** The codes of languages that aren't MARC's. */
const marc: Record<string, string> = { en: 'eng', nl: 'dut', nor: 'nor', mul: '' }

const rows = z
  .array(csvRow)
  .parse(parse(readFileSync(join(folder, 'books.csv')), { columns: true }))
const pagesOf = await openLibraryPages(join(folder, 'catalogue_seed.jsonl.gz'))
const numbered = new Set(
  rows.flatMap(({ title }) => seriesIn(afterTitle(title)).map(({ name }) => foldTitle(name))),
)
const books = sharedSeries(distinctWorks(rows.map(bookOf)))
writeFileSync(
  new URL('books.tsv', import.meta.url),
  [columns.join('\t'), ...books.map(lineOf), ''].join('\n'),
)
const neighbours = await neighbourLines(books, join(folder, 'to_read_subset.csv.gz'))
writeFileSync(new URL('neighbours.txt', import.meta.url), [...neighbours, ''].join('\n'))
console.log(`${books.length} books, ${neighbours.length} with neighbours`)

function bookOf(row: z.infer<typeof csvRow>): MostReadBook {
  const { title, series } = titleAndSeries(row.title)
  const original = titleAndSeries(row.original_title).title
  const year = Math.trunc(Number(row.original_publication_year))
  const isbn = row.isbn === '' ? null : toIsbn13(row.isbn.padStart(10, '0'))
  const language = row.language_code.split('-')[0] ?? ''
  return {
    id: row.book_id,
    title,
    original: foldTitle(original) === foldTitle(title) ? '' : original,
    authors: authorsIn(row.authors),
    // Without a year of four digits it is unknown.
    year: year >= 1000 ? String(year) : '',
    language: marc[language] ?? language,
    isbns: isbn === null ? [] : [isbn],
    pages: pagesOf.get(row.book_id) ?? 0,
    series,
    ratings: row.ratings_count,
  }
}

/** The authors of a list in which translators and illustrators stand as well. */
function authorsIn(list: string): string[] {
  const [first = '', ...others] = list.split(',').map(withoutDoubleSpaces)
  const own = [...(coAuthors.of[first] ?? []), ...coAuthors.anyone]
  return [first, ...new Set(others.filter((name) => own.includes(name)))]
}

/** Splits "The Maze (The Path, #2)" into its title and its place in the series. */
function titleAndSeries(text: string): { title: string; series: SeriesPlace[] } {
  const full = withoutDoubleSpaces(text)
  const brackets = afterTitle(full)
  const title = full.slice(0, full.length - brackets.length).trim()
  if (brackets === '' || title === '') return { title: full, series: [] }
  const inside = brackets.slice(1, -1)
  if (imprints.has(inside)) return { title, series: [] }
  const series = seriesIn(brackets)
  if (series.length > 0) return { title, series }
  if (numbered.has(foldTitle(inside)))
    return { title, series: [{ name: inside, position: '', by: '' }] }
  return { title: full, series: [] }
}

/** The last brackets of a text, with those inside them; '' unless the text ends with them. */
function afterTitle(text: string): string {
  const full = withoutDoubleSpaces(text)
  let depth = 0
  for (let i = full.length - 1; full.endsWith(')') && i > 0; i--) {
    if (full[i] === ')') depth += 1
    if (full[i] === '(') depth -= 1
    if (depth === 0) return full.slice(i)
  }
  return ''
}

/**
 * Reads "(Discworld, #40; Moist von Lipwig #3)". What follows a number without another one belongs
 * to it: "(Dune, #5, Part 1)".
 */
function seriesIn(brackets: string): SeriesPlace[] {
  const series: SeriesPlace[] = []
  const [name = '', ...numbers] = brackets.slice(1, -1).split('#')
  let next = trimmed(name)
  for (const number of numbers) {
    const place = /^\s*[\d.]+(\s*[-–]\s*[\d.]+)?/.exec(number)?.[0] ?? ''
    const rest = trimmed(number.slice(place.length))
    const isLast = number === numbers.at(-1)
    const last = series.at(-1)
    const position = place.replaceAll(/\s/g, '').replace('–', '-')
    if (next === '' && last) last.position += `, ${position}`
    else if (next !== '')
      series.push({
        name: next,
        position: isLast && rest !== '' ? `${position}, ${rest}` : position,
        by: '',
      })
    next = rest
  }
  return series
}

/** Merges books of the same title and author into the one that is read most. */
function distinctWorks(all: MostReadBook[]): MostReadBook[] {
  const byName = new Map<string, MostReadBook>()
  for (const book of all) {
    const key = `${foldTitle(book.title)}\t${foldTitle(book.authors[0] ?? '')}`
    const known = byName.get(key)
    if (known === undefined) byName.set(key, book)
    else {
      known.isbns.push(...book.isbns)
      if (known.series.length === 0) known.series = book.series
    }
  }
  return [...byName.values()].sort((a, b) => b.ratings - a.ratings)
}

/**
 * Gives each series one spelling, and tells series of the same name apart: another author's book at
 * a place that is taken belongs to a series of that author.
 */
function sharedSeries(all: MostReadBook[]): MostReadBook[] {
  const members = Map.groupBy(
    all.flatMap((book) => book.series.map((place) => ({ book, place }))),
    ({ place }) => foldTitle(place.name),
  )
  for (const group of members.values()) {
    const names = Map.groupBy(group, ({ place }) => place.name)
    const name = [...names].sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? ''
    const byAuthor = Map.groupBy(group, ({ book }) => book.authors[0] ?? '')
    const [first] = [...byAuthor].sort(([, a], [, b]) => b.length - a.length)
    for (const { place } of group) place.name = name
    const isMain = ({ book }: (typeof group)[number]) => book.authors.includes(first?.[0] ?? '')
    const taken = new Set(group.filter(isMain).flatMap(({ place }) => numbersOf(place.position)))
    for (const [author, theirs] of byAuthor) {
      const others = theirs.filter((one) => !isMain(one))
      const numbers = others.flatMap(({ place }) => numbersOf(place.position))
      if (numbers.some((number) => taken.has(number)))
        for (const { place } of others) place.by = author
    }
  }
  return all
}

/** The whole numbers of "2" and of "1-3". */
function numbersOf(position: string): number[] {
  const [first = NaN, last = first] = position.split('-').map(Number)
  return Number.isInteger(first) && Number.isInteger(last)
    ? Array.from({ length: last - first + 1 }, (_, i) => first + i)
    : []
}

/** The pages of editions that only Open Library describes, by their number in goodbooks-10k. */
async function openLibraryPages(file: string): Promise<Map<string, number>> {
  const pages = new Map<string, number>()
  for await (const line of createInterface(createReadStream(file).pipe(createGunzip()))) {
    const { data: edition } = pagesOfEdition.safeParse(JSON.parse(line))
    const isFree = edition?.sources.every((source) => free.includes(source))
    if (edition?.pages && isFree) pages.set(edition.ids.goodbooks, edition.pages)
  }
  return pages
}

function lineOf(book: MostReadBook): string {
  const { authors, isbns, series, pages, ...rest } = book
  const cells: Record<string, string | number> = {
    ...rest,
    authors: authors.join('|'),
    isbns: isbns.join('|'),
    pages: pages || '',
    series: series.map(({ name, position, by }) => [name, position, by].join('#')).join('|'),
  }
  return columns.map((column) => cells[column]).join('\t')
}

function withoutDoubleSpaces(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Without spaces and punctuation around it. */
function trimmed(text: string): string {
  return text.replaceAll(/^[\s,;:]+|[\s,;:]+$/g, '')
}
