import { sql } from 'kysely'
import { throttle } from '#records/index.ts'
import type { LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { importRowStates } from '#shared/import.ts'
import { modify, queryNumber } from '#server/storage/query.ts'
import type { ImportDeps } from './read-import.ts'

/** Rows in one statement; each can have 2 MB. */
const batch = 25

/** Characters to keep of a row that couldn't be read, to show to its reader. */
const shown = 2000

type Deps = Pick<ImportDeps, 'records' | 'signal'>

/** Deletes an import's rows, a few at a time. */
export async function deleteRows({ records, signal }: Deps, id: string): Promise<void> {
  const some = sql`DELETE FROM import_rows WHERE id IN (
    SELECT id FROM import_rows WHERE import = ${id} LIMIT ${sql.lit(batch)}) RETURNING 1`
  const remove = () => records.write((tx) => modify(tx, 'import_rows', some), { isDurable: false })
  while (!signal.aborted) if (!(await throttle(remove)).length) return
}

/**
 * Gives back what an import that has ended takes: its file, and of its rows everything that is
 * needed neither to show nor to undo them. Those that its reader can still decide stay whole, and
 * those of a failed one are deleted.
 */
export async function giveBack(
  deps: Deps,
  { id, state, total, format }: Stored<'imports'>,
): Promise<void> {
  const { records, signal } = deps
  if (state === 'failed') await deleteRows(deps, id)
  else
    for (let from = 0; from < total && !signal.aborted; from += batch)
      await throttle(() =>
        records.write((tx) => slim(tx, id, { from, isOwn: format === 'octavo' }), {
          isDurable: false,
        }),
      )
  if (signal.aborted) return
  await records.write(async (tx) => {
    if ((await tx.find('imports', id))?.['state'] !== state) return
    const none = Object.fromEntries(['total', ...importRowStates].map((name) => [name, 0]))
    const stored = await queryNumber(
      tx,
      sql`SELECT SUM(LENGTH(source) + LENGTH("read")) FROM import_rows
        WHERE import = ${id} AND state = 'doubtful'`,
    )
    await tx.update('imports', id, {
      file: '',
      stored,
      labels: null,
      ...(state === 'failed' && { ...none, warnings: null }),
    })
  })
}

async function slim(
  tx: LibraryTransaction,
  id: string,
  { from, isOwn }: { from: number; isOwn: boolean },
): Promise<void> {
  const without = (column: string, names: readonly string[]) => {
    const json = sql.ref(column)
    const rest =
      tx.dialect.name === 'postgres'
        ? sql`(${json}::jsonb - ${sql.lit(`{${names.join(',')}}`)}::text[])::text`
        : sql`json_remove(${json}, ${sql.join(names.map((name) => sql.lit(`$.${name}`)))})`
    return sql`CASE WHEN ${json} LIKE '{%' THEN ${rest} ELSE ${json} END`
  }
  // What our own export's rows have made is undone by their collection.
  const isUndone = isOwn ? sql`state = 'applied' AND result NOT LIKE '%"collection":%'` : sql`1 = 0`
  await modify(
    tx,
    'import_rows',
    sql`UPDATE import_rows SET candidates = 'null',
      source = CASE WHEN ${isUndone} OR (state = 'invalid' AND LENGTH(source) <= ${sql.lit(shown)})
        THEN source ELSE '{}' END,
      "read" = ${without('read', ['review', 'notes', 'tags', 'quotes'])},
      book = ${without('book', ['images', 'genres'])}
      WHERE import = ${id} AND number > ${from} AND number <= ${from + batch}
        AND state <> 'doubtful'`,
  )
}
