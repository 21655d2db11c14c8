import type { SearchForm } from '#shared/book.ts'
import { foldTitle, foldWords, isUnspacedToken } from './fold.ts'
import type { Doc, IndexReader } from './index-reader.ts'
import { askingWords, isNoiseWord, isStopWord, titleKeys } from './words.ts'

/** One way to write what a unit means: a word, the start of one, or a few words in a row. */
export interface Form {
  text: string
  prefix: boolean
  /** Of the start of a word that very many works hold: the words that are looked for. */
  begun?: string[]
  /** 1 as asked; less for a guess. */
  worth: number
  /** Another word than was written: a typo put right, or one that sounds like it. */
  guessed?: true
}

/** One word of the question. */
export interface Unit {
  word: string
  forms: Form[]
  /** How much the word tells: the rarer, the more. */
  weight: number
  stop: boolean
  /** One or two letters at the end: the reader may still be typing. */
  unfinished: boolean
  /** It stands in a name, and none that far more people read is written nearly so. */
  known?: boolean
}

export type Field = 'text' | 'title' | 'author' | 'publisher' | 'genre'

/** One filled field of the search form. All clauses must hold. */
export interface Clause {
  field: Field
  folded: string
  /** Forms under which a title is found whole. */
  keys: string[]
  tokens: string[]
  units: Unit[]
  /** The words must stand together in this order. */
  phrase: boolean
}

/** Longer questions are cut: every word costs one step in the index. */
const maxWords = 24
/** A word in more works than this is taken as complete, not as the start of another. */
const commonWord = 200
/** Works with words of one start, counted by word, that are read at once. */
const maxOfStart = 30_000
/** A start of a word says less than the word. */
const startWorth = 0.9
const minNumberWeight = 5
const maxStopWeight = 0.5

const columns: Record<Field, string> = {
  text: 'title alt author subject',
  title: 'title alt',
  author: 'author',
  publisher: 'publisher',
  genre: 'subject',
}

/** @returns the clauses of a form; none when it holds no letter or digit */
export function clausesOf(form: SearchForm, reader: IndexReader): Clause[] {
  const asked: [Field, string][] = [
    ['text', form.q],
    ['title', form.title],
    ['author', form.author],
    ['publisher', form.publisher],
    ['genre', form.genre],
  ]
  return asked.flatMap(([field, text]) => {
    const tokens = foldWords(text).slice(0, maxWords)
    if (tokens.length === 0) return []
    const units = unitsOf(tokens, reader, form.by === '1')
    const phrase = form.by === '2' || field === 'genre'
    const folded = foldTitle(text)
    return [{ field, folded, keys: titleKeys(folded), tokens, units, phrase }]
  })
}

function unitsOf(tokens: string[], reader: IndexReader, openEnded: boolean): Unit[] {
  return tokens.map((word, i) => {
    const works = reader.worksWith(word)
    const forms: Form[] = [{ text: word, prefix: false, worth: 1 }]
    const last = openEnded && i === tokens.length - 1
    if (last && works <= commonWord && mayBeStart(word))
      forms.push({ text: word, prefix: true, worth: startWorth, ...begunBy(word, reader) })
    const unfinished = last && i > 0 && /^\p{L}{1,2}$/u.test(word) && !isUnspacedToken(word)
    const weight = weightOf(word, works, reader.size)
    return { word, forms, weight, stop: isStopWord(word), unfinished }
  })
}

/** FTS5 reads all works with any word of a start before it gives the first of them. */
function begunBy(start: string, reader: IndexReader): Pick<Form, 'begun'> {
  const { words, works } = reader.begunBy(start)
  return works > maxOfStart ? { begun: words } : {}
}

function mayBeStart(word: string): boolean {
  if (isUnspacedToken(word)) return [...word].length === 1
  return word.length > 2 && !/\d/.test(word)
}

/** A volume as readers write it short: v10, vol27. */
const volume = /^v(?:ol(?:ume)?)?(\d{1,4})$/

/** @returns the number in a volume written short; undefined when the word is none */
export function volumeNumber(word: string): string | undefined {
  return volume.exec(word)?.[1]
}

/**
 * The question with the numbers of volumes alone: "naruto vol27" as "naruto 27".
 *
 * @returns null when none is written short, or nothing else asked
 */
export function withVolumes(clauses: Clause[], reader: IndexReader): Clause[] | null {
  const [clause] = clauses
  if (clauses.length !== 1 || !clause || clause.phrase || clause.tokens.length < 2) return null
  if (!clause.tokens.some((word) => volume.test(word))) return null
  const tokens = clause.tokens.map((word) => volumeNumber(word) ?? word)
  const folded = tokens.join(' ')
  const units = unitsOf(tokens, reader, true)
  return [{ ...clause, folded, tokens, units, keys: titleKeys(folded) }]
}

/**
 * The question without what readers add to a title: "frankenstein novel" as "frankenstein".
 *
 * @returns null when nothing was added, or nothing else asked
 */
export function withoutNoise(clauses: Clause[]): Clause[] | null {
  return without(clauses, (unit, place, units) => {
    const { first, last } = askingWords(units.map(({ word }) => word))
    return place < first || place >= units.length - last || isNoiseWord(unit.word)
  })
}

/**
 * The question with its last one or two letters as the start of a word.
 *
 * @returns null when it does not end in so short a word
 */
export function withOpenEnd(clauses: Clause[]): Clause[] | null {
  if (!clauses.some((clause) => clause.units.some((unit) => unit.unfinished))) return null
  const open = (unit: Unit): Unit => ({
    ...unit,
    stop: false,
    forms: [...unit.forms, { text: unit.word, prefix: true, worth: startWorth }],
  })
  return clauses.map((clause) => ({
    ...clause,
    units: clause.units.map((unit) => (unit.unfinished ? open(unit) : unit)),
  }))
}

function without(
  clauses: Clause[],
  added: (unit: Unit, place: number, units: Unit[]) => boolean,
): Clause[] | null {
  let changed = false
  const kept = clauses.map((clause) => {
    const units = clause.units.filter((...each) => !added(...each))
    if (clause.field !== 'text' || clause.phrase || units.length === clause.units.length)
      return clause
    if (units.every((unit) => unit.stop)) return clause
    changed = true
    const tokens = units.map((unit) => unit.word)
    const folded = tokens.join(' ')
    return { ...clause, units, tokens, folded, keys: titleKeys(folded) }
  })
  return changed ? kept : null
}

function weightOf(word: string, works: number, size: number): number {
  const weight = Math.log(1 + size / (works + 0.5))
  if (isStopWord(word)) return Math.min(weight, maxStopWeight)
  return /^\d+$/.test(word) ? Math.max(weight, minNumberWeight) : weight
}

/**
 * The clauses in the language of FTS5. Words are letters and digits only, so quoting them is safe.
 *
 * @param without units that are not asked for
 * @param columnsOfText where free text is looked for; everywhere unless told
 * @returns null when nothing is left to ask
 */
export function matchExpression(
  clauses: Clause[],
  without: ReadonlySet<Unit> = new Set(),
  columnsOfText: string = columns.text,
): string | null {
  const parts = clauses.flatMap((clause) => {
    const body = clause.phrase ? quoted(clause.tokens.join(' ')) : conjunction(clause, without)
    const where = clause.field === 'text' ? columnsOfText : columns[clause.field]
    return body === '' ? [] : [`{${where}} : (${body})`]
  })
  return parts.length === 0 ? null : parts.join(' AND ')
}

/** Free text is looked for here when names shall come before subjects. */
export const nameColumns = 'title alt author'

/** The same as the expression, for works that were read; what a publisher is called is not read. */
export function matchesClauses(doc: Doc, clauses: Clause[]): boolean {
  const holds = (texts: string[], { text, prefix }: Form) =>
    texts.some((column) => column.includes(prefix ? ` ${text}` : ` ${text} `))
  return clauses.every((clause) => {
    const texts = columns[clause.field].split(' ').map((column) => doc[column as keyof Texts])
    return clause.phrase
      ? holds(texts, { text: clause.tokens.join(' '), prefix: false, worth: 1 })
      : askedUnits(clause).every(({ forms }) => forms.some((form) => holds(texts, form)))
  })
}

type Texts = Pick<Doc, 'title' | 'alt' | 'author' | 'subject'>

function askedUnits({ units }: Clause): Unit[] {
  const telling = units.filter((unit) => !unit.stop)
  return telling.length === 0 ? units : telling
}

function conjunction(clause: Clause, without: ReadonlySet<Unit>): string {
  return askedUnits(clause)
    .filter((unit) => !without.has(unit))
    .map((unit) => `(${unit.forms.map(formExpression).join(' OR ')})`)
    .join(' AND ')
}

function formExpression(form: Form): string {
  if (form.begun) return `(${form.begun.map(quoted).join(' OR ')})`
  return form.prefix ? `${quoted(form.text)} *` : quoted(form.text)
}

function quoted(words: string): string {
  return `"${words}"`
}
