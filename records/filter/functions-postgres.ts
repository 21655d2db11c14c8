/** SQLite's strftime in PostgreSQL; `v` is the moment, a timestamp in UTC. */

import { sql } from 'kysely'
import type { Specifier, TimeModifier } from './functions-format.ts'
import type { Sql } from './scope.ts'

const moment =
  '^(?!0000)\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])([ T]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d\\d\\d)?)?Z?)?$'

/**
 * @returns the text as a timestamp; NULL if it isn't one. Days past the end of the month run into
 *   the next
 */
export function postgresTimestamp(text: Sql): Sql {
  const part = (from: number, length: number) =>
    sql`COALESCE(NULLIF(SUBSTR(${text}, ${sql.lit(from)}, ${sql.lit(length)}), ''), '0')::int`
  const seconds = sql`COALESCE(NULLIF(RTRIM(SUBSTR(${text}, 18), 'Z'), ''), '0')::float8`
  return sql`CASE WHEN ${text} ~ ${sql.lit(moment)} THEN MAKE_TIMESTAMP(${part(1, 4)}, ${part(6, 2)}, 1, ${part(12, 2)}, ${part(15, 2)}, ${seconds}) + MAKE_INTERVAL(days => ${part(9, 2)} - 1) END`
}

/** @returns the moment `v` after one step of a modifier */
export function postgresModifier(step: TimeModifier): Sql {
  switch (step.type) {
    case 'months':
      // PostgreSQL would stop at the end of a shorter month; SQLite runs into the next.
      return sql`DATE_TRUNC('month', v) + MAKE_INTERVAL(months => ${sql.lit(step.count)}) + (v - DATE_TRUNC('month', v))`
    case 'milliseconds': {
      const days = Math.trunc(step.count / 86_400_000)
      const seconds = (step.count - days * 86_400_000) / 1000
      return sql`v + MAKE_INTERVAL(days => ${sql.lit(days)}, secs => ${sql.lit(seconds)})`
    }
    case 'start':
      return sql`DATE_TRUNC(${sql.lit(step.of)}, v)`
    case 'weekday':
      return sql`v + MAKE_INTERVAL(days => (${sql.lit(step.day)} - EXTRACT(dow FROM v)::int + 7) % 7)`
  }
}

const patterns: Readonly<Record<Specifier, string>> = {
  d: 'DD',
  F: 'YYYY-MM-DD',
  f: 'SS.MS',
  G: 'IYYY',
  g: 'IY',
  H: 'HH24',
  I: 'HH12',
  j: 'DDD',
  m: 'MM',
  M: 'MI',
  p: 'AM',
  P: 'am',
  R: 'HH24:MI',
  S: 'SS',
  T: 'HH24:MI:SS',
  u: 'ID',
  V: 'IW',
  Y: 'YYYY',
}
const padded: Readonly<Record<Specifier, string>> = { e: 'FMDD', k: 'FMHH24', l: 'FMHH12' }

/** @returns `v` formatted by a specifier */
export function postgresSpecifier(specifier: Specifier): Sql {
  const pattern = patterns[specifier]
  if (pattern) return sql`TO_CHAR(v, ${sql.lit(pattern)})`
  if (padded[specifier]) return sql`LPAD(TO_CHAR(v, ${sql.lit(padded[specifier])}), 2)`
  const dayOfYear = sql`EXTRACT(doy FROM v)::int - 1`
  const dayOfWeek = sql`EXTRACT(dow FROM v)::int`
  switch (specifier) {
    case 'w':
      return sql`(${dayOfWeek})::text`
    case 's':
      return sql`FLOOR(EXTRACT(epoch FROM v))::bigint::text`
    case 'U':
      return sql`LPAD(((${dayOfYear} + 7 - ${dayOfWeek}) / 7)::text, 2, '0')`
    case 'W':
      return sql`LPAD(((${dayOfYear} + 7 - (${dayOfWeek} + 6) % 7) / 7)::text, 2, '0')`
    default:
      // %J: SQLite writes 16 significant digits.
      return sql`TRIM_SCALE(ROUND((EXTRACT(epoch FROM v) / 86400 + 2440587.5)::float8::text::numeric, 9))::text`
  }
}
