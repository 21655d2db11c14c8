import { LRUCache } from 'lru-cache'
import { searchPageSize, type BookMatch, type SearchForm } from '#shared/book.ts'
import { isbnsBeginning, parseIsbn, toIsbn13 } from '#shared/isbn.ts'
import { isShortText } from '#shared/search-form.ts'
import { findCandidates } from './candidates.ts'
import { isClose, isNamedIn, wordsLeftOut, wordsWhere } from './absence.ts'
import { describedBy, describingWords, type Described } from './describe.ts'
import { isKnown, minExplainedShare, mayBeTitle, mayDescribe } from './may-describe.ts'
import { correctedQuery } from './corrected-query.ts'
import { matchesClauses, clausesOf, matchExpression, nameColumns, type Clause } from './query.ts'
import type { IndexReader } from '../reading/index-reader.ts'
import type { ScoredDoc } from './score.ts'
import type { Candidates } from './window.ts'
import { matchingForm, titledWorks } from './titled-works.ts'
import type { Unanswerable } from './encoded-page.ts'

interface EditionPage {
  editionIds: number[]
  hasMoreResults: boolean
  /** Set if no work has this name: the works are close matches or fit the description. */
  absent?: true
  /** Words of the query that the first work doesn't contain. */
  left_out?: string[]
  /** The corrected text, if the results are for that. */
  did_you_mean?: string
  unanswerable?: Unanswerable
  /** Why works match a description, by the edition shown. */
  matches?: Map<number, BookMatch>
}

/** A page plus one, to see whether there is a next page. */
const wanted = searchPageSize + 1
const maxCached = 200
/** As much as twice the readers. */
const languageBonus = 0.3

/**
 * @returns a function that answers a valid search form with one page of editions. The same form on
 *   the same index always gives the same pages, and no work appears twice
 */
export function createSearch(
  reader: IndexReader,
): (form: SearchForm, language?: string) => EditionPage {
  const candidatesByKey = new LRUCache<string, Candidates, Clause[]>({
    max: maxCached,
    memoMethod: (_key, _stale, { context }) => findCandidates(context, reader),
  })
  const describedByText = new LRUCache<string, Described[]>({
    max: maxCached,
    memoMethod: (text) => describedBy(text, reader),
  })
  const candidates = (clauses: Clause[]) => {
    const key = JSON.stringify(clauses.map((c) => [c.field, c.tokens, c.folded, c.phrase]))
    return candidatesByKey.memo(key, { context: clauses })
  }
  const newest = (expression: string | null, start: number, after: string) => {
    if (expression === null) return []
    const last = after === '' ? null : reader.docidOf(after)
    const place = last === null ? null : reader.placeAmong(expression, last)
    return reader.newest(expression, {
      limit: wanted,
      ...(place === null ? { offset: start } : { after: place, offset: 0 }),
    })
  }
  const phrased = (expression: string, start: number, after: string) => {
    const last = after === '' ? null : reader.docidOf(after)
    const isAmong = last !== null && reader.matchAmong(expression, [last]).length > 0
    return reader.matchFrom(expression, {
      limit: wanted,
      ...(isAmong ? { after: last, offset: 0 } : { offset: start }),
    })
  }
  return (form, language = '') => {
    const shown = (docids: number[]) =>
      reader.docs(docids).map((doc) => reader.editionIn(doc.docid, language) ?? doc.editionId)
    if (form.after !== '' && reader.docidOf(form.after) === null)
      return { ...pageOf([]), unanswerable: 'after' }
    const start = (form.page - 1) * searchPageSize
    const isbn = toIsbn13(form.isbn) ?? toIsbn13(form.q)
    if (isbn !== null) return pageOf(withIsbn(form, isbn, reader).slice(start, start + wanted))
    const begun = isbnsBeginning(form.q)
    const withBegun = begun === null ? [] : reader.editionsByIsbns(...begun)
    if (withBegun.length > 0) return pageOf(withBegun.slice(start, start + wanted))
    if (isShortText(form.q)) {
      const titled = titledWorks(form, reader)
      if (titled.length === 0) return { ...pageOf([]), unanswerable: 'q' }
      return pageOf(shown(titled.map(({ docid }) => docid).slice(start, start + wanted)))
    }
    const clauses = clausesOf(form, reader)
    if (clauses.length === 0) return pageOf([])
    const described = form.mode === 'describe' && form.q !== '' ? describedByText.memo(form.q) : []
    if (described.length > 0)
      return describedPage(matchingForm(described, { ...form, q: '' }, reader), [], start, shown)
    const exact = form.by === '2' ? exactExpression(clauses) : null
    if (form.order === 'newest') {
      const guessed = exact === null && !isMatched(clauses, reader) ? candidates(clauses) : null
      const expression = exact ?? (guessed ? matchedBy(guessed) : matchExpression(clauses))
      const page = newest(expression, start, form.after)
      const absent = guessed !== null && page.length > 0 && answerOf(form, guessed, reader).absent
      return { ...pageOf(shown(page)), ...responseFlags(absent, []) }
    }
    if (exact !== null) return pageOf(shown(phrased(exact, start, form.after)))
    const found = candidates(clauses)
    const answer = answerOf(form, found, reader)
    if (mayDescribe(form, clauses, found, answer.isNamed, reader)) {
      const described = describedByText.memo(form.q)
      const min = minExplainedShare(form.q, found)
      const telling = new Set(describingWords(form.q))
      if (described.some(({ share }) => share >= min))
        return {
          ...describedPage(described, inLanguage(found, language), start, shown),
          ...responseFlags(
            answer.absent && mayBeTitle(form.q, described, reader),
            wordsWhere(form.q, (word) => telling.has(word) && !isKnown(word, reader)),
          ),
        }
    }
    const close = answer.absent ? closeOf(found) : found
    const ordered = () => inLanguage(close, language)
    const page = relevant(close, clauses, ordered, reader, form.after, start)
    const [best] = start < close.docids.length ? close.works() : []
    const meant = best && !answer.absent ? correctedQuery(clauses, best.doc) : null
    const text = form.q || form.title
    return {
      ...pageOf(shown(page)),
      ...responseFlags(
        answer.absent && page.length > 0,
        best ? wordsLeftOut(text, best.doc, close.interpretations) : [],
      ),
      ...(meant !== null && { did_you_mean: meant }),
    }
  }
}

/** A work with the requested name is among the first results. */
const maxNamed = 20

/** Whether any work has the requested name, and whether it is a name or a subject. */
function answerOf(
  { q, title }: SearchForm,
  found: Candidates,
  reader: IndexReader,
): { isNamed: () => boolean; absent: boolean } {
  const isCalled = isNamedIn(found.interpretations, reader)
  // Lazy, as late pages of many matches score no works.
  const works = () => found.works().slice(0, maxNamed)
  const isNamed = () => works().some(({ doc }) => isCalled(doc))
  const absent =
    q + title !== '' &&
    found.expression === null &&
    !isNamed() &&
    !works().some(({ doc }) => isCalled(doc, 'subject'))
  return { isNamed, absent }
}

function responseFlags(
  absent: boolean,
  leftOut: string[],
): Pick<EditionPage, 'absent' | 'left_out'> {
  return { ...(absent && { absent }), ...(leftOut.length > 0 && { left_out: leftOut }) }
}

/** Drops works that match only through guesses. */
function closeOf(found: Candidates): Candidates {
  const works = found.works().filter(({ doc }) => isClose(doc, found.interpretations))
  return { ...found, docids: works.map(({ doc }) => doc.docid), works: () => works }
}

/** @param others the results of the word search, which follow */
function describedPage(
  described: Described[],
  others: number[],
  start: number,
  shown: (docids: number[]) => number[],
): EditionPage {
  const matches = new Map(described.map(({ docid, match }) => [docid, match]))
  const docids = [...matches.keys(), ...others.filter((docid) => !matches.has(docid))]
  const page = docids.slice(start, start + wanted)
  const editionIds = shown(page)
  return {
    ...pageOf(editionIds),
    matches: new Map(
      page.flatMap((docid, i) => {
        const [match, editionId] = [matches.get(docid), editionIds[i]]
        return match && editionId !== undefined ? [[editionId, match()] as const] : []
      }),
    ),
  }
}

/** Best first, with a small bonus for works in the preferred language. */
function inLanguage(found: Candidates, language: string): number[] {
  const score = ({ doc, score }: ScoredDoc) =>
    score + (doc.languages.includes(` ${language} `) ? languageBonus : 0)
  const works = found.works()
  const sorted = language === '' ? works : works.toSorted((a, b) => score(b) - score(a))
  return sorted.map((work) => work.doc.docid)
}

/**
 * The position after the last book the reader has, so that nothing appears twice even if the index
 * is rebuilt between two pages.
 *
 * @returns null if there is none or it is beyond the window: then the page number counts
 */
function startAfter(
  found: Candidates,
  ordered: () => number[],
  reader: IndexReader,
  after: string,
): number | null {
  const docid = after === '' ? null : reader.docidOf(after)
  return docid === null || !found.docids.includes(docid) ? null : ordered().indexOf(docid) + 1
}

function pageOf(editionIds: number[]): EditionPage {
  return {
    editionIds: editionIds.slice(0, searchPageSize),
    hasMoreResults: editionIds.length > searchPageSize,
  }
}

/** Finds the edition of an ISBN; other filled fields must match its work. */
function withIsbn(form: SearchForm, isbn: string, reader: IndexReader): number[] {
  const q = parseIsbn(form.q) === null ? form.q : ''
  const editions = matchingForm(reader.editionsByIsbn(isbn), { ...form, q }, reader)
  return editions.map(({ editionId }) => editionId)
}

/** Returns the scored window first, then further matches by popularity. */
function relevant(
  found: Candidates,
  clauses: Clause[],
  ordered: () => number[],
  reader: IndexReader,
  after: string,
  pageStart: number,
): number[] {
  const start = startAfter(found, ordered, reader, after) ?? pageStart
  const { length } = found.docids
  const page = start < length ? ordered().slice(start, start + wanted) : []
  if (page.length === wanted || found.expression === null) return page
  const before = found.docids.filter((docid) => docid > found.lastDocid)
  const skip = Math.max(0, start - length)
  return [...page, ...afterWindow(found, clauses, reader, before, skip, wanted - page.length)]
}

/** Skips works that were already in the window, so that none appears twice. */
function afterWindow(
  found: Candidates,
  clauses: Clause[],
  reader: IndexReader,
  shown: number[],
  skip: number,
  count: number,
): number[] {
  const expression = found.expression ?? ''
  const hidden = new Set(shown.filter((docid) => found.matching.has(docid)))
  const unsure = shown.filter((docid) => !hidden.has(docid))
  // Looking up single works takes as long as reading all matches.
  const also = clauses.some((clause) => clause.field === 'publisher')
    ? reader.matchAmong(expression, unsure)
    : reader.docs(unsure).flatMap((doc) => (matchesClauses(doc, clauses) ? doc.docid : []))
  for (const docid of also) hidden.add(docid)
  const rows = reader.matchFrom(expression, {
    after: found.lastDocid,
    // Rounded, so that the prepared statement is reused for the next page.
    limit: 64 * Math.ceil((count + 2 * hidden.size) / 64),
    offset: skip,
  })
  // Hidden works before this position count towards the offset.
  const passed = [...hidden].filter((docid) => docid < (rows[0] ?? 0)).length
  return rows.filter((docid) => !hidden.has(docid)).slice(passed, passed + count)
}

/** Exact phrases without guesses; free text only in titles and authors. */
function exactExpression(clauses: Clause[]): string | null {
  return matchExpression(clauses, new Set(), nameColumns)
}

/** The expression for relevance, so that sorting by date shows the same works. */
function matchedBy({ matched }: Candidates): string | null {
  return matched.length === 0 ? null : matched.map((each) => `(${each})`).join(' OR ')
}

function isMatched(clauses: Clause[], reader: IndexReader): boolean {
  const asked = matchExpression(clauses)
  return asked !== null && reader.match(asked, 1).length > 0
}
