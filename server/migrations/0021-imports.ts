import type { Migration } from './migration.ts'

/** Files of other book trackers on their way into a library, and what became of each row. */
export const imports: Migration = {
  name: 'imports',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const said = `${text} DEFAULT ''`
    const json = `${text} DEFAULT 'null'`
    const number = 'DOUBLE PRECISION NOT NULL DEFAULT 0'
    return [
      `CREATE TABLE imports (id ${text} PRIMARY KEY, "user" ${said}, file ${said}, format ${said},
        state ${said}, options ${json}, total ${number}, matched ${number}, doubtful ${number},
        unmatched ${number}, duplicate ${number}, invalid ${number}, applied ${number},
        skipped ${number}, error ${said}, made ${said}, created ${said}, updated ${said})`,
      `CREATE INDEX imports_user_created ON imports ("user", created DESC, id)`,
      // What a running server looks for, all the time: hardly ever any.
      `CREATE INDEX imports_busy ON imports (state)
        WHERE state IN ('reading', 'applying') OR (state = 'undone' AND applied > 0)`,
      `CREATE TABLE import_rows (id ${text} PRIMARY KEY, import ${said}, number ${number},
        state ${said}, reason ${said}, source ${json}, "read" ${json}, candidates ${json},
        book ${json}, result ${json})`,
      `CREATE UNIQUE INDEX import_rows_import_number_unique ON import_rows (import, number)`,
      `CREATE INDEX import_rows_import_state ON import_rows (import, state, number, id)`,
    ]
  },
}
