import { plainNumbers } from '#shared/digits.ts'
import type { DateOrder, ImportReason } from '#shared/import.ts'
import { cutText } from '#shared/text.ts'
import type { Status } from '#shared/user-book.ts'
import {
  collapseSpaces,
  findIsbn,
  htmlToText,
  isBlank,
  isPlainRating,
  isYes,
  parseBookFormat,
  plainText,
  RatingScale,
  readPages,
  readRating,
  splitList,
} from './cells.ts'
import { DateEvidence, readDate } from './dates.ts'
import { NameOrder, splitPeople } from './people.ts'
import type { Cells } from './row.ts'
import { statusOf } from './statuses.ts'

/** What the first pass over a file finds out for the second. */
export class Survey {
  readonly dates = new DateEvidence()
  readonly ratings = new RatingScale()
  readonly names = new NameOrder()
  /** Columns with values. */
  readonly #filled = new Set<string>()
  /** Columns that have been read. */
  readonly read = new Set<string>()

  addCells(cells: Cells): void {
    for (const [name, cell] of Object.entries(cells)) if (!isBlank(cell)) this.#filled.add(name)
  }

  /** The columns with values of which the format reads none. */
  get unused(): string[] {
    return [...this.#filled].filter((name) => !this.read.has(name))
  }
}

/** How the values of a file are to be read. */
export interface Conventions {
  /** Whether the day or the month comes first. */
  order?: DateOrder | undefined
  /** The highest rating of ratings without a scale. */
  outOf?: number
  /** Whether last names come first. */
  areNamesInverted?: boolean
  survey?: Survey
}

/** Warnings of a row, and characters of the value that each shows. */
const [warningsAtMost, shown] = [20, 200]

/**
 * Reads the cells of one row. A value that can't be read, or is read as something else, leaves a
 * warning with its column, so that none gets lost without a word.
 */
export class RowReader {
  readonly warnings: ImportReason[] = []
  readonly #cells: Cells
  readonly #given: Conventions

  constructor(cells: Cells, given: Conventions = {}) {
    this.#cells = cells
    this.#given = given
  }

  /** @param value what couldn't be used; without it, the column's */
  warn(key: ImportReason['key'], column: string, value = this.cell(column)): void {
    const params = { column, value: cutText(value.trim(), shown) }
    const isKnown = this.warnings.some(
      (one) =>
        one.key === key &&
        one.params?.['column'] === column &&
        one.params['value'] === params.value,
    )
    if (!isKnown && this.warnings.length < warningsAtMost) this.warnings.push({ key, params })
  }

  /** @returns the cell as it is; '' for none */
  cell(column: string): string {
    this.#given.survey?.read.add(column)
    return this.#cells[column] ?? ''
  }

  /** The columns that have a cell. */
  get columns(): string[] {
    return Object.keys(this.#cells)
  }

  /** @returns the name of the first of the columns with a value, otherwise of the first */
  firstOf(columns: readonly string[]): string {
    const values = columns.map((name) => this.cell(name))
    return columns[values.findIndex((cell) => !isBlank(cell))] ?? columns[0] ?? ''
  }

  /** @returns whether a column has a value that isn't the one of the other column */
  hasOther(column: string, other: string): boolean {
    return !isBlank(this.cell(column)) && this.text(column) !== this.text(other)
  }

  /** @returns a text of one line */
  text(column: string): string {
    return collapseSpaces(this.cell(column))
  }

  /** @returns the cell's own word, such as for a status; '' if it says that there is none */
  word(column: string): string {
    const text = this.text(column)
    return isBlank(text) ? '' : text
  }

  /** @returns the text of HTML */
  html(column: string): string {
    return htmlToText(this.cell(column))
  }

  /** @returns a text of several lines, as it was typed */
  lines(column: string): string {
    return plainText(this.cell(column))
  }

  list(column: string, separator?: string | RegExp): string[] {
    return splitList(this.cell(column), separator)
  }

  /** @returns the names of people, first names first */
  people(column: string): string[] {
    this.#given.survey?.names.add(this.cell(column))
    return splitPeople(this.cell(column), this.#given.areNamesInverted)
  }

  /** @returns print, ebook or audio; '' for none */
  format(column: string): ReturnType<typeof parseBookFormat> {
    const word = this.word(column)
    const format = parseBookFormat(word)
    if (word && !format) this.warn('formatUnknown', column)
    return format
  }

  isYes(column: string): boolean {
    return isYes(this.cell(column))
  }

  /**
   * @param text a part of the cell, if it has several dates
   * @returns YYYY, YYYY-MM or YYYY-MM-DD; '' for none
   */
  date(column: string, text = this.cell(column)): string {
    this.#given.survey?.dates.add(text)
    const { date, problem } = readDate(text, this.#given.order)
    if (problem) this.warn(problem, column, text)
    return date
  }

  /** @returns a cell with the numbers of all scripts in ASCII */
  #numeric(column: string): string {
    return plainNumbers(this.cell(column))
  }

  pages(column: string): number {
    const text = this.#numeric(column)
    if (isBlank(text)) return 0
    const read = readPages(text)
    if (!read) this.warn('pagesUnread', column)
    else if (!read.isPlain) this.warn('pagesFromText', column)
    return read?.pages ?? 0
  }

  /** @returns a whole number, such as of copies or of times */
  count(column: string): number {
    const text = this.#numeric(column).trim()
    if (isBlank(text)) return 0
    if (/^\d{1,9}(?:[.,]0*)?$/.test(text)) return Number.parseInt(text, 10)
    this.warn('numberUnread', column)
    return 0
  }

  /** @returns a rating out of ten, from one out of five stars */
  stars(column: string): number {
    return this.#rating(column, 5)
  }

  /** @returns a rating out of ten, from one out of what the highest rating of the file fits */
  rating(column: string): number {
    const text = this.#numeric(column)
    const { survey, outOf = 5 } = this.#given
    survey?.ratings.add(text)
    const rating = this.#rating(column, outOf)
    if (rating && outOf !== 5 && isPlainRating(text)) this.warn('ratingScale', column)
    return rating
  }

  /** @returns whether a cell has a rating and nothing else */
  hasRating(column: string): boolean {
    const text = this.#numeric(column)
    return !isBlank(text) && readRating(text, 100) !== null
  }

  #rating(column: string, outOf?: number): number {
    const rating = readRating(this.#numeric(column), outOf)
    if (rating === null) this.warn('ratingUnread', column)
    return rating ?? 0
  }

  /** @returns the first ISBN of the columns; '' for none */
  isbn(...columns: readonly string[]): string {
    const isbn = findIsbn(...columns.map((name) => this.cell(name)))
    const filled = columns.find((name) => !isBlank(this.cell(name).replace(/[=[\]"]/g, '')))
    if (isbn || filled === undefined) return isbn
    const isRounded = /\d(?:[.,]\d+)?e\+\d/i.test(this.cell(filled).slice(0, shown))
    this.warn(isRounded ? 'isbnRounded' : 'isbnUnread', filled)
    return ''
  }

  /**
   * @param also recognises more words than those that all formats share
   * @returns '' for none
   */
  status(column: string, also: (word: string) => Status | '' = () => ''): Status | '' {
    const word = this.word(column)
    if (!word) return ''
    const status = also(word) || statusOf(word)
    if (!status) this.warn('statusUnknown', column)
    return status
  }
}
