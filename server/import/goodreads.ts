import type { ImportedBook } from '#shared/import.ts'
import type { Status } from '#shared/user-book.ts'
import {
  parseNumber,
  parseBookFormat,
  isYes,
  splitList,
  collapseSpaces,
  findIsbn,
  parseStars,
  htmlToText,
} from './cells.ts'
import { parseDate } from './dates.ts'
import { emptyBook, type Format } from './row.ts'

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

const statuses: Record<string, Status> = {
  read: 'completed',
  'currently-reading': 'reading',
  'to-read': 'planning',
}

/** Common names of exclusive shelves that readers create. */
const ownStatuses: [RegExp, Status][] = [
  [/dnf|did-?not-?finish|abandon|dropped|gave-?up|unfinished/, 'dropped'],
  [/pause|on-?hold|hiatus/, 'paused'],
]

export const goodreads: Format = {
  format: 'goodreads',
  has: ['Book Id', 'Title', 'Author', 'My Rating', 'Exclusive Shelf'],
  dates: ['Date Read', 'Date Added'],
  read(cells, order) {
    const shelf = collapseSpaces(cells['Exclusive Shelf']).toLowerCase()
    const own = ownStatuses.find(([pattern]) => pattern.test(shelf))?.[1]
    const status = statuses[shelf] ?? own ?? ''
    const others = splitList(cells['Bookshelves']).filter((name) => !statuses[name])
    return {
      ...emptyBook,
      title: collapseSpaces(cells['Title']),
      authors: [
        ...new Set([collapseSpaces(cells['Author']), ...splitList(cells['Additional Authors'])]),
      ].filter(Boolean),
      isbn: findIsbn(cells['ISBN13'], cells['ISBN']),
      status,
      // An own shelf without a known status becomes a tag.
      tags: [...new Set([...others, ...(shelf && !status ? [shelf] : [])])],
      rating: parseStars(cells['My Rating']),
      review: htmlToText(cells['My Review']),
      spoilers: isYes(cells['Spoiler']),
      notes: htmlToText(cells['Private Notes']),
      format: parseBookFormat(cells['Binding']),
      pages: Math.round(parseNumber(cells['Number of Pages'])),
      owned: Math.round(parseNumber(cells['Owned Copies'])),
      added: parseDate(cells['Date Added'] ?? '', order),
      readings: readings(status, parseDate(cells['Date Read'] ?? '', order)),
      read_count: Math.round(parseNumber(cells['Read Count'])),
      source_id: collapseSpaces(cells['Book Id']),
    }
  },
}

function readings(status: string, finished: string): ImportedBook['readings'] {
  if (!finished) return []
  return [{ started: '', finished, outcome: status === 'dropped' ? 'dropped' : 'finished' }]
}
