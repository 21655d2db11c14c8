import type { Dialect } from '../database/database.ts'
import { textType } from '../schema/table.ts'

/**
 * The statements that make the tables of what was removed and can be brought back, for a migration
 * to run one by one. No rule, filter or expand knows them: what is in them is not there.
 */
export function trashTables(dialect: Dialect['name']): string[] {
  const text = `${textType(dialect)} NOT NULL`
  return [
    // One deletion by a client: who asked, what it was about, when (milliseconds since 1970).
    `CREATE TABLE _removals (id ${text} PRIMARY KEY, account ${text}, collection ${text},
      record ${text}, removed BIGINT NOT NULL)`,
    `CREATE INDEX _removals_account ON _removals (account, removed)`,
    `CREATE INDEX _removals_record ON _removals (record)`,
    `CREATE INDEX _removals_removed ON _removals (removed)`,
    // What went with it, the root first, each as JSON of its columns.
    `CREATE TABLE "_removedRecords" (removal ${text}, place INTEGER NOT NULL, collection ${text},
      record ${text}, data ${text}, PRIMARY KEY (removal, place))`,
    `CREATE INDEX "_removedRecords_record" ON "_removedRecords" (record)`,
    // What named a removed record and lost it: the field gets it back.
    `CREATE TABLE "_removedLinks" (removal ${text}, collection ${text}, record ${text},
      field ${text}, target ${text}, PRIMARY KEY (removal, collection, record, field, target))`,
  ]
}
