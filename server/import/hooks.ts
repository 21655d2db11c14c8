import * as z from 'zod'
import { ApiError, type Change, type Hooks, type WriteTransaction } from '#records/index.ts'
import {
  dateOrders,
  importRowStates,
  importUndoDays,
  type ImportOptions,
  type ImportRecord,
  type ImportRow,
  type ImportState,
} from '#shared/import.ts'
import { shelfName } from '#shared/bookshelf.ts'
import { displayWidth } from '#shared/text.ts'
import { checkSchema, throwFieldErrors, type FieldProblems } from '#server/library/field-errors.ts'
import { countRowState } from './row-counts.ts'

/** The states a reader may set, by the current state. */
const next: Partial<Record<ImportState, readonly ImportState[]>> = {
  waiting: ['applying', 'reading'],
  failed: ['reading'],
  done: ['undone'],
}

const optionsForm = z.object({
  shelf: z.string().max(40).optional(),
  shelf_name: z
    .string()
    .trim()
    .refine(
      (name) => displayWidth(name) >= shelfName.min && displayWidth(name) <= shelfName.max,
      `A shelf’s name has ${shelfName.min} to ${shelfName.max} characters.`,
    )
    .optional(),
  date_order: z.enum([...dateOrders, '']).optional(),
  unmatched: z.enum(['file', 'skip']).optional(),
})

/** Validates imports and restricts the steps their reader may take. */
export function importHooks(now: () => Date, wake: () => void): Hooks {
  return {
    async prepare({ action, before, after, request }, tx) {
      if (!after || !request) return
      const wrong: FieldProblems = {}
      const [was, record] = [before, after] as unknown as [ImportRecord | null, ImportRecord]
      const options = checkSchema(optionsForm, record.options ?? {}, wrong)
      const ambiguous = was?.options?.ambiguous_dates
      const kept = { unmatched: 'file', ...options } as ImportOptions
      record.options = { ...kept, ...(ambiguous && { ambiguous_dates: ambiguous }) }
      if (kept.shelf && !(await ownsShelf(tx, kept.shelf, record.user)))
        wrong['options'] = refusal('Choose one of your shelves.')
      if (!was) record.state = 'reading'
      else if (was.state !== record.state) step(was, record, now(), wrong)
      throwFieldErrors(action, wrong)
    },
    applied() {
      wake()
    },
  }
}

function step(was: ImportRecord, record: ImportRecord, now: Date, wrong: FieldProblems): void {
  if (!next[was.state]?.includes(record.state)) {
    wrong['state'] = refusal(`An import can’t go from ${was.state} to ${record.state}.`)
    return
  }
  const { options } = record
  if (record.state === 'applying' && options?.ambiguous_dates?.length && !options.date_order)
    wrong['options'] = refusal('Choose how the dates in this file are written.')
  const age = now.getTime() - Date.parse(was.created.replace(' ', 'T'))
  if (record.state === 'undone' && age > importUndoDays * 86_400_000)
    wrong['state'] = refusal(`An import can be undone for ${importUndoDays} days.`)
  record.error = ''
  // The file is read from the beginning.
  if (record.state === 'reading')
    for (const name of ['total', ...importRowStates] as const) record[name] = 0
}

const refusal = (message: string) => ({ code: 'validation_invalid_value', message })

async function ownsShelf(tx: WriteTransaction, id: string, user: string): Promise<boolean> {
  return (await tx.find('bookshelves', id))?.['user'] === user
}

const candidate = z.object({
  id: z.string().max(200).default(''),
  title: z.string().trim().min(1).max(500),
  authors: z.array(z.string().max(500)).max(100).default([]),
  isbn: z.string().max(40).default(''),
  genres: z.array(z.string().max(200)).max(100).default([]),
  images: z.array(z.string().max(2000)).max(20).default([]),
  page_count: z.number().min(0).default(0),
  isOwned: z.literal(true).exactOptional(),
})

/** Lets a reader decide a row: it is one of the books, or it is skipped. */
export const importRowHooks: Hooks = {
  async prepare({ action, before, after, request }: Change, tx) {
    if (!before || !after || !request) return
    const wrong: FieldProblems = {}
    const [was, row] = [before, after] as unknown as [ImportRow, ImportRow]
    const parent = (await tx.find('imports', was.import)) as unknown as ImportRecord | null
    if (parent?.state !== 'waiting')
      throw new ApiError(400, 'This import is not waiting for your choices.')
    if (row.state !== 'matched' && row.state !== 'skipped')
      wrong['state'] = refusal('Set the row’s state to matched or skipped.')
    if (was.state === 'invalid' && row.state === 'matched')
      wrong['state'] = refusal('This row can’t be read.')
    if (row.state === 'matched') row.book = checkSchema(candidate, row.book, wrong) ?? null
    if (wrong['book'] || (row.state === 'matched' && !row.book))
      wrong['book'] = refusal('Choose a book for this row.')
    throwFieldErrors(action, wrong)
  },
  applied({ before, after, request }, tx) {
    if (!before || !after || !request || before['state'] === after['state']) return
    const [was, row] = [before, after] as unknown as [ImportRow, ImportRow]
    countRowState(tx, row.import, was.state, row.state)
  },
}
