import { sql, type RawBuilder } from 'kysely'
import { FilterError } from './tree.ts'

export type Sql<T = unknown> = RawBuilder<T>

/** More tables than any honest filter joins, and fewer than SQLite's limit of 64. */
const maxJoins = 32

/** Table aliases in one statement: t0, t1 ... */
export class Aliases {
  #count = 0
  get count(): number {
    return this.#count
  }

  next(): string {
    return `t${this.#count++}`
  }
}

/** A FROM clause under construction. A table requested twice is joined once. */
export class Scope {
  readonly aliases: Aliases
  readonly #joins: Sql[] = []
  readonly #known = new Map<string, string>()

  constructor(aliases: Aliases) {
    this.aliases = aliases
  }

  /**
   * @param key equal for the same table reached by the same path
   * @param table returns the join: `<table> AS <alias> ON <condition>`
   * @returns the table's alias
   */
  join(key: string, table: (alias: string) => Sql): string {
    const known = this.#known.get(key)
    if (known) return known
    if (this.#known.size >= maxJoins) throw new FilterError('too many relations')
    const alias = this.aliases.next()
    this.#known.set(key, alias)
    this.#joins.push(sql` LEFT JOIN ${table(alias)}`)
    return alias
  }

  /** The joins so far, each with a leading space. */
  get joins(): Sql {
    return sql.join([...this.#joins], sql``)
  }

  /**
   * Whether any row of the joined tables satisfies the condition; just the condition if there are
   * no joins.
   */
  exists(condition: Sql): Sql {
    if (!this.#joins.length) return condition
    return sql`EXISTS (SELECT 1 FROM (SELECT 1) AS ${sql.id(this.aliases.next())}${this.joins} WHERE ${condition})`
  }
}

/** @returns a column of a joined table */
export function column(alias: string, name: string): Sql {
  return sql`${sql.id(alias)}.${sql.id(name)}`
}

/** @returns the conditions joined with AND; in parentheses if there are several */
export function and(conditions: readonly Sql[]): Sql {
  return combined(conditions, sql` AND `)
}

/** @returns the conditions joined with OR; in parentheses if there are several */
export function or(conditions: readonly Sql[]): Sql {
  return combined(conditions, sql` OR `)
}

function combined(conditions: readonly Sql[], by: Sql): Sql {
  return conditions.length === 1 ? conditions[0]! : sql`(${sql.join(conditions, by)})`
}
