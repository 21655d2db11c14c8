import type { Transaction } from '#records/index.ts'

/** One step of the schema. What was released is never edited again: a change is a new step. */
export interface Migration {
  name: string
  /** SQL statements in order; what differs between the databases is said twice. */
  statements(dialect: 'sqlite' | 'postgres'): readonly string[]
  /**
   * What SQL can't do, after the statements and in the same transaction.
   *
   * @param progress called with the rows done so far and their total, about once a second
   */
  fill?(tx: Transaction, progress: (done: number, total: number) => void): Promise<void>
}
