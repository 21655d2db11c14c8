import type { Dialect } from '../database/database.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import { fromClause, ruleCondition } from './rule.ts'

/**
 * Compiles every rule at startup, so that a broken one doesn't first fail in a request.
 *
 * @throws Error for a rule that doesn't compile, or one that lets everyone manage accounts
 */
export function refuseBrokenRules(dialect: Dialect, schema: Schema): void {
  const accounts = schema.collections.filter(({ type }) => type === 'auth')
  for (const collection of schema.collections)
    for (const viewer of [undefined, ...accounts])
      for (const rule of rulesOf(collection))
        ruleCondition(fromClause({ dialect, schema, viewer }, collection), rule)
}

function rulesOf({ name, rules, auth }: Collection): string[] {
  if (auth?.manage === '')
    throw new Error(`the manage rule of ${name} would let everyone manage its accounts`)
  const all = [...Object.values(rules), auth?.rule, auth?.manage]
  return all.filter((rule) => typeof rule === 'string')
}
