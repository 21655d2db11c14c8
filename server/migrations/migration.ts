/** One step of the schema. What was released is never edited again: a change is a new step. */
export interface Migration {
  name: string
  /** SQL statements in order; what differs between the databases is said twice. */
  statements(dialect: 'sqlite' | 'postgres'): readonly string[]
}
