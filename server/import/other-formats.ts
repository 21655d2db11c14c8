import type { ImportedReading } from '#shared/import.ts'
import type { Status } from '#shared/user-book.ts'
import {
  parseNumber,
  firstNameFirst,
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

/** Other trackers' words for a status, folded to letters. */
const statuses: Record<string, Status> = {
  read: 'completed',
  alreadyread: 'completed',
  finished: 'completed',
  completed: 'completed',
  currentlyreading: 'reading',
  reading: 'reading',
  inprogress: 'reading',
  toread: 'planning',
  wanttoread: 'planning',
  tbr: 'planning',
  tobereader: 'planning',
  tobereadlist: 'planning',
  toberead: 'planning',
  planned: 'planning',
  planning: 'planning',
  forlater: 'planning',
  unread: 'planning',
  didnotfinish: 'dropped',
  dnf: 'dropped',
  stoppedreading: 'dropped',
  stopped: 'dropped',
  dropped: 'dropped',
  abandoned: 'dropped',
  unfinished: 'dropped',
  paused: 'paused',
  onhold: 'paused',
}

/** @returns '' for an unknown word */
export const statusOf = (text = ''): Status | '' =>
  statuses[text.toLowerCase().replace(/[^a-z]/g, '')] ?? ''

/** One reading, or none without any date. */
const reading = (
  started: string,
  finished: string,
  outcome: ImportedReading['outcome'] = 'finished',
): ImportedReading[] => (started || finished ? [{ started, finished, outcome }] : [])

export const librarything: Format = {
  format: 'librarything',
  has: ['Title', 'Primary Author', 'Collections', 'Work id'],
  dates: ['Acquired', 'Date Started', 'Date Read', 'Entry Date'],
  read(cells, order) {
    const date = (name: string) => parseDate(cells[name] ?? '', order)
    const collections = splitList(cells['Collections']).filter((name) => name !== 'Your library')
    const readings = reading(date('Date Started'), date('Date Read'))
    const known = collections.map((name) => statusOf(name)).find(Boolean)
    const isOwned = splitList(cells['Collections']).includes('Your library')
    return {
      ...emptyBook,
      title: collapseSpaces(cells['Title']),
      authors: [cells['Primary Author'], ...splitList(cells['Secondary Author'], '|')]
        .map((name) => firstNameFirst(name ?? ''))
        .filter(Boolean),
      isbn: findIsbn(cells['ISBN'], ...splitList(cells['ISBNs'])),
      status: known ?? (date('Date Read') ? 'completed' : date('Date Started') ? 'reading' : ''),
      tags: [
        ...new Set([...splitList(cells['Tags']), ...collections.filter((name) => !statusOf(name))]),
      ],
      rating: parseStars(cells['Rating']),
      review: htmlToText(cells['Review']),
      notes: [cells['Comment'], cells['Private Comment']]
        .map((text) => htmlToText(text))
        .filter(Boolean)
        .join('\n\n'),
      format: parseBookFormat(cells['Media']),
      pages: Math.round(parseNumber(cells['Page Count'])),
      owned: isOwned ? Math.max(1, Math.round(parseNumber(cells['Copies']))) : 0,
      added: date('Entry Date'),
      readings,
      read_count: date('Date Read') ? 1 : 0,
      source_id: collapseSpaces(cells['Book Id']),
    }
  },
}

export const bookwyrm: Format = {
  format: 'bookwyrm',
  has: ['title', 'author_text', 'remote_id', 'isbn_13'],
  dates: ['start_date', 'finish_date', 'stopped_date', 'shelf_date'],
  read(cells, order) {
    const date = (name: string) => parseDate(cells[name] ?? '', order)
    const stopped = date('stopped_date')
    const status = statusOf(cells['shelf']) || (stopped ? 'dropped' : '')
    const finished = date('finish_date')
    return {
      ...emptyBook,
      title: collapseSpaces(cells['title']),
      authors: splitList(cells['author_text']),
      isbn: findIsbn(cells['isbn_13'], cells['isbn_10']),
      status: status || (finished ? 'completed' : ''),
      tags: statusOf(cells['shelf']) ? [] : splitList(cells['shelf_name']),
      rating: parseStars(cells['rating']),
      review: [collapseSpaces(cells['review_name']), htmlToText(cells['review_content'])]
        .filter(Boolean)
        .join('\n\n'),
      spoilers: Boolean(cells['review_cw']),
      added: date('shelf_date'),
      readings: reading(date('start_date'), finished || stopped, stopped ? 'dropped' : 'finished'),
      read_count: finished ? 1 : 0,
      source_id: collapseSpaces(cells['remote_id']),
    }
  },
}

export const openreads: Format = {
  format: 'openreads',
  has: ['title', 'author', 'status', 'book_format', 'readings'],
  dates: [],
  read(cells, order) {
    const status = statusOf(cells['status'])
    const outcome = status === 'dropped' ? 'dropped' : 'finished'
    const readings = splitList(cells['readings'], ';').map((part): ImportedReading => {
      const [started = '', finished = ''] = part.split('|').map((text) => parseDate(text, order))
      return { started, finished, outcome: finished ? outcome : 'reading' }
    })
    return {
      ...emptyBook,
      title: [collapseSpaces(cells['title']), collapseSpaces(cells['subtitle'])]
        .filter(Boolean)
        .join(': '),
      authors: splitList(cells['author']),
      isbn: findIsbn(cells['isbn']),
      status,
      tags: [
        ...splitList(cells['tags'], '|||||'),
        ...(isYes(cells['favourite']) ? ['favourite'] : []),
      ],
      rating: parseStars(cells['rating']),
      review: htmlToText(cells['my_review']),
      notes: htmlToText(cells['notes']),
      format: parseBookFormat(cells['book_format']),
      pages: Math.round(parseNumber(cells['pages'])),
      added: parseDate(cells['date_added'] ?? '', order),
      readings: readings.filter(({ started, finished }) => started || finished),
      read_count: readings.filter(({ outcome: end }) => end === 'finished').length,
      source_id: collapseSpaces(cells['olid']),
    }
  },
}

export const jelu: Format = {
  format: 'jelu',
  has: ['Title', 'Author', 'read_dates', 'dropped_dates'],
  dates: ['Date Read'],
  read(cells, order) {
    const of = (name: string, outcome: ImportedReading['outcome']) =>
      splitList(cells[name])
        .map((text) => parseDate(text, order))
        .flatMap((date) => reading('', date, outcome))
    const readings = [...of('read_dates', 'finished'), ...of('dropped_dates', 'dropped')]
    const current = parseDate(cells['currently_reading'] ?? '', order)
    const shelf = splitList(cells['Shelves']).map(statusOf).find(Boolean)
    const last = readings.toSorted((a, b) => a.finished.localeCompare(b.finished)).at(-1)
    const ended = last && (last.outcome === 'dropped' ? 'dropped' : 'completed')
    return {
      ...emptyBook,
      title: collapseSpaces(cells['Title']),
      authors: splitList(cells['authors'] || cells['Author']),
      isbn: findIsbn(cells['isbn13'], cells['ISBN'], cells['isbn10']),
      status: shelf ?? (current ? 'reading' : (ended ?? '')),
      tags: splitList(cells['tags']),
      owned: isYes(cells['owned']) ? 1 : 0,
      readings: [
        ...readings,
        ...(current ? [{ started: current, finished: '', outcome: 'reading' as const }] : []),
      ],
      read_count: readings.filter(({ outcome }) => outcome === 'finished').length,
    }
  },
}

export const calibre: Format = {
  format: 'calibre',
  has: ['authors', 'author_sort', 'library_name', 'uuid'],
  dates: [],
  read: (cells, order) => ({
    ...emptyBook,
    title: collapseSpaces(cells['title']),
    authors: splitList(cells['authors'], '&'),
    isbn: findIsbn(cells['isbn'], /isbn:([\dX-]+)/.exec(cells['identifiers'] ?? '')?.[1]),
    tags: splitList(cells['tags']),
    rating: parseStars(cells['rating']),
    format: /epub|azw|mobi|pdf|fb2|kfx|lit\b/.test(cells['formats'] ?? '') ? 'ebook' : '',
    added: parseDate(cells['timestamp'] ?? '', order),
    source_id: collapseSpaces(cells['uuid']),
  }),
}

export const openlibrary: Format = {
  format: 'openlibrary',
  has: ['Work Id', 'Edition Id', 'Bookshelf'],
  dates: [],
  read: (cells) => ({
    ...emptyBook,
    title: collapseSpaces(cells['Title']),
    authors: splitList(cells['Authors'] ?? cells['Author']),
    status: statusOf(cells['Bookshelf']),
    rating: parseStars(cells['My Ratings']),
    source_id: collapseSpaces(cells['Edition Id']) || collapseSpaces(cells['Work Id']),
  }),
}

export const hardcover: Format = {
  format: 'hardcover',
  has: ['Title', 'Author', 'Status', 'Hardcover Book ID'],
  dates: ['Date Added', 'Date Started', 'Date Finished'],
  read(cells, order) {
    const date = (name: string) => parseDate(cells[name] ?? '', order)
    const status = statusOf(cells['Status'])
    const outcome = status === 'dropped' ? 'dropped' : 'finished'
    return {
      ...emptyBook,
      title: collapseSpaces(cells['Title']),
      authors: splitList(cells['Author']),
      isbn: findIsbn(cells['ISBN 13'], cells['ISBN 10']),
      status,
      tags: splitList(cells['Lists']),
      rating: parseStars(cells['Rating']),
      review: htmlToText(cells['Review']),
      spoilers: isYes(cells['Review Contains Spoilers']),
      notes: htmlToText(cells['Private Notes']),
      format: parseBookFormat(cells['Binding']),
      pages: Math.round(parseNumber(cells['Pages'])),
      owned: isYes(cells['Owned']) ? 1 : 0,
      added: date('Date Added'),
      readings: reading(date('Date Started'), date('Date Finished'), outcome),
      read_count: date('Date Finished') && outcome === 'finished' ? 1 : 0,
      source_id: collapseSpaces(cells['Hardcover Book ID']),
    }
  },
}
