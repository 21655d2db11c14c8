import type { Database } from '#records/index.ts'

/**
 * How a database finds what is asked for, step by step. The planner of PostgreSQL reads small tables
 * whole unless it is told not to; here it does so only where no index serves.
 *
 * @param work is handed the database to ask
 * @returns the steps of every question, a line each
 */
export async function plansOf(
  database: Database,
  work: (told: Database) => Promise<unknown>,
): Promise<string> {
  const asked: Parameters<Database['query']>[] = []
  await work({
    ...database,
    query: (text, parameters) => {
      asked.push([text, parameters])
      return database.query(text, parameters)
    },
    search: (text, parameters, ...more) => {
      asked.push([text, parameters])
      return database.search(text, parameters, ...more)
    },
  })
  const isPostgres = database.dialect.name === 'postgres'
  const explain = isPostgres ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN'
  const plans = await database.transaction(async (tx) => {
    if (isPostgres) await tx.query('SET LOCAL enable_seqscan = off')
    const rows = []
    for (const [text, parameters] of asked)
      rows.push(...(await tx.query(`${explain} ${text}`, parameters)))
    return rows
  })
  return plans.map((row) => String(row[isPostgres ? 0 : 3])).join('\n')
}
