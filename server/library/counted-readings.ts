import { sql, type RawBuilder } from 'kysely'
import type { Dialect } from '#records/index.ts'
import { lengths, unknownPart, type ReadingPart, type ReadingPartForm } from '#shared/statistics.ts'
import { lineOf } from '#server/collections/derived-fields.ts'

type Field =
  | ('outcome' | 'uncounted' | 'finished' | 'format' | 'pages' | 'rating' | 'is_reread')
  | ('language' | 'published')
  | ('authors:folded' | 'genres:folded')

/** A comparison that the record API's filter language and SQL can both say. */
export type Condition = readonly [
  field: Field,
  operator: '=' | '!=' | '>' | '>=' | '<' | '~',
  value: string | number | boolean,
]

/**
 * The readings that the statistics count: finished or given up ones, in a year or ever, or those of
 * one bar.
 *
 * @returns null if there is no such bar
 */
export function countedReadings({
  year,
  by,
  key = '',
  format,
  genre,
}: Partial<ReadingPartForm>): Condition[] | null {
  const part = by ? parts[by](key, year) : []
  return (
    part && [
      ['outcome', '=', by === 'dropped' ? 'dropped' : 'finished'],
      ['uncounted', '=', false],
      ...(year ? within(year) : []),
      ...(format ? parts.format(format)! : []),
      ...(genre ? parts.genre(genre)! : []),
      ...part,
    ]
  )
}

/** @param period `YYYY` or `YYYY-MM` */
function within(period: string): Condition[] {
  const [year = 0, month = 0] = period.split('-').map(Number)
  const text = (number: number, digits: number) => String(number).padStart(digits, '0')
  const isLast = month === 0 || month === 12
  const next = isLast ? text(year + 1, 4) : `${text(year, 4)}-${text(month + 1, 2)}`
  return [
    ['finished', '>=', period],
    ['finished', '<', next],
  ]
}

const parts: Record<ReadingPart, (key: string, year?: string) => Condition[] | null> = {
  /** One of a year's months, or one of all years. */
  period(key, year) {
    if (key === unknownPart) return [['finished', '=', year ?? '']]
    return /^\d{4}(?:-\d{2})?$/.test(key) ? within(key) : null
  },
  rating: (key) => [['rating', '=', key === unknownPart ? 0 : Number(key) || -1]],
  genre: (key) => [['genres:folded', '~', key]],
  author: (key) => [['authors:folded', '~', key]],
  length(key) {
    const read = ['format', '!=', 'audio'] as const
    if (key === unknownPart) return [read, ['pages', '=', 0]]
    const at = lengths.findIndex((pages) => String(pages) === key)
    if (at < 0) return null
    const next = lengths[at + 1]
    return [read, ['pages', '>=', lengths[at]!], ...(next ? [['pages', '<', next] as const] : [])]
  },
  format: (key) => [['format', '=', key === unknownPart ? '' : key]],
  language: (key) => [['language', '=', key === unknownPart ? '' : key]],
  /** A decade, by its first three digits. */
  published(key) {
    if (key === unknownPart) return [['published', '=', '']]
    if (!/^\d{3}0$/.test(key)) return null
    const decade = key.slice(0, 3)
    return [
      ['published', '>=', decade],
      ['published', '<', `${decade}9~`],
    ]
  },
  reread: () => [['is_reread', '=', true]],
  dropped: () => [],
}

/** @returns the conditions in the record API's filter language */
export function toFilter(conditions: readonly Condition[], user: string): string {
  const all = [['user', '=', user], ...conditions] as const
  return all
    .map(([field, operator, value]) => `${field} ${operator} ${JSON.stringify(value)}`)
    .join(' && ')
}

/** @returns the conditions in SQL */
export function toSql(dialect: Dialect, conditions: readonly Condition[]): RawBuilder<boolean> {
  return sql`${sql.join(
    conditions.map(([field, operator, value]) => {
      if (field === 'authors:folded' || field === 'genres:folded')
        return hasName(dialect, field.replace(':folded', '_keys'), String(value))
      // As it stands, an index of some outcomes alone can be used.
      const isFixed = typeof value === 'boolean' || field === 'outcome'
      const given = isFixed ? sql.lit(value) : sql`${value}`
      return sql`${sql.ref(field)} ${sql.raw(operator)} ${given}`
    }),
    sql` AND `,
  )}`
}

/** Whether a column of `nameKeysOf` has a whole name, in any spelling. */
function hasName(dialect: Dialect, column: string, name: string): RawBuilder<boolean> {
  const line = lineOf(name).replaceAll(/[\\%_]/g, String.raw`\$&`)
  return dialect.like(sql.ref(column), sql`${`%${line}%`}`)
}

/**
 * Which readings are of books with a tag or on a shelf, in SQL; the filter language of readings
 * knows neither.
 *
 * @param isOwn whether the reader asks; others find no book by a shelf or copy that they can't see
 */
export function ofBooks(
  dialect: Dialect,
  user: string,
  isOwn: boolean,
  { tag, shelf }: Partial<ReadingPartForm>,
): RawBuilder<boolean> {
  if (!tag && !shelf) return sql`TRUE`
  return sql`book_key IN (SELECT b.book_key FROM user_books b
    WHERE ${booksOf(user, isOwn)}
    AND ${shelf ? sql`b.shelf = ${shelf}` : sql`TRUE`}
    AND ${tag ? hasName(dialect, 'tags_keys', tag) : sql`TRUE`})`
}

/** Says which records of `user_books b` are a reader's that the viewer may see. */
export function booksOf(user: string, isOwn: boolean): RawBuilder<boolean> {
  if (isOwn) return sql`b."user" = ${user}`
  // Found in an index by shelf, so that hidden books cost others nothing.
  return sql`b."user" = ${user} AND b."isPrivate" = FALSE AND b.shelf IN (
    SELECT s.id FROM bookshelves s WHERE s."user" = ${user} AND s.visibility = 'public')`
}
