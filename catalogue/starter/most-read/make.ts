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
import { withoutArticle } from '../../text/words.ts'
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

/** A title such as "Fables, Vol. 2: Animal Farm". */
const volumeTitle = /^(.+?),? Vol(?:\.|ume) 0*(\d+)(?::|$)/

const rows = z
  .array(csvRow)
  .parse(parse(readFileSync(join(folder, 'books.csv')), { columns: true }))
const pagesOf = await openLibraryPages(join(folder, 'catalogue_seed.jsonl.gz'))
const numbered = new Set(
  rows.flatMap(({ title }) => seriesIn(afterTitle(title)).map(({ name }) => foldTitle(name))),
)
const books = sharedSeries(withOneArticle(withVolumes(distinctWorks(rows.map(bookOf)))))
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

/** Adds the series of volumes of which another one by their author is there. */
function withVolumes(all: MostReadBook[]): MostReadBook[] {
  const known = placesOf(all)
  const stated = all.flatMap((book) => {
    const [, name = '', position = ''] = volumeTitle.exec(book.title) ?? []
    return name !== '' && book.series.length === 0
      ? [{ book, place: { name, position, by: '' } }]
      : []
  })
  const series = Map.groupBy(
    [...known, ...stated],
    ({ book, place }) => `${foldTitle(place.name)}\t${book.authors[0] ?? ''}`,
  )
  for (const members of series.values()) {
    if (new Set(members.map(({ place }) => place.position)).size < 2) continue
    for (const { book, place } of members) if (book.series.length === 0) book.series = [place]
  }
  return all
}

/** Names an author's series as most books do: "The Lewis Trilogy" is "Lewis Trilogy", too. */
function withOneArticle(all: MostReadBook[]): MostReadBook[] {
  const places = placesOf(all)
  const named = Map.groupBy(places, ({ place }) => place.name)
  const same = Map.groupBy(
    places,
    ({ book, place }) => `${withoutArticle(foldTitle(place.name))}\t${book.authors[0] ?? ''}`,
  )
  for (const members of same.values()) {
    const often = (name: string) => named.get(name)?.length ?? 0
    const names = members.map(({ place }) => place.name)
    const name = names.reduce((most, next) => (often(next) > often(most) ? next : most))
    for (const { place } of members) place.name = name
  }
  return all
}

/** Each book with each of its series. */
function placesOf(all: MostReadBook[]) {
  return all.flatMap((book) => book.series.map((place) => ({ book, place })))
}

/**
 * Gives each series one spelling, and tells series of the same name apart: another author's book at
 * a place that is taken belongs to a series of that author.
 */
function sharedSeries(all: MostReadBook[]): MostReadBook[] {
  const members = Map.groupBy(placesOf(all), ({ place }) => foldTitle(place.name))
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
    dropTaken(group.map(({ place }) => place))
  }
  return all
}

/** Leaves a volume's place to the book that is read most; the others have none. */
function dropTaken(places: SeriesPlace[]): void {
  const taken = new Set<string>()
  for (const place of places) {
    const claimed = `${place.by}#${place.position}`
    if (taken.has(claimed)) place.position = ''
    taken.add(claimed)
  }
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
