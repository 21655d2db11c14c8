import { sql, type RawBuilder } from 'kysely'
import { type Database, type Row, flag, named, number, text, texts } from '#records/index.ts'
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
  const context: Context = {
    user: reader.id,
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
  const figures = [
    ...(await countFigures(context)),
    await yearFigure(context),
    ...(await bookFigures(context)),
    ...(await nameFigures(context)),
    ...(await editionFigures(context)),
    // A book has its status at present, in no year.
    ...(year || isNarrowed ? [] : [await statusFigure(context)]),
    // The progress log knows nothing of genres and shelves.
    ...(isOwn && !isNarrowed
      ? await loggedFigures(context, reader.id, await todayOf(database, reader.id, now))
      : []),
  ]
  return { figures }
}

const columnsOfGroup = {
  period: text,
  format: text,
  rating: number,
  isReread: flag,
  length: text,
  count: number,
  pages: number,
  minutes: number,
}

/** Readings that are alike in what they are counted by. */
type Group = { [Name in keyof typeof columnsOfGroup]: ReturnType<(typeof columnsOfGroup)[Name]> }

/** What is counted from the readings' own columns. */
async function countFigures(context: Context): Promise<Figure[]> {
  const { ask, select, year } = context
  const rows = await ask(
    sql`SELECT SUBSTR(finished, 1, ${sql.lit(year ? 7 : 4)}), format, rating, is_reread,
        ${lengthOf}, COUNT(*), SUM(pages), SUM(minutes)
      FROM readings WHERE ${select({ year }).where} GROUP BY 1, 2, 3, 4, 5`,
  )
  const groups = named(rows, columnsOfGroup)
  const audio = groups.filter(({ format }) => format === 'audio')
  const read = groups.filter(({ format }) => format !== 'audio')
  const rated = groups.filter(({ rating }) => rating > 0)
  const rereads = groups.filter(({ isReread }) => isReread)
  const average = sum(rated, ({ count, rating }) => count * rating) / sum(rated, countOf)
  const periodOf = ({ period }: Group) => (period === (year ?? '') ? unknownPart : period)
  const ratingOf = ({ rating }: Group) => (rating > 0 ? String(rating) : unknownPart)
  const inPages = { unit: 'pages', only: [['format', '!=', 'audio']] } as const
  const inMinutes = { unit: 'minutes', only: [['format', '=', 'audio']] } as const
  return [
    whole('books', sum(groups, countOf), select({ year })),
    split(
      context,
      'pages',
      'period',
      tally(read, periodOf, ({ pages }) => pages),
      inPages,
    ),
    split(
      context,
      'minutes',
      'period',
      tally(audio, periodOf, ({ minutes }) => minutes),
      inMinutes,
    ),
    plain('average_rating', average || 0, 'rating'),
    whole('rereads', sum(rereads, countOf), select({ year, by: 'reread' })),
    ...(year ? [split(context, 'by_month', 'period', tally(groups, periodOf))] : []),
    split(context, 'by_rating', 'rating', tally(groups, ratingOf)),
    split(
      context,
      'by_length',
      'length',
      tally(read, ({ length }) => length),
      {
        only: inPages.only,
      },
    ),
    split(
      context,
      'by_format',
      'format',
      tally(groups, ({ format }) => format || unknownPart),
    ),
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
async function yearFigure(context: Context): Promise<Figure> {
  const all = { ...context, year: undefined }
  const rows = await all.ask(
    sql`SELECT SUBSTR(finished, 1, 4), COUNT(*) FROM readings WHERE ${all.select({}).where} GROUP BY 1`,
  )
  const years = named(rows, { period: text, count: number }).toSorted((a, b) =>
    a.period < b.period ? -1 : 1,
  )
  const counts = years.map(({ period, count }) => [period || unknownPart, count] as const)
  return split(all, 'by_year', 'period', new Map(counts))
}

/** The languages of what was read, and the decades in which it was published. */
async function editionFigures(context: Context): Promise<Figure[]> {
  const { ask, select, year } = context
  const rows = await ask(sql`SELECT language, SUBSTR(published, 1, 3), COUNT(*) FROM readings
    WHERE ${select({ year }).where} GROUP BY 1, 2`)
  const groups = named(rows, { language: text, decade: text, count: number })
  const by = (keyOf: (group: (typeof groups)[number]) => string) => {
    const sums = new Map<string, number>()
    for (const group of groups) sums.set(keyOf(group), (sums.get(keyOf(group)) ?? 0) + group.count)
    return [...sums]
  }
  const languages = by(({ language }) => language || unknownPart).toSorted(
    ([a, one], [b, other]) =>
      Number(a === unknownPart) - Number(b === unknownPart) || other - one || (a < b ? -1 : 1),
  )
  // Digits come before the letters of the unknown one.
  const decades = by(({ decade }) => (decade ? `${decade}0` : unknownPart)).toSorted(([a], [b]) =>
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

/** What is counted by book, and what was given up. */
async function bookFigures({ ask, select, year }: Context): Promise<Figure[]> {
  const { where } = select({ year })
  const dropped = select({ year, by: 'dropped' })
  const books = await ask(sql`SELECT COUNT(*), AVG(CASE WHEN pages > 0 THEN pages END)
    FROM (SELECT MAX(CASE WHEN format <> 'audio' THEN pages ELSE 0 END) AS pages
      FROM readings WHERE ${where} GROUP BY book_key || '') books`)
  const given = await ask(sql`SELECT COUNT(*) FROM readings WHERE ${dropped.where}`)
  const { different, pages } = named(books, { different: number, pages: number })[0]!
  return [
    plain('different_books', different, 'count'),
    plain('average_pages', pages, 'pages'),
    whole('dropped', named(given, { count: number })[0]!.count, dropped),
  ]
}

/** The most read genres and authors, in all their spellings. */
async function nameFigures(context: Context): Promise<Figure[]> {
  const { ask, select, year, isNarrowed } = context
  const { where } = select({ year })
  const namesBy = async (field: 'genres' | 'authors') => {
    const [names, keys] = [sql.ref(field), sql.ref(`${field}_keys`)]
    const rows = await ask(sql`SELECT ${names}, ${keys}, COUNT(*) FROM readings
      WHERE ${where} GROUP BY ${names}, ${keys}`)
    return named(rows, { names: texts, keys: keysIn, count: number })
  }
  const genres = await namesBy('genres')
  const authors = await namesBy('authors')
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
 * @param rows lists of names, the keys of each, and how many readings have them
 */
function countNames(
  rows: readonly { names: string[]; keys: string[]; count: number }[],
): Map<string, Name> {
  const found = new Map<string, Name>()
  for (const { names, keys, count } of rows) {
    const keyed = new Map(keys.map((key, i) => [key, names[i] ?? '']))
    for (const [key, name] of keyed)
      found.getOrInsertComputed(key, () => ({ name, count: 0 })).count += count
  }
  return found
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
  const { longest, current } = findStreaks(days, today, settings?.streak_days_off ?? 0)
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

const countOf = ({ count }: Pick<Group, 'count'>) => count

function sum<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0)
}

/** @returns the sum of each key's groups, in the order of the keys, the unknown one last */
function tally(
  groups: readonly Group[],
  keyOf: (group: Group) => string,
  valueOf: (group: Group) => number = countOf,
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
