/**
 * What rules have said in one transaction, so that the fifty requests of a batch don't ask fifty
 * times whether their viewer may see one folder.
 */
export class VerdictCache {
  /** By a statement's text, then by what it was bound with. */
  readonly #statements = new Map<string, Map<string, boolean>>()

  find(sql: string, values: string): boolean | undefined {
    return this.#statements.get(sql)?.get(values)
  }

  add(sql: string, values: string, verdict: boolean): void {
    const verdicts = this.#statements.get(sql)
    if (verdicts) verdicts.set(values, verdict)
    else this.#statements.set(sql, new Map([[values, verdict]]))
  }

  /** @param table about to be written to */
  forget(table: string): void {
    // A statement names the tables it reads; one that has the name in it by chance is asked again.
    for (const sql of this.#statements.keys()) if (sql.includes(table)) this.#statements.delete(sql)
  }
}
