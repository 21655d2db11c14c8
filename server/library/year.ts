import { sql } from 'kysely'
import { type Database, named, number } from '#records/index.ts'
import type { DiaryEntry } from '#shared/diary.ts'
import { countedReadings, toSql } from './counted-readings.ts'
import { listDiary } from './diary.ts'
import { findVisibleReader } from './profile.ts'

/** What a reader finished in a year or month. */
export interface Year {
  reader: { id: string; username: string }
  books: number
  pages: number
  /** Of audiobooks. */
  minutes: number
  /** The latest books, latest first. */
  entries: DiaryEntry[]
}

/**
 * A reader's year or month as the viewer may see it; counted as in the statistics.
 *
 * @param viewer id; '' for a visitor
 * @param period `YYYY` or `YYYY-MM`
 * @param most the most entries
 * @returns null if there is no such reader or the viewer can't see the profile
 */
export async function readYear(
  database: Database,
  username: string,
  viewer: string,
  period: string,
  most: number,
): Promise<Year | null> {
  const reader = await findVisibleReader(database, username, viewer)
  if (!reader) return null
  const { dialect } = database
  const part = { year: period.slice(0, 4), by: 'period' as const, key: period }
  const { sql: text, parameters } = dialect.compile(
    sql`SELECT COUNT(*), COALESCE(SUM(CASE WHEN format = 'audio' THEN 0 ELSE pages END), 0),
        COALESCE(SUM(CASE WHEN format = 'audio' THEN minutes ELSE 0 END), 0)
      FROM readings WHERE "user" = ${reader.id}
        AND ${reader.id === viewer ? sql`TRUE` : sql`visible = TRUE`}
        AND ${toSql(dialect, countedReadings(part) ?? [])}`,
  )
  const rows = await database.search(text, parameters as Parameters<Database['search']>[1], viewer)
  const [sums] = named(rows, { books: number, pages: number, minutes: number })
  const entries: DiaryEntry[] = []
  for (let page = 1; entries.length < most; page++) {
    const list = await listDiary(database, username, viewer, { page, ...part })
    entries.push(...(list?.items ?? []))
    if (!list?.hasMore) break
  }
  return { reader, ...sums!, entries: entries.slice(0, most) }
}
