import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import type { PagedBooks } from '#web/api/library-lists.ts'

/** Pixels; of a book that is not there yet. */
const estimatedWidth = 58

/** The widths of a list's books in pixels, by their place in it. */
type Widths = ReadonlyMap<number, number>

const storageKey = 'octavo-widths'

/** @returns the widths that this tab knew before it was loaded again, if it showed the same list */
function storedWidths(list: string): Widths | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]')
    const [of, widths] = stored as [string?, [number, number][]?]
    return of === list && widths ? new Map(widths) : undefined
  } catch {
    // The server has no storage, and a browser may refuse its own.
    return undefined
  }
}

function storeWidths(list: string, widths: Widths): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([list, [...widths]]))
  } catch {
    // Without room in the storage, widths last as long as the page.
  }
}

/**
 * How wide the books are that have been in the page: where they are, their rows stay as they were,
 * also when the reader comes back or loads the page again.
 *
 * @param widthOf none for a list whose books don't wrap
 */
export function useBookWidths(
  source: PagedBooks,
  widthOf: ((book: UserBook) => number) | undefined,
) {
  const queries = useQueryClient()
  const [, redraw] = useState<Widths>()
  const list = JSON.stringify(source.key)
  const [stored] = useState(() => (widthOf ? storedWidths(list) : undefined))
  if (!widthOf) return null
  const key = ['widths', ...source.key]
  const known = queries.getQueryData<Widths>(key) ?? stored
  // Books that came just now stand in their rows at once.
  const fresh = new Map<number, UserBook[] | undefined>()
  const freshBook = (index: number) => {
    const page = Math.floor(index / source.size) + 1
    if (!fresh.has(page)) fresh.set(page, queries.getQueryData(source.page(page).queryKey)?.items)
    return fresh.get(page)?.[index % source.size]
  }
  return {
    of: (index: number) => {
      const width = known?.get(index)
      if (width !== undefined) return width
      const book = freshBook(index)
      return book ? widthOf(book) : estimatedWidth
    },
    keep: (books: [index: number, book: UserBook | undefined][]) => {
      const found = books.flatMap(([index, book]): [number, number][] =>
        book ? [[index, widthOf(book)]] : [],
      )
      if (found.every(([index, width]) => known?.get(index) === width)) return
      const next = new Map([...(known ?? []), ...found])
      queries.setQueryData(key, next)
      storeWidths(list, next)
      redraw(next)
    },
  }
}
