import { sql } from 'kysely'
import type { Dialect } from '../database/database.ts'
import { ApiError } from '../errors.ts'
import { compile } from '../filter/compile.ts'
import { lex } from '../filter/lexer.ts'
import { parse } from '../filter/parser.ts'
import type { PathContext } from '../filter/paths.ts'
import type { TokenScope } from '../filter/request.ts'
import type { CompileContext } from '../filter/joins.ts'
import { Aliases, Scope, type Sql } from '../filter/scope.ts'
import { FilterError } from '../filter/tree.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import type { Rule } from '../schema/field.ts'
import { covers } from './scope.ts'

/** The context a statement is compiled in, where only the collection of the viewer is known. */
export interface RuleContext {
  dialect: Dialect
  schema: Schema
  viewer: Collection | undefined
  /** Of the viewer's API token, which may not cover related records. */
  scope?: TokenScope | undefined
}

/** The FROM clause of a statement about one collection; conditions add their joins to it. */
export interface FromClause extends RuleContext {
  collection: Collection
  alias: string
  row: Scope
  used?: Set<string> | undefined
}

/** @returns a collection's FROM clause with a fresh alias and no joins yet */
export function fromClause(context: RuleContext, collection: Collection): FromClause {
  const row = new Scope(new Aliases())
  return { ...context, collection, alias: row.aliases.next(), row }
}

/** @throws ApiError 403 if the rule lets nobody in */
export function refuseLockedRule(rule: Rule): asserts rule is string {
  if (rule === null) throw new ApiError(403, 'Only superusers can perform this action.')
}

/**
 * A rule as a condition on the rows. Rules see all fields and the request.
 *
 * @returns undefined if the rule lets everyone in
 * @throws Error if the rule is invalid, which is a mistake in the application
 */
export function ruleCondition(from: FromClause, rule: string): Sql | undefined {
  if (rule === '') return undefined
  try {
    const { tokens, literals } = lex(rule)
    return compile(
      { ...from, client: false, literal: (i) => () => literals[i], visible: () => undefined },
      parse(tokens),
    )
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    throw new Error(`the rule ${rule} of ${from.collection.name} is invalid`, {
      cause: error,
    })
  }
}

/**
 * The context for a client's filter and sort, which can only use fields everyone may read and
 * related records the viewer may list. Anything else behaves as if it didn't exist.
 */
export function clientContext(from: FromClause): CompileContext & PathContext {
  return {
    ...from,
    client: true,
    literal: (index) => (input) => input.literals[index],
    visible: (target, alias) => visible(from, target, alias),
  }
}

function visible(from: FromClause, target: Collection, alias: string): Sql | undefined {
  if (target.rules.list === null || !covers(from.scope, target))
    throw new FilterError(`the viewer may not list ${target.name}`)
  const row = new Scope(from.row.aliases)
  const condition = ruleCondition({ ...from, collection: target, alias, row }, target.rules.list)
  return condition && row.exists(sql`(${condition})`)
}
