import type { Migration } from './migration.ts'

/** Indexes pending documents and files by reader, as readers take turns. */
export const deviceTurns: Migration = {
  name: 'device turns',
  statements: () => [
    `DROP INDEX device_books_pending`,
    `CREATE INDEX device_books_pending ON device_books ("user", id) WHERE pending`,
    `DROP INDEX device_files_tries`,
    `CREATE INDEX device_files_tries ON device_files ("user", id) WHERE tries > 0`,
  ],
}
