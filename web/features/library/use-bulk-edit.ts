import { useState } from 'react'
import type { Bookshelf, Visibility } from '#shared/bookshelf.ts'
import { statusLabels, type Status, type UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { fetchAllBooks } from '#web/api/library.ts'
import { toast } from '#web/ui/toast.tsx'
import { changeMany, type BulkChange } from './bulk-work.ts'
import { undoTime, useRefresh, useRemovalToast } from './undo.ts'

/** What is changed together; of shelves also the books that stand on them. */
export type BulkTarget =
  | { kind: 'books'; chosen: readonly UserBook[] }
  | { kind: 'shelves'; chosen: readonly Bookshelf[] }

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
  const refresh = useRefresh()
  const tellRemoved = useRemovalToast()
  const [progress, setProgress] = useState<Progress | null>(null)
  const [failed, setFailed] = useState<{ name: string; message: string }[]>([])

  async function run(changes: readonly BulkChange[]) {
    setProgress({ done: 0, total: changes.length })
    const result = await changeMany(api, changes, (done) =>
      setProgress({ done, total: changes.length }),
    )
    setProgress(null)
    refresh()
    setFailed(result.failed.map(({ change, message }) => ({ name: change.name, message })))
    const selected = new Set(target.chosen.map(({ id }) => id))
    const left = result.failed.map(({ change }) => change.id).filter((id) => selected.has(id))
    if (left.length > 0) on.partly(new Set(left))
    return result.done
  }

  /** The books that are meant, as they are now. */
  async function books(): Promise<readonly UserBook[]> {
    if (target.kind === 'books') return target.chosen
    setProgress({ done: 0, total: 1 })
    const found: UserBook[] = []
    for (const { id } of target.chosen)
      found.push(...(await fetchAllBooks(api, api.filter('shelf = {:id}', { id }))))
    return found
  }

  async function guard(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      setProgress(null)
      toast.error(errorMessage(error))
    }
  }

  /** @param undone what a record is to be again */
  async function edit<T extends { id: string }>(
    collection: BulkChange['collection'],
    records: readonly T[],
    nameOf: (record: T) => string,
    fields: Record<string, unknown>,
    undone: (record: T) => Record<string, unknown>,
    tell: (count: number) => string,
  ): Promise<void> {
    const change = (record: T, values: Record<string, unknown>): BulkChange => ({
      collection,
      id: record.id,
      name: nameOf(record),
      fields: values,
    })
    const done = new Set((await run(records.map((one) => change(one, fields)))).map(({ id }) => id))
    if (done.size === 0) return
    const back = records.filter(({ id }) => done.has(id)).map((one) => change(one, undone(one)))
    const undo = () => void guard(async () => void (await run(back)))
    toast.success(tell(done.size), {
      duration: undoTime,
      action: { label: 'Undo', onClick: undo },
    })
    if (done.size === records.length) on.done('shelf' in fields)
  }

  const editBooks = (
    fields: Record<string, unknown>,
    undone: (book: UserBook) => Record<string, unknown>,
    tell: (count: number) => string,
    concerned: (book: UserBook) => boolean,
  ) =>
    guard(async () => {
      const some = (await books()).filter((book) => concerned(book))
      if (some.length > 0)
        return edit('user_books', some, ({ title }) => title, fields, undone, tell)
      setProgress(null)
      toast.info('Nothing to change')
    })

  return {
    /** Null while nothing runs. */
    progress,
    failed,
    forgetFailures: () => setFailed([]),
    move: (shelf: string, name: string) =>
      void editBooks(
        { shelf },
        (book) => ({ shelf: book.shelf }),
        (count) => `Moved ${plural(count, 'book')} to ${name}`,
        (book) => book.shelf !== shelf,
      ),
    setStatus: (status: Status) =>
      void editBooks(
        { status },
        ({ status: before, progress: page, progress_percent }) => ({
          status: before,
          progress: page,
          progress_percent,
        }),
        (count) => `${plural(count, 'book')} set to ${statusLabels[status]}`,
        (book) => book.status !== status,
      ),
    setVisibility: (visibility: Visibility) =>
      target.kind === 'shelves'
        ? guard(() =>
            edit(
              'bookshelves',
              target.chosen,
              ({ name }) => name,
              { visibility },
              (shelf) => ({ visibility: shelf.visibility }),
              (count) => `${plural(count, 'shelf')} made ${visibility}`,
            ),
          )
        : Promise.resolve(),
    remove: () =>
      guard(async () => {
        const collection = target.kind === 'books' ? 'user_books' : 'bookshelves'
        const changes = target.chosen.map((one) => ({
          collection,
          id: one.id,
          name: 'title' in one ? one.title : one.name,
        })) satisfies BulkChange[]
        const done = await run(changes)
        if (done.length === 0) return
        const noun = target.kind === 'books' ? 'book' : 'shelf'
        tellRemoved(
          `Removed ${plural(done.length, noun)}`,
          collection,
          done.map(({ id }) => id),
        )
        if (done.length === changes.length) on.done(true)
      }),
  }
}

function plural(count: number, noun: 'book' | 'shelf'): string {
  if (count === 1) return `1 ${noun}`
  return `${count} ${noun === 'shelf' ? 'shelves' : 'books'}`
}
