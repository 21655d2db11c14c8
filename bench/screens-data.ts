import { join } from 'node:path'
import { fillSqlite, type FilledRow } from '#tests/fill.ts'
import { isbnOf } from './seed.ts'

export const reader = { id: 'u00000000000001', username: 'librarian' } as const
export const shelf = 's00000000000001'

/** Of the timeline; on the premium plan all are shown. */
export const entries = 630

const created = '2026-01-02 03:04:05.678Z'
const id = (kind: string, n: number) => kind + String(n).padStart(14, '0')

/** A library of one reader: so many books on one shelf, and a long timeline. */
export async function fillScreens(folder: string, books: number): Promise<void> {
  const dated = { created, updated: created }
  const user = reader.id
  await fillSqlite(join(folder, 'octavo.db'), {
    users: [
      {
        ...reader,
        email: 'librarian@example.org',
        tokenKey: id('k', 1),
        name: 'Librarian',
        ...dated,
      },
    ],
    settings: [{ id: id('t', 1), user, isPrivate: 0 }],
    bookshelves: [
      {
        id: shelf,
        user,
        name: 'Everything',
        visibility: 'public',
        book_count: books,
        covers: '[]',
        latest: '[]',
        ...dated,
      },
    ],
    user_books: Array.from({ length: books }, (_, n) => book(n)),
    activities: Array.from({ length: entries }, (_, n) => entry(n, books)),
  })
}

const titleOf = (n: number) => `Volume ${String(n).padStart(5, '0')}, or a study in numbers`
const authors = ['Anna Example']

function book(n: number): FilledRow {
  const status = n < 3 ? 'reading' : n % 3 ? 'completed' : 'planning'
  const pages = 100 + (n % 900)
  const progress = status === 'reading' ? 30 : status === 'completed' ? pages : 0
  return {
    id: id('b', n),
    user: reader.id,
    shelf,
    title: titleOf(n),
    status,
    progress,
    authors: JSON.stringify(authors),
    genres: '["fiction"]',
    images: '[]',
    tags: '[]',
    page_count: pages,
    isbn: isbnOf(n),
    book_key: isbnOf(n),
    progress_average: Math.round((progress / pages) * 100),
    rating: status === 'completed' ? 1 + (n % 19) / 2 : 0,
    created,
    updated: created,
  }
}

function entry(n: number, books: number): FilledRow {
  const place = n % books
  const at = new Date(Date.UTC(2026, 0, 1) - n * 7_200_000).toISOString().replace('T', ' ')
  const data = { progress: 1 + (n % 90), title: titleOf(place), shelf: 'Everything', authors }
  return {
    id: id('a', n),
    event_type: 'progress_updated',
    user: reader.id,
    book: id('b', place),
    shelf,
    isPrivate: 0,
    created: at,
    data: JSON.stringify({ ...data, isbn: isbnOf(place), slug: '', cover: '' }),
  }
}
