import type { SearchForm } from '#shared/book.ts'
import { foldTitle, foldWords, isUnspacedToken } from '../text/fold.ts'
import type { Doc, IndexReader } from '../reading/index-reader.ts'
import { questionWords, isNoiseWord, isStopWord, titleKeys } from '../text/words.ts'

/** One form of a query word: a word, a prefix, or a few words in a row. */
export interface TermForm {
  text: string
  prefix: boolean
  /** For a prefix that matches very many works: the words to search for. */
  begun?: string[]
  /** 1 for the word itself; less for a guess. */
  worth: number
  /** Set for another word than was typed: a correction, or one that sounds alike. */
  guessed?: true
}

/** One word of the query. */
export interface QueryTerm {
  word: string
  forms: TermForm[]
  /** The weight of the word: the rarer, the higher. */
  weight: number
  stop: boolean
  /** Whether it is one or two letters at the end, which the reader may still be typing. */
  unfinished: boolean
  /** Whether it occurs in a name, and no similar word is far more popular. */
  known?: boolean
}

export type Field = 'text' | 'title' | 'author' | 'publisher' | 'genre'

/** One filled field of the search form. All clauses must match. */
export interface Clause {
  field: Field
  folded: string
  /** Keys of whole titles. */
  keys: string[]
  tokens: string[]
  terms: QueryTerm[]
  /** Whether the words must be adjacent, in this order. */
  phrase: boolean
}

/** The most words of a query, as each costs an index lookup. */
const maxWords = 24
/** A word in more works than this counts as complete, not as a prefix. */
const commonWord = 200
/** The most works, counted by word, that are read for one prefix. */
const maxOfStart = 30_000
/** A prefix is worth less than a word. */
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

/** @returns the clauses of a form; none without a letter or digit */
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
    const terms = termsOf(tokens, reader, form.by === '1')
    const phrase = form.by === '2' || field === 'genre'
    const folded = foldTitle(text)
    return [{ field, folded, keys: titleKeys(folded), tokens, terms, phrase }]
  })
}

function termsOf(tokens: string[], reader: IndexReader, openEnded: boolean): QueryTerm[] {
  return tokens.map((word, i) => {
    const works = reader.worksWith(word)
    const forms: TermForm[] = [{ text: word, prefix: false, worth: 1 }]
    const last = openEnded && i === tokens.length - 1
    if (last && works <= commonWord && mayBeStart(word))
      forms.push({ text: word, prefix: true, worth: startWorth, ...begunBy(word, reader) })
    const unfinished = last && i > 0 && /^\p{L}{1,2}$/u.test(word) && !isUnspacedToken(word)
    const weight = weightOf(word, works, reader.size)
    return { word, forms, weight, stop: isStopWord(word), unfinished }
  })
}

/** Limits a prefix: FTS5 reads all works of all its words before it returns the first. */
function begunBy(start: string, reader: IndexReader): Pick<TermForm, 'begun'> {
  const { words, works } = reader.begunBy(start)
  return works > maxOfStart ? { begun: words } : {}
}

function mayBeStart(word: string): boolean {
  if (isUnspacedToken(word)) return [...word].length === 1
  return word.length > 2 && !/\d/.test(word)
}

/** An abbreviated volume number: v10, vol27. */
const volume = /^v(?:ol(?:ume)?)?(\d{1,4})$/

/** @returns the number of an abbreviated volume; undefined for other words */
export function volumeNumber(word: string): string | undefined {
  return volume.exec(word)?.[1]
}

/**
 * The query with abbreviated volumes as plain numbers: "naruto vol27" as "naruto 27".
 *
 * @returns null if there is none, or nothing else in the query
 */
export function withVolumes(clauses: Clause[], reader: IndexReader): Clause[] | null {
  const [clause] = clauses
  if (clauses.length !== 1 || !clause || clause.phrase || clause.tokens.length < 2) return null
  if (!clause.tokens.some((word) => volume.test(word))) return null
  const tokens = clause.tokens.map((word) => volumeNumber(word) ?? word)
  const folded = tokens.join(' ')
  const terms = termsOf(tokens, reader, true)
  return [{ ...clause, folded, tokens, terms, keys: titleKeys(folded) }]
}

/**
 * The query without words that readers add to a title: "frankenstein novel" as "frankenstein".
 *
 * @returns null if there are none, or nothing else in the query
 */
export function withoutNoise(clauses: Clause[]): Clause[] | null {
  return without(clauses, (term, place, terms) => {
    const { first, last } = questionWords(terms.map(({ word }) => word))
    return place < first || place >= terms.length - last || isNoiseWord(term.word)
  })
}

/**
 * The query with its last one or two letters as a prefix.
 *
 * @returns null if it doesn't end in such a short word
 */
export function withPrefix(clauses: Clause[]): Clause[] | null {
  if (!clauses.some((clause) => clause.terms.some((term) => term.unfinished))) return null
  const open = (term: QueryTerm): QueryTerm => ({
    ...term,
    stop: false,
    forms: [...term.forms, { text: term.word, prefix: true, worth: startWorth }],
  })
  return clauses.map((clause) => ({
    ...clause,
    terms: clause.terms.map((term) => (term.unfinished ? open(term) : term)),
  }))
}

function without(
  clauses: Clause[],
  added: (term: QueryTerm, place: number, terms: QueryTerm[]) => boolean,
): Clause[] | null {
  let changed = false
  const kept = clauses.map((clause) => {
    const terms = clause.terms.filter((...each) => !added(...each))
    if (clause.field !== 'text' || clause.phrase || terms.length === clause.terms.length)
      return clause
    if (terms.every((term) => term.stop)) return clause
    changed = true
    const tokens = terms.map((term) => term.word)
    const folded = tokens.join(' ')
    return { ...clause, terms, tokens, folded, keys: titleKeys(folded) }
  })
  return changed ? kept : null
}

function weightOf(word: string, works: number, size: number): number {
  const weight = Math.log(1 + size / (works + 0.5))
  if (isStopWord(word)) return Math.min(weight, maxStopWeight)
  return /^\d+$/.test(word) ? Math.max(weight, minNumberWeight) : weight
}

/**
 * The clauses as an FTS5 expression. Words contain only letters and digits, so quoting them is
 * safe.
 *
 * @param without words to leave out
 * @param columnsOfText the columns to search for free text; all by default
 * @returns null if nothing is left
 */
export function matchExpression(
  clauses: Clause[],
  without: ReadonlySet<QueryTerm> = new Set(),
  columnsOfText: string = columns.text,
): string | null {
  const parts = clauses.flatMap((clause) => {
    const body = clause.phrase ? quoted(clause.tokens.join(' ')) : conjunction(clause, without)
    const where = clause.field === 'text' ? columnsOfText : columns[clause.field]
    return body === '' ? [] : [`{${where}} : (${body})`]
  })
  return parts.length === 0 ? null : parts.join(' AND ')
}

/** The columns to search for free text if names come before subjects. */
export const nameColumns = 'title alt author'

/** Evaluates the clauses on a work that was read, except for the publisher, which isn't read. */
export function matchesClauses(doc: Doc, clauses: Clause[]): boolean {
  const holds = (texts: string[], form: TermForm) =>
    texts.some((column) => containsForm(column, form))
  return clauses.every((clause) => {
    const texts = columns[clause.field].split(' ').map((column) => doc[column as keyof Texts])
    return clause.phrase
      ? holds(texts, { text: clause.tokens.join(' '), prefix: false, worth: 1 })
      : contentTerms(clause).every(({ forms }) => forms.some((form) => holds(texts, form)))
  })
}

type Texts = Pick<Doc, 'title' | 'alt' | 'author' | 'subject'>

/** @returns the words of a clause that aren't stop words; all if there are no others */
export function contentTerms({ terms }: Clause): QueryTerm[] {
  const content = terms.filter((term) => !term.stop)
  return content.length === 0 ? terms : content
}

/** @param text with a space before and after each word */
export function containsForm(text: string, { text: word, prefix }: TermForm): boolean {
  return text.includes(prefix ? ` ${word}` : ` ${word} `)
}

export function totalWeight(terms: readonly QueryTerm[]): number {
  return terms.reduce((sum, term) => sum + term.weight, 0)
}

function conjunction(clause: Clause, without: ReadonlySet<QueryTerm>): string {
  return contentTerms(clause)
    .filter((term) => !without.has(term))
    .map((term) => `(${term.forms.map(formExpression).join(' OR ')})`)
    .join(' AND ')
}

function formExpression(form: TermForm): string {
  if (form.begun) return `(${form.begun.map(quoted).join(' OR ')})`
  return form.prefix ? `${quoted(form.text)} *` : quoted(form.text)
}

function quoted(words: string): string {
  return `"${words}"`
}
