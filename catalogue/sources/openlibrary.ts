import * as z from 'zod'
import { searchPageSize, type SearchForm } from '#shared/book.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import type { ExternalClient } from './http.ts'
import { lenientList } from './lenient.ts'
import {
  dataRecord,
  detailsRecord,
  editionBook,
  editionRecord,
  redirectRecord,
  noNames,
  searchAnswer,
  searchedWork,
  workBook,
  workRecord,
} from './openlibrary-records.ts'
import type { FoundBook, Source } from './source.ts'

const fields = [
  'key',
  'title',
  'subtitle',
  'author_name',
  'first_publish_year',
  'cover_i',
  'isbn',
  'publisher',
  'language',
  'subject',
  'number_of_pages_median',
  'series_name',
  'series_position',
  'ia',
  'ebook_access',
  'id_project_gutenberg',
  'id_standard_ebooks',
  'id_librivox',
  'editions',
  'editions.key',
  'editions.title',
  'editions.subtitle',
  'editions.isbn',
  'editions.publisher',
  'editions.publish_date',
  'editions.language',
  'editions.cover_i',
  'editions.number_of_pages',
  'editions.format',
].join(',')

/** Open Library, https://openlibrary.org/developers/api. */
export function openLibrary(client: ExternalClient, base: string): Source {
  /** Fetches a record and follows redirects between records. */
  async function record(path: string): Promise<unknown> {
    const found = await client.json(`${base}${path}.json`)
    const gone = redirectRecord.safeParse(found)
    return gone.success ? client.json(`${base}${gone.data.location}.json`) : found
  }

  async function edition(path: string, bibkey: string, isbn13?: string): Promise<FoundBook | null> {
    const query = new URLSearchParams({ bibkeys: bibkey, format: 'json', jscmd: 'data' })
    const [found, data] = await Promise.all([
      record(path),
      // Names are optional.
      client.json(`${base}/api/books?${query}`).catch(() => null),
    ])
    const parsed = editionRecord.safeParse(found)
    if (!parsed.success) return null
    const names = z.record(z.string(), dataRecord).safeParse(data).data?.[bibkey] ?? noNames
    const workKey = parsed.data.works[0]
    const work = workKey && /^\/works\/OL\d+W$/.test(workKey) ? workKey : undefined
    const about = work && workRecord.safeParse(await record(work).catch(() => null)).data
    return editionBook(parsed.data, names, about || undefined, isbn13)
  }

  /** Two requests for all: the records, and what belongs to their works and authors. */
  async function byIsbns(isbns: readonly string[]): Promise<FoundBook[]> {
    const ask = (jscmd: string) => {
      const bibkeys = isbns.map((isbn) => `ISBN:${isbn}`).join()
      const query = new URLSearchParams({ bibkeys, format: 'json', jscmd })
      return client.json(`${base}/api/books?${query}`)
    }
    const [details, data] = await Promise.all([ask('details'), ask('data')])
    const found = z.record(z.string(), detailsRecord.nullable().catch(null)).parse(details)
    const names = z.record(z.string(), dataRecord).safeParse(data).data ?? {}
    return isbns.flatMap((isbn) => {
      const one = found[`ISBN:${isbn}`]
      return (
        (one && editionBook(one.details, names[`ISBN:${isbn}`] ?? noNames, undefined, isbn)) || []
      )
    })
  }

  async function editions(work: string): Promise<FoundBook[]> {
    if (!/^OL\d+W$/.test(work)) return []
    const found = await client.json(`${base}/works/${work}/editions.json?limit=50`)
    const { data } = z.object({ entries: lenientList(editionRecord) }).safeParse(found)
    return (data?.entries ?? []).flatMap((entry) => editionBook(entry, noNames) ?? [])
  }

  return {
    name: 'openlibrary',
    async search(form, page) {
      const found = await client.json(`${base}/search.json?${searchQuery(form, page)}`)
      const docs = searchAnswer.parse(found).docs
      return {
        books: docs.flatMap((doc) => {
          const parsed = searchedWork.safeParse(doc)
          return (parsed.success && workBook(parsed.data, toIsbn13(form.isbn || form.q))) || []
        }),
        hasMore: docs.length === searchPageSize,
      }
    },
    byIsbn: (isbn13) => edition(`/isbn/${isbn13}`, `ISBN:${isbn13}`, isbn13),
    isbnsAtOnce: 20,
    byIsbns,
    async byId(id) {
      if (/^OL\d+M$/.test(id)) return edition(`/books/${id}`, `OLID:${id}`)
      if (!/^OL\d+W$/.test(id)) return null
      const [first] = await editions(id)
      return first?.ids.openlibrary ? this.byId(first.ids.openlibrary) : null
    },
    editions,
  }
}

function searchQuery(form: SearchForm, page: number): URLSearchParams {
  const { q, title, author, publisher, genre, isbn, by, order } = form
  const query = new URLSearchParams({ fields, limit: String(searchPageSize), page: String(page) })
  const text = words(q)
  if (text) query.set('q', by === '2' ? `"${text}"` : text)
  const filters = { title, author, publisher, subject: genre, isbn: toIsbn13(isbn) ?? '' }
  for (const [name, value] of Object.entries(filters))
    if (words(value)) query.set(name, words(value))
  if (order === 'newest') query.set('sort', 'new')
  return query
}

/** Removes operators of Open Library's search language from typed text. */
function words(typed: string): string {
  return typed
    .replace(/[\\"():[\]{}^~*?!&|/]/g, ' ')
    .replace(/\b(?:AND|OR|NOT|TO)\b/g, (word) => word.toLowerCase())
    .replace(/\s+/g, ' ')
    .trim()
}
