import { sql, type RawBuilder } from 'kysely'
import { compiler } from './compile.ts'
import type { Dialect } from './database.ts'

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const asciiLower = (text: Parameters<Dialect['lower']>[0]) =>
  sql<string>`TRANSLATE((${text})::text, ${sql.lit(upper)}, ${sql.lit(upper.toLowerCase())})`

/**
 * Lowercases the same letters, twenty times as fast, where no index on {@link asciiLower} is
 * needed.
 */
const asciiFolded = (text: Parameters<Dialect['lower']>[0]) =>
  sql<string>`LOWER((${text})::text COLLATE "C")`

type Sql = RawBuilder<unknown>

/** `json` rather than `jsonb`, as it returns lists and objects as they were written. */
const jsonAt = (column: Sql, path: readonly string[]) =>
  sql<string>`((${column})::json #>> ${jsonPath(path)})`
const jsonType = (column: Sql, path: readonly string[]) =>
  sql`json_typeof((${column})::json #> ${jsonPath(path)})`
const jsonPath = (path: readonly string[]) =>
  sql`${sql.lit(`{${path.map((key) => JSON.stringify(key)).join(',')}}`)}::text[]`

const like: Dialect['like'] = (left, pattern) =>
  sql<boolean>`${asciiFolded(left)} LIKE ${asciiFolded(pattern)} ESCAPE '\\'`

/** PostgreSQL's dialect. */
export const postgres: Dialect = {
  name: 'postgres',
  compile: compiler('postgres'),
  like,
  search: like,
  lower: asciiLower,
  text: (value) => sql<string>`${value}::text`,
  number: (value) => sql<number>`${value}::float8`,
  bit: (column) => sql<number>`(${column})::int::float8`,
  numberText: (number) => sql<string>`(${number})::text`,
  bytewise: (text) => sql<string>`(${text}) COLLATE "C"`,
  jsonText: (column, path) =>
    sql<string>`CASE WHEN ${jsonType(column, path)} IN ('string', 'array', 'object') THEN ${jsonAt(column, path)} END`,
  jsonNumber: (column, path) =>
    sql<number>`CASE ${jsonType(column, path)} WHEN 'number' THEN (${jsonAt(column, path)})::float8 WHEN 'boolean' THEN (${jsonAt(column, path)})::boolean::int::float8 END`,
  jsonPrint: jsonAt,
  jsonEach: (column) =>
    sql`jsonb_array_elements_text(CASE WHEN jsonb_typeof((${column})::jsonb) = 'array' THEN (${column})::jsonb ELSE '[]'::jsonb END)`,
  jsonLength: (column) =>
    sql<number>`CASE WHEN jsonb_typeof((${column})::jsonb) = 'array' THEN jsonb_array_length((${column})::jsonb) ELSE 0 END`,
  rowid: (alias) => sql`(${sql.ref(`${alias}.ctid`)})`,
}
