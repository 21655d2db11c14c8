import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A page in KOReader's statistics. */
export interface ReadPage {
  md5: string
  page: number
  start: number
  seconds: number
  pages: number
}

/** A book as KOReader's statistics know it. */
export interface ReadBook {
  md5: string
  title: string
  authors: string
}

/** The tables of KOReader's statistics, schema 20221111. */
export const statisticsTables = `
  CREATE TABLE book (id integer PRIMARY KEY autoincrement, title text, authors text, notes integer,
    last_open integer, highlights integer, pages integer, series text, language text, md5 text,
    total_read_time integer, total_read_pages integer);
  CREATE UNIQUE INDEX book_title_authors_md5 ON book(title, authors, md5);
  CREATE TABLE page_stat_data (id_book integer, page integer NOT NULL DEFAULT 0,
    start_time integer NOT NULL DEFAULT 0, duration integer NOT NULL DEFAULT 0,
    total_pages integer NOT NULL DEFAULT 0, UNIQUE (id_book, page, start_time),
    FOREIGN KEY(id_book) REFERENCES book(id));
  CREATE INDEX page_stat_data_start_time ON page_stat_data(start_time);
  CREATE VIEW page_stat AS SELECT id_book, page, start_time, duration FROM page_stat_data;
  PRAGMA user_version = 20221111;`

const keyOf = ({ md5, page, start }: ReadPage) => `${md5} ${page} ${start}`

/** Runs statements in a database file of its own, and gives its bytes. */
export function databaseBytes(statements: string, fill: (db: DatabaseSync) => void = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-statistics-'))
  try {
    const path = join(folder, 'db')
    const db = new DatabaseSync(path, { enableForeignKeyConstraints: false })
    db.exec(statements)
    db.exec('BEGIN')
    fill(db)
    db.exec('COMMIT')
    db.close()
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns KOReader's `statistics.sqlite3` with these pages */
export function statisticsFile(books: readonly ReadBook[], read: readonly ReadPage[]): Buffer {
  return databaseBytes(statisticsTables, (db) => {
    const addBook = db.prepare('INSERT INTO book (title, authors, md5) VALUES (?, ?, ?)')
    for (const { title, authors, md5 } of books) addBook.run(title, authors, md5)
    const add = db.prepare(`INSERT INTO page_stat_data
      SELECT id, ?, ?, ?, ? FROM book WHERE md5 = ?`)
    for (const { md5, page, start, seconds, pages } of read)
      add.run(page, start, seconds, pages, md5)
  })
}

function pagesIn(bytes: Buffer): ReadPage[] {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-statistics-'))
  try {
    const path = join(folder, 'db')
    writeFileSync(path, bytes)
    const db = new DatabaseSync(path, { readOnly: true })
    const rows = db
      .prepare(
        `SELECT md5, page, start_time AS start, duration AS seconds, total_pages AS pages
          FROM page_stat_data JOIN book ON book.id = id_book`,
      )
      .all() as unknown as ReadPage[]
    db.close()
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Fetch = (path: string, init: RequestInit) => Promise<Response>

/**
 * A device whose statistics are synchronised as KOReader does it: what is on the server is merged
 * with its own, after each side's deletions since the last time, and sent back.
 */
export class KoreaderDevice {
  readonly #fetch: Fetch
  readonly #authorization: string
  readonly #books: readonly ReadBook[]
  /** What the device has. */
  pages = new Map<string, ReadPage>()
  /** What it sent last. */
  #sent: ReadonlyMap<string, ReadPage> | null = null
  /** Called between the download and the upload. */
  meanwhile: () => Promise<void> = async () => {}

  constructor(
    fetch: Fetch,
    { username, password }: { username: string; password: string },
    books: readonly ReadBook[],
  ) {
    this.#fetch = fetch
    this.#authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    this.#books = books
  }

  read(...pages: readonly ReadPage[]): void {
    for (const page of pages) this.pages.set(keyOf(page), page)
  }

  request(method: string, path: string, headers: Record<string, string> = {}, body?: BodyInit) {
    return this.#fetch(`/dav${path}`, {
      method,
      headers: { Authorization: this.#authorization, ...headers },
      ...(body !== undefined && { body }),
    })
  }

  /** @returns the status of each upload */
  async sync(path = '/statistics.sqlite3'): Promise<number[]> {
    const answers: number[] = []
    do {
      const download = await this.request('GET', path)
      const etag = download.headers.get('etag')
      const content = Buffer.from(await download.arrayBuffer())
      if (download.status === 200) this.#merge(pagesIn(content))
      else if (download.status !== 404) throw new Error(`refused: ${download.status}`)
      await this.meanwhile()
      const file = statisticsFile(this.#books, [...this.pages.values()])
      const headers: Record<string, string> = etag ? { 'If-Match': etag } : {}
      const upload = await this.request('PUT', path, headers, new Uint8Array(file))
      answers.push(upload.status)
    } while (answers.at(-1) === 412)
    this.#sent = new Map(this.pages)
    return answers
  }

  #merge(incoming: readonly ReadPage[]): void {
    const theirs = new Map(incoming.map((page) => [keyOf(page), page]))
    for (const key of this.#sent?.keys() ?? []) {
      const isKept = this.pages.has(key)
      if (!theirs.has(key)) this.pages.delete(key)
      if (!isKept) theirs.delete(key)
    }
    for (const [key, page] of theirs) {
      const own = this.pages.get(key)
      if (!own || own.seconds < page.seconds) this.pages.set(key, page)
    }
  }
}
