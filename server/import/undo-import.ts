import { sql } from 'kysely'
import type { WriteTransaction } from '#records/index.ts'
import type { ImportRecord } from '#shared/import.ts'
import { query } from '#server/query.ts'
import type { ImportDeps } from './read-import.ts'

const batch = 25

/** Takes the books of an import back, except those that the reader has changed since. */
export async function undoImport(
  deps: Pick<ImportDeps, 'database' | 'records' | 'isOver'>,
  { id }: Pick<ImportRecord, 'id'>,
): Promise<void> {
  const { database, records } = deps
  while (!deps.isOver?.()) {
    const rows = await query(
      database,
      sql`SELECT id FROM import_rows WHERE import = ${id} AND state = 'applied'
        ORDER BY number LIMIT ${sql.lit(batch)}`,
    )
    if (!rows.length) return
    await records.write(async (tx) => {
      for (const [row] of rows) await takeBack(tx, id, String(row))
      const parent = await tx.find('imports', id)
      const made = parent?.['made']
      if (parent?.['applied'] === 0 && typeof made === 'string' && made) await removeShelf(tx, made)
    })
  }
}

async function takeBack(tx: WriteTransaction, id: string, rowId: string): Promise<void> {
  const row = await tx.find('import_rows', rowId)
  if (row?.['state'] !== 'applied') return
  const result = row['result'] as { book: string; updated: string; readings: string[] } | null
  const book = result && (await tx.find('user_books', result.book))
  const isChanged = book && book['updated'] !== result.updated
  if (book && !isChanged) {
    await tx.delete('user_books', book.id)
    for (const one of result.readings)
      if (await tx.find('readings', one)) await tx.delete('readings', one)
  }
  const reason = isChanged ? 'You changed this book after the import, so it stays.' : 'Taken back.'
  await tx.update('import_rows', rowId, { state: 'skipped', reason, result: null })
  await tx.update('imports', id, { 'applied-': 1, 'skipped+': 1 })
}

/** The shelf that was made for the books goes with the last of them, unless others are on it. */
async function removeShelf(tx: WriteTransaction, shelf: string): Promise<void> {
  const left = await query(tx, sql`SELECT 1 FROM user_books WHERE shelf = ${shelf} LIMIT 1`)
  if (!left.length && (await tx.find('bookshelves', shelf))) await tx.delete('bookshelves', shelf)
}
