import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { foldWords } from '#catalogue/text/fold.ts'
import { decodePage, encodePage, type EncodedPage } from '#catalogue/search/encoded-page.ts'
import type { Catalogue } from '../catalogue.ts'
import type { CatalogueWork } from '../index/work.ts'
import {
  searchPageSize,
  type Book,
  type ExternalSource,
  type SearchForm,
  type SearchResult,
  type SourceStates,
} from '#shared/book.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { searchForm } from '#shared/search-form.ts'
import { bestFirst, explains } from './best-first.ts'
import { openSourceCache } from './source-cache.ts'
import { openSources, sourceTimeout, type SourceMode, type Sources } from './sources.ts'
import { googleBooks } from './google-books.ts'
import { guardSource, type SourceLog } from './guard.ts'
import { openExternalClient } from './http.ts'
import { BookList, enriched, withSlug } from './book-list.ts'
import type { FoundBooks } from './merge.ts'
import { openLibrary } from './openlibrary.ts'
import type { FoundBook, Source } from './source.ts'

/** The most pages of each source, and of the index before a source is asked. */
const maxPages = 10
/** Searches whose index results are cached for later pages. */
const maxCached = 500

export interface SourcesOptions {
  /** The folder of the cache. */
  folder: string
  sources: readonly ExternalSource[]
  openLibraryUrl: string
  googleBooksUrl: string
  googleBooksKey?: string | undefined
  /** A two-letter code, as Google's results depend on the country. */
  country: string
  userAgent: string
  log: SourceLog
}

/** A page with the sources' states, which aren't part of its bytes. */
interface PageWithSources extends EncodedPage {
  sources: SourceStates
}

/** The catalogue combined with external catalogues. */
export interface FederatedCatalogue extends Omit<
  Catalogue,
  'search' | 'searchEncoded' | 'editions'
> {
  /**
   * One page: the index's results, then those of external catalogues. These are asked only if the
   * index doesn't fill the page, for at most 1.2 s.
   *
   * @param mode 'cached' makes no requests, so the answer comes at once
   */
  search(form: SearchForm, mode?: SourceMode, language?: string): Promise<SearchResult>
  /** The same as serialized JSON. */
  searchEncoded(form: SearchForm, mode?: SourceMode, language?: string): Promise<PageWithSources>
  /** Looks only in the index. */
  known(isbn: string): Promise<Book | null>
  editions(book: Book): Promise<Book[]>
  /** The sources that books can be completed from, and the most ISBNs that each takes at once. */
  sources: readonly { name: ExternalSource; isbnsAtOnce: number }[]
  /**
   * Asks one source for editions; the index learns them.
   *
   * @param isbns 13 digits each
   * @returns those that it has
   * @throws if the source doesn't answer, or isn't asked for a while
   */
  editionsFrom(source: ExternalSource, isbns: readonly string[]): Promise<FoundBook[]>
  /**
   * The same for books with this title and author.
   *
   * @returns what the source finds, best first; not all of it need be the book
   */
  namedFrom(source: ExternalSource, named: { title: string; author: string }): Promise<FoundBook[]>
  /** All editions that the index has of a book's work, the book first; empty for an unknown id. */
  knownEditions(id: string): Promise<Book[]>
}

/**
 * Combines the index with external catalogues. Their books are added to the index and their answers
 * cached in `sources.db`.
 *
 * @throws if the folder can't be written
 */
export function withSources(catalogue: Catalogue, options: SourcesOptions): FederatedCatalogue {
  const cache = openSourceCache(join(options.folder, 'sources.db'), Date.now)
  const client = openExternalClient({
    bases: [options.openLibraryUrl, options.googleBooksUrl],
    userAgent: options.userAgent,
  })
  const { googleBooksKey: key, country } = options
  const clients = {
    openlibrary: openLibrary(client, options.openLibraryUrl),
    google: googleBooks(client, options.googleBooksUrl, { key, country }),
  }
  const guards = options.sources.map((name) => guardSource(clients[name], options.log))
  const learn = ({ source, books }: FoundBooks) => catalogue.learn(source, books.map(workOf))
  const sources = openSources(guards, cache, learn, options.log, Date.now, { country })
  const ownLists = new LRUCache<string, OwnBooks>({ max: maxCached })
  const unasked = Object.fromEntries(sources.names.map((name) => [name, 'unasked'] as const))
  const searchEncoded: FederatedCatalogue['searchEncoded'] = (
    form,
    mode = 'fetch',
    language = '',
  ) => searchFederated({ catalogue, sources, unasked, ownLists, language }, form, mode)
  const askOne = async (
    source: ExternalSource,
    call: (client: Source) => Promise<FoundBook[]>,
  ): Promise<FoundBook[]> => {
    const guard = guards.find(({ name }) => name === source)
    if (!guard) throw new Error(`${source} is not asked`)
    const books = await guard.ask(call)
    learn({ source, books }).catch((error: unknown) =>
      options.log.warn(`A source's answer could not be learnt: ${String(error)}`),
    )
    return books
  }
  return {
    ...catalogue,
    searchEncoded,
    async search(form, mode, language) {
      const page = await searchEncoded(form, mode, language)
      return { ...decodePage(page), sources: page.sources }
    },
    async byIsbn(isbn) {
      const isbn13 = toIsbn13(isbn)
      const own = await catalogue.byIsbn(isbn)
      if (!isbn13 || (own?.description && own.image_links.length > 0)) return own
      const asked = sources.isbn(isbn13, !own)
      // A missing cover can wait for the next time; a missing description is worth a request.
      if (own?.description) return own
      const found = await asked
      return own && found ? enriched(own, found) : (own ?? shown(found))
    },
    known: (isbn) => catalogue.byIsbn(isbn),
    knownEditions: (id) => catalogue.editions(id),
    sources: options.sources.map((name) => ({ name, isbnsAtOnce: clients[name].isbnsAtOnce })),
    editionsFrom: (source, isbns) => askOne(source, (client) => client.byIsbns(isbns)),
    async namedFrom(source, named) {
      const { data: form } = searchForm.safeParse(named)
      if (!form) return []
      return askOne(source, async (client) => (await client.search(form, 1)).books)
    },
    byId: async (id) => (await catalogue.byId(id)) ?? shown(await sources.id(id)),
    async editions(book) {
      const { work } = book.ids
      const own = await catalogue.editions(book.id)
      return otherEditions(book, [...own, ...(work ? await sources.editions(work) : [])])
    },
    async close() {
      await client.close()
      await catalogue.close()
      cache.close()
    },
  }
}

interface Parts {
  catalogue: Catalogue
  sources: Sources
  /** The states if the index has everything. */
  unasked: SourceStates
  /** Cached index results, so that pages stay the same while the index learns. */
  ownLists: LRUCache<string, OwnBooks>
  /** The preferred language, as a MARC code. */
  language: string
}

async function searchFederated(
  parts: Parts,
  form: SearchForm,
  mode: SourceMode,
): Promise<PageWithSources> {
  const { unasked } = parts
  const own = await ownBooks(parts, form)
  if ('json' in own)
    return (own.hasMatches && form.mode === 'auto') || own.isAbsent
      ? withNamed(parts, own, form, mode)
      : { ...own, sources: unasked }
  const { books, absent, left_out: leftOut, ...said } = own
  const list = new BookList(books)
  const startOf = () =>
    shownPlaceAfter(list, books.length, form) ?? (form.page - 1) * searchPageSize
  const until = performance.now() + sourceTimeout
  let states: SourceStates = unasked
  let hasMore = true
  const isEnough = () =>
    (form.after === '' || list.placeAfter(form.after) !== undefined) &&
    list.size > startOf() + searchPageSize
  for (let page = 1; hasMore && !isEnough() && page <= maxPages; page++) {
    const found = await parts.sources.search(form, page, mode, until)
    states = page === 1 ? found.states : { ...found.states, ...silentOf(states, found.states) }
    list.add(found.books)
    hasMore = found.hasMore
  }
  if (form.after !== '' && list.placeAfter(form.after) === undefined) {
    const written = await parts.catalogue.searchEncoded(form, parts.language)
    if (written.unanswerable) return { ...written, sources: states }
  }
  const start = startOf()
  const end = start + searchPageSize
  const words = foldWords(form.q || form.title)
  // The index's own books come first: only the external ones behind them can have this name.
  const isNamed = absent && list.slice(books.length, end).some((book) => explains(book, words))
  const page = {
    ...said,
    ...(absent && !isNamed && { absent }),
    ...(leftOut && !isNamed && { left_out: leftOut }),
    books: shownFrom(list, books.length, start, form),
    hasMoreResults: list.size > end,
  }
  return { ...encodePage(page), sources: states }
}

/** One page. Within the index's results it is the index's; otherwise the best come first. */
function shownFrom(list: BookList, ownCount: number, start: number, form: SearchForm): Book[] {
  const end = start + searchPageSize
  const books = list.slice(start, end)
  return end < ownCount ? books : bestFirst(books, form)
}

/** The place after the last book a reader has, in the order in which pages show it. */
function shownPlaceAfter(list: BookList, ownCount: number, form: SearchForm): number | undefined {
  const after = list.placeAfter(form.after)
  if (after === undefined) return undefined
  const start = Math.floor((after - 1) / searchPageSize) * searchPageSize
  const shown = shownFrom(list, ownCount, start, form)
  return start + shown.findIndex((book) => book.id === form.after) + 1
}

/**
 * A text that names no book here may name one elsewhere: external books of that name come before
 * close matches and described books.
 */
async function withNamed(
  { sources }: Parts,
  own: EncodedPage,
  form: SearchForm,
  mode: SourceMode,
): Promise<PageWithSources> {
  const { books, states } = await sources.search(form, 1, mode, performance.now() + sourceTimeout)
  const words = foldWords(form.q || form.title)
  const named = form.page > 1 ? [] : books.filter((book) => explains(book, words))
  if (named.length === 0) {
    if (!own.isAbsent || form.page > 1 || books.length === 0) return { ...own, sources: states }
    // External close matches follow ours.
    const page = decodePage(own)
    const all = { ...page, books: [...page.books, ...books.map(withSlug)] }
    return { ...encodePage(all), sources: states }
  }
  const { absent: _absent, left_out: _leftOut, ...page } = decodePage(own)
  const all = { ...page, books: [...named.map(withSlug), ...page.books] }
  return { ...encodePage(all), sources: states }
}

/** All results of the index for a search, with its other fields. */
type OwnBooks = Omit<SearchResult, 'hasMoreResults' | 'matches' | 'sources'>

/**
 * Collects the index's results for a search.
 *
 * @returns all results if this page isn't full; otherwise, for descriptions, and without sources,
 *   the page as it is
 */
async function ownBooks(
  { catalogue, sources, ownLists, language }: Parts,
  form: SearchForm,
): Promise<OwnBooks | EncodedPage> {
  const key = JSON.stringify({ ...form, page: 1, after: '', language })
  const isFirst = form.page === 1 && form.after === ''
  const kept = isFirst ? undefined : ownLists.get(key)
  if (kept) return kept
  const written = await catalogue.searchEncoded(form, language)
  if (written.unanswerable) return written
  const isFull = written.hasMoreResults || form.page > maxPages
  if (isFull || written.hasMatches || sources.names.length === 0) return written
  // From the first page on, whichever was asked for: the list is the same for all of them.
  const { hasMoreResults, books, ...said } = isFirst
    ? decodePage(written)
    : await catalogue.search({ ...form, page: 1, after: '' }, language)
  const byId = new Map(books.map((book) => [book.id, book]))
  for (let page = 2, isMore = hasMoreResults; isMore && page <= maxPages; page++) {
    const found = await catalogue.search({ ...form, page, after: '' }, language)
    for (const book of found.books) byId.set(book.id, book)
    isMore = found.hasMoreResults
  }
  const whole = { ...said, books: [...byId.values()] }
  ownLists.set(key, whole)
  return whole
}

/** Converts an external book to a work with one edition, for the index. */
function workOf(book: FoundBook): CatalogueWork {
  const { id, ids, title, subtitle, authors, genres, description, isbns } = book
  const { image_links, page_count, published_date, publisher, language } = book
  return {
    ...(ids.work ? { openlibrary: ids.work } : {}),
    title,
    ...(subtitle ? { subtitle } : {}),
    other_titles: [],
    authors,
    genres,
    description,
    ...(book.series_statements ? { series_statements: book.series_statements } : {}),
    readers: 0,
    editions: [
      {
        id,
        ids,
        ...(isbns.ISBN_13 ? { isbn13: isbns.ISBN_13 } : {}),
        image_links,
        page_count,
        published_date,
        publisher,
        language,
      },
    ],
  }
}

/** A source counts as silent if it was silent on any page. */
function silentOf(before: SourceStates, now: SourceStates): SourceStates {
  const states = Object.entries({ ...now, ...before })
  return Object.fromEntries(states.filter(([, state]) => state === 'silent'))
}

function otherEditions(book: Book, known: readonly FoundBook[]): Book[] {
  const editions = new Map(known.map((edition) => [edition.isbns.ISBN_13 ?? edition.id, edition]))
  editions.delete(book.isbns.ISBN_13 ?? book.id)
  return [...editions.values()]
    .toSorted((a, b) => b.published_date.localeCompare(a.published_date))
    .slice(0, 50)
    .map((edition) =>
      withSlug(edition.authors.length > 0 ? edition : { ...edition, authors: book.authors }),
    )
}

const shown = (book: FoundBook | null): Book | null => (book ? withSlug(book) : null)
