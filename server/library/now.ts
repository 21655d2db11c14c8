import { sql } from 'kysely'
import {
  named,
  number,
  text,
  texts,
  type Database,
  type Records,
  type Viewer,
} from '#records/index.ts'
import { query } from '#server/storage/query.ts'
import { coverPath } from '#shared/cover.ts'
import type { Goal } from '#shared/goal.ts'
import { bookImages } from '#shared/user-book.ts'
import { countedReadings, toSql } from './counted-readings.ts'
import { goalsOf } from './goals.ts'
import { todayOf } from './today.ts'

/** The most books that are shown. */
const maxBooks = 20
/** The rows that are read for them, as a book can be on several shelves. */
const maxRows = 100

/** What `GET /api/v1/me/now` answers. */
interface Now {
  /** The books being read; the one that changed last comes first. */
  reading: {
    id: string
    title: string
    authors: string[]
    /** A path of this site; '' for none. */
    cover: string
    page: number
    pages: number
    percent: number
  }[]
  /** What was finished in the reader's year. */
  year: { books: number; pages: number }
  /** Those that include the reader's day. */
  goals: Goal[]
}

/** What a dashboard shows of its reader, in a few queries whatever the size of the library. */
export async function readNow(
  database: Database,
  records: Pick<Records, 'total'>,
  viewer: Viewer,
  now = new Date(),
): Promise<Now> {
  const user = viewer.id
  const today = await todayOf(database, user, now)
  return {
    reading: await booksBeingRead(database, user),
    year: await finishedIn(database, user, today.slice(0, 4)),
    goals: await goalsOf(database, records, { user, viewer, today, isCurrent: true }),
  }
}

async function booksBeingRead(database: Database, user: string): Promise<Now['reading']> {
  const rows = named(
    await query(
      database,
      sql`SELECT book_key, id, title, authors, image, images, progress, page_count, progress_average
        FROM user_books WHERE "user" = ${user} AND status = 'reading'
        ORDER BY updated DESC, id LIMIT ${sql.lit(maxRows)}`,
    ),
    {
      key: text,
      id: text,
      title: text,
      authors: texts,
      image: text,
      images: texts,
      page: number,
      pages: number,
      percent: number,
    },
  )
  const distinct = new Map<string, Now['reading'][number]>()
  for (const { key, image, images, ...book } of rows) {
    const { title, authors } = book
    const cover = coverPath(bookImages({ id: book.id, image, images }), {
      title,
      author: authors[0],
    })
    distinct.getOrInsertComputed(key, () => ({ ...book, cover: cover ?? '' }))
  }
  return [...distinct.values()].slice(0, maxBooks)
}

/** Counts as the statistics do. */
async function finishedIn(database: Database, user: string, year: string): Promise<Now['year']> {
  const counted = toSql(database.dialect, countedReadings({ year }) ?? [])
  const rows = await query(
    database,
    sql`SELECT COUNT(*), SUM(CASE WHEN format = 'audio' THEN 0 ELSE pages END)
      FROM readings WHERE "user" = ${user} AND ${counted}`,
  )
  return named(rows, { books: number, pages: number })[0]!
}
