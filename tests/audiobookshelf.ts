import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A book in a library of Audiobookshelf. */
export interface Audiobook {
  id: string
  title: string
  authors: string[]
  /** Seconds. */
  duration: number
  isbn?: string
  asin?: string
}

/** The token that the server takes. */
export const audiobookshelfKey = 'eyJhbGciOiJIUzI1NiJ9.key-of-lamplight'

/**
 * A server with the routes of Audiobookshelf 2.36 that tell what one of its users has listened to,
 * and with the shapes and rules of its MeController, MediaProgress and PlaybackSession.
 */
export class AudiobookshelfServer {
  readonly #server: Server
  readonly #books = new Map<string, Audiobook>()
  readonly #progress = new Map<string, Record<string, unknown>>()
  readonly #sessions: Record<string, unknown>[] = []
  /** The paths that were asked for. */
  asked: string[] = []
  /** Answers in place of the server, if set. */
  instead: RequestListener | undefined
  /** Called before each answer. */
  onAsked: () => Promise<void> = async () => undefined

  constructor() {
    this.#server = createServer((request, response) => {
      this.asked.push(request.url ?? '')
      void this.onAsked().then(() => {
        if (this.instead) return this.instead(request, response)
        if (request.headers.authorization !== `Bearer ${audiobookshelfKey}`) {
          response.writeHead(401).end('Unauthorized')
          return
        }
        const body = this.#answer(new URL(request.url ?? '', 'http://server'))
        if (body === undefined) response.writeHead(404).end('Not Found')
        else
          response
            .writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' })
            .end(JSON.stringify(body))
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

  /** Forgets all books and what was heard of them. */
  reset(): void {
    this.#books.clear()
    this.#progress.clear()
    this.#sessions.length = 0
    this.asked = []
    this.instead = undefined
    this.onAsked = async () => undefined
  }

  add(book: Audiobook): void {
    this.#books.set(book.id, book)
  }

  /** Listens on to a book, as one session that grows until it is closed. */
  play(id: string, session: { id: string; at: string; minutes: number; from?: number }): void {
    const book = this.#books.get(id)!
    const startedAt = Date.parse(session.at)
    const timeListening = session.minutes * 60
    const startTime = session.from ?? Number(this.#progress.get(id)?.['currentTime'] ?? 0)
    const known = this.#sessions.findIndex((one) => one['id'] === session.id)
    if (known >= 0) this.#sessions.splice(known, 1)
    const first = known >= 0 ? startTime - timeListening : startTime
    const begun = session.from ?? Math.max(0, first)
    const currentTime = begun + timeListening
    const updatedAt = startedAt + timeListening * 1000
    this.#sessions.unshift({
      id: session.id,
      userId: 'user',
      libraryId: 'library',
      libraryItemId: id,
      bookId: `book-${id}`,
      episodeId: null,
      mediaType: 'book',
      mediaMetadata: this.#metadata(book),
      chapters: [{ id: 0, start: 0, end: book.duration, title: 'Chapter 1' }],
      displayTitle: book.title,
      displayAuthor: book.authors.join(', '),
      coverPath: null,
      duration: book.duration,
      playMethod: 0,
      mediaPlayer: 'html5',
      deviceInfo: { id: 'device', browserName: 'Firefox' },
      serverVersion: '2.36.0',
      // The server's own clock, which isn't the reader's.
      date: new Date(startedAt).toISOString().slice(0, 10),
      dayOfWeek: 'Monday',
      timeListening,
      startTime: begun,
      currentTime,
      startedAt,
      updatedAt,
    })
    this.#move(id, currentTime, updatedAt)
  }

  /** Marks a book as finished, or as not finished, which sets it back to its beginning. */
  mark(id: string, isFinished: boolean, at: string): void {
    const time = Date.parse(at)
    const known = this.#move(id, undefined, time)
    Object.assign(known, { isFinished, finishedAt: isFinished ? time : null })
    if (isFinished) known['progress'] = 1
    else Object.assign(known, { progress: 0, currentTime: 0 })
  }

  /** Adds a position that is no book's. */
  addOther(values: Record<string, unknown>): void {
    this.#progress.set(`other${this.#progress.size}`, { lastUpdate: 1, ...values })
  }

  #move(id: string, currentTime: number | undefined, at: number): Record<string, unknown> {
    const { duration } = this.#books.get(id)!
    const known = this.#progress.get(id) ?? {
      id: `progress-${id}`,
      userId: 'user',
      libraryItemId: id,
      episodeId: null,
      mediaItemId: `book-${id}`,
      mediaItemType: 'book',
      duration,
      progress: 0,
      currentTime: 0,
      isFinished: false,
      hideFromContinueListening: false,
      ebookLocation: null,
      ebookProgress: null,
      startedAt: at,
      finishedAt: null,
    }
    known['lastUpdate'] = at
    if (currentTime !== undefined)
      Object.assign(known, { currentTime, progress: Math.min(1, currentTime / duration) })
    // Less than ten seconds are left.
    const isAtEnd = duration - Number(known['currentTime']) < 10
    if (isAtEnd && !known['isFinished'])
      Object.assign(known, { isFinished: true, finishedAt: at, progress: 1 })
    else if (known['isFinished'] && currentTime !== undefined && !isAtEnd)
      Object.assign(known, { isFinished: false, finishedAt: null })
    this.#progress.set(id, known)
    return known
  }

  #metadata({ title, authors, isbn, asin }: Audiobook) {
    return {
      title,
      subtitle: null,
      authors: authors?.map((name) => ({ id: `author-${name}`, name })),
      narrators: ['Somebody'],
      series: [],
      genres: [],
      publishedYear: '1815',
      publisher: null,
      description: null,
      isbn: isbn ?? null,
      asin: asin ?? null,
      language: 'English',
      explicit: false,
      abridged: false,
    }
  }

  #answer({ pathname, searchParams }: URL): unknown {
    const mediaProgress = [...this.#progress.values()]
    if (pathname === '/api/me/progress') return { mediaProgress }
    const [, about] = /^\/api\/items\/([\w-]+)$/.exec(pathname) ?? []
    const book = about && this.#books.get(about)
    if (book)
      return {
        id: book.id,
        mediaType: 'book',
        media: { metadata: this.#metadata(book), duration: book.duration },
      }
    const [, item] = /^\/api\/me\/item\/listening-sessions\/([\w-]+)$/.exec(pathname) ?? []
    if (!item || !this.#books.has(item)) return undefined
    const all = this.#sessions.filter((one) => one['libraryItemId'] === item)
    const itemsPerPage = Number(searchParams.get('itemsPerPage') ?? 10) || 10
    const page = Number(searchParams.get('page') ?? 0)
    return {
      total: all.length,
      numPages: Math.ceil(all.length / itemsPerPage),
      page,
      itemsPerPage,
      sessions: all.slice(page * itemsPerPage, (page + 1) * itemsPerPage),
    }
  }
}
