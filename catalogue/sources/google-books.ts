import * as z from 'zod'
import { searchPageSize, type SearchForm } from '#shared/book.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { publishedDate } from '../published-date.ts'
import { cleanDescription, cleanGenres, cleanLanguage, cleanName } from './clean.ts'
import type { ExternalClient } from './http.ts'
import { lenientNumber, lenientList, pageCount, lenientText, lenientTexts } from './lenient.ts'
import { cleanNames, isbnsOf } from './openlibrary-records.ts'
import type { FoundBook, Source } from './source.ts'

/** Only the fields that are shown, which cuts responses to a third. */
const fields = `items(id,volumeInfo(${[
  'title',
  'subtitle',
  'authors',
  'publisher',
  'publishedDate',
  'description',
  'industryIdentifiers',
  'pageCount',
  'categories',
  'imageLinks',
  'language',
].join(',')}))`

const identifier = z.object({ type: z.string(), identifier: z.string() })

const volume = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  volumeInfo: z.object({
    title: z.string().min(1),
    subtitle: lenientText,
    authors: lenientTexts,
    publisher: lenientText,
    publishedDate: lenientText,
    description: lenientText,
    industryIdentifiers: lenientList(identifier),
    pageCount: lenientNumber,
    categories: lenientTexts,
    imageLinks: z.record(z.string(), z.string()).catch({}),
    language: lenientText,
  }),
})
type Volume = z.infer<typeof volume>

/** `items` is absent if nothing was found. */
const answer = z.object({ items: z.array(z.unknown()).default([]) })

/**
 * Google Books, https://developers.google.com/books/docs/v1/using.
 *
 * @param options.key without one, requests share an anonymous daily quota
 * @param options.country the readers' country, which Google requires from servers
 */
export function googleBooks(
  client: ExternalClient,
  base: string,
  options: { key?: string | undefined; country: string },
): Source {
  const query = (more: Record<string, string>) =>
    new URLSearchParams({
      ...more,
      country: options.country,
      ...(options.key ? { key: options.key } : {}),
    })

  async function list(more: Record<string, string>): Promise<unknown[]> {
    const found = await client.json(`${base}/volumes?${query({ ...more, fields })}`)
    return answer.parse(found).items
  }

  async function byIsbn(isbn13: string): Promise<FoundBook | null> {
    const items = await list({ q: `isbn:${isbn13}`, maxResults: '5' })
    return volumes(items, isbn13)[0] ?? null
  }

  return {
    name: 'google',
    async search(form, page) {
      const items = await list({
        q: searchWords(form),
        startIndex: String((page - 1) * searchPageSize),
        maxResults: String(searchPageSize),
        orderBy: form.order,
        printType: 'books',
      })
      // Google's total is an estimate that changes from page to page, so a full page means that
      // there may be more.
      return {
        books: volumes(items, toIsbn13(form.isbn || form.q)),
        hasMore: items.length === searchPageSize,
      }
    },
    byIsbn,
    isbnsAtOnce: 1,
    async byIsbns(isbns) {
      const books = await Promise.all(isbns.map(byIsbn))
      return books.filter((book) => book !== null)
    },
    async byId(id) {
      if (!/^[\w-]{8,64}$/.test(id) || /^OL\d+[MW]$/.test(id)) return null
      const found = await client.json(`${base}/volumes/${id}?${query({})}`)
      return volumes([found], null)[0] ?? null
    },
  }
}

function searchWords({ q, title, author, publisher, genre, isbn, by }: SearchForm): string {
  const filters = { intitle: title, inauthor: author, inpublisher: publisher, subject: genre }
  return [
    textWords(q, by),
    ...Object.entries(filters).map(([name, value]) => words(value) && `${name}:"${words(value)}"`),
    toIsbn13(isbn) && `isbn:${toIsbn13(isbn)}`,
  ]
    .filter(Boolean)
    .join(' ')
}

function textWords(q: string, by: SearchForm['by']): string {
  const isbn13 = toIsbn13(q)
  if (isbn13) return `isbn:${isbn13}`
  return by === '2' && words(q) ? `"${words(q)}"` : words(q)
}

/** Removes search operators from typed text. */
function words(typed: string): string {
  return typed
    .replace(/["():|]/g, ' ')
    .replace(/(^|\s)-+/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Removes duplicates and volumes with another ISBN than requested. */
function volumes(items: readonly unknown[], asked: string | null): FoundBook[] {
  const books = new Map<string, FoundBook>()
  for (const item of items) {
    const parsed = volume.safeParse(item)
    const book = parsed.success ? volumeBook(parsed.data) : null
    const isbn = book?.isbns.ISBN_13
    if (book && isbn && (!asked || isbn === asked) && !books.has(isbn)) books.set(isbn, book)
  }
  return [...books.values()]
}

/** Scans of old books have library numbers instead of ISBNs and are skipped. */
function volumeBook({ id, volumeInfo: info }: Volume): FoundBook | null {
  const isbns = info.industryIdentifiers.filter(({ type }) => /^ISBN_1[03]$/.test(type))
  const isbn13 = isbns.flatMap((one) => toIsbn13(one.identifier) ?? [])[0]
  const title = cleanName(info.title)
  if (!isbn13 || !title) return null
  const subtitle = cleanName(info.subtitle)
  return {
    id,
    ids: { google: id },
    title,
    ...(subtitle ? { subtitle } : {}),
    authors: cleanNames(info.authors),
    genres: cleanGenres(info.categories),
    image_links: hasCover(info.imageLinks) ? [googleCover(id)] : [],
    page_count: pageCount(info.pageCount),
    isbns: isbnsOf(isbn13),
    description: cleanDescription(info.description),
    published_date: publishedDate(info.publishedDate),
    publisher: cleanName(info.publisher),
    language: cleanLanguage(info.language),
  }
}

function hasCover(links: Record<string, string>): boolean {
  return Boolean(links['thumbnail'] || links['smallThumbnail'])
}

/**
 * Google's own links have an expiring token and a curled corner; the front cover by id has neither.
 * Larger zooms of scanned books show an inside page.
 */
function googleCover(id: string): string {
  return `https://books.google.com/books/content?id=${id}&printsec=frontcover&img=1&zoom=1&source=gbs_api`
}
