import type { Statement } from '../database/database.ts'
import type { Value } from '../database/placeholder.ts'
import { bindRequest, executeBound, type QueryContext } from '../read/statements.ts'

/**
 * Whether a rule's statement finds a row. In a write it runs once for the same values, until a table
 * that it reads is written to.
 *
 * @param more what the statement is bound with besides the request
 */
export async function isSatisfied<More extends object>(
  context: Pick<QueryContext, 'db' | 'request'>,
  statement: Statement,
  more: More,
): Promise<boolean> {
  const parameters = bindRequest(context, statement, more)
  const { verdicts } = context.db
  const ask = async () => (await executeBound(context, statement, parameters)).length > 0
  if (!verdicts) return ask()
  const key = keyOf(parameters)
  const known = verdicts.find(statement.sql, key)
  if (known !== undefined) return known
  const verdict = await ask()
  verdicts.add(statement.sql, key, verdict)
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
