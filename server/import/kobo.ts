import { cutText } from '#shared/text.ts'
import type { Status } from '#shared/user-book.ts'
import { findIsbn } from './cells.ts'
import { hasTables, readTables, type DatabaseRow } from './database-rows.ts'
import { percentOf, quoteWith, rowOfMarked, timestampOf, type MarkedBook } from './highlights.ts'
import { splitNames } from './people.ts'
import type { ParsedRow } from './row.ts'

const columns = {
  content: [
    ['ContentID', 'ContentType', 'Title', 'Attribution', 'ISBN', 'ReadStatus', '___PercentRead'],
    ['LastTimeFinishedReading', 'Series', 'SeriesNumber'],
  ].flat(),
  Bookmark: ['VolumeID', 'Text', 'Annotation', 'DateCreated', 'Hidden'],
}

/** The type of a book's row; its chapters have another. */
const book = 6
const statuses: readonly (Status | '')[] = ['', 'reading', 'completed', 'reading']

/** @returns whether a file is a Kobo's `KoboReader.sqlite` */
export const isKobo = (path: string): boolean => hasTables(path, columns)

/**
 * Reads the books that were begun or marked on a Kobo.
 *
 * @throws ImportError for a database that is damaged, or has too many rows
 */
export function readKobo(path: string): ParsedRow[] {
  const tables = readTables(path, columns)
  const books = new Map<string, MarkedBook>()
  for (const row of tables.content)
    if (row.number('ContentType') === book) books.set(row.text('ContentID'), bookIn(row))
  for (const row of tables.Bookmark)
    if (row.text('Hidden') !== 'true')
      books.get(row.text('VolumeID'))?.quotes.push(
        quoteWith({
          text: row.text('Text'),
          note: row.text('Annotation'),
          at: timestampOf(utc(row.text('DateCreated'))),
        }),
      )
  // A Kobo also lists previews and what its shop recommends.
  return [...books.values()]
    .filter(({ status, quotes }) => status || quotes.length > 0)
    .map(rowOfMarked)
}

const seriesFacts = (series: string, position: string) => ({
  series: cutText(series, 500),
  series_position: cutText(position, 20),
  language: '',
  published: '',
  description: '',
})

/** Times are in UTC, and only some say so. */
const utc = (time: string) => Date.parse(/[Zz]$/.test(time) ? time : `${time}Z`)

function bookIn(row: DatabaseRow): MarkedBook {
  const status = statuses[row.number('ReadStatus')] ?? ''
  const finished = timestampOf(utc(row.text('LastTimeFinishedReading'))).slice(0, 10)
  const series = row.text('Series')
  return {
    title: row.text('Title').trim(),
    authors: splitNames(row.text('Attribution')),
    isbn: findIsbn(row.text('ISBN')),
    status,
    percent: status === 'reading' ? percentOf(row.number('___PercentRead'), 100) : 0,
    readings:
      finished && status === 'completed' ? [{ started: '', finished, outcome: 'finished' }] : [],
    ...(series && { facts: seriesFacts(series, row.text('SeriesNumber')) }),
    format: 'ebook',
    source_id: row.text('ContentID'),
    quotes: [],
  }
}
