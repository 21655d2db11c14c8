import { createHash } from 'node:crypto'
import type { ExternalSource, SearchForm, SourceStates } from '#shared/book.ts'
import type { SourceCache } from './source-cache.ts'
import type { GuardedSource, SourceLog } from './guard.ts'
import { mergeBooks, type FoundBooks } from './merge.ts'
import type { FoundBook, FoundPage, Source } from './source.ts'

const day = 24 * 3_600_000
/** Milliseconds for which an answer is fresh. */
const fresh = { search: 7 * day, book: 30 * day, nothing: day }
/** Milliseconds to wait for other catalogues if there is something to show. */
export const sourceTimeout = 1200
/** Milliseconds to wait for a book that isn't in the index. */
const unknownBookTimeout = 4000

/** The sources' merged answer and their states. */
export interface SourceAnswer {
  books: FoundBook[]
  hasMore: boolean
  states: SourceStates
}

/** Whether to request sources or use only cached answers. */
export type SourceMode = 'fetch' | 'cached'

/** All sources as one. Nothing here throws: a failed source is silent. */
export interface Sources {
  names: ExternalSource[]
  search(form: SearchForm, page: number, mode: SourceMode, until: number): Promise<SourceAnswer>
  /** @param isUnknown whether to wait longer, as there is nothing else to show */
  isbn(isbn13: string, isUnknown: boolean): Promise<FoundBook | null>
  id(id: string): Promise<FoundBook | null>
  editions(work: string): Promise<FoundBook[]>
}

interface Question {
  /** The cache key of the request. */
  key: readonly unknown[]
  ask(source: Source): Promise<FoundPage>
  freshFor: number
  mode: SourceMode
  /** The deadline, in `performance.now()`, unless a source finds something before. */
  until: number
  /** The longest wait while no source has found anything. */
  atMost?: number
}

/**
 * @param learn receives the found books
 * @param log receives answers that couldn't be stored
 * @param settings whatever the sources' answers depend on besides the question
 */
export function openSources(
  guards: readonly GuardedSource<Source>[],
  cache: SourceCache,
  learn: (found: FoundBooks) => Promise<void>,
  log: SourceLog,
  now: () => number,
  settings: unknown,
): Sources {
  const fetchPage = pageFetcher(cache, learn, log)

  async function askAll(question: Question): Promise<SourceAnswer> {
    const states: SourceStates = {}
    const found: (FoundBooks & { hasMore: boolean })[] = []
    const waiting = guards.map(async (guard) => {
      const digest = digestOf(guard.name, [...question.key, settings])
      const before = cache.get(digest)
      const freshFor = before?.books.length ? question.freshFor : fresh.nothing
      // An answer from the future was kept while the clock was ahead.
      const age = before ? now() - before.asked : 0
      if (before && age >= 0 && age < freshFor) {
        states[guard.name] = 'answered'
        return found.push({ source: guard.name, ...before })
      }
      states[guard.name] = question.mode === 'fetch' || guard.isSilent() ? 'silent' : 'unasked'
      const page = question.mode === 'fetch' ? await fetchPage(guard, digest, question) : null
      if (page) states[guard.name] = 'answered'
      const best = page ?? before
      return best ? found.push({ source: guard.name, ...best }) : 0
    })
    await waitForSome(waiting, question, () => found.some(({ books }) => books.length > 0))
    // Later answers don't change the result.
    const order = guards.map(({ name }) => name)
    const lists = found.toSorted((a, b) => order.indexOf(a.source) - order.indexOf(b.source))
    return {
      books: mergeBooks(lists),
      hasMore: lists.some(({ hasMore }) => hasMore),
      states: { ...states },
    }
  }

  const one = async (question: Pick<Question, 'key' | 'ask'>, isUnknown = true) => {
    const start = performance.now()
    const asked = await askAll({
      ...question,
      freshFor: fresh.book,
      until: start + sourceTimeout,
      ...(isUnknown ? { atMost: start + unknownBookTimeout } : {}),
      mode: 'fetch',
    })
    return asked.books
  }

  return {
    names: guards.map(({ name }) => name),
    search: (form, page, mode, until) => {
      const asked = { ...form, page: 1, after: '' }
      return askAll({
        key: ['search', asked, page],
        ask: (source) => source.search(form, page),
        freshFor: fresh.search,
        mode,
        until,
      })
    },
    isbn: async (isbn13, isUnknown) => {
      const ask = (source: Source) => source.byIsbn(isbn13).then(single)
      const books = await one({ key: ['isbn', isbn13], ask }, isUnknown)
      return books.find((book) => book.isbns.ISBN_13 === isbn13) ?? null
    },
    id: async (id) => {
      const ask = (source: Source) => source.byId(id).then(single)
      const [book = null] = await one({ key: ['id', id], ask })
      return book
    },
    editions: (work) => {
      const ask = async (source: Source) => {
        const books = (await source.editions?.(work)) ?? []
        return { books, hasMore: false }
      }
      return one({ key: ['editions', work], ask }, false)
    },
  }
}

/** Shares concurrent requests; answers that come too late are still cached. */
function pageFetcher(
  cache: SourceCache,
  learn: (found: FoundBooks) => Promise<void>,
  log: SourceLog,
): (guard: GuardedSource<Source>, digest: string, question: Question) => Promise<FoundPage | null> {
  const underWay = new Map<string, Promise<FoundPage | null>>()

  function kept(source: ExternalSource, digest: string, page: FoundPage): FoundPage {
    const warn = (error: unknown) =>
      log.warn(`A source's answer could not be cached: ${String(error)}`)
    try {
      cache.set(digest, page)
    } catch (error) {
      warn(error)
    }
    learn({ source, books: page.books }).catch(warn)
    return page
  }

  return (guard, digest, question) =>
    underWay.getOrInsertComputed(digest, () =>
      guard
        .ask((source) => question.ask(source))
        .then((page) => kept(guard.name, digest, page))
        .catch(() => null)
        .finally(() => underWay.delete(digest)),
    )
}

const single = (book: FoundBook | null): FoundPage => ({
  books: book ? [book] : [],
  hasMore: false,
})

/** Searches ignore case and spaces; a source's ids don't. */
function digestOf(source: ExternalSource, key: readonly unknown[]): string {
  const asked = JSON.stringify([source, key])
  const text = key[0] === 'id' ? asked : asked.toLowerCase().replace(/\s+/g, ' ')
  return createHash('sha256').update(text).digest('base64url')
}

/** Waits for all sources until the deadline, and longer only while there is no result. */
async function waitForSome(
  waiting: readonly Promise<unknown>[],
  { until, atMost }: Pick<Question, 'until' | 'atMost'>,
  hasSome: () => boolean,
): Promise<void> {
  const all = Promise.all(waiting).then(() => true)
  if (await finishesBy(all, until)) return
  if (atMost === undefined || hasSome()) return
  // From here on the first result is enough.
  const some = waiting.map(async (one) => {
    await one
    if (!hasSome()) throw new Error('nothing yet')
  })
  await finishesBy(
    Promise.any(some).then(
      () => true,
      () => true,
    ),
    atMost,
  )
}

async function finishesBy(work: Promise<boolean>, until: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, until - performance.now()))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
