import { useQueries } from '@tanstack/react-query'
import { createContext, use, useMemo, useState, type ReactNode } from 'react'
import { isbnOf, type Book } from '#shared/book.ts'
import type { OwnInSeries, OwnSeriesBooks, SeriesBooks } from '#shared/series.ts'
import { bookKey, type UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import {
  maxOwnedPerRequest,
  ownedQuery,
  ownRecordsQuery,
  type KeyedBook,
} from '#web/api/reading.ts'
import { useSession } from '#web/api/session.ts'

const none: ReadonlyMap<string, UserBook | undefined> = new Map()
const OwnedContext = createContext(none)

/**
 * Finds out which of the books below it the signed-in reader has. What comes later, as a list grows,
 * is asked for by itself.
 *
 * @param props.books those that are shown
 */
export function OwnedBooks(props: { books: readonly KeyedBook[]; children: ReactNode }) {
  const api = useApi()
  const user = useSession()?.user.id ?? ''
  const groups = useGroups(user ? props.books : [])
  const owned = useQueries({
    queries: groups.map((group) => ownedQuery(api, user, group)),
    combine: (answers) => answers.flatMap(({ data = [] }) => data),
  })
  const byKey = useMemo(
    () => new Map(owned.toReversed().map((book) => [bookKey(book), book])),
    [owned],
  )
  return <OwnedContext value={byKey}>{props.children}</OwnedContext>
}

/**
 * The same for books of which the reader's records are known, which may be other editions.
 *
 * @param props.records the ids of the records by the books' keys
 */
export function OwnedRecords(props: { records: ReadonlyMap<string, string>; children: ReactNode }) {
  const { records } = props
  const api = useApi()
  const user = useSession()?.user.id ?? ''
  const owned = useQueries({
    queries: inGroups([...new Set(records.values())]).map((ids) => ownRecordsQuery(api, user, ids)),
    combine: (answers) => answers.flatMap(({ data = [] }) => data),
  })
  const byKey = useMemo(() => {
    const byId = new Map(owned.map((book) => [book.id, book]))
    return new Map([...records].map(([key, id]) => [key, byId.get(id)]))
  }, [owned, records])
  return <OwnedContext value={byKey}>{props.children}</OwnedContext>
}

/** @returns the reader's own copy, the last touched of several; below {@link OwnedBooks} */
export function useOwned(book: KeyedBook): UserBook | undefined {
  return use(OwnedContext).get(bookKey(book))
}

/** @returns a function that finds the reader's own copy of a book; below {@link OwnedBooks} */
export function useOwnedBooks(): (book: Book) => UserBook | undefined {
  const owned = use(OwnedContext)
  return (book) => owned.get(keyOf(book))
}

/** The books in groups that stay as they are while others join them. */
function useGroups(books: readonly KeyedBook[]): KeyedBook[][] {
  const withIsbn = books.filter(({ isbn }) => isbn)
  const [groups, setGroups] = useState<KeyedBook[][]>(() => inGroups(withIsbn))
  const known = new Set(groups.flat().map(bookKey))
  const fresh = withIsbn.filter((book) => !known.has(bookKey(book)))
  if (fresh.length > 0) setGroups([...groups, ...inGroups(fresh)])
  const shown = new Set(withIsbn.map(bookKey))
  return groups.filter((group) => group.some((book) => shown.has(bookKey(book))))
}

/** @returns books of the catalogue as {@link OwnedBooks} takes them */
export function keyed(books: readonly Book[]): KeyedBook[] {
  return books.map((book) => ({ ...book, isbn: isbnOf(book) }))
}

/** @returns the ids of a reader's records by the keys of a series' books */
export function ownRecords(
  entries: SeriesBooks['entries'],
  own: OwnInSeries['books'] = [],
): Map<string, string> {
  const ids = new Map(own.map(({ book, own: id }) => [book, id]))
  return new Map(
    entries.flatMap(({ book }) => {
      const id = ids.get(book.id)
      return id === undefined ? [] : [[keyOf(book), id] as const]
    }),
  )
}

/** {@link ownRecords} of a series as the reader's list of series has it. */
export function ownRecordsOf({ entries }: OwnSeriesBooks): Map<string, string> {
  const had = entries.filter(({ own }) => own !== '')
  return ownRecords(
    entries,
    had.map(({ book, own }) => ({ book: book.id, own })),
  )
}

const keyOf = (book: Book) => bookKey({ ...book, isbn: isbnOf(book) })

/** @returns books or ids in as many groups as there are calls to make */
export function inGroups<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / maxOwnedPerRequest)
  return Array.from({ length: count }, (_, place) =>
    items.slice(place * maxOwnedPerRequest, (place + 1) * maxOwnedPerRequest),
  )
}
