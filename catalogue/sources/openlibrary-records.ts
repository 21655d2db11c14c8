import * as z from 'zod'
import type { BookIds } from '#shared/book.ts'
import { toIsbn10, toIsbn13 } from '#shared/isbn.ts'
import { seriesStatement, seriesStatements } from '../text/series-statement.ts'
import { publishedDate } from '../published-date.ts'
import { cleanDescription, cleanGenres, cleanLanguage, cleanName } from './clean.ts'
import { lenientNumber, lenientList, pageCount, lenientText, lenientTexts } from './lenient.ts'
import type { FoundBook } from './source.ts'

const numbers = lenientList(z.number().int())

/** A publication date is a text or a list of texts. */
const firstText = z.union([z.string(), lenientTexts.transform((all) => all[0] ?? '')]).catch('')

const searchedEdition = z.object({
  key: z.string().regex(/^\/books\/OL\d+M$/),
  title: lenientText,
  subtitle: lenientText,
  isbn: lenientTexts,
  publisher: lenientTexts,
  publish_date: firstText,
  language: lenientTexts,
  cover_i: lenientNumber,
  number_of_pages: lenientNumber,
  format: firstText,
})

export const searchedWork = z.object({
  key: z.string().regex(/^\/works\/OL\d+W$/),
  title: z.string().min(1),
  subtitle: lenientText,
  author_name: lenientTexts,
  first_publish_year: lenientNumber,
  cover_i: lenientNumber,
  isbn: lenientTexts,
  publisher: lenientTexts,
  language: lenientTexts,
  subject: lenientTexts,
  number_of_pages_median: lenientNumber,
  series_name: lenientTexts,
  series_position: lenientTexts,
  ia: lenientTexts,
  ebook_access: lenientText,
  id_project_gutenberg: lenientTexts,
  id_standard_ebooks: lenientTexts,
  id_librivox: lenientTexts,
  editions: z.object({ docs: lenientList(searchedEdition) }).catch({ docs: [] }),
})
type SearchedWork = z.infer<typeof searchedWork>

export const searchAnswer = z.object({ docs: z.array(z.unknown()) })

/** Prose is a text or an object with a text. */
const prose = z
  .union([z.string(), z.object({ value: z.string() }).transform((box) => box.value)])
  .catch('')
const keyed = z.object({ key: z.string() })
const key = keyed.transform((one) => one.key)

export const editionRecord = z.object({
  key: z.string().regex(/^\/books\/OL\d+M$/),
  title: z.string().min(1),
  subtitle: lenientText,
  isbn_10: lenientTexts,
  isbn_13: lenientTexts,
  publishers: lenientTexts,
  publish_date: firstText,
  number_of_pages: lenientNumber,
  physical_format: lenientText,
  languages: lenientList(key),
  covers: numbers,
  description: prose,
  subjects: lenientTexts,
  series: lenientTexts,
  works: lenientList(key),
  ocaid: lenientText,
})
type EditionRecord = z.infer<typeof editionRecord>

export const workRecord = z.object({ description: prose, subjects: lenientTexts, covers: numbers })
export const redirectRecord = z.object({
  type: z.object({ key: z.literal('/type/redirect') }),
  location: z.string().regex(/^\/(?:books|works)\/OL\d+[MW]$/),
})

/** The names from `/api/books`, where records have only keys. */
const named = z.object({ name: z.string() }).transform((one) => one.name)
export const dataRecord = z.object({
  authors: lenientList(named),
  publishers: lenientList(named),
  subjects: lenientList(named),
})
/** An answer of `/api/books` with `jscmd=details`. */
export const detailsRecord = z.object({ details: editionRecord })
export const noNames = { authors: [], publishers: [], subjects: [] }

/**
 * Converts a search result to a book: the best edition of the work.
 *
 * @param asked the requested ISBN, which the book must have
 * @returns null without an ISBN
 */
export function workBook(work: SearchedWork, asked: string | null): FoundBook | null {
  const edition = work.editions.docs[0]
  const own = isbnOf(edition?.isbn ?? [], asked)
  const isbn13 = own ?? isbnOf(work.isbn, asked)
  if (!isbn13) return null
  const workId = work.key.slice('/works/'.length)
  const id = edition ? edition.key.slice('/books/'.length) : workId
  const subtitle = cleanName(edition?.subtitle || work.subtitle)
  return {
    id,
    ids: { openlibrary: id, work: workId, ...freeCopies(work) },
    title: cleanName(edition?.title || work.title),
    ...(subtitle ? { subtitle } : {}),
    authors: cleanNames(work.author_name),
    genres: cleanGenres(work.subject, 5),
    image_links: coverLinks([edition?.cover_i ?? 0, work.cover_i]),
    page_count: pageCount((own && edition?.number_of_pages) || work.number_of_pages_median),
    isbns: isbnsOf(isbn13),
    description: '',
    published_date: publishedDate(
      (own && edition?.publish_date) || String(work.first_publish_year || ''),
    ),
    publisher: cleanName((own ? edition?.publisher[0] : work.publisher[0]) ?? ''),
    language: languageOf(edition?.language.length ? edition.language : work.language),
    series_statements: listedSeries(work),
    ...formatOf(edition?.format ?? ''),
  }
}

/** The work's series, in two lists of equal length. */
function listedSeries({ series_name: names, series_position: positions }: SearchedWork) {
  return names.flatMap(
    (name, n) => seriesStatement(`${cleanName(name)} #${positions[n] ?? ''}`) ?? [],
  )
}

/** The work's ids at sites with free copies. */
function freeCopies(work: SearchedWork): FoundBook['ids'] {
  const gutenberg = work.id_project_gutenberg.find((id) => /^\d{1,7}$/.test(id))
  const standard = work.id_standard_ebooks.find((id) => /^[a-z\d-]+(?:\/[a-z\d_-]+)+$/.test(id))
  const librivox = work.id_librivox.find((id) => /^[a-z\d-]{1,120}$/i.test(id))
  const isOpen = ['public', 'borrowable'].includes(work.ebook_access)
  return {
    ...(gutenberg ? { gutenberg } : {}),
    ...(standard ? { standard_ebooks: standard } : {}),
    ...(librivox ? { librivox } : {}),
    ...archiveId(isOpen ? work.ia[0] : undefined),
  }
}

/**
 * One edition.
 *
 * @param names for records that have only keys
 * @param work fills in what the record lacks
 * @param asked the requested ISBN
 * @returns null without an ISBN
 */
export function editionBook(
  edition: EditionRecord,
  names: z.infer<typeof dataRecord>,
  work?: z.infer<typeof workRecord>,
  asked?: string,
): FoundBook | null {
  const isbn13 = isbnOf([...edition.isbn_13, ...edition.isbn_10], asked)
  if (!isbn13) return null
  const id = edition.key.slice('/books/'.length)
  const workId = edition.works[0]?.slice('/works/'.length)
  const subtitle = cleanName(edition.subtitle)
  const subjects = [...names.subjects, ...edition.subjects, ...(work?.subjects ?? [])]
  const publisher = cleanName(edition.publishers[0] ?? names.publishers[0] ?? '')
  const title = cleanName(edition.title)
  return {
    id,
    ids: { openlibrary: id, ...(workId ? { work: workId } : {}), ...archiveId(edition.ocaid) },
    title,
    ...(subtitle ? { subtitle } : {}),
    authors: cleanNames(names.authors),
    genres: cleanGenres(subjects, 5),
    image_links: coverLinks([...edition.covers, ...(work?.covers ?? [])]),
    page_count: pageCount(edition.number_of_pages),
    isbns: isbnsOf(isbn13),
    description: cleanDescription(edition.description || work?.description || ''),
    published_date: publishedDate(edition.publish_date),
    publisher,
    language: languageOf(edition.languages),
    series_statements: seriesStatements(title, edition.series.map(cleanName), publisher),
    ...formatOf(edition.physical_format),
  }
}

/** Arrays of ISBNs contain hyphens, wrong digits, and 13 digits in the list of ISBN-10s. */
function isbnOf(isbns: readonly string[], asked: string | null | undefined): string | undefined {
  const valid = isbns.slice(0, 500).flatMap((isbn) => toIsbn13(isbn) ?? [])
  return asked ? valid.find((isbn) => isbn === asked) : valid[0]
}

/** @returns both forms of an ISBN */
export function isbnsOf(isbn13: string): FoundBook['isbns'] {
  const isbn10 = toIsbn10(isbn13)
  return { ...(isbn10 ? { ISBN_10: isbn10 } : {}), ISBN_13: isbn13 }
}

/** @returns at most ten names without duplicates */
export function cleanNames(names: readonly string[]): string[] {
  return [...new Set(names.slice(0, 50).map(cleanName).filter(Boolean))].slice(0, 10)
}

/** -1 and 0 are deleted covers. */
function coverLinks(covers: readonly number[]): string[] {
  const ids = [...new Set(covers.filter((id) => Number.isInteger(id) && id > 0))].slice(0, 3)
  return ids.map((id) => `https://covers.openlibrary.org/b/id/${id}-L.jpg`)
}

/** English if there are several languages. */
function languageOf(languages: readonly string[]): string {
  const known = languages.map(cleanLanguage).filter(Boolean)
  return known.includes('eng') ? 'eng' : (known[0] ?? '')
}

function archiveId(id: string | undefined): Pick<BookIds, 'archive'> {
  return id && /^[\w.-]{3,100}$/.test(id) ? { archive: id } : {}
}

function formatOf(format: string): Pick<FoundBook, 'format'> {
  const name = cleanName(format).slice(0, 60)
  return name ? { format: name[0]?.toUpperCase() + name.slice(1) } : {}
}
