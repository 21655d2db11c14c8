import { sql } from 'kysely'
import type { Dialect } from '../database/database.ts'
import { postgresTimestamp, postgresSpecifier, postgresModifier } from './functions-postgres.ts'
import type { Format, TimeModifiers } from './functions-format.ts'
import { asNumber, asText } from './input.ts'
import { textPlaceholder, type Column, type Operand } from './operand.ts'
import type { Sql } from './scope.ts'
import { FilterError } from './tree.ts'

interface TimeFormat {
  format: Format
  timing: TimeModifiers
}

/** The range that both databases format alike: the years 1 to 9999. */
const firstJulianDay = 1_721_425.5
const endJulianDay = 5_373_484.5
const firstSecond = -62_135_596_800
const endSecond = 253_402_300_800
/** Milliseconds from the start of the Julian day count to 1970. */
const julianEpoch = 210_866_760_000_000

/**
 * Formats a moment as text. The result is NULL for an invalid moment or one outside the years 1 to
 * 9999.
 *
 * @param moment a date in the format of records, or a number: a Julian day, or seconds since 1970
 *   if the timing says so; undefined is now
 */
export function strftime(
  dialect: Dialect,
  { format, timing }: TimeFormat,
  moment: Operand | undefined,
): Column {
  const value = momentOf(dialect, timing, moment)
  const text =
    dialect.name === 'sqlite'
      ? sqliteTime(format, timing, value)
      : postgresTime(dialect, format, timing, value)
  return { type: 'text', nullable: true, text, number: text, print: text, bytewise: false }
}

interface Moment {
  sql: Sql
  isNumber: boolean
}

function momentOf(
  dialect: Dialect,
  { unixepoch }: TimeModifiers,
  moment: Operand | undefined,
): Moment {
  if (!moment)
    return {
      sql: textPlaceholder(dialect, (input) => canonical(input.now.getTime())),
      isNumber: false,
    }
  if (moment.type === 'free') {
    const read = textPlaceholder(dialect, (input) =>
      readMoment(moment.read(input), unixepoch, input.now),
    )
    return { sql: read, isNumber: false }
  }
  if (unixepoch && moment.type === 'text')
    throw new FilterError('text instead of a number of seconds')
  const isNumber = moment.type === 'number' || unixepoch
  return { sql: isNumber ? moment.number : moment.text, isNumber }
}

const written =
  /^(?:(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]))?(?:(?:^|[ T])([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?\s*(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?)?$/i

/** A moment from the request or the filter, as {@link canonical} text. */
function readMoment(value: unknown, unixepoch: boolean, now: Date): string | null {
  if (typeof value === 'string' && value.toLowerCase() === 'now') return canonical(now.getTime())
  const number = asNumber(value)
  if (number === null) return null
  if (Number.isFinite(number))
    return canonical(
      unixepoch
        ? Math.floor(number * 1000 + 0.5)
        : Math.floor(number * 86_400_000 + 0.5) - julianEpoch,
    )
  const text = asText(value) ?? ''
  const parts = unixepoch ? null : written.exec(text)
  if (!parts) return null
  const [year = 2000, month = 1, day = 1] = parts[1] ? parts.slice(1, 4).map(Number) : []
  const [hour = 0, minute = 0, second = 0] = parts.slice(4, 7).map((part) => Number(part ?? 0))
  const milliseconds = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'))
  const time = new Date(0)
  time.setUTCFullYear(year, month - 1, day)
  time.setUTCHours(hour, minute, second, milliseconds)
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(parts[8] ?? '') ?? []
  const ahead = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -60_000 : 60_000)
  return canonical(time.getTime() - ahead)
}

/** `YYYY-MM-DD HH:MM:SS.mmm`; null outside the years 1 to 9999. */
function canonical(time: number): string | null {
  if (!(time >= firstSecond * 1000 && time < endSecond * 1000)) return null
  return new Date(time).toISOString().replace('T', ' ').slice(0, -1)
}

const day = '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]'
const forms = [day]
for (const time of ['', ':[0-5][0-9]', ':[0-5][0-9].[0-9][0-9][0-9]'])
  for (const zone of ['', 'Z']) forms.push(`${day}[ T][0-2][0-9]:[0-5][0-9]${time}${zone}`)

/**
 * SQLite accepts more date formats than the PostgreSQL side parses, so both are limited to the same
 * ones.
 */
function sqliteTime(
  format: Format,
  { unixepoch, steps }: TimeModifiers,
  { sql: moment, isNumber }: Moment,
) {
  const strftimeFormat = format
    .map((part) => (typeof part === 'string' ? part.replaceAll('%', '%%') : `%${part.specifier}`))
    .join('')
  const modifiers = steps.map((step) => {
    if (step.type === 'months') return `${step.count} months`
    if (step.type === 'milliseconds') return `${(step.count / 1000).toFixed(3)} seconds`
    return step.type === 'start' ? `start of ${step.of}` : `weekday ${step.day}`
  })
  const args = [
    sql`v`,
    ...[...(unixepoch && isNumber ? ['unixepoch'] : []), ...modifiers].map((m) => sql`${m}`),
  ]
  const given = sql.join(args)
  const isMoment = isNumber
    ? unixepoch
      ? sql`v >= ${sql.lit(firstSecond)} AND v < ${sql.lit(endSecond)}`
      : sql`v >= ${sql.lit(firstJulianDay)} AND v < ${sql.lit(endJulianDay)}`
    : sql`v >= '0001' AND SUBSTR(v, 12, 2) < '24' AND (${sql.join(
        forms.map((form) => sql`v GLOB ${sql.lit(form)}`),
        sql` OR `,
      )})`
  const inRange = steps.length ? sql` AND JULIANDAY(${given}) >= ${sql.lit(firstJulianDay)}` : sql``
  return sql`(SELECT CASE WHEN ${isMoment}${inRange} THEN STRFTIME(${strftimeFormat}, ${given}) END FROM (SELECT ${moment} AS v) AS m)`
}

function postgresTime(
  dialect: Dialect,
  format: Format,
  timing: TimeModifiers,
  { sql: moment, isNumber }: Moment,
) {
  const bounds = timing.unixepoch
    ? { from: firstSecond, to: endSecond, unit: 1000 }
    : { from: firstJulianDay, to: endJulianDay, unit: 86_400_000 }
  const shift = timing.unixepoch ? 0 : julianEpoch
  const read = isNumber
    ? sql`CASE WHEN v >= ${sql.lit(bounds.from)} AND v < ${sql.lit(bounds.to)} THEN ${fromMilliseconds(sql`(FLOOR(v * ${sql.lit(bounds.unit)} + 0.5::float8) - ${sql.lit(shift)})`)} END`
    : postgresTimestamp(sql`v`)
  // Each step is its own SELECT. OFFSET keeps PostgreSQL from inlining it, which would repeat the
  // expression.
  const from = (select: Sql) => sql`(${select} OFFSET 0) AS m`
  let time = sql`SELECT ${read} AS v FROM ${from(sql`SELECT ${moment} AS v`)}`
  for (const [i, step] of timing.steps.entries()) {
    // SQLite can return from beyond 9999 only by a time span right after a weekday step.
    const mayReturn = step.type === 'milliseconds' && timing.steps[i - 1]?.type === 'weekday'
    const next = mayReturn
      ? postgresModifier(step)
      : sql`CASE WHEN v < '10000-01-01'::timestamp THEN ${postgresModifier(step)} END`
    time = sql`SELECT ${next} AS v FROM ${from(time)}`
  }
  const pieces = format.map((part) =>
    typeof part === 'string' ? dialect.text(sql`${part}`) : postgresSpecifier(part.specifier),
  )
  const text = pieces.length ? sql.join(pieces, sql` || `) : sql`''`
  return sql`(SELECT CASE WHEN v >= '0001-01-01'::timestamp AND v < '10000-01-01'::timestamp THEN ${text} END FROM ${from(time)})`
}

function fromMilliseconds(ms: Sql): Sql {
  const days = sql`FLOOR(${ms} / 86400000)`
  return sql`'1970-01-01'::timestamp + MAKE_INTERVAL(days => ${days}::int, secs => (${ms} - ${days} * 86400000) / 1000.0)`
}
