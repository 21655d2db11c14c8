import { sql } from 'kysely'
import { compile } from '../filter/compile.ts'
import { lexFilter } from '../filter/lexer.ts'
import { isCheap } from '../filter/narrow.ts'
import { parse } from '../filter/parser.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import {
  execute,
  isId,
  cached,
  queryContext,
  selectStatement,
  withScan,
  type QuerySource,
} from './statements.ts'
import type { RequestInfo } from '../filter/request.ts'
import { clientContext, fromClause } from '../access/rule.ts'

/**
 * Whether a record matches a client's filter. {@link allows} decides whether the client may see the
 * record at all.
 *
 * @throws ApiError 400 for an invalid filter
 */
export async function matches(
  db: QuerySource,
  schema: Schema,
  collection: Collection,
  id: string,
  request: RequestInfo,
  filter: string,
): Promise<boolean> {
  const context = queryContext(db, schema, request)
  const { tokens, literals, shape } = lexFilter(filter)
  const statement = cached(context, `matches ${collection.id} ${shape}`, () => {
    const from = fromClause(context, collection)
    const tree = parse(tokens)
    const found = compile(clientContext(from), tree)
    const made = selectStatement(from, sql`1`, [isId(from), found])
    return isCheap(collection, tree) ? made : withScan('broad', made)
  })
  return !id.includes('\0') && (await execute(context, statement, { id, literals })).length > 0
}
