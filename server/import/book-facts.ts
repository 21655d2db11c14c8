import { cleanLanguage } from '#catalogue/in-thread.ts'
import { cutText } from '#shared/text.ts'
import type { BookFacts } from '#shared/user-book.ts'
import { textAtMost } from './read-row.ts'
import type { RowReader } from './row-reader.ts'

/** The columns with facts about the book; '' for one that a format lacks. */
interface FactColumns {
  series: string
  position: string
  language: string
  published: string
  description: string
}

/** Reads facts about the book itself. A series may have its position, as in "Discworld (#2.0)". */
export function factsOf(row: RowReader, columns: FactColumns): BookFacts {
  const series = row.text(columns.series)
  const [, name, number] = /^(.+?) \(#([\d.-]+)\)/.exec(series) ?? []
  const [language = ''] = row.list(columns.language)
  const position = number ?? row.text(columns.position)
  // Calibre's year for an unknown date.
  const isDated = !row.cell(columns.published).startsWith('0101-')
  return {
    series: cutText(name ?? series, 500),
    series_position: series ? cutText(position.replace(/\.0+$/, ''), 20) : '',
    language: cleanLanguage(language.trim()),
    published: isDated ? row.date(columns.published) : '',
    description: cutText(row.html(columns.description), textAtMost),
  }
}
