import type { Migration } from './migration.ts'

/** The hour at which a reader's day ends, also of what devices have sent, and a streak's days off. */
export const ownDays: Migration = {
  name: 'own days',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const number = 'DOUBLE PRECISION NOT NULL DEFAULT 0'
    return [
      `ALTER TABLE settings ADD COLUMN day_ends ${text} DEFAULT ''`,
      `ALTER TABLE settings ADD COLUMN streak_days_off ${text} DEFAULT ''`,
      `ALTER TABLE reading_times ADD COLUMN day_end ${number}`,
      `ALTER TABLE listening_sessions ADD COLUMN day_end ${number}`,
    ]
  },
}
