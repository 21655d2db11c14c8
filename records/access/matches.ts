import { sql } from 'kysely'
import { compile } from '../filter/compile.ts'
import { lexFilter } from '../filter/lexer.ts'
import { isCheap } from '../filter/narrow.ts'
import { parse } from '../filter/parser.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import {
  broad,
  execute,
  fromRows,
  isId,
  cached,
  queryContext,
  whereAll,
  type QuerySource,
} from '../read/statements.ts'
import type { RequestInfo } from './request.ts'
import { clientContext, rowsOf } from './rule.ts'

/**
 * Whether a client's filter finds a record. Whether the client may see the record at all is
 * another question, which {@link allows} answers.
 *
 * @throws ApiError 400 for a filter that cannot be followed
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
    const rows = rowsOf(context, collection)
    const tree = parse(tokens)
    const where = whereAll([isId(rows), compile(clientContext(rows), tree)])
    const made = db.dialect.compile(sql`SELECT 1${fromRows(rows)}${where}`)
    return isCheap(collection, tree) ? made : broad(made)
  })
  return !id.includes('\0') && (await execute(context, statement, { id, literals })).length > 0
}
