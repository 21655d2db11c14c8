import { cleanLanguage } from '#catalogue/in-thread.ts'
import { languages } from '#shared/language.ts'
import { cutText, foldText } from '#shared/text.ts'
import type { BookFacts } from '#shared/user-book.ts'
import { textAtMost } from './read-row.ts'
import type { RowReader } from './row-reader.ts'

/** The columns with facts about the book, as far as a format has them. */
interface FactColumns {
  series?: string
  position?: string
  language?: string
  published?: string
  description?: string
}

/** Reads facts about the book itself. A series may have its position, as in "Discworld (#2.0)". */
export function factsOf(row: RowReader, columns: FactColumns): BookFacts {
  const { published = '' } = columns
  const series = row.text(columns.series ?? '')
  const [, name, number] = /^(.+?) \(#([\d.-]+)\)/.exec(series) ?? []
  const [named = ''] = row.list(columns.language ?? '')
  const language = languageCode(named)
  if (row.word(columns.language ?? '') && !language) row.warn('languageUnknown', columns.language!)
  const position = number ?? row.text(columns.position ?? '')
  // Calibre's year for an unknown date.
  const isDated = !row.cell(published).startsWith('0101-')
  return {
    series: cutText(name ?? series, 500),
    series_position: series ? cutText(position.replace(/\.0+$/, ''), 20) : '',
    language,
    published: isDated ? row.date(published) : '',
    description: cutText(row.html(columns.description ?? ''), textAtMost),
  }
}

/** @returns the codes of languages by their names, folded, in all of Octavo's languages */
function namesOfLanguages(): ReadonlyMap<string, string> {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  const names = new Map<string, string>()
  for (const language of Object.keys(languages)) {
    const display = new Intl.DisplayNames(language, { type: 'language', fallback: 'none' })
    for (const code of codes) {
      const name = display.of(code)
      if (name) names.set(foldText(name), code)
    }
  }
  return names
}

/** Made for the first language that isn't a code. */
let codesByName: ReadonlyMap<string, string> | undefined

/** @returns the MARC code for a language's code or name; '' for an unknown one */
function languageCode(text: string): string {
  const code = cleanLanguage(text)
  if (code || !text) return code
  codesByName ??= namesOfLanguages()
  return cleanLanguage(codesByName.get(foldText(text)) ?? '')
}

/** Goodreads' place in a series, behind a title: “(The Coast, #2)”, “(The Coast, #2; Ferries, #1)”. */
const placeInTitle = /\(([^()#;]+?),? #([\d.-]+)(?:;[^()]*)?\)$/

/** @returns the series that a title names, and the book's place in it */
export function seriesOfTitle(title: string): Pick<BookFacts, 'series' | 'series_position'> {
  const [, series = '', position = ''] = placeInTitle.exec(title.slice(-500)) ?? []
  return { series, series_position: cutText(position, 20) }
}
