import { sql, type RawBuilder } from 'kysely'
import { compiler } from './compile.ts'
import type { Dialect } from './database.ts'

/**
 * Length in bytes up to which searching a text takes less than a millisecond, even for the worst
 * pattern.
 */
const soonSearched = 1000

/** SQLite's dialect. */
export const sqlite: Dialect = {
  name: 'sqlite',
  compile: compiler('sqlite'),
  like: (left, pattern) => sql<boolean>`${left} LIKE ${pattern} ESCAPE '\\'`,
  search: (left, pattern) =>
    sql<boolean>`CASE WHEN octet_length(${left}) > ${sql.lit(soonSearched)} THEN like_in_time(${left}, ${pattern}) ELSE ${left} LIKE ${pattern} ESCAPE '\\' END`,
  lower: (text) => sql<string>`LOWER(${text})`,
  text: (value) => sql<string>`${value}`,
  number: (value) => sql<number>`${value}`,
  bit: (column) => sql<number>`${column}`,
  numberText: (number) =>
    sql<string>`CASE WHEN ${number} IS NOT NULL THEN FORMAT('%.15g', ${number}) END`,
  bytewise: (text) => sql<string>`${text}`,
  jsonText: (column, path) =>
    sql<string>`CASE WHEN ${jsonType(column, path)} IN ('text', 'array', 'object') THEN json_extract(${column}, ${jsonPath(path)}) END`,
  jsonNumber: (column, path) =>
    sql<number>`CASE WHEN ${jsonType(column, path)} IN ('integer', 'real', 'true', 'false') THEN CAST(json_extract(${column}, ${jsonPath(path)}) AS REAL) END`,
  jsonPrint: (column, path) =>
    sql<string>`CASE ${jsonType(column, path)} WHEN 'text' THEN json_extract(${column}, ${jsonPath(path)}) WHEN 'null' THEN NULL ELSE ${column} -> ${jsonPath(path)} END`,
  jsonEach: (column) =>
    sql`json_each(CASE WHEN json_valid(${column}) AND json_type(${column}) = 'array' THEN ${column} ELSE '[]' END)`,
  jsonLength: (column) =>
    sql<number>`CASE WHEN json_valid(${column}) AND json_type(${column}) = 'array' THEN json_array_length(${column}) ELSE 0 END`,
  // A call takes as long as reading a row, so only one in 32 rows checks.
  withinTimeout: (table) =>
    table === undefined
      ? sql<boolean>`in_time()`
      : sql<boolean>`((${sql.ref(`${table}.rowid`)} & 31) <> 0 OR in_time())`,
  rowid: (alias) => sql.ref(`${alias}.rowid`),
}

function jsonType(column: RawBuilder<unknown>, path: readonly string[]) {
  return sql`CASE WHEN json_valid(${column}) THEN json_type(${column}, ${jsonPath(path)}) END`
}

/** Keys are letters, digits and underscores: see the filter language. */
function jsonPath(path: readonly string[]) {
  const keys = path.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${JSON.stringify(key)}`))
  return sql.lit(`$${keys.join('')}`)
}
