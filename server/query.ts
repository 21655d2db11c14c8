/** Runs a fragment in the database's own dialect, with its values as parameters. */
export { modify, query } from '#records/index.ts'

/** @returns the texts of a column that holds a JSON list; none if it holds something else */
export function textList(json: string): string[] {
  const value: unknown = JSON.parse(json)
  return Array.isArray(value) ? value.map(String) : []
}
