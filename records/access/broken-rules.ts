import type { Dialect } from '../database/database.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import { fromClause, ruleCondition } from './rule.ts'

/**
 * Finds out at the start what would else fail at the first request that a rule is asked about.
 *
 * @throws Error for a rule that cannot be followed, or one by which everybody runs accounts
 */
export function refuseBrokenRules(dialect: Dialect, schema: Schema): void {
  const accounts = schema.collections.filter(({ type }) => type === 'auth')
  for (const collection of schema.collections)
    for (const viewer of [undefined, ...accounts])
      for (const rule of rulesOf(collection))
        ruleCondition(fromClause({ dialect, schema, viewer }, collection), rule)
}

function rulesOf({ name, rules, auth }: Collection): string[] {
  if (auth?.manage === '') throw new Error(`everybody would run the accounts of ${name}`)
  const all = [...Object.values(rules), auth?.rule, auth?.manage]
  return all.filter((rule) => typeof rule === 'string')
}
