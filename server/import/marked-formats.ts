import type { ImportFormat } from '#shared/import.ts'
import type { TextFile } from './decode.ts'
import type { ParsedRow } from './row.ts'

/** A text file with the passages that a reader has marked in books. */
interface MarkedFormat {
  format: ImportFormat
  /** How the file begins. */
  start: RegExp
  /** @returns a row for each book */
  read(file: TextFile): Promise<ParsedRow[]>
}

/** Such formats, whose readers are loaded for files that begin like that. */
const markedFormats: readonly MarkedFormat[] = [
  {
    format: 'kindle',
    // A title, a line about the clipping, and the line that ends it.
    start: /^\uFEFF?[^\r\n]+\r?\n[-–—] ?[^\r\n]+\r?\n[^]*?\n={10}\s/,
    read: async (file) => (await import('./my-clippings.ts')).readMyClippings(file),
  },
  {
    format: 'readwise',
    start: /^Highlight,Book Title,Book Author,/,
    read: async (file) => (await import('./readwise.ts')).readReadwise(file),
  },
  {
    format: 'koreader',
    // Any of its export's fields may come first.
    start:
      /^\s*\{\s*"(?:created_on|version|documents|entries|title|author|file|number_of_pages|exported|md5sum)"\s*:/,
    read: async (file) => (await import('./koreader.ts')).readKoreaderExport(file),
  },
  {
    format: 'koreader',
    // What it keeps beside a book is a program in Lua that returns a table.
    start: /^(?:--[^\n]*\n|\s)*return\s*\{\s*\[/,
    read: async (file) => (await import('./koreader.ts')).readSidecar(file),
  },
]

/** @returns the format of a text that begins so; undefined for another one */
export const markedFormatOf = (start: string): MarkedFormat | undefined =>
  markedFormats.find((one) => one.start.test(start))
