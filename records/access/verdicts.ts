import type { Statement } from '../database/database.ts'
import type { Value } from '../database/slot.ts'
import { bound, executeBound, type Reader } from '../statements.ts'

/** By a statement's text, then by what it was bound with. */
type Verdicts = Map<string, Map<string, boolean>>

/**
 * What rules have said in a transaction, so that the fifty requests of a batch do not ask fifty
 * times whether their reader may see one folder.
 */
const told = new WeakMap<object, Verdicts>()

/** Verdicts of this transaction are kept from now on; it has to call {@link forgetVerdicts}. */
export function keepVerdicts(tx: object): void {
  told.set(tx, new Map())
}

/**
 * Whether a rule's statement finds a row. In a transaction it is run once for the same values, until
 * a table that it reads is written to.
 *
 * @param more what the statement is bound with beside the request
 */
export async function isSatisfied<More extends object>(
  reader: Pick<Reader, 'db' | 'request'>,
  statement: Statement,
  more: More,
): Promise<boolean> {
  const parameters = bound(reader, statement, more)
  const ask = async () => (await executeBound(reader, statement, parameters)).length > 0
  const known = told.get(reader.db)
  if (!known) return ask()
  const { sql } = statement
  const key = keyOf(parameters)
  const before = known.get(sql)?.get(key)
  if (before !== undefined) return before
  const verdict = await ask()
  const said = known.get(sql)
  if (said) said.set(key, verdict)
  else known.set(sql, new Map([[key, verdict]]))
  return verdict
}

/** Another key for every other list of values; JSON alone would take Infinity for null. */
function keyOf(values: readonly Value[]): string {
  return JSON.stringify(
    values.map((value) =>
      value === null || typeof value === 'string' ? value : [typeof value, String(value)],
    ),
  )
}

/**
 * To be told of every statement that writes, before it runs.
 *
 * @param table what it writes to; undefined if that is not known
 */
export function forgetVerdicts(tx: object, table: string | undefined): void {
  const known = told.get(tx)
  if (!known?.size) return
  // A statement names the tables it reads; one that has the name in it by chance is asked again.
  for (const sql of known.keys()) if (table === undefined || sql.includes(table)) known.delete(sql)
}
