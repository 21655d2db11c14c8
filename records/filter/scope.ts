import { sql, type RawBuilder } from 'kysely'
import { FilterError } from './tree.ts'

export type Sql<T = unknown> = RawBuilder<T>

/** More tables than any honest filter joins, and fewer than SQLite's 64. */
const maxJoins = 32

/** Names for the tables of one statement: t0, t1 ... */
export class Aliases {
  #count = 0
  get count(): number {
    return this.#count
  }

  next(): string {
    return `t${this.#count++}`
  }
}

/** One FROM clause in the making. A table that is asked for twice is joined once. */
export class Scope {
  readonly aliases: Aliases
  readonly #joins: Sql[] = []
  readonly #known = new Map<string, string>()

  constructor(aliases: Aliases) {
    this.aliases = aliases
  }

  /**
   * @param key the same for the same table reached the same way
   * @param table what to join: `<table> AS <alias> ON <condition>`
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

  /** The joins so far, each with a space in front. */
  get joins(): Sql {
    return sql.join([...this.#joins], sql``)
  }

  /** Whether a row of the joined tables makes the condition true; without joins the condition. */
  exists(condition: Sql): Sql {
    if (!this.#joins.length) return condition
    return sql`EXISTS (SELECT 1 FROM (SELECT 1) AS ${sql.id(this.aliases.next())}${this.joins} WHERE ${condition})`
  }
}

/** @returns a column of a joined table */
export function column(alias: string, name: string): Sql {
  return sql`${sql.id(alias)}.${sql.id(name)}`
}

/** @returns the conditions joined; in parentheses when there are several */
export function and(conditions: readonly Sql[]): Sql {
  return combined(conditions, sql` AND `)
}

/** @returns the conditions of which one is enough; in parentheses when there are several */
export function or(conditions: readonly Sql[]): Sql {
  return combined(conditions, sql` OR `)
}

function combined(conditions: readonly Sql[], by: Sql): Sql {
  return conditions.length === 1 ? conditions[0]! : sql`(${sql.join(conditions, by)})`
}
