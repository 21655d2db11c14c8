import { constants, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { schemaSize } from './schema-size.ts'

/** Bytes of its tables' definitions; Calibre's have some 30 KB. */
const schemaAtMost = 500_000

const allowed = new Set<number>([constants.SQLITE_SELECT, constants.SQLITE_READ])

/** A database of another program's. */
interface ForeignDatabase<Table extends string> extends Disposable {
  db: DatabaseSync
  /** Those of the wanted tables that it has. Views and tables with computed columns don't count. */
  has: ReadonlySet<Table>
}

/**
 * Opens a SQLite database that may come from anyone, for use in a thread with limits: it is never
 * written, nothing in it runs, and only plain tables can be read.
 *
 * @param tables those that will be read
 * @returns null if its definitions are too long
 */
export function openForeignDatabase<Table extends string>(
  path: string,
  tables: readonly Table[],
): ForeignDatabase<Table> | null {
  if (schemaSize(path) > schemaAtMost) return null
  const db = openDatabase(path)
  try {
    const has = plainTables(db, tables)
    db.setAuthorizer((action) =>
      allowed.has(action) ? constants.SQLITE_OK : constants.SQLITE_DENY,
    )
    return { db, has, [Symbol.dispose]: () => db.close() }
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

function plainTables<Table extends string>(
  db: DatabaseSync,
  tables: readonly Table[],
): ReadonlySet<Table> {
  const found = new Map(
    db
      .prepare('SELECT name, type, sql FROM sqlite_master LIMIT 5000')
      .all()
      .map(({ name, type, sql }) => [String(name), type === 'table' ? String(sql) : '']),
  )
  const plain = tables.filter(
    (name) => /^CREATE TABLE /i.test(found.get(name) ?? '') && !isComputed(db, name),
  )
  return new Set(plain)
}

function isComputed(db: DatabaseSync, table: string): boolean {
  return db
    .prepare(`PRAGMA table_xinfo(${table})`)
    .all()
    .some(({ hidden }) => hidden !== 0)
}
