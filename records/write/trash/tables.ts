import type { Dialect } from '../../database/database.ts'
import { textType } from '../../schema/table.ts'

/**
 * The statements that create the trash's tables, for a migration to run one by one. No rule, filter
 * or expand can see them.
 */
export function trashTables(dialect: Dialect['name']): string[] {
  const text = `${textType(dialect)} NOT NULL`
  return [
    // A client's deletion: its account, the deleted record, and the time (milliseconds since 1970).
    `CREATE TABLE _removals (id ${text} PRIMARY KEY, account ${text}, collection ${text},
      record ${text}, removed BIGINT NOT NULL)`,
    `CREATE INDEX _removals_account ON _removals (account, removed)`,
    `CREATE INDEX _removals_record ON _removals (record)`,
    `CREATE INDEX _removals_removed ON _removals (removed)`,
    // The records of a deletion, the root first, each as JSON of its columns.
    `CREATE TABLE "_removedRecords" (removal ${text}, place INTEGER NOT NULL, collection ${text},
      record ${text}, data ${text}, PRIMARY KEY (removal, place))`,
    `CREATE INDEX "_removedRecords_record" ON "_removedRecords" (record)`,
    // Relations that lost a deleted record's id, to be restored with it.
    `CREATE TABLE "_removedLinks" (removal ${text}, collection ${text}, record ${text},
      field ${text}, target ${text}, PRIMARY KEY (removal, collection, record, field, target))`,
  ]
}
