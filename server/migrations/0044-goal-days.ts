import type { Migration } from './migration.ts'

/** Goals from any day to any other, several at once, over readings of the reader's choice. */
export const goalDays: Migration = {
  name: 'goal-days',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const year = `CAST(CAST(year AS INTEGER) AS TEXT)`
    return [
      ...['"from"', '"to"', 'filter'].map(
        (name) => `ALTER TABLE goals ADD COLUMN ${name} ${text} DEFAULT ''`,
      ),
      `UPDATE goals SET "from" = ${year} || '-01-01', "to" = ${year} || '-12-31'`,
      `DROP INDEX goals_user_year_kind_unique`,
      `CREATE INDEX goals_user ON goals ("user", "to")`,
    ]
  },
}
