import type { RawBuilder } from 'kysely'
import type { Connection, Dialect, Row } from '#records/index.ts'

/** Runs a fragment in the words of the database at hand; its values travel as parameters. */
export function query(
  connection: Connection & { readonly dialect: Dialect },
  fragment: RawBuilder<unknown>,
): Promise<Row[]> {
  const { sql, parameters } = connection.dialect.compile(fragment)
  return connection.query(sql, parameters as Parameters<Connection['query']>[1])
}

/** @returns the texts of a column that holds a JSON list; none if it holds something else */
export function textList(json: string): string[] {
  const value: unknown = JSON.parse(json)
  return Array.isArray(value) ? value.map(String) : []
}
