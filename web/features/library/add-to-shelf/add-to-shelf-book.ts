import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isbnOf, recordedFacts, type Book } from '#shared/book.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { statuses, type Status, type UserBook, type UserBookForm } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { addBook, copiesQuery, refreshLibrary, shelfNamesQuery } from '#web/api/library.ts'
import { useSession, type Session } from '#web/api/session.ts'
import { keys } from '#web/api/query-keys.ts'

/** @returns the status new books get: the reader's choice, else reading */
export function defaultStatus(session: Session | null): Status {
  const chosen = session?.settings?.default_add_status
  return statuses.find((status) => status === chosen) ?? 'reading'
}

/** The fields of a book that a shelf needs. */
export type ShelvableBook = Pick<
  Book,
  'title' | 'authors' | 'genres' | 'image_links' | 'page_count' | 'isbns'
>

/** @returns a book on somebody's shelf as one to put on another's: their own picture stays theirs */
export function shelvable(book: UserBook): ShelvableBook {
  const isbn13 = toIsbn13(book.isbn)
  return { ...book, image_links: book.images, isbns: isbn13 ? { ISBN_13: isbn13 } : {} }
}

/** @returns a book of the catalogue as the record it becomes on a shelf */
export function recordOf(
  book: ShelvableBook,
  choice: { shelf: string; status: Status },
): UserBookForm {
  return { ...choice, ...recordedFacts(book), progress: 0, rating: 0 }
}

/** @returns the book as the edition in the reader's hand: an ISBN is never exchanged for another */
export function editionOf(book: Book, isbn: string): Book {
  if (toIsbn13(isbnOf(book)) === isbn) return book
  return { ...book, isbns: { ISBN_13: isbn } }
}

/** The signed-in reader's records of a book. */
export function useCopies(book: ShelvableBook) {
  const session = useSession()
  const isbn = isbnOf(book)
  return useQuery({
    ...copiesQuery(useApi(), session?.user.id ?? '', isbn),
    enabled: Boolean(session && isbn),
  })
}

/** The signed-in reader's shelves, which of them have the book, and the only one there is, if so. */
export function useShelvesFor(book: ShelvableBook) {
  const session = useSession()
  const copies = useCopies(book)
  const shelves = useQuery({
    ...shelfNamesQuery(useApi(), session?.user.id ?? ''),
    enabled: Boolean(session),
  })
  const taken = new Map(copies.data?.map((copy) => [copy.shelf, copy]))
  const only = onlyShelf(shelves.data, taken)
  return { shelves, taken, only, isPending: shelves.isPending || copies.isLoading }
}

/** @returns the one shelf there is, where it has room for the book; or '' */
export function onlyShelf(
  shelves: readonly { id: string }[] | undefined,
  taken: ReadonlyMap<string, unknown>,
): string {
  const [only, ...others] = shelves ?? []
  return only && others.length === 0 && !taken.has(only.id) ? only.id : ''
}

export function useAddToShelf(book: ShelvableBook) {
  const api = useApi()
  const queries = useQueryClient()
  const reader = useSession()?.user.id ?? ''
  return useMutation({
    mutationFn: (choice: { shelf: string; status: Status }) => addBook(api, recordOf(book, choice)),
    onSuccess: (added) => {
      const { queryKey } = copiesQuery(api, reader, isbnOf(book))
      queries.setQueryData<UserBook[]>(queryKey, (copies) => [...(copies ?? []), added])
      queries.setQueriesData<UserBook[]>({ queryKey: keys.ownedBooks(reader) }, (owned) =>
        owned ? [added, ...owned] : undefined,
      )
      refreshLibrary(queries)
    },
  })
}
