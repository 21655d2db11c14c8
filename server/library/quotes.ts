import { sql } from 'kysely'
import { type Hooks, type StoredRecord, type WriteTransaction } from '#records/index.ts'
import { goalForm, quoteForm } from '#shared/reading-form.ts'
import { modify } from '#server/query.ts'
import { isAddedByReader, isOwnBook, unknownBook } from './readings.ts'
import { checkSchema, throwFieldErrors, type FieldProblems } from './field-errors.ts'

/** What is true about quotes: they are from a reader's own books, and private unless said. */
export const quoteHooks: Hooks = {
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
  },
}

/** What is true about goals: one of a kind for a year. */
export const goalHooks: Hooks = {
  prepare({ action, after }) {
    if (!after) return
    const wrong: FieldProblems = {}
    const form = checkSchema(goalForm, after, wrong)
    throwFieldErrors(action, wrong)
    Object.assign(after, form)
  },
}

/** A book that is known by another ISBN or title from now on takes its past along. */
export async function changeBookKey(
  tx: WriteTransaction,
  before: StoredRecord,
  after: StoredRecord,
): Promise<void> {
  // Another copy may still be the book it was.
  if (await isOwnBook(tx, before)) return
  const { user, book_key } = before
  for (const collection of ['readings', 'quotes'])
    await tx.updateTrash(String(user), collection, { book_key }, { book_key: after['book_key'] })
  for (const table of ['readings', 'progress_log', 'quotes'])
    await modify(
      tx,
      table,
      sql`UPDATE ${sql.table(table)} SET book_key = ${after.book_key}
        WHERE "user" = ${user} AND book_key = ${book_key}`,
    )
}
