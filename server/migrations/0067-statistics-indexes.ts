import type { Migration } from './migration.ts'

/** Indexes that hold all that statistics read of the progress log, and what was given up. */
export const statisticsIndexes: Migration = {
  name: 'statistics indexes',
  statements: () => [
    `DROP INDEX progress_log_user_day`,
    `CREATE INDEX progress_log_user_day ON progress_log ("user", day, unit, "from", "to", minutes)`,
    `CREATE INDEX progress_log_hours ON progress_log ("user", day) WHERE hours <> 'null'`,
    `CREATE INDEX readings_dropped ON readings ("user", finished) WHERE outcome = 'dropped'`,
  ],
}
