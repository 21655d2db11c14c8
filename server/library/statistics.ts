import { sql, type RawBuilder } from 'kysely'
import { type Database, type Row, named, number, text, texts } from '#records/index.ts'
import { columnsOf } from '#server/collections/select.ts'
import {
  lengths,
  narrowings,
  unknownPart,
  type Figure,
  type ReadingPartForm,
  type Statistics,
  type StatisticsForm,
} from '#shared/statistics.ts'
import { statuses } from '#shared/user-book.ts'
import {
  booksOf,
  countedReadings,
  ofBooks,
  toFilter,
  toSql,
  type Condition,
} from './counted-readings.ts'
import { findVisibleReader } from './profile.ts'
import { findStreaks } from './streaks.ts'
import { todayOf } from './today.ts'

/** The genres and authors that are listed. */
const mostNames = 50

interface Context {
  user: string
  isOwn: boolean
  year: string | undefined
  /** Whether only some books count. */
  isNarrowed: boolean
  ask: (statement: RawBuilder<unknown>) => Promise<Row[]>
  /** Finished and given up readings, of the year if there is one; in SQL. */
  counted: RawBuilder<boolean>
  /** Says which readings are counted, in the filter language and in SQL. */
  select: (form: Partial<ReadingPartForm>, ...more: readonly Condition[]) => Selection
}

/** Some readings: in SQL, and as a list of the record API if its filters can say which. */
interface Selection extends Pick<Figure, 'of' | 'filter'> {
  where: RawBuilder<unknown>
}

/**
 * The figures of a reader's readings that the viewer may see. What the progress log tells is for its
 * owner alone.
 *
 * @param viewer id; '' for a visitor
 * @param form the year, absent for all time, and which books count
 * @returns null if there is no such reader or the viewer can't see the profile
 */
export async function readStatistics(
  database: Database,
  username: string,
  viewer: string,
  form: StatisticsForm,
  now = new Date(),
): Promise<Statistics | null> {
  const reader = await findVisibleReader(database, username, viewer)
  if (!reader) return null
  const { dialect } = database
  const isOwn = reader.id === viewer
  const own = sql`"user" = ${reader.id} AND ${isOwn ? sql`TRUE` : sql`visible = TRUE`}
    AND ${ofBooks(dialect, reader.id, isOwn, form)}`
  const { year, ...narrowed } = form
  const hasFilter = !form.tag && !form.shelf
  const isNarrowed = narrowings.some((name) => form[name])
  const ended = (countedReadings(form) ?? []).filter(([field]) => field !== 'outcome')
  const context: Context = {
    user: reader.id,
    counted: sql`${own} AND outcome IN ('finished', 'dropped') AND ${toSql(dialect, ended)}`,
    isOwn,
    year,
    isNarrowed,
    ask(statement) {
      const { sql: text, parameters } = dialect.compile(statement)
      return database.search(text, parameters as Parameters<Database['search']>[1], viewer)
    },
    select(part, ...more) {
      const conditions = [...(countedReadings({ ...narrowed, ...part }) ?? []), ...more]
      const where = sql`${own} AND ${toSql(dialect, conditions)}`
      if (!hasFilter) return { of: '', filter: '', where }
      return { of: 'readings', filter: toFilter(conditions, reader.id), where }
    },
  }
  // One after the other, as waiting reads are limited for each viewer.
  const sums = await sumReadings(context)
  const figures = [
    ...countFigures(context, sums),
    await yearFigure(context, sums),
    ...bookFigures(context, sums),
    ...(await nameFigures(context, sums)),
    ...editionFigures(context, sums),
    // A book has its status at present, in no year.
    ...(year || isNarrowed ? [] : [await statusFigure(context)]),
    // The progress log knows nothing of genres and shelves.
    ...(isOwn && !isNarrowed
      ? await loggedFigures(context, reader.id, await todayOf(database, reader.id, now))
      : []),
  ]
  return { figures }
}

/** How many readings are alike in what they are counted by. */
interface Counted {
  key: string
  count: number
}

/** The same with what else they are counted by, or '', and with their pages and minutes. */
interface Group extends Counted {
  also: string
  pages: number
  minutes: number
}

/** The counted readings, grouped in every way the figures need. */
interface Sums {
  /** By year or month, and format. */
  periods: Group[]
  /** By rating, and whether they are re-reads. */
  ratings: Group[]
  /** By length, without audio. */
  lengths: Group[]
  /** One, with the number of different books and the average of their pages. */
  books: Group[]
  dropped: Group[]
  /** By a list of names, and their keys. */
  genres: Group[]
  authors: Group[]
  /** By language, and the first three digits of the year of publication. */
  editions: Group[]
}

/**
 * Counts the readings in every way the figures need. They are read once: finding them, with their
 * lists of names, takes longer than counting them.
 */
async function sumReadings({ ask, counted, year }: Context): Promise<Sums> {
  const finished = sql`FROM counted WHERE outcome = 'finished'`
  const period = sql`SUBSTR(finished, 1, ${sql.lit(year ? 7 : 4)})`
  const rows = await ask(sql`WITH counted AS MATERIALIZED (
      SELECT outcome, finished, format, rating, is_reread, pages, minutes, book_key, language,
        published, authors, authors_keys, genres, genres_keys
      FROM readings WHERE ${counted})
    SELECT 'periods', ${period}, format, COUNT(*), SUM(pages), SUM(minutes) ${finished} GROUP BY 2, 3
    UNION ALL SELECT 'ratings', CAST(rating AS TEXT), CASE WHEN is_reread THEN 'again' ELSE '' END,
      COUNT(*), 0, 0 ${finished} GROUP BY 2, 3
    UNION ALL SELECT 'lengths', ${lengthOf}, '', COUNT(*), 0, 0
      ${finished} AND format <> 'audio' GROUP BY 2
    UNION ALL SELECT 'books', '', '', COUNT(*), AVG(CASE WHEN pages > 0 THEN pages END), 0
      FROM (SELECT MAX(CASE WHEN format <> 'audio' THEN pages ELSE 0 END) AS pages
        ${finished} GROUP BY book_key) books
    UNION ALL SELECT 'dropped', '', '', COUNT(*), 0, 0 FROM counted WHERE outcome = 'dropped'
    UNION ALL SELECT 'genres', genres, MIN(genres_keys), COUNT(*), 0, 0 ${finished} GROUP BY genres
    UNION ALL SELECT 'authors', authors, MIN(authors_keys), COUNT(*), 0, 0
      ${finished} GROUP BY authors
    UNION ALL SELECT 'editions', language, SUBSTR(published, 1, 3), COUNT(*), 0, 0
      ${finished} GROUP BY 2, 3`)
  const columns = {
    sum: text,
    key: text,
    also: text,
    count: number,
    pages: number,
    minutes: number,
  }
  const by = Map.groupBy(named(rows, columns), ({ sum }) => sum)
  const groups = (sum: keyof Sums): Group[] => by.get(sum) ?? []
  return {
    periods: groups('periods'),
    ratings: groups('ratings'),
    lengths: groups('lengths'),
    books: groups('books'),
    dropped: groups('dropped'),
    genres: groups('genres'),
    authors: groups('authors'),
    editions: groups('editions'),
  }
}

/** What is counted from the readings' own columns. */
function countFigures(context: Context, { periods, ratings, lengths }: Sums): Figure[] {
  const { select, year } = context
  const isAudio = ({ also }: Group) => also === 'audio'
  const ratingOf = ({ key }: Group) => Number(key)
  const rated = ratings.filter((group) => ratingOf(group) > 0)
  const rereads = ratings.filter(({ also }) => also !== '')
  const average = sum(rated, (group) => group.count * ratingOf(group)) / sum(rated, countOf)
  const periodOf = ({ key }: Group) => (key === (year ?? '') ? unknownPart : key)
  const inPages = { unit: 'pages', only: [['format', '!=', 'audio']] } as const
  const inMinutes = { unit: 'minutes', only: [['format', '=', 'audio']] } as const
  const pages = tally(
    periods.filter((group) => !isAudio(group)),
    periodOf,
    ({ pages }) => pages,
  )
  const minutes = tally(periods.filter(isAudio), periodOf, ({ minutes }) => minutes)
  const byRating = tally(ratings, (group) => String(ratingOf(group) || unknownPart))
  const byLength = tally(lengths, ({ key }) => key)
  const byFormat = tally(periods, ({ also }) => also || unknownPart)
  return [
    whole('books', sum(periods, countOf), select({ year })),
    split(context, 'pages', 'period', pages, inPages),
    split(context, 'minutes', 'period', minutes, inMinutes),
    plain('average_rating', average || 0, 'rating'),
    whole('rereads', sum(rereads, countOf), select({ year, by: 'reread' })),
    ...(year ? [split(context, 'by_month', 'period', tally(periods, periodOf))] : []),
    split(context, 'by_rating', 'rating', byRating),
    split(context, 'by_length', 'length', byLength, { only: inPages.only }),
    split(context, 'by_format', 'format', byFormat),
  ]
}

/** The key of a reading's length in `lengths`. */
const lengthOf = sql`CASE ${sql.join(
  [
    sql`WHEN pages <= 0 THEN ${sql.lit(unknownPart)}`,
    ...lengths
      .slice(1)
      .map((next, i) => sql`WHEN pages < ${sql.lit(next)} THEN ${sql.lit(String(lengths[i]))}`),
  ],
  sql` `,
)} ELSE ${sql.lit(String(lengths.at(-1)))} END`

/** All years, of which a page can show one. */
async function yearFigure(context: Context, { periods }: Sums): Promise<Figure> {
  const all = { ...context, year: undefined }
  const years = context.year ? await countYears(all) : periods
  const counts = [...tally(years, ({ key }) => key || unknownPart)].toSorted(
    ([a], [b]) => Number(b === unknownPart) - Number(a === unknownPart),
  )
  return split(all, 'by_year', 'period', new Map(counts))
}

async function countYears({ ask, select }: Context): Promise<Counted[]> {
  const rows = await ask(
    sql`SELECT SUBSTR(finished, 1, 4), COUNT(*) FROM readings WHERE ${select({}).where} GROUP BY 1`,
  )
  return named(rows, { key: text, count: number })
}

/** The languages of what was read, and the decades in which it was published. */
function editionFigures(context: Context, { editions }: Sums): Figure[] {
  const by = (keyOf: (group: Group) => string) => {
    const sums = new Map<string, number>()
    for (const group of editions)
      sums.set(keyOf(group), (sums.get(keyOf(group)) ?? 0) + group.count)
    return [...sums]
  }
  const languages = by(({ key }) => key || unknownPart).toSorted(
    ([a, one], [b, other]) =>
      Number(a === unknownPart) - Number(b === unknownPart) || other - one || (a < b ? -1 : 1),
  )
  // Digits come before the letters of the unknown one.
  const decades = by(({ also }) => (also ? `${also}0` : unknownPart)).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )
  return [
    split(context, 'by_language', 'language', new Map(languages)),
    split(context, 'by_published', 'published', new Map(decades)),
  ]
}

/** The viewer's list of the reader's books, by status. */
async function statusFigure({ ask, user, isOwn }: Context): Promise<Figure> {
  // By an expression, so that SQLite doesn't read all books in the order of their status.
  const rows = await ask(
    sql`SELECT b.status || '', COUNT(*) FROM user_books b WHERE ${booksOf(user, isOwn)} GROUP BY 1`,
  )
  const counts = new Map(
    named(rows, { status: text, count: number }).map(({ status, count }) => [status, count]),
  )
  const filter = `user = ${JSON.stringify(user)}`
  const parts = statuses.flatMap((key) => {
    const value = counts.get(key) ?? 0
    return value > 0 ? [{ key, value, filter: `${filter} && status = ${JSON.stringify(key)}` }] : []
  })
  const value = sum([...counts.values()], (count) => count)
  return { id: 'by_status', value, unit: 'count', of: 'user_books', filter, parts }
}

/** The figures counted by book, and the dropped readings. */
function bookFigures({ select, year }: Context, { books, dropped }: Sums): Figure[] {
  return [
    plain('different_books', sum(books, countOf), 'count'),
    plain(
      'average_pages',
      sum(books, ({ pages }) => pages),
      'pages',
    ),
    whole('dropped', sum(dropped, countOf), select({ year, by: 'dropped' })),
  ]
}

/** The most read genres and authors, in all their spellings. */
async function nameFigures(context: Context, { genres, authors }: Sums): Promise<Figure[]> {
  const { ask, select, year, isNarrowed } = context
  const value = sum(genres, countOf)
  const names = countNames(authors)
  const figures = [
    split(context, 'by_genre', 'genre', mostOf(countNames(genres).values()), { value }),
    split(context, 'by_author', 'author', mostOf(names.values()), { value }),
  ]
  if (!year || isNarrowed) return figures
  // What has no day may have been read before.
  const earlier = await ask(sql`SELECT DISTINCT authors_keys FROM readings
    WHERE ${select({}).where} AND finished < ${year}`)
  const known = new Set(named(earlier, { keys: keysIn }).flatMap(({ keys }) => keys))
  const added = [...names.keys()].filter((key) => !known.has(key))
  return [...figures, plain('new_authors', added.length, 'count')]
}

interface Name {
  name: string
  count: number
}

/**
 * Counts names by their keys.
 *
 * @param lists of names, with the keys of each
 */
function countNames(lists: readonly Group[]): Map<string, Name> {
  const names = new Map<string, Name>()
  for (const { key: list, also: keys, count } of lists) {
    const spellings = texts(list)
    const keyed = new Map(keysIn(keys).map((key, i) => [key, spellings[i] ?? '']))
    for (const [key, name] of keyed) {
      const known = names.getOrInsertComputed(key, () => ({ name, count: 0 }))
      known.count += count
    }
  }
  return names
}

/** @returns the keys of `nameKeysOf`, in the order of the names */
function keysIn(lines: Row[number]): string[] {
  return lines ? String(lines).slice(1, -1).split('\n\n') : []
}

function mostOf(names: Iterable<Name>): Map<string, number> {
  const most = [...names].toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
  return new Map(most.slice(0, mostNames).map(({ name, count }) => [name, count]))
}

/** What the reader's saved progress tells: the days, and how far they got in what they gave up. */
async function loggedFigures(context: Context, user: string, date: string): Promise<Figure[]> {
  const { ask, select, year } = context
  const rows = await ask(
    sql`SELECT day, SUM(CASE WHEN unit = 'pages' AND "to" > "from" THEN "to" - "from" ELSE 0 END),
        SUM(minutes)
      FROM progress_log WHERE "user" = ${user}
        AND ${year ? sql`day >= ${year} AND day < ${`${year}~`}` : sql`TRUE`}
      GROUP BY day ORDER BY day`,
  )
  const logged = named(rows, { day: text, pages: number, minutes: number })
  const timed = await ask(
    sql`SELECT hours FROM progress_log WHERE "user" = ${user} AND hours <> 'null'
        AND ${year ? sql`day >= ${year} AND day < ${`${year}~`}` : sql`TRUE`}`,
  )
  const { where } = select({ year, by: 'dropped' })
  const dropped = await ask(sql`SELECT SUM(pages) FROM (
      SELECT MAX("to") AS pages FROM progress_log
      WHERE unit = 'pages' AND reading IN (SELECT id FROM readings WHERE ${where})
      GROUP BY reading) read`)
  const days = logged.map(({ day }) => Date.parse(day) / dayLength)
  const today = Date.parse(date) / dayLength
  const isPast = year !== undefined && year < date.slice(0, 4)
  const chosen = await ask(sql`SELECT streak_days_off FROM settings WHERE "user" = ${user}`)
  const [settings] = named(chosen, columnsOf('settings', 'streak_days_off'))
  const { longest, current } = findStreaks(days, today, Number(settings?.streak_days_off ?? ''))
  return [
    plain('dropped_pages', named(dropped, { pages: number })[0]!.pages, 'pages'),
    plain('days_read', days.length, 'days'),
    plain(
      'pages_logged',
      sum(logged, ({ pages }) => pages),
      'pages',
    ),
    plain('minutes_logged', Math.round(sum(logged, ({ minutes }) => minutes)), 'minutes'),
    hourFigure(named(timed, columnsOf('progress_log', 'hours')).map(({ hours }) => hours ?? [])),
    plain('longest_streak', longest, 'days'),
    ...(isPast ? [] : [plain('current_streak', current, 'days')]),
  ]
}

/** @param days minutes by hour */
function hourFigure(days: readonly (readonly number[])[]): Figure {
  const minutes = Array.from({ length: 24 }, (_, hour) =>
    Math.round(sum(days, (day) => day[hour] ?? 0)),
  )
  const parts = minutes.map((value, hour) => ({ key: String(hour), value, filter: '' }))
  const all = sum(minutes, (value) => value)
  return { ...plain('by_hour', all, 'minutes'), parts: all > 0 ? parts : [] }
}

const dayLength = 24 * 60 * 60 * 1000

/** A figure that no list shows. */
function plain(id: Figure['id'], value: number, unit: Figure['unit']): Figure {
  return { id, value, unit, of: '', filter: '', parts: [] }
}

/** A figure with a list and without parts. */
function whole(id: Figure['id'], value: number, { of, filter }: Selection): Figure {
  return { id, value, unit: 'count', of, filter, parts: [] }
}

/** A figure with parts. Its value is their sum, unless a reading can be in several. */
function split(
  { select, year }: Context,
  id: Figure['id'],
  by: ReadingPartForm['by'],
  values: ReadonlyMap<string, number>,
  options: { unit?: Figure['unit']; only?: readonly Condition[]; value?: number } = {},
): Figure {
  const { unit = 'count', only = [], value = sum([...values.values()], (one) => one) } = options
  const parts = [...values].map(([key, value]) => {
    return { key, value, filter: select({ year, by, key }, ...only).filter }
  })
  const { of, filter } = select({ year }, ...only)
  return { id, value, unit, of, filter, parts }
}

const countOf = ({ count }: Counted) => count

function sum<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0)
}

/** @returns the sum of each key's groups, in the order of the keys, the unknown one last */
function tally<T extends Counted>(
  groups: readonly T[],
  keyOf: (group: T) => string,
  valueOf: (group: T) => number = countOf,
): Map<string, number> {
  const sums = new Map<string, number>()
  for (const group of groups) {
    const key = keyOf(group)
    sums.set(key, (sums.get(key) ?? 0) + valueOf(group))
  }
  // Names, such as those of formats, are in the order of what they count.
  const place = (key: string) =>
    key === unknownPart ? Infinity : Number(key.replace('-', '.')) || 0
  return new Map([...sums].toSorted(([a, one], [b, other]) => place(a) - place(b) || other - one))
}
