import type { TextFile } from './decode.ts'
import { MarkedBooks, quoteWith, rowOfMarked, timestampOf, type MarkedBook } from './highlights.ts'
import { withoutZeros } from '#shared/text.ts'
import { splitNames } from './people.ts'
import type { ParsedRow } from './row.ts'
import { readTable } from './table.ts'

/** Reads Readwise's CSV, which has a row for each highlight. */
export async function readReadwise(file: TextFile): Promise<ParsedRow[]> {
  const books = new MarkedBooks<MarkedBook>()
  let header: string[] | undefined
  for await (const { cells } of readTable(file)) {
    if (!header) {
      header = cells.map((name) => name.trim())
      continue
    }
    const cell = (name: string) => withoutZeros(cells[header!.indexOf(name)] ?? '')
    const title = cell('Book Title').trim()
    const authors = splitNames(cell('Book Author'))
    const page = cell('Location Type') === 'page' ? Number(cell('Location')) : 0
    books.next({ title, authors, quotes: [] }).quotes.push(
      quoteWith({
        text: cell('Highlight'),
        note: cell('Note'),
        page: Number.isInteger(page) && page > 0 && page <= 100_000 ? page : 0,
        at: timestampOf(Date.parse(cell('Highlighted at'))),
      }),
    )
  }
  return books.all.map(rowOfMarked)
}
