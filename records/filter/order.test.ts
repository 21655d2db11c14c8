import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { clientContext, fromClause } from '../access/rule.ts'
import type { Database } from '../database/database.ts'
import { bind } from '../database/placeholder.ts'
import { requestOf, schema, seedRecords } from '../records.fixture.ts'
import { fromSql, whereAll } from '../read/statements.ts'
import { compile } from './compile.ts'
import { lexFilter } from './lexer.ts'
import { parse } from './parser.ts'

/** The steps of a query plan that use a joined record's values before checking who may see it. */
const unguarded = {
  sqlite: (lines: readonly string[]) =>
    lines.filter((line) => line.startsWith('SEARCH t') && !line.endsWith('LEFT-JOIN')),
  // Only conditions on joined rows count, not those on the base table.
  postgres: (lines: readonly string[]) => {
    const conditions = lines.flatMap((line, at) => (line.includes('Filter: COALESCE(') ? at : []))
    const joins = conditions.map((at) => lines.slice(Math.max(0, at - 2), at).join('\n'))
    return joins.length ? joins.filter((join) => !join.includes('Left Join')) : lines
  },
}

/**
 * The response time must not reveal values in records the viewer may not see. A LEFT JOIN checks
 * the visibility of the other record before using its values; an inner join may do it the other way
 * round.
 */
describeDatabases('the visibility of a related record', (open, dialect) => {
  let db: Database
  beforeAll(async () => {
    db = await open()
    await seedRecords(db)
  })

  test.each([
    ['notes', 'folder.name ~ "canary"', 'folders'],
    ['notes', 'folder.name > "canary"', 'folders'],
    ['notes', 'folder.parent.name !~ "canary"', 'folders'],
    ['notes', 'owner.score > 1', 'people'],
    ['notes', 'owner.score = owner.score && title = "x"', 'people'],
    ['folders', 'folders_via_parent.name ?~ "canary"', 'folders'],
    ['folders', 'folders_via_parent.name < "canary"', 'folders'],
    ['folders', 'notes_via_folder.title != "canary"', 'notes'],
    ['folders', 'notes_via_folder.stars ?> 3 || name = "x"', 'notes'],
    ['people', 'card_via_owner.hidden = false', 'card'],
  ])('is checked first in %s by %s', async (name, filter, related) => {
    const from = fromClause({ dialect: db.dialect, schema, viewer: undefined }, schema.get(name))
    const { tokens, literals } = lexFilter(filter)
    const where = whereAll([compile(clientContext(from), parse(tokens))])
    const { sql: text, parameters } = db.dialect.compile(sql`SELECT 1${fromSql(from)}${where}`)
    const explain = dialect === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
    const input = { literals, request: requestOf(), now: new Date(0) }
    const plan = await db.query(`${explain} ${text}`, bind(parameters, input))
    const lines = plan.map((row) => String(row.at(-1)))
    expect(text).toContain(`LEFT JOIN "${related}"`)
    expect(unguarded[dialect](lines)).toEqual([])
  })
})
