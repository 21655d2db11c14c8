import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import type { ImportedQuote } from '#shared/import.ts'
import { isPartialDate } from '#shared/partial-date.ts'
import type { Status } from '#shared/user-book.ts'
import type { TextFile } from './decode.ts'
import { percentOf, quoteWith, rowOfMarked, timestampOf, type MarkedBook } from './highlights.ts'
import { ImportError } from './import-error.ts'
import { jsonValues } from './json.ts'
import { parseLuaTable, type LuaTable, type LuaValue } from './lua-table.ts'
import { splitPeople } from './people.ts'
import type { ParsedRow } from './row.ts'
import { maxRows, tooManyRows } from './table.ts'

const text = z.string().catch('')
const number = z.number().catch(0)
const entry = z.looseObject({
  text,
  note: text,
  page: z.union([z.number(), z.string().transform(Number)]).catch(0),
  /** Seconds since 1970. */
  time: number,
})
const exported = z.looseObject({
  title: text,
  author: text,
  number_of_pages: number,
  entries: z.array(entry.catch(entry.parse({}))).catch([]),
})

/**
 * Reads KOReader's JSON export, of one book or of several.
 *
 * @throws ImportError for another JSON object
 */
export async function readKoreaderExport(file: TextFile): Promise<ParsedRow[]> {
  const one: Record<string, unknown> = {}
  const entries: unknown[] = []
  const rows: ParsedRow[] = []
  const paths = ['$.documents.*', '$.entries.*', '$.title', '$.author', '$.number_of_pages']
  for await (const { holder, key, value } of jsonValues(file, paths)) {
    if (rows.length + entries.length > maxRows) throw tooManyRows()
    if (holder === 'documents') rows.push(rowOfExported(value))
    else if (holder === 'entries') entries.push(value)
    else one[key] = value
  }
  if (entries.length) rows.push(rowOfExported({ ...one, entries }))
  if (!rows.length) throw new ImportError('jsonUnknown')
  return rows
}

function rowOfExported(value: unknown): ParsedRow {
  const { title, author, number_of_pages: pages, entries } = exported.catch(nothing).parse(value)
  const quotes = entries.map(({ text: passage, note, page, time }) =>
    quoteWith({ text: passage, note, ...placeOf(page, pages), at: timestampOf(1000 * time) }),
  )
  return rowOfMarked({ title, authors: authorsOf(author), quotes })
}

const nothing = exported.parse({})

/** One author a line. */
const authorsOf = (names: string) => names.split('\n').flatMap((name) => splitPeople(name))

/** Pages depend on the device's letters, a share of them doesn't. */
function placeOf(page: number, pages: number): Pick<ImportedQuote, 'page' | 'percent'> {
  const percent = percentOf(page, pages)
  const isPage = Number.isInteger(page) && page > 0 && page <= 100_000
  return { page: percent || !isPage ? 0 : page, percent }
}

/** Bytes of a file beside a book: thousands of highlights. */
const sidecarAtMost = 10_000_000

/**
 * Reads what KOReader keeps beside a book, such as `metadata.epub.lua`.
 *
 * @throws ImportError for another file
 */
export async function readSidecar({ path, start }: TextFile): Promise<ParsedRow[]> {
  const content = await readFile(path)
  const sidecar =
    content.length > sidecarAtMost ? null : parseLuaTable(content.subarray(start).toString())
  if (!sidecar) throw new ImportError('fileUnreadable')
  return [rowOfMarked(markedIn(sidecar))]
}

/** KOReader's words for how a book is, of which "abandoned" is shown as "on hold". */
const statuses: Readonly<Record<string, Status>> = {
  reading: 'reading',
  complete: 'completed',
  abandoned: 'paused',
}

function markedIn(sidecar: LuaTable): MarkedBook {
  const [props, stats] = [tableIn(sidecar, 'doc_props'), tableIn(sidecar, 'stats')]
  const summary = tableIn(sidecar, 'summary')
  const pages = numberIn(sidecar, 'doc_pages')
  const quotes = [...tableIn(sidecar, 'annotations').values()].map((one) => {
    const annotation = asTable(one)
    const at = Date.parse(`${textIn(annotation, 'datetime')}Z`)
    return quoteWith({
      text: textIn(annotation, 'text'),
      note: textIn(annotation, 'note'),
      ...placeOf(numberIn(annotation, 'pageno'), pages),
      // The device's own clock.
      at: timestampOf(at).slice(0, 10),
    })
  })
  const status = statuses[textIn(summary, 'status')] ?? ''
  const modified = textIn(summary, 'modified')
  const finished = status === 'completed' && isPartialDate(modified) ? modified : ''
  return {
    title: textIn(props, 'title') || textIn(stats, 'title'),
    authors: authorsOf(textIn(props, 'authors') || textIn(stats, 'authors')),
    status,
    rating: 2 * Math.min(5, Math.max(0, Math.round(numberIn(summary, 'rating')))),
    review: textIn(summary, 'note'),
    percent: percentOf(numberIn(sidecar, 'percent_finished'), 1),
    readings: finished ? [{ started: '', finished, outcome: 'finished' }] : [],
    quotes,
    source_id: textIn(sidecar, 'partial_md5_checksum'),
  }
}

const none: LuaTable = new Map()
const asTable = (value: LuaValue | undefined) => (value instanceof Map ? (value as LuaTable) : none)
const tableIn = (table: LuaTable, key: string) => asTable(table.get(key))

function textIn(table: LuaTable, key: string): string {
  const value = table.get(key)
  return typeof value === 'string' ? value : ''
}

function numberIn(table: LuaTable, key: string): number {
  const value = table.get(key)
  return typeof value === 'number' ? value : 0
}
