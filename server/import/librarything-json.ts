import * as z from 'zod'
import { amount, firstNameFirst, plain } from './cells.ts'
import { ImportError } from './import-error.ts'
import { mergeRows } from './merge.ts'
import { librarything } from './others.ts'
import type { ReadFile } from './read.ts'
import type { Cells } from './row.ts'
import { rowsAtMost } from './table.ts'

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
  entrydate: text,
  datestarted: text,
  dateread: text,
  books_id: text,
})

/**
 * LibraryThing's export as JSON: an object with a book for each of its ids.
 *
 * @throws ImportError if it is something else
 */
export function readLibraryThingJson(json: string): ReadFile {
  const rows = Object.values(parseObject(json)).map((value) => {
    const source = sourceOf(value)
    const one = entry.safeParse(value)
    if (!one.success || !one.data.title)
      return { source, book: null, reason: 'This entry has no title.' }
    const { data } = one
    const format = (value as { format?: { text?: string }[] }).format
    const cells: Cells = {
      Title: data.title,
      'Primary Author': data.authors[0]?.fl || firstNameFirst(data.primaryauthor),
      'Secondary Author': data.authors
        .slice(1)
        .map(({ fl }) => fl)
        .join('|'),
      Collections: data.collections.join(','),
      ISBN: data.originalisbn,
      ISBNs: values((value as { isbn?: unknown }).isbn).join(','),
      Rating: data.rating,
      Review: data.review,
      Comment: data.comment,
      'Private Comment': data.privatecomment,
      Tags: data.tags.join(','),
      'Page Count': String(amount(data.pages)),
      Copies: data.copies,
      Media: plain(Array.isArray(format) ? format[0]?.text : ''),
      'Entry Date': data.entrydate,
      'Date Started': data.datestarted,
      'Date Read': data.dateread,
      'Book Id': data.books_id,
    }
    return { source, book: librarything.read(cells, undefined), reason: '' }
  })
  return { format: 'librarything', rows: mergeRows(rows), ambiguous: [] }
}

function parseObject(json: string): object {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new ImportError('This file begins as JSON but isn’t complete. Download it again.')
  }
  const entries = value && typeof value === 'object' && !Array.isArray(value) ? value : {}
  const some = Object.values(entries)
  if (!some.length || !some.every((one) => one && typeof one === 'object' && 'books_id' in one))
    throw new ImportError(
      'We don’t recognise this JSON file. LibraryThing’s export is one we can read.',
    )
  if (some.length > rowsAtMost)
    throw new ImportError(`This file has more than ${rowsAtMost.toLocaleString('en')} rows.`)
  return entries
}

function sourceOf(value: unknown): Record<string, string> {
  if (!value || typeof value !== 'object') return {}
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      typeof one === 'string' ? one : JSON.stringify(one),
    ]),
  )
}
