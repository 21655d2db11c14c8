import { sql } from 'kysely'
import { fromClause, ruleCondition, type RuleContext, type FromClause } from '../access/rule.ts'
import type { Row } from '../database/database.ts'
import { placeholder } from '../database/placeholder.ts'
import { column, type Sql } from '../filter/scope.ts'
import type { Collection } from '../schema/collection.ts'
import { isMultiple, type Field } from '../schema/field.ts'
import { fromSql, whereAll } from './statements.ts'

/**
 * Rows that agree in the few columns a rule uses, such as all notes of one folder, get the same
 * verdict. The count checks the rule once per group instead of once per row, and the page is taken
 * from the groups that passed. If the rule follows two relations and the filter finds hundreds of
 * rows, a list takes 1.5 to 1.8 times the processor time without this.
 */

/** With more groups, the page's statement checks the rule itself. */
export const maxGroups = 16

export interface GroupInput {
  /** For each group that passed, its columns and its count. */
  groups: readonly Row[]
}

/**
 * @returns the columns the rule uses, if it follows relations and these columns hold few distinct
 *   values; undefined if grouping would gain nothing
 */
export function groupingFields(
  context: RuleContext,
  collection: Collection,
  rule: string,
): readonly Field[] | undefined {
  const used = new Set<string>()
  const from = { ...fromClause(context, collection), used }
  ruleCondition(from, rule)
  const followsNothing = from.row.aliases.count === 1
  const fields = collection.fields.filter((field) => used.has(field.name))
  return followsNothing || !fields.length || !fields.every(hasFewValues) ? undefined : fields
}

function hasFewValues(field: Field): boolean {
  return !isMultiple(field) && ['relation', 'select', 'bool'].includes(field.type)
}

/** The column after the fields' values. */
const verdict = sql`passed`

/**
 * Selects the groups of the rows that match the client's filter; groups that the rule allows come
 * first.
 *
 * @param where the filter, with its joins in `from`
 * @returns a SELECT for {@link readGroups}
 */
export function selectGroups(
  from: FromClause,
  rule: string,
  fields: readonly Field[],
  where: Sql,
): Sql {
  const columns = sql.join(fields.map((field) => column(from.alias, field.name)))
  const found = sql`(SELECT ${columns}, COUNT(*) AS found${fromSql(from)}${where} GROUP BY ${columns})`
  const groups = fromClause(from, from.collection)
  const passed = sql`CASE WHEN ${ruleCondition(groups, rule) ?? sql`TRUE`} THEN 1 ELSE 0 END`
  const names = sql.join(fields.map((field) => column(groups.alias, field.name)))
  // There may be as many groups as rows.
  const inTime = whereAll([from.dialect.withinTimeout?.()])
  const judged = sql`SELECT ${names}, found, ${passed} AS ${verdict}${fromSql(groups, found)}${inTime}`
  return sql`SELECT ${sql.join(fields.map((field) => sql.ref(field.name)))}, ${verdict}, SUM(found * ${verdict}) OVER (), SUM(found) OVER () FROM (${judged}) AS judged ORDER BY ${verdict} DESC LIMIT ${sql.lit(maxGroups + 1)}`
}

/** @returns the groups that passed, how many rows they have, and whether all passed */
export function readGroups(rows: readonly Row[]): {
  groups: readonly Row[]
  totalItems: number
  allPassed: boolean
} {
  const [passed, found] = (rows[0] ?? [0, 0]).slice(-2).map(Number) as [number, number]
  return {
    groups: rows.filter((row) => Number(row.at(-3)) === 1),
    totalItems: passed,
    allPassed: passed === found,
  }
}

/**
 * The condition that a row belongs to one of the bound groups.
 *
 * @param size the number of group placeholders; the last group fills those left over
 * @param aside keeps the condition from using an index, so that the other conditions choose it
 */
export function isInGroups(
  from: FromClause,
  fields: readonly Field[],
  size: number,
  aside: boolean,
): Sql {
  const columns = fields.map((field) => {
    const stored = column(from.alias, field.name)
    return aside ? sql`COALESCE(${stored}, ${stored})` : stored
  })
  const group = (index: number) => fields.map((field, at) => groupValue(from, field, index, at))
  if (size === 1) {
    const values = group(0)
    return sql.join(
      columns.map((stored, at) => sql`${stored} = ${values[at]}`),
      sql` AND `,
    )
  }
  const groups = Array.from({ length: size }, (_, index) => sql`(${sql.join(group(index))})`)
  return sql`(${sql.join(columns)}) IN (VALUES ${sql.join(groups)})`
}

function groupValue({ dialect }: FromClause, field: Field, index: number, at: number): Sql {
  const value = placeholder<GroupInput>(
    ({ groups }) => groups[Math.min(index, groups.length - 1)]![at]!,
  )
  return field.type === 'bool' ? sql`CAST(${value} AS BOOLEAN)` : dialect.text(value)
}
