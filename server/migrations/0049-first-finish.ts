import type { Migration } from './migration.ts'

/** Finds when a book was finished first without reading all of its readings. */
export const firstFinish: Migration = {
  name: 'first-finish',
  statements: () => [
    `CREATE INDEX readings_first_finish ON readings ("user", book_key, finished, created, id)
      WHERE outcome = 'finished'`,
  ],
}
