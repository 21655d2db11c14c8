import type { Migration } from './migration.ts'

/** The files that KOReader keeps here, and the page times in its statistics. */
export const deviceFiles: Migration = {
  name: 'device files',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const string = `${text} DEFAULT ''`
    const number = 'DOUBLE PRECISION NOT NULL DEFAULT 0'
    return [
      `CREATE TABLE device_files (id ${text} PRIMARY KEY, "user" ${string}, connection ${string},
        path ${string}, file ${string}, size ${number}, hash ${string}, modified ${string},
        withheld BOOLEAN NOT NULL DEFAULT FALSE, tries ${number})`,
      `CREATE UNIQUE INDEX device_files_user_path_unique ON device_files ("user", path)`,
      `CREATE INDEX device_files_connection ON device_files (connection)`,
      // What a running server looks for, all the time: hardly ever any.
      `CREATE INDEX device_files_tries ON device_files (id) WHERE tries > 0`,
      `CREATE TABLE reading_times (id ${text} PRIMARY KEY, "user" ${string}, document ${string},
        day ${string}, time_zone ${string}, times ${text} DEFAULT 'null', pages ${number})`,
      `CREATE UNIQUE INDEX reading_times_user_document_day_unique
        ON reading_times ("user", document, day)`,
      `ALTER TABLE device_books ADD COLUMN timed_key ${string}`,
    ]
  },
}
