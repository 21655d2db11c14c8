import type { PageTime } from '#server/collections/connections.ts'
import { openForeignDatabase } from '#server/import/foreign-database.ts'
import { ImportError } from '#server/import/import-error.ts'
import { maxDeviceBooks, maxPageTimes } from '#shared/connection.ts'
import { cutText, withoutZeros } from '#shared/text.ts'
import { cleanTimes } from './page-times.ts'

/** What KOReader's statistics know of a document. */
export interface DocumentTimes {
  /** As KOReader's progress sync names it. */
  document: string
  title: string
  authors: string[]
  /** By day in UTC, in their order. */
  days: { day: string; times: PageTime[] }[]
}

/** The tables to read. */
const tables: readonly string[] = ['book', 'page_stat_data']

/** Characters of a title and of all authors. */
const textAtMost = { title: 500, authors: 2000 }

/** Seconds: when there were no such devices yet, and how far a device's clock may be ahead. */
const [earliest, ahead] = [Date.parse('2000-01-01') / 1000, 2 * 86_400]
/** Seconds that a page can be open, and the pages of a document. */
const [longest, pagesAtMost] = [86_400, 1_000_000]

/**
 * Reads KOReader's `statistics.sqlite3`, which may come from anyone. Rows that make no sense are
 * left out.
 *
 * @throws ImportError for a file that isn't one, is damaged, or holds too much
 */
export function readStatisticsDatabase(path: string, now: number): DocumentTimes[] {
  try {
    using statistics = openForeignDatabase(path, (table) => tables.includes(table))
    if (statistics?.tables.size !== tables.length) throw new ImportError('fileUnreadable')
    const books = new Map<number, DocumentTimes>()
    const documents = new Map<string, DocumentTimes>()
    const { db } = statistics
    for (const row of db.prepare('SELECT id, title, authors, md5 FROM book').iterate()) {
      const document = text(row['md5'], 128)
      if (!/^[A-Za-z0-9_]+$/.test(document)) continue
      if (documents.size >= maxDeviceBooks && !documents.has(document)) break
      const found = documents.getOrInsertComputed(document, () => ({
        document,
        title: text(row['title'], textAtMost.title),
        // One author a line.
        authors: text(row['authors'], textAtMost.authors).split('\n').filter(Boolean),
        days: [],
      }))
      books.set(Number(row['id']), found)
    }
    const byDay = new Map<string, PageTime[]>()
    let count = 0
    const columns = 'id_book, page, start_time, duration, total_pages'
    const pageTimes = db.prepare(`SELECT ${columns} FROM page_stat_data`)
    // Or one number that is too large would be an error.
    pageTimes.setReadBigInts(true)
    for (const row of pageTimes.iterate()) {
      if (++count > maxPageTimes) throw new ImportError('fileUnreadable')
      const book = books.get(Number(row['id_book']))
      const [page, start, seconds, pages] = ['page', 'start_time', 'duration', 'total_pages'].map(
        (name) => whole(row[name]),
      ) as [number, number, number, number]
      const isReal = start >= earliest && start <= now + ahead && page >= 0 && page <= pagesAtMost
      if (!book || !isReal || seconds <= 0) continue
      const day = new Date(start * 1000).toISOString().slice(0, 10)
      byDay
        .getOrInsertComputed(`${day} ${book.document}`, () => [])
        .push([page, start, Math.min(seconds, longest), Math.min(Math.max(0, pages), pagesAtMost)])
    }
    for (const key of [...byDay.keys()].toSorted()) {
      const [day = '', document = ''] = key.split(' ')
      const times = cleanTimes(byDay.get(key)!)
      documents.get(document)?.days.push({ day, times })
    }
    return [...documents.values()].filter(({ days }) => days.length > 0)
  } catch (cause) {
    if (cause instanceof ImportError) throw cause
    throw new ImportError('fileUnreadable', {}, cause)
  }
}

const whole = (value: unknown) =>
  typeof value === 'number' || typeof value === 'bigint' ? Math.trunc(Number(value)) : -1

const text = (value: unknown, max: number) =>
  typeof value === 'string' ? cutText(withoutZeros(value), max) : ''
