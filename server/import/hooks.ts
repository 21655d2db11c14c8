import * as z from 'zod'
import { ApiError } from '#records/index.ts'
import type { LibraryHooks, LibraryTransaction, Stored } from '#server/collections/stored.ts'
import {
  dateOrders,
  importLabelTargets,
  importRowStates,
  importUndoDays,
  type ImportOptions,
  type ImportState,
} from '#shared/import.ts'
import { statuses } from '#shared/user-book.ts'
import { isShelfName, shelfName } from '#shared/bookshelf.ts'
import { visibleText } from '#shared/form-fields.ts'
import { refusal } from '#shared/rule.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import { fieldError } from '#server/http/field-error.ts'
import { checkSchema, throwFieldErrors, type FieldProblems } from '#server/library/field-errors.ts'
import { isIncomplete } from '#server/library/completed-facts.ts'
import { queueBook } from '#server/library/completion-queue.ts'
import { markDeleted } from './claims.ts'
import type { MergeResult } from './merge-owned.ts'
import { countRowState } from './row-counts.ts'

/** The states a reader may set, by the current state. */
const next: Partial<Record<ImportState, readonly ImportState[]>> = {
  waiting: ['applying', 'reading'],
  // Rows can be decided after the others are added.
  done: ['undone', 'applying'],
}

const optionsForm = z.object({
  shelf: z.string().max(40).optional(),
  shelf_name: z
    .string()
    .trim()
    .refine(isShelfName, refusal('shelfNameLength', shelfName))
    .optional(),
  date_order: z.enum([...dateOrders, '']).optional(),
  unmatched: z.enum(['file', 'skip']).optional(),
  no_status: z.enum(statuses).optional(),
  becomes: z.record(z.string().max(600), z.enum(importLabelTargets)).optional(),
})

/** Validates imports and restricts the steps their reader may take. */
export function importHooks(now: () => Date, wake: () => void): LibraryHooks<'imports'> {
  return {
    async prepare({ action, before, after, request }, tx) {
      if (!after || !request) return
      const wrong: FieldProblems = {}
      const options = checkSchema(optionsForm, after.options ?? {}, wrong)
      const ambiguous = before?.options?.ambiguous_dates
      const kept = { unmatched: 'file', ...options } as ImportOptions
      if (kept.shelf && !(await ownsShelf(tx, kept.shelf, after.user))) {
        // Its reader may delete the shelf and then undo the import, or add more to a new shelf.
        if (before?.state === 'done') delete kept.shelf
        else wrong['options'] = fieldError('notOwnShelf')
      }
      after.options = { ...kept, ...(ambiguous && { ambiguous_dates: ambiguous }) }
      if (!before) {
        after.state = 'reading'
        if (!after.file)
          wrong['file'] = { code: 'validation_required', message: 'Cannot be blank.' }
      } else if (before.state !== after.state) step(before, after, now(), wrong)
      throwFieldErrors(action, wrong)
    },
    async applied({ before, after, request }, tx) {
      if (before && !after) await markDeleted(tx, before.id)
      // The runner knows of its own changes.
      if (request || !after) wake()
    },
  }
}

function step(
  was: Stored<'imports'>,
  record: Stored<'imports'>,
  now: Date,
  wrong: FieldProblems,
): void {
  if (!was.state || !record.state || !next[was.state]?.includes(record.state)) {
    wrong['state'] = invalid(`An import can’t go from ${was.state} to ${record.state}.`)
    return
  }
  const { options } = record
  if (record.state === 'applying' && options?.ambiguous_dates?.length && !options.date_order)
    wrong['options'] = fieldError('importDateOrder')
  const age = now.getTime() - Date.parse(was.created.replace(' ', 'T'))
  if (record.state === 'undone' && age > importUndoDays * 86_400_000)
    wrong['state'] = fieldError('importUndoEnded', { days: importUndoDays })
  // It is undone once its books are gone.
  if (record.state === 'undone' && record.applied > 0) record.state = 'undoing'
  record.error = ''
  record.message = null
  // The file is read from the beginning.
  if (record.state === 'reading')
    for (const name of ['total', ...importRowStates] as const) record[name] = 0
}

const invalid = (message: string) => ({ code: 'validation_invalid_value', message })

async function ownsShelf(tx: LibraryTransaction, id: string, user: string): Promise<boolean> {
  return (await tx.find('bookshelves', id))?.user === user
}

const candidate = z.object({
  id: z.string().max(200).default(''),
  title: visibleText('required').max(500),
  authors: z.array(z.string().max(500)).max(100).default([]),
  isbn: z.string().max(40).default(''),
  genres: z.array(z.string().max(200)).max(100).default([]),
  images: z.array(z.string().max(2000)).max(20).default([]),
  page_count: z.number().min(0).default(0),
  isOwned: z.literal(true).exactOptional(),
})

/** Whether a row of an import that is done can still be decided: it has all that its book needs. */
const isOpen = ({ state, candidates }: Stored<'import_rows'>) =>
  (state === 'doubtful' || state === 'matched') && candidates !== null

/**
 * Lets a reader decide a row: it is one of the books, or it is skipped.
 *
 * @param isCompleting whether what an applied row's book lacks is looked up
 */
export const importRowHooks = (isCompleting = false): LibraryHooks<'import_rows'> => ({
  async prepare({ action, before, after: row, request }, tx) {
    if (!before || !row || !request) return
    const wrong: FieldProblems = {}
    const parent = await tx.find('imports', before.import)
    if (parent?.state !== 'waiting' && !(parent?.state === 'done' && isOpen(before)))
      throw new ApiError(400, answers.importNotWaiting)
    if (row.state !== 'matched' && row.state !== 'skipped')
      wrong['state'] = invalid('Set the row’s state to matched or skipped.')
    if (before.state === 'invalid' && row.state === 'matched')
      wrong['state'] = fieldError('rowUnreadable')
    if (row.state === 'matched') row.book = checkSchema(candidate, row.book, wrong) ?? null
    row.settled = true
    if (wrong['book'] || (row.state === 'matched' && !row.book))
      wrong['book'] = invalid('Choose a book for this row.')
    throwFieldErrors(action, wrong)
  },
  async applied({ before, after, request }, tx) {
    if (!before || !after || before.state === after.state) return
    if (request) countRowState(tx, after.import, before.state, after.state)
    else if (isCompleting && after.state === 'applied') await queueRow(tx, after)
  },
})

/** Queues the books that a row has added, or to which it has added something. */
async function queueRow(tx: LibraryTransaction, row: Stored<'import_rows'>): Promise<void> {
  const result = row.result as { book?: string; merged?: MergeResult } | null
  const { book: added, merged } = result ?? {}
  const ids = added ? [added] : (merged?.books.map(({ id }) => id) ?? [])
  for (const id of ids) {
    const book = await tx.find('user_books', id)
    if (book && isIncomplete(book)) await queueBook(tx, book, row.import)
  }
}
