import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Book } from '#shared/book.ts'
import type { UserBook } from '#shared/user-book.ts'
import { bookQuery } from '#web/api/catalogue.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage, isNetworkError } from '#web/api/errors.ts'
import { addBook, copiesQuery, refreshLibrary, removeBook } from '#web/api/library.ts'
import { useSession } from '#web/api/session.ts'
import { queueScannedBook } from '#web/api/outbox-changes.ts'
import { editionOf, recordOf } from '#web/features/library/add-to-shelf/add-to-shelf-book.ts'
import { t } from '#web/i18n/scan.ts'
import { keys } from '#web/api/query-keys.ts'

/** One book of the pile, under its ISBN-13. */
export interface PileEntry {
  isbn: string
  /** The shelf chosen when it was scanned. */
  shelf: string
  book?: Book
  outcome: Outcome
}

export type Outcome =
  | { state: 'looking' | 'unknown' | 'removed' | 'waiting' }
  | { state: 'added'; record: UserBook }
  /** The reader has it: on the chosen shelf, or elsewhere. By the names of the shelves. */
  | { state: 'here' | 'elsewhere'; shelves: string[] }
  | { state: 'failed'; message: string }

/**
 * The pile outlives the dialog, so that books that weren't found are still there when it opens
 * again. It ends when the reader signs out.
 */
function pileQuery(user: string) {
  return queryOptions<PileEntry[]>({
    queryKey: keys.pile(user),
    queryFn: () => [],
    initialData: [],
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}

/** The books scanned one after another, newest first, and what became of each. */
export function usePile() {
  const api = useApi()
  const queries = useQueryClient()
  const user = useSession()?.user.id ?? ''
  const { queryKey } = pileQuery(user)
  const { data: entries } = useQuery(pileQuery(user))
  const current = (): PileEntry[] => queries.getQueryData(queryKey) ?? []
  const write = (next: PileEntry[]) => queries.setQueryData(queryKey, next)
  const change = (isbn: string, edit: Partial<PileEntry>) =>
    write(current().map((entry) => (entry.isbn === isbn ? { ...entry, ...edit } : entry)))
  const end = (isbn: string, outcome: Outcome) => void change(isbn, { outcome })

  async function shelve({ isbn, shelf }: PileEntry, allowDuplicate: boolean): Promise<Outcome> {
    const found = await queries.query(bookQuery(api, isbn))
    if (!found) return { state: 'unknown' }
    const book = editionOf(found, isbn)
    change(isbn, { book })
    const copies = await queries.query({ ...copiesQuery(api, user, isbn), staleTime: 0 })
    const here = copies.filter((copy) => copy.shelf === shelf)
    if (here.length > 0) return { state: 'here', shelves: namesOf(here) }
    if (copies.length > 0 && !allowDuplicate)
      return { state: 'elsewhere', shelves: namesOf(copies) }
    const record = await addBook(api, recordOf(book, { shelf, status: 'planning' }))
    refreshLibrary(queries)
    return { state: 'added', record }
  }

  async function put(entry: PileEntry, allowDuplicate = false): Promise<void> {
    const looking: PileEntry = { ...entry, outcome: { state: 'looking' } }
    write([looking, ...current().filter(({ isbn }) => isbn !== entry.isbn)])
    try {
      end(entry.isbn, await shelve(looking, allowDuplicate))
    } catch (error) {
      const isKept =
        isNetworkError(error) && (await queueScannedBook(user, entry.isbn, entry.shelf))
      end(
        entry.isbn,
        isKept ? { state: 'waiting' } : { state: 'failed', message: errorMessage(error) },
      )
    }
  }

  return {
    entries,
    /** @returns whether the book is in the list already, and nothing was to be done */
    scan(isbn: string, shelf: string): boolean {
      const known = current().find((entry) => entry.isbn === isbn)
      const isDone = known && !['failed', 'removed'].includes(known.outcome.state)
      if (isDone && known.shelf === shelf) return true
      void put({ isbn, shelf, outcome: { state: 'looking' } })
      return false
    },
    /** Tries again, or adds it again; `allowDuplicate` if it is on another shelf. */
    put,
    async undo({ isbn, outcome }: PileEntry): Promise<void> {
      if (outcome.state !== 'added') return
      await removeBook(api, outcome.record.id)
      end(isbn, { state: 'removed' })
      refreshLibrary(queries)
    },
    /** The reader has added it by hand. */
    settle: (isbn: string, record: UserBook) => end(isbn, { state: 'added', record }),
    clear: () => void write([]),
  }
}

function namesOf(copies: UserBook[]): string[] {
  return copies.map((copy) => copy.expand?.shelf?.name ?? t('yourShelf'))
}
