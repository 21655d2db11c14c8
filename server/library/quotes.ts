import { sql } from 'kysely'
import { formatDate } from '#records/index.ts'
import { lifeOf } from '#server/collections/life.ts'
import { schema } from '#server/collections/schema.ts'
import type { LibraryHooks, LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { quoteForm } from '#shared/reading-form.ts'
import { hasWaited, momentOf } from './moment.ts'
import { isAddedByReader, isOwnBook, unknownBook } from './readings.ts'
import { checkSchema, throwFieldErrors, type FieldProblems } from './field-errors.ts'
import { storeFinishes } from './finished-days.ts'
import { remarkRereads } from './reading-facts.ts'
import { updateRows } from './update-rows.ts'
import { noteEntries, setVisible } from './visible-entries.ts'
import { quoteData, tellWebhooks } from './webhook-events.ts'

/** Hooks of quotes: they are from a reader's own books, and private by default. */
export const quoteHooks = (now: () => Date): LibraryHooks<'quotes'> => ({
  async prepare({ action, after, request }, tx) {
    if (!after) return
    if (action === 'create' && request && !Object.hasOwn(request.body, 'isPrivate'))
      after.isPrivate = true
    const wrong: FieldProblems = {}
    const form = checkSchema(quoteForm, after, wrong)
    if (isAddedByReader(action, request) && !(await isOwnBook(tx, after)))
      wrong.book_key = unknownBook
    throwFieldErrors(action, wrong)
    Object.assign(after, form)
    if (action !== 'update') await setVisible(tx, after)
  },

  async applied({ action, after, request }, tx) {
    // Imports and devices add many at once.
    if (action !== 'create' || !after || !request) return
    const at = hasWaited(request)
      ? await momentOf(tx, { before: null, after, request }, now())
      : new Date(after.created)
    if (hasWaited(request)) await tx.update('quotes', after.id, { created: formatDate(at) })
    const data = () => quoteData(tx, after)
    await tellWebhooks(tx, after.user, { type: 'quote.added', at, data })
  },
})

/** Where the key of a book stands, besides `user_books`. */
const keyColumns = schema.collections.flatMap((one) =>
  (lifeOf(one).bookKeys ?? []).map((column) => [one.name, column] as const),
)

/** Moves what belongs to a book to its new key when its ISBN or title changes. */
export async function changeBookKey(
  tx: LibraryTransaction,
  before: Stored<'user_books'>,
  after: Stored<'user_books'>,
): Promise<void> {
  // Another copy may still have the old key.
  if (await isOwnBook(tx, before)) return
  const { user, book_key } = before
  noteEntries(tx, user, after.book_key)
  for (const collection of ['readings', 'quotes'] as const)
    await tx.updateTrash(user, collection, { book_key }, { book_key: after.book_key })
  for (const [table, column] of keyColumns) {
    const key = sql.ref(column)
    await updateRows(
      tx,
      table,
      sql`"user" = ${user} AND ${key} = ${book_key}`,
      (some) => sql`UPDATE ${sql.table(table)} SET ${key} = ${after.book_key} WHERE ${some}`,
    )
  }
  await remarkRereads(tx, after)
  await storeFinishes(tx, after)
}
