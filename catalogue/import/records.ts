import { decodeHTMLStrict } from 'entities'
import { LRUCache } from 'lru-cache'
import { foldWords } from '#catalogue/text/fold.ts'
import { openLibraryNumber } from '#catalogue/index/schema.ts'
import { seriesStatements, type SeriesStatement } from '../text/series-statement.ts'
import { publishedDate } from '../published-date.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { cutText } from '#shared/text.ts'

/** Why a line of a dump is skipped. */
export type SkipReason =
  | 'a line of another form'
  | 'unreadable JSON'
  | 'another type of record'
  | 'redirected to another record'
  | 'deleted'
  | 'no usable key'
  | 'no name'
  | 'no title'
  | 'another language'
  | 'no ISBN'

export interface AuthorRecord {
  id: number
  name: string
  /** Other names, including other languages and scripts. */
  otherNames: string[]
}

export interface WorkRecord {
  id: number
  title: string
  subtitle: string
  authorIds: number[]
  genres: string[]
  /** People, places, times, and subjects beyond the genres. */
  details: string[]
  description: string
  /** Its first sentence. */
  about: string
  /** Keys of series, and its place in them. */
  series: { key: string; position: string }[]
}

/** A series of Open Library; works name the series that they are part of. */
export interface SeriesRecord {
  key: string
  name: string
}

export interface EditionRecord {
  id: number
  /** null without a work. */
  workId: number | null
  title: string
  subtitle: string
  /** Series, original and other titles of the book. */
  otherTitles: string[]
  authorIds: number[]
  /** ISBN-13s, the edition's own first. */
  isbns: string[]
  publisher: string
  publishedDate: string
  language: string
  pageCount: number
  /** Ids of its covers. */
  covers: number[]
  series: SeriesStatement[]
}

const longestTitle = 400
const longestDescription = 1500
const maxGenres = 10
const maxDetails = 30
const maxNames = 8
const longestGenre = 40
const maxPages = 20_000
const longestPosition = 20

/** Libraries' notes about their copies, which no reader searches for. */
const noGenre =
  /[:=;]|^(in library|protected daisy|accessible book|large type books|open library.*|overdrive|internet archive.*|lending library|general|nonfiction, general|fiction, general|specimens|translations? .*)$/i

/**
 * The fields of a dump's line: type, key, revision, date and JSON.
 *
 * @param type the line's type, such as /type/work
 * @returns the parsed JSON, or why the line is skipped
 */
function recordOf(line: string, type: string): Fields | SkipReason {
  const start = line.indexOf('{')
  const head = start < 0 ? [] : line.slice(0, start).split('\t')
  if (head.length !== 5) return 'a line of another form'
  if (head[0] !== type) {
    if (head[0] === '/type/redirect') return 'redirected to another record'
    return head[0] === '/type/delete' ? 'deleted' : 'another type of record'
  }
  try {
    const value: unknown = JSON.parse(line.slice(start))
    return isFields(value) ? value : 'unreadable JSON'
  } catch {
    return 'unreadable JSON'
  }
}

/** @param line of the authors dump */
export function parseAuthor(line: string): AuthorRecord | SkipReason {
  const fields = recordOf(line, '/type/author')
  if (typeof fields === 'string') return fields
  const id = openLibraryNumber(text(fields['key']), 'A')
  if (id === null) return 'no usable key'
  const name = clean(fields['name'] ?? fields['personal_name'], longestTitle)
  return name === '' ? 'no name' : { id, name, otherNames: otherNamesOf(fields, name) }
}

/** @param line of the works dump */
export function parseWork(line: string): WorkRecord | SkipReason {
  const fields = recordOf(line, '/type/work')
  if (typeof fields === 'string') return fields
  const id = openLibraryNumber(text(fields['key']), 'W')
  if (id === null) return 'no usable key'
  const title = clean(fields['title'], longestTitle)
  if (title === '') return 'no title'
  return {
    id,
    title,
    subtitle: clean(fields['subtitle'], longestTitle),
    authorIds: authorIds(fields['authors']),
    genres: genresOf(fields['subjects'], maxGenres),
    details: detailsOf(fields),
    description: descriptionOf(fields['description']),
    about: descriptionOf(fields['first_sentence']),
    series: seriesOf(fields['series']),
  }
}

/** People, places and times have their own fields; subjects beyond the genres follow. */
function detailsOf(fields: Fields): string[] {
  const { subject_people: people, subject_places: places, subject_times: times, subjects } = fields
  const further = list(subjects).slice(maxGenres)
  if (!people && !places && !times && further.length === 0) return []
  return genresOf([...list(people), ...list(places), ...list(times), ...further], maxDetails)
}

/** Other names with at least one word that the main name lacks. */
function otherNamesOf(fields: Fields, name: string): string[] {
  const given = [...list(fields['alternate_names']), fields['personal_name'], fields['fuller_name']]
  const known = new Set(foldWords(name))
  return firstOf(given, maxNames, (entry) => {
    const other = clean(entry, longestGenre)
    return foldWords(other).some((word) => !known.has(word)) ? other : null
  })
}

/** @param line of a dump that has series */
export function parseSeries(line: string): SeriesRecord | SkipReason {
  const fields = recordOf(line, '/type/series')
  if (typeof fields === 'string') return fields
  const key = text(fields['key'])
  if (key === '') return 'no usable key'
  const name = clean(fields['name'] ?? fields['title'], longestTitle)
  return name === '' ? 'no name' : { key, name }
}

/** Works list `{ series: { key }, position }`; texts of older records have no key. */
function seriesOf(value: unknown): WorkRecord['series'] {
  return list(value).flatMap((entry) => {
    if (!isFields(entry)) return []
    const key = keyOf(entry['series'] ?? entry)
    const given = entry['position']
    const position = clean(typeof given === 'number' ? String(given) : given, longestPosition)
    return key === '' ? [] : { key, position }
  })
}

/** Which editions to import. */
export interface Subset {
  /** MARC codes; empty for all languages. */
  languages: readonly string[]
  withIsbn: boolean
}

/** @param line of the editions dump */
export function parseEdition(line: string, subset: Subset): EditionRecord | SkipReason {
  const fields = recordOf(line, '/type/edition')
  if (typeof fields === 'string') return fields
  const id = openLibraryNumber(text(fields['key']), 'M')
  if (id === null) return 'no usable key'
  const title = clean(`${text(fields['title_prefix'])} ${text(fields['title'])}`, longestTitle)
  if (title === '') return 'no title'
  const language = keyOf(list(fields['languages'])[0]).replace('/languages/', '')
  if (subset.languages.length > 0 && !subset.languages.includes(language)) return 'another language'
  const isbns = isbnsOf(fields)
  if (subset.withIsbn && isbns.length === 0) return 'no ISBN'
  const pages = Number(fields['number_of_pages'])
  const publisher = clean(list(fields['publishers'])[0], 120)
  return {
    id,
    workId: openLibraryNumber(keyOf(list(fields['works'])[0]), 'W'),
    title,
    subtitle: clean(fields['subtitle'], longestTitle),
    otherTitles: otherTitlesOf(fields),
    authorIds: authorIds(fields['authors']),
    isbns,
    publisher,
    publishedDate: dates.memo(text(fields['publish_date'])),
    language: /^[a-z]{3}$/.test(language) ? language : '',
    pageCount: Number.isInteger(pages) && pages > 0 && pages <= maxPages ? pages : 0,
    covers: list(fields['covers']).filter(isCover).slice(0, 1),
    series: seriesStatements(title, list(fields['series']).map(text), publisher),
  }
}

/** A cache, as most books share their date with many others. */
const dates = new LRUCache<string, string>({
  max: 20_000,
  memoMethod: (date) => publishedDate(date),
})

type Fields = Record<string, unknown>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isCover(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function keyOf(value: unknown): string {
  return isFields(value) ? text(value['key']) : text(value)
}

/** One line with at most `max` characters and decoded HTML entities. */
function clean(value: unknown, max: number): string {
  const given = text(value)
  // Most texts are clean; checking is much cheaper than cleaning.
  if (given.length <= max && !unclean.test(given)) return given
  const plain = given.includes('&') ? decodeHTMLStrict(given) : given
  return cutText(plain.replaceAll(/\s+/g, ' ').trim(), max).toWellFormed()
}

/** An entity, extra or unusual space, or a lone surrogate. */
const unclean = /&|\s\s|[^\S ]|^ | $|[\uD800-\uDFFF]/

/** A work nests its authors one level deeper than an edition. */
function authorIds(value: unknown): number[] {
  return firstOf(list(value), 8, (entry) => {
    const author = isFields(entry) && 'author' in entry ? entry['author'] : entry
    return openLibraryNumber(keyOf(author), 'A')
  })
}

function genresOf(value: unknown, max: number): string[] {
  return firstOf(list(value), max, (entry) => {
    const genre = clean(entry, longestGenre + 1)
    return genre.length > 1 && genre.length <= longestGenre && !noGenre.test(genre) ? genre : null
  })
}

/** The first distinct values of the entries, without nulls. */
function firstOf<Value>(
  entries: readonly unknown[],
  max: number,
  read: (entry: unknown) => Value | null,
): Value[] {
  const found: Value[] = []
  for (const entry of entries) {
    const value = read(entry)
    if (value !== null && !found.includes(value)) found.push(value)
    if (found.length === max) break
  }
  return found
}

/** Plain text or `{type, value}`; links to the source at its end are removed. */
function descriptionOf(value: unknown): string {
  const whole = text(isFields(value) ? value['value'] : value)
  if (whole === '') return ''
  const own = whole.split(/\(?\[source\]|\r?\n-{4,}/i)[0] ?? ''
  const plain = own.replaceAll('\r\n', '\n').trim()
  return (plain.length > longestDescription ? shortened(plain) : plain).toWellFormed()
}

function shortened(description: string): string {
  const start = description.slice(0, longestDescription)
  return `${start.slice(0, start.lastIndexOf(' '))}…`
}

function otherTitlesOf(fields: Fields): string[] {
  const { series, other_titles: other, work_titles: works, translation_of: original } = fields
  if (!series && !other && !works && !original) return []
  return [...list(series), ...list(other), ...list(works), original]
    .map((name) => clean(name, longestTitle))
    .filter(Boolean)
}

/** The field names don't reliably tell ISBN-10 from ISBN-13. */
function isbnsOf(fields: Fields): string[] {
  const given = [...list(fields['isbn_13']), ...list(fields['isbn_10'])]
  return firstOf(given, 8, (isbn) => toIsbn13(text(isbn)))
}
