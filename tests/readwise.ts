import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A highlight in Readwise. */
export interface ReadwiseHighlight {
  text: string
  note?: string
  location?: number
  location_type?: string
  highlighted_at?: string
  /** When it was last changed there. */
  updated: string
}

/** A book in Readwise. */
export interface ReadwiseBook {
  user_book_id: number
  title: string
  author: string | null
  source?: string
  category?: string
  highlights: ReadwiseHighlight[]
}

/** The token that the server takes. */
export const readwiseToken = 'XXX-access-token-of-lamplight'

/** A server that speaks as much of Readwise's API as highlights need, with its paths and limits. */
export class ReadwiseServer {
  readonly #server: Server
  books: ReadwiseBook[] = []
  /** Books in an answer of the export. */
  pageSize = 100
  /** The requests that came: method and path. */
  asked: string[] = []
  /** What was created, without what is there already. */
  created: Record<string, unknown>[] = []
  /** Seconds for which it asks to be left alone, while it has too many requests. */
  retryAfter = 0

  constructor() {
    this.#server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://server')
      this.asked.push(`${request.method} ${url.pathname}${url.search}`)
      void text(request).then((body) => {
        const send = (status: number, answer: unknown, headers = {}) =>
          response
            .writeHead(status, { 'Content-Type': 'application/json', ...headers })
            .end(JSON.stringify(answer))
        if (request.headers.authorization !== `Token ${readwiseToken}`)
          return send(401, { detail: 'Invalid token.' })
        if (this.retryAfter)
          return send(
            429,
            { detail: 'Request was throttled.' },
            { 'Retry-After': String(this.retryAfter) },
          )
        if (request.method === 'GET' && url.pathname === '/api/v2/export/')
          return send(200, this.#export(url.searchParams))
        if (request.method === 'POST' && url.pathname === '/api/v2/highlights/') {
          const { highlights } = JSON.parse(body) as { highlights: Record<string, unknown>[] }
          for (const one of highlights) this.#create(one)
          return send(200, [{ id: 1, modified_highlights: highlights.map((_, i) => i) }])
        }
        return send(404, { detail: 'Not found.' })
      })
    })
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  reset(): void {
    Object.assign(this, { books: [], pageSize: 100, asked: [], created: [], retryAfter: 0 })
  }

  #create(highlight: Record<string, unknown>): void {
    const key = ({ title, author, text: words }: Record<string, unknown>) =>
      JSON.stringify([title, author, words])
    if (!this.created.some((one) => key(one) === key(highlight))) this.created.push(highlight)
  }

  #export(search: URLSearchParams) {
    const after = search.get('updatedAfter') ?? ''
    const changed = this.books
      .map((book) => ({
        ...book,
        highlights: book.highlights.filter(({ updated }) => updated > after),
      }))
      .filter(({ highlights }) => highlights.length)
    const from = Number(search.get('pageCursor') ?? 0)
    const next = from + this.pageSize
    return {
      count: changed.length,
      nextPageCursor: next < changed.length ? next : null,
      results: changed.slice(from, next).map((book) => ({
        is_deleted: false,
        readable_title: book.title,
        source: 'kindle',
        cover_image_url: null,
        unique_url: null,
        summary: '',
        book_tags: [],
        category: 'books',
        document_note: '',
        readwise_url: `https://readwise.io/bookreview/${book.user_book_id}`,
        source_url: null,
        asin: null,
        ...book,
        highlights: book.highlights.map(({ updated, ...one }, i) => ({
          id: book.user_book_id * 1000 + i,
          is_deleted: false,
          location: 0,
          location_type: 'location',
          note: '',
          color: 'yellow',
          highlighted_at: null,
          created_at: updated,
          updated_at: updated,
          external_id: null,
          end_location: null,
          url: null,
          book_id: book.user_book_id,
          tags: [],
          is_favorite: false,
          is_discard: false,
          readwise_url: '',
          ...one,
        })),
      })),
    }
  }
}
