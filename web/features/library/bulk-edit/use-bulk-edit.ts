import { useState } from 'react'
import type { Bookshelf, Visibility } from '#shared/bookshelf.ts'
import type { UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { fetchAllBooks } from '#web/api/fetch-all.ts'
import { t } from '#web/i18n/bulk.ts'
import { toast } from '#web/ui/toast.tsx'
import { setVisibility, type BulkEdit } from './bulk-edits.ts'
import { runBulkChanges, type BulkChange } from './bulk-work.ts'
import { undoTime, useRefreshLibrary, useRemovalToast, undoOptions } from '../trash/undo.ts'

interface Chosen<T> {
  chosen: readonly T[]
  /** The records of these ids as the list has them now. */
  fetch: (ids: readonly string[]) => Promise<T[]>
}

/** The selected records; for shelves also the books on them. */
export type BulkTarget =
  | ({ kind: 'books' } & Chosen<UserBook>)
  | ({ kind: 'shelves' } & Chosen<Bookshelf>)

interface Progress {
  done: number
  total: number
}

/**
 * Changes everything that is selected, tells how far it is and what stayed as it was, and offers
 * the way back.
 *
 * @param on.done when nothing is left to do with the selection, and whether it is elsewhere now
 * @param on.partly when only these, of what is selected, stayed as they were
 */
export function useBulkEdit(
  target: BulkTarget,
  on: { done: (isGone: boolean) => void; partly: (ids: ReadonlySet<string>) => void },
) {
  const api = useApi()
  const tellRemoved = useRemovalToast()
  const { progress, failed, forgetFailures, run, guard, begin } = useBulkRun(target, on.partly)

  async function books(): Promise<UserBook[]> {
    begin(target.chosen.length)
    if (target.kind === 'books') return stillThere(target, 'skippedBooks')
    const found: UserBook[] = []
    for (const { id } of await stillThere(target, 'skippedShelves'))
      found.push(...(await fetchAllBooks(api, api.filter('shelf = {:id}', { id }))))
    return found
  }

  async function edit<T extends UserBook | Bookshelf>(
    all: readonly T[],
    { collection, fields, undoFields, applies, message, isMove = false }: BulkEdit<T>,
  ): Promise<void> {
    const some = all.filter((one) => applies(one))
    const change = (record: T, values: BulkChange['fields']): BulkChange => ({
      ...named(collection, record),
      ...(values && { fields: values }),
    })
    const changes = some.map((one) => change(one, fields(one)))
    const done = new Set((await run(changes)).map(({ id }) => id))
    if (some.length === 0) toast.info(t('nothingToChange'))
    if (done.size === 0) return
    const back = some
      .filter(({ id }) => done.has(id))
      .map((one) => ({ ...change(one, undoFields(one)), isUndo: true }))
    const undo = () => void guard(async () => void (await run(back)))
    toast.success(message(done.size), undoOptions(undo))
    if (done.size === some.length) on.done(isMove)
  }

  async function remove(): Promise<void> {
    begin(target.chosen.length)
    const [collection, message, some] =
      target.kind === 'books'
        ? (['user_books', 'removedBooks', await stillThere(target, 'skippedBooks')] as const)
        : (['bookshelves', 'removedShelves', await stillThere(target, 'skippedShelves')] as const)
    const done = await run(some.map((one) => named(collection, one)))
    if (done.length === 0) return
    tellRemoved(
      t(message, { count: done.length }),
      collection,
      done.map(({ id }) => id),
    )
    if (done.length === some.length) on.done(true)
  }

  return {
    /** Null while nothing runs. */
    progress,
    failed,
    forgetFailures,
    change: (how: BulkEdit<UserBook>) => void guard(async () => edit(await books(), how)),
    setVisibility: (visibility: Visibility) =>
      void guard(async () => {
        if (target.kind !== 'shelves') return
        begin(target.chosen.length)
        await edit(await stillThere(target, 'skippedShelves'), setVisibility(visibility))
      }),
    remove: () => void guard(remove),
  }
}

/** @returns what is selected and still in the list, as it is by now: the way back leads there */
async function stillThere<T extends { id: string }>(
  { chosen, fetch }: Chosen<T>,
  skipped: 'skippedBooks' | 'skippedShelves',
): Promise<T[]> {
  const ids = new Set(chosen.map(({ id }) => id))
  const found = (await fetch([...ids])).filter(({ id }) => ids.has(id))
  const missing = ids.size - found.length
  if (missing > 0) toast.info(t(skipped, { count: missing }), { duration: undoTime })
  return found
}

/** Runs changes one after the other, and knows how far they are and which of them failed. */
function useBulkRun(target: BulkTarget, onPartly: (ids: ReadonlySet<string>) => void) {
  const api = useApi()
  const refresh = useRefreshLibrary()
  const [progress, setProgress] = useState<Progress | null>(null)
  const [failed, setFailed] = useState<{ name: string; message: string }[]>([])
  const begin = (total: number) => setProgress({ done: 0, total })

  /** @returns those that were made */
  async function run(changes: readonly BulkChange[]): Promise<BulkChange[]> {
    begin(changes.length)
    const result = await runBulkChanges(api, changes, (done) =>
      setProgress({ done, total: changes.length }),
    )
    setProgress(null)
    if (changes.length > 0) refresh()
    setFailed(result.failed.map(({ change, message }) => ({ name: change.name, message })))
    const selected = new Set(target.chosen.map(({ id }) => id))
    const left = result.failed.map(({ change }) => change.id).filter((id) => selected.has(id))
    if (left.length > 0) onPartly(new Set(left))
    return result.done
  }

  async function guard(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      setProgress(null)
      toast.error(errorMessage(error))
    }
  }

  return { progress, failed, forgetFailures: () => setFailed([]), run, guard, begin }
}

function named(
  collection: BulkChange['collection'],
  record: UserBook | Bookshelf,
): Pick<BulkChange, 'collection' | 'id' | 'name'> {
  return { collection, id: record.id, name: 'title' in record ? record.title : record.name }
}
