import * as z from 'zod'
import { collapseSpaces } from './cells.ts'
import { readBytes, type TextFile } from './decode.ts'
import { ImportError } from './import-error.ts'
import { jsonValues } from './json.ts'
import { librarything } from './other-formats.ts'
import { firstNameFirst } from './people.ts'
import { RowReader } from './row-reader.ts'
import { exportCollections, parseExportedRecord, type ExportCollection } from './export-records.ts'
import type { Cells, ParsedRow } from './row.ts'

/** Bytes to detect a document's format from. */
const sample = 4096

/** A JSON document that is read one row at a time. */
interface JsonRows {
  format: 'librarything' | 'octavo'
  rows: () => AsyncGenerator<ParsedRow>
}

/**
 * @returns our own export or LibraryThing's; null for a list, which is read as a table
 * @throws ImportError for another object
 */
export async function readJsonObject(file: TextFile): Promise<JsonRows | null> {
  const start = (await readBytes(file.path, file.start, sample)).toString()
  if (/^\s*\[/.test(start)) return null
  if (/^\s*\{\s*"product"\s*:\s*"Octavo"/.test(start))
    return { format: 'octavo', rows: () => ownRows(file) }
  if (/^\s*\{\s*"[^"]*"\s*:\s*\{/.test(start))
    return { format: 'librarything', rows: () => libraryThingRows(file) }
  throw unknownJson()
}

const unknownJson = () => new ImportError('jsonUnknown')

async function* ownRows(file: TextFile): AsyncGenerator<ParsedRow> {
  const paths = exportCollections.map((name) => `$.${name}.*`)
  for await (const { holder, value } of jsonValues(file, ['$.version', ...paths])) {
    if (holder && exportCollections.includes(holder as ExportCollection))
      yield parseExportedRecord(holder as ExportCollection, value)
    else if (value !== 1) throw new ImportError('jsonNewer')
  }
}

/** Reads a list of objects as rows, with the fields as columns. */
export async function* listRows(file: TextFile): AsyncGenerator<Cells> {
  for await (const { value } of jsonValues(file, ['$.*'])) yield cellsOf(value)
}

const text = z.union([z.string(), z.number().transform(String)]).catch('')
const texts = z.array(text).catch([])
const values = (value: unknown): string[] =>
  Object.values(value && typeof value === 'object' ? value : [value]).filter(
    (one) => typeof one === 'string',
  )

const entry = z.looseObject({
  title: text,
  primaryauthor: text,
  authors: z.array(z.object({ fl: text, lf: text })).catch([]),
  collections: texts,
  originalisbn: text,
  rating: text,
  review: text,
  comment: text,
  privatecomment: text,
  tags: texts,
  pages: text,
  copies: text,
  date: text,
  language_codeA: texts,
  entrydate: text,
  datestarted: text,
  dateread: text,
  books_id: text,
})

/** Reads LibraryThing's export: an object with the books by their ids. */
async function* libraryThingRows(file: TextFile): AsyncGenerator<ParsedRow> {
  for await (const { value } of jsonValues(file, ['$.*'])) {
    if (!value || typeof value !== 'object' || !('books_id' in value)) throw unknownJson()
    const source = cellsOf(value)
    const { data } = entry.safeParse(value)
    if (!data?.title) yield { source, book: null, reason: { key: 'noTitle' } }
    else {
      const row = new RowReader(libraryThingCells(data, value))
      yield { source, book: librarything.read(row), reason: null, warnings: row.warnings }
    }
  }
}

function libraryThingCells(data: z.infer<typeof entry>, value: object): Cells {
  const { format, isbn } = value as { format?: { text?: string }[]; isbn?: unknown }
  return {
    Title: data.title,
    'Primary Author': data.authors[0]?.fl || firstNameFirst(data.primaryauthor),
    'Secondary Author': data.authors
      .slice(1)
      .map(({ fl }) => fl)
      .join('|'),
    Collections: data.collections.join(','),
    ISBN: data.originalisbn,
    ISBNs: values(isbn).join(','),
    Rating: data.rating,
    Review: data.review,
    Comment: data.comment,
    'Private Comment': data.privatecomment,
    Tags: data.tags.join(','),
    'Page Count': data.pages.trim(),
    Copies: data.copies,
    Media: collapseSpaces(Array.isArray(format) ? format[0]?.text : ''),
    Date: data.date,
    'Language Code': data.language_codeA[0] ?? '',
    'Entry Date': data.entrydate,
    'Date Started': data.datestarted,
    'Date Read': data.dateread,
    'Book Id': data.books_id,
  }
}

function cellsOf(value: unknown): Cells {
  if (!value || typeof value !== 'object') return {}
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      typeof one === 'string' ? one : one === null ? '' : JSON.stringify(one),
    ]),
  )
}
