import type { ImportedReading } from '#shared/import.ts'
import { isColumnFor } from './any-table.ts'
import { factsOf } from './book-facts.ts'
import { findIsbn } from './cells.ts'
import { distinctPeople, firstNameFirst, splitNames } from './people.ts'
import { emptyBook, type Format } from './row.ts'
import { statusOf } from './statuses.ts'

/** One reading, or none without any date. */
const reading = (
  started: string,
  finished: string,
  outcome: ImportedReading['outcome'] = 'finished',
): ImportedReading[] => (started || finished ? [{ started, finished, outcome }] : [])

export const librarything: Format = {
  format: 'librarything',
  has: ['Title', 'Primary Author', 'Collections', 'Work id'],
  read(row) {
    const collections = row.list('Collections').filter((name) => name !== 'Your library')
    const finished = row.date('Date Read')
    const known = collections.find(statusOf) ?? ''
    const isOwned = row.list('Collections').includes('Your library')
    const status = statusOf(known)
    return {
      ...emptyBook,
      title: row.text('Title'),
      authors: distinctPeople(
        [row.text('Primary Author'), ...row.list('Secondary Author', '|')].map(firstNameFirst),
      ),
      isbn: row.isbn('ISBN') || findIsbn(...row.list('ISBNs')),
      status,
      status_name: known,
      tags: [...new Set([...row.list('Tags'), ...collections.filter((name) => !statusOf(name))])],
      rating: row.stars('Rating'),
      review: row.html('Review'),
      notes: ['Comment', 'Private Comment']
        .map((name) => row.html(name))
        .filter(Boolean)
        .join('\n\n'),
      format: row.format('Media'),
      pages: row.pages('Page Count'),
      owned: isOwned ? Math.max(1, row.count('Copies')) : 0,
      added: row.date('Entry Date'),
      readings: reading(
        row.date('Date Started'),
        finished,
        status === 'dropped' ? 'dropped' : 'finished',
      ),
      read_count: finished && status !== 'dropped' ? 1 : 0,
      source_id: row.text('Book Id'),
      facts: factsOf(row, {
        published: 'Date',
        // Only its JSON has codes.
        language: row.firstOf(['Language Code', 'Languages']),
      }),
    }
  },
}

export const bookwyrm: Format = {
  format: 'bookwyrm',
  has: ['title', 'author_text', 'remote_id', 'isbn_13'],
  read(row) {
    const stopped = row.date('stopped_date')
    const shelf = row.status('shelf')
    const finished = row.date('finish_date')
    return {
      ...emptyBook,
      title: row.text('title'),
      authors: splitNames(row.cell('author_text')),
      isbn: row.isbn('isbn_13', 'isbn_10'),
      status: shelf,
      status_name: shelf ? row.word('shelf') : row.word(row.firstOf(['shelf_name', 'shelf'])),
      rating: row.stars('rating'),
      review: [row.text('review_name'), row.html('review_content')].filter(Boolean).join('\n\n'),
      spoilers: Boolean(row.text('review_cw')),
      added: row.date('shelf_date'),
      readings: reading(
        row.date('start_date'),
        finished || stopped,
        stopped ? 'dropped' : 'finished',
      ),
      read_count: finished ? 1 : 0,
      source_id: row.text('remote_id'),
    }
  },
}

export const openreads: Format = {
  format: 'openreads',
  has: ['title', 'author', 'status', 'book_format', 'readings'],
  read(row) {
    const status = row.status('status')
    const outcome = status === 'dropped' ? 'dropped' : 'finished'
    const readings = row.list('readings', ';').map((part): ImportedReading => {
      const [started = '', finished = ''] = part
        .split('|')
        .map((text) => row.date('readings', text))
      return { started, finished, outcome: finished ? outcome : 'reading' }
    })
    return {
      ...emptyBook,
      title: [row.text('title'), row.text('subtitle')].filter(Boolean).join(': '),
      authors: splitNames(row.cell('author')),
      isbn: row.isbn('isbn'),
      status,
      status_name: row.word('status'),
      tags: [...row.list('tags', '|||||'), ...(row.isYes('favourite') ? ['favourite'] : [])],
      rating: row.stars('rating'),
      review: row.lines('my_review'),
      notes: row.lines('notes'),
      format: row.format('book_format'),
      pages: row.pages('pages'),
      added: row.date('date_added'),
      readings: readings.filter(({ started, finished }) => started || finished),
      read_count: readings.filter(({ outcome: end }) => end === 'finished').length,
      source_id: row.text('olid'),
      facts: factsOf(row, { published: 'publication_year', description: 'description' }),
    }
  },
}

export const jelu: Format = {
  format: 'jelu',
  has: ['Title', 'Author', 'read_dates', 'dropped_dates'],
  read(row) {
    const of = (name: string, outcome: ImportedReading['outcome']) =>
      row
        .list(name)
        .map((text) => row.date(name, text))
        .flatMap((date) => reading('', date, outcome))
    const dated = [...of('read_dates', 'finished'), ...of('dropped_dates', 'dropped')]
    const readings = dated.length ? dated : of('Date Read', 'finished')
    const current = row.date('currently_reading')
    const shelves = row.list('Shelves')
    const shelf = shelves.find(statusOf) ?? ''
    const last = readings.toSorted((a, b) => a.finished.localeCompare(b.finished)).at(-1)
    const ended = last && (last.outcome === 'dropped' ? 'dropped' : 'completed')
    return {
      ...emptyBook,
      title: row.text('Title'),
      authors: splitNames(row.cell(row.firstOf(['authors', 'Author']))),
      isbn: row.isbn('isbn13', 'ISBN', 'isbn10'),
      status: statusOf(shelf) || (current ? 'reading' : (ended ?? '')),
      status_name: shelf,
      tags: [...new Set([...row.list('tags'), ...shelves.filter((name) => !statusOf(name))])],
      owned: row.isYes('owned') ? 1 : 0,
      readings: [
        ...readings,
        ...(current ? [{ started: current, finished: '', outcome: 'reading' as const }] : []),
      ],
      read_count: readings.filter(({ outcome }) => outcome === 'finished').length,
    }
  },
}

/** @returns the ISBNs among Calibre's identifiers, such as `isbn:978…` and `isbn:ISBN:978…` */
const isbnsOf = (identifiers: string): string[] =>
  Array.from(identifiers.matchAll(/isbn:(?:isbn[: ]?)?([\dX-]{10,20})/gi), ([, isbn]) => isbn!)

export const calibre: Format = {
  format: 'calibre',
  has: ['authors', 'author_sort', 'library_name', 'uuid'],
  read(row) {
    /** The column that the reader has added for something; its name begins with a sign. */
    const added = (which: Parameters<typeof isColumnFor>[0]) =>
      row.columns.find((name) => name.startsWith('#') && isColumnFor(which, name.slice(1))) ?? ''
    const isRead = row.isYes('#read')
    const status = isRead ? ('completed' as const) : row.status(added('status'))
    const finished = row.date(added('finished'))
    const outcome = status === 'dropped' ? ('dropped' as const) : ('finished' as const)
    return {
      ...emptyBook,
      title: row.text('title'),
      authors: row.list('authors', '&'),
      isbn: row.isbn('isbn') || findIsbn(...isbnsOf(row.cell('identifiers'))),
      status,
      status_name: isRead ? '#read' : row.word(added('status')),
      tags: [...new Set([...row.list('tags'), ...row.list(added('tags'))])],
      rating: row.stars(row.firstOf([added('rating'), 'rating'])),
      review: row.html(added('review')),
      notes: row.html(added('notes')),
      format: /epub|azw|mobi|pdf|fb2|kfx|lit\b/.test(row.cell('formats')) ? 'ebook' : '',
      pages: row.pages(added('pages')),
      owned: row.isYes(added('owned')) ? 1 : 0,
      added: row.date('timestamp'),
      readings: reading(row.date(added('started')), finished, outcome),
      read_count: finished && outcome === 'finished' ? 1 : 0,
      source_id: row.text('uuid'),
      facts: factsOf(row, {
        series: 'series',
        position: 'series_index',
        language: 'languages',
        published: 'pubdate',
        description: 'comments',
      }),
    }
  },
}

export const openlibrary: Format = {
  format: 'openlibrary',
  has: ['Work Id', 'Edition Id', 'Bookshelf'],
  read: (row) => ({
    ...emptyBook,
    title: row.text('Title'),
    authors: splitNames(row.cell(row.firstOf(['Authors', 'Author']))),
    status: row.status('Bookshelf'),
    status_name: row.word('Bookshelf'),
    rating: row.stars('My Ratings'),
    source_id: row.text('Edition Id') || row.text('Work Id'),
  }),
}

export const hardcover: Format = {
  format: 'hardcover',
  has: ['Title', 'Author', 'Status', 'Hardcover Book ID'],
  read(row) {
    const status = row.status('Status')
    const outcome = status === 'dropped' ? 'dropped' : 'finished'
    return {
      ...emptyBook,
      title: row.text('Title'),
      authors: splitNames(row.cell('Author')),
      isbn: row.isbn('ISBN 13', 'ISBN 10'),
      status,
      status_name: row.word('Status'),
      // A book's place on a list comes after its name: "My Ranking (#19)".
      tags: [...new Set(row.list('Lists').map((name) => name.replace(/ \(#\d+\)$/, '')))],
      rating: row.stars('Rating'),
      review: row.html('Review'),
      spoilers: row.isYes('Review Contains Spoilers'),
      notes: row.html('Private Notes'),
      format: row.format(row.firstOf(['Media', 'Binding'])),
      pages: row.pages('Pages'),
      duration: Math.round(row.count('Duration in Seconds') / 60),
      isPrivate: /^private$/i.test(row.text('Privacy')),
      owned: row.isYes('Owned') ? 1 : 0,
      added: row.date('Date Added'),
      readings: reading(row.date('Date Started'), row.date('Date Finished'), outcome),
      read_count: row.date('Date Finished') && outcome === 'finished' ? 1 : 0,
      source_id: row.text('Hardcover Book ID'),
      facts: factsOf(row, {
        series: 'Series',
        language: 'Language Code',
        published: 'Publish Date',
      }),
    }
  },
}
