import { constants, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { schemaSize } from './schema-size.ts'

/** Bytes of its tables' definitions; Calibre's have some 30 KB. */
const schemaAtMost = 500_000

const allowed = new Set<number>([constants.SQLITE_SELECT, constants.SQLITE_READ])

/** The columns of each table. */
export type TableColumns = ReadonlyMap<string, readonly string[]>

/** A database of another program's. */
interface ForeignDatabase extends Disposable {
  db: DatabaseSync
  /** Those of the wanted tables that it has. Views and tables with computed columns don't count. */
  tables: TableColumns
}

/**
 * Opens a SQLite database that may come from anyone, for use in a thread with limits: it is never
 * written, nothing in it runs, and only plain tables can be read.
 *
 * @param isWanted whether a table of that name will be read
 * @returns null if its definitions are too long
 */
export function openForeignDatabase(
  path: string,
  isWanted: (table: string) => boolean,
): ForeignDatabase | null {
  if (schemaSize(path) > schemaAtMost) return null
  const db = openDatabase(path)
  try {
    const tables = plainTables(db, isWanted)
    db.setAuthorizer((action) =>
      allowed.has(action) ? constants.SQLITE_OK : constants.SQLITE_DENY,
    )
    return { db, tables, [Symbol.dispose]: () => db.close() }
  } catch (error) {
    db.close()
    throw error
  }
}

function openDatabase(path: string): DatabaseSync {
  const address = pathToFileURL(path)
  // SQLite neither looks for a journal file nor creates one.
  address.searchParams.set('immutable', '1')
  const db = new DatabaseSync(address, { readOnly: true, defensive: true })
  db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON')
  return db
}

function plainTables(db: DatabaseSync, isWanted: (table: string) => boolean): TableColumns {
  const plain = new Map<string, string[]>()
  const all = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table' LIMIT 5000")
  for (const { name, sql } of all.all()) {
    const table = String(name)
    if (!isWanted(table) || !/^CREATE TABLE /i.test(String(sql))) continue
    const columns = db.prepare('SELECT name, hidden FROM pragma_table_xinfo(?)').all(table)
    if (columns.some(({ hidden }) => hidden !== 0)) continue
    plain.set(
      table,
      columns.map((column) => String(column['name'])),
    )
  }
  return plain
}
