import type { ImportedBook } from '#shared/import.ts'
import type { Status } from '#shared/user-book.ts'
import { factsOf, seriesOfTitle } from './book-facts.ts'
import { parseDate } from './dates.ts'
import { distinctPeople, splitNames } from './people.ts'
import { emptyBook, type Format } from './row.ts'
import { statusOf } from './statuses.ts'

const columns24 =
  'Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies'.split(
    ',',
  )
const columns31 = [
  ...columns24.slice(0, -1),
  'Recommended For',
  'Recommended By',
  'Owned Copies',
  'Original Purchase Date',
  'Original Purchase Location',
  'Condition',
  'Condition Description',
  'BCID',
]
const unrated = (columns: readonly string[]) => columns.filter((name) => name !== 'Average Rating')

/** Every header it has had, with and without the average rating, which was dropped in 2026. */
const headers = [columns31, unrated(columns31), columns24, unrated(columns24)]

/** @returns the header for a file without one, if its first row looks like Goodreads */
export function goodreadsHeader(first: readonly string[]): readonly string[] | undefined {
  if (!/^\d+$/.test(first[0] ?? '')) return undefined
  return headers.find((header) => {
    const cell = (name: string) => first[header.indexOf(name)] ?? ''
    return (
      header.length === first.length &&
      /^(?:="?[\dX]*"?)?$|^\d/.test(cell('ISBN')) &&
      parseDate(cell('Date Added'), 'mdy') !== '' &&
      /^[\w-]+$/.test(cell('Exclusive Shelf'))
    )
  })
}

/** The shelves that every reader has. */
const statuses = new Set(['read', 'currently-reading', 'to-read'])

/** Common names of exclusive shelves that readers create. */
const ownStatuses: [RegExp, Status][] = [
  [/dnf|did-?not-?finish|abandon|dropped|gave-?up|unfinished/, 'dropped'],
  [/pause|on-?hold|hiatus/, 'paused'],
]

const ownStatus = (shelf: string): Status | '' =>
  statusOf(shelf) || (ownStatuses.find(([pattern]) => pattern.test(shelf))?.[1] ?? '')

export const goodreads: Format = {
  format: 'goodreads',
  has: ['Book Id', 'Title', 'Author', 'My Rating', 'Exclusive Shelf'],
  read(row) {
    const shelf = row.word('Exclusive Shelf').toLowerCase()
    const status = row.status('Exclusive Shelf', () => ownStatus(shelf))
    const isOwn = (name: string) => !statuses.has(name) && name.toLowerCase() !== shelf
    return {
      ...emptyBook,
      title: row.text('Title'),
      authors: distinctPeople([row.text('Author'), ...splitNames(row.cell('Additional Authors'))]),
      isbn: row.isbn('ISBN13', 'ISBN'),
      status,
      status_name: shelf,
      tags: row.list('Bookshelves').filter(isOwn),
      rating: row.stars('My Rating'),
      review: row.html('My Review'),
      spoilers: row.isYes('Spoiler'),
      notes: row.html('Private Notes'),
      format: row.format('Binding'),
      pages: row.pages('Number of Pages'),
      owned: row.count('Owned Copies'),
      added: row.date('Date Added'),
      readings: readings(status, row.date('Date Read')),
      read_count: row.count('Read Count'),
      source_id: row.text('Book Id'),
      facts: {
        ...factsOf(row, { published: 'Year Published' }),
        ...seriesOfTitle(row.text('Title')),
      },
    }
  },
}

function readings(status: string, finished: string): ImportedBook['readings'] {
  if (!finished) return []
  return [{ started: '', finished, outcome: status === 'dropped' ? 'dropped' : 'finished' }]
}
