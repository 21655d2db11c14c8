import { bookImages } from '#shared/user-book.ts'
import { sql, type RawBuilder } from 'kysely'
import { ApiError, type Database, named, number, text, texts } from '#records/index.ts'
import type { Bookshelf, Visibility } from '#shared/bookshelf.ts'
import {
  directoryPageSize,
  minSearchLength,
  toPage,
  type DirectoryBook,
  type DirectoryEntry,
  type Page,
} from '#shared/directory.ts'
import type { DirectoryForm } from '#shared/directory-form.ts'
import { query } from '#server/storage/query.ts'
import { schema } from '#server/collections/schema.ts'
import { isPublicProfile } from '#server/collections/profile-rows.ts'
import { findVisibleReader } from './profile.ts'
import { similarReaders } from './similar-taste.ts'

const shelvesPageSize = 10

/** Books shown for each reader in the directory. */
const shownBooks = 3

/**
 * A reader without settings is private. SQLite keeps the order of a CROSS JOIN: it reads readers in
 * index order and looks each up in the settings.
 */
const publicReaders = (found: RawBuilder<unknown> = sql`TRUE`) =>
  sql`users u CROSS JOIN settings s
    WHERE s."user" = u.id AND ${isPublicProfile(sql`s`)} AND ${found}`

const publicBooks = (user: RawBuilder<unknown>) =>
  sql`user_books b JOIN bookshelves h ON h.id = b.shelf
    WHERE b."user" = ${user} AND h.visibility = 'public' AND b."isPrivate" = FALSE`

/**
 * Lists readers with a public profile, without the viewer. Private shelves are neither counted nor
 * shown.
 *
 * @param viewer id; '' for a visitor
 * @returns one page: newest first, by username, or those of similar taste with the reason
 * @throws ApiError 401 if a visitor asks for similar taste
 */
export async function listReaders(
  database: Database,
  { q, sort, page }: DirectoryForm,
  viewer: string,
): Promise<Page<DirectoryEntry>> {
  if (sort === 'similar' && !viewer) throw new ApiError(401)
  const { dialect } = database
  const pattern = sql`${`%${q.replace(/[\\%_]/g, '\\$&')}%`}`
  const isSearch = [...q].length >= minSearchLength
  const found = isSearch
    ? sql`(${dialect.like(sql`u.username`, pattern)} OR ${dialect.like(sql`u.name`, pattern)})`
    : viewer
      ? sql`u.id <> ${viewer}`
      : sql`TRUE`
  if (sort === 'similar') return listSimilar(database, viewer, page, found)
  const order = sort === 'a-z' ? sql`u.username_key, u.id` : sql`u.created DESC, u.id`
  // A search reads every match anyway and counts as it goes; otherwise an index is counted.
  const counted = isSearch ? sql`COUNT(*) OVER ()` : sql`0`
  // Select the page first, so that only its readers' books are counted.
  const rows = await query(
    database,
    sql`SELECT ${shownOfReader}, cut.total FROM (
        SELECT u.id, ${counted} AS total FROM ${publicReaders(found)} ORDER BY ${order}
        LIMIT ${sql.lit(directoryPageSize)} OFFSET ${(page - 1) * directoryPageSize}) cut
      JOIN users u ON u.id = cut.id ORDER BY ${order}`,
  )
  const readers = named(rows, { ...readerColumns, total: number })
  const total =
    isSearch && readers[0]
      ? readers[0].total
      : await countReaders(database, isSearch, found, viewer)
  const items = await Promise.all(readers.map((reader) => toEntry(database, reader)))
  return toPage(items, page, directoryPageSize, total)
}

/** Counts the readers of all pages. */
async function countReaders(
  database: Database,
  isSearch: boolean,
  found: RawBuilder<unknown>,
  viewer: string,
): Promise<number> {
  const own = sql`(SELECT COUNT(*) FROM settings o
    WHERE o."user" = ${viewer} AND ${isPublicProfile(sql`o`)})`
  const count = isSearch
    ? sql`SELECT COUNT(*) FROM ${publicReaders(found)}`
    : sql`SELECT COUNT(*) - ${own} FROM settings s WHERE ${isPublicProfile(sql`s`)}`
  return named(await query(database, count), { total: number })[0]!.total
}

async function listSimilar(
  database: Database,
  viewer: string,
  page: number,
  found: RawBuilder<unknown>,
): Promise<Page<DirectoryEntry>> {
  const { total, readers } = await similarReaders(database, viewer, page, found)
  const items = await Promise.all(
    [...readers].map(async ([id, taste]) => {
      const rows = await query(
        database,
        sql`SELECT ${shownOfReader} FROM ${publicReaders(sql`u.id = ${id}`)}`,
      )
      return Promise.all(
        named(rows, readerColumns).map(async (reader) => ({
          ...(await toEntry(database, reader)),
          taste,
        })),
      )
    }),
  )
  return toPage(items.flat(), page, directoryPageSize, total)
}

/**
 * @param username in any case
 * @param books how many of the newest public books to include
 * @returns the reader; null if unknown or private
 */
export async function readPublicReader(
  database: Database,
  username: string,
  books: number,
): Promise<DirectoryEntry | null> {
  const rows = await query(
    database,
    sql`SELECT ${shownOfReader} FROM ${publicReaders(sql`u.username = ${username.toLowerCase()}`)}`,
  )
  const [reader] = named(rows, readerColumns)
  return reader ? toEntry(database, reader, books) : null
}

/** @returns the names of readers with a public profile, newest first */
export async function listPublicUsernames(database: Database, most: number): Promise<string[]> {
  const rows = await query(
    database,
    sql`SELECT u.username FROM ${publicReaders()} ORDER BY u.created DESC, u.id LIMIT ${most}`,
  )
  return named(rows, { username: text }).map(({ username }) => username)
}

const shownOfReader = sql`u.id, u.username, u.name, u.avatar,
  COALESCE((SELECT t.books FROM book_totals t WHERE t."user" = u.id AND t.audience = 'others'), 0),
  (SELECT COUNT(*) FROM bookshelves h WHERE h."user" = u.id AND h.visibility = 'public')`

const readerColumns = {
  id: text,
  username: text,
  name: text,
  avatar: text,
  books_count: number,
  shelves_count: number,
}

async function toEntry(
  database: Database,
  { id, username, name, avatar, books_count, shelves_count }: ShownReader,
  books = shownBooks,
): Promise<DirectoryEntry> {
  return {
    id,
    collectionId: schema.get('users').id,
    username,
    name,
    avatar,
    books_count,
    shelves_count,
    books: await newestBooks(database, id, books),
  }
}

type ShownReader = Pick<DirectoryEntry, keyof typeof readerColumns>

/** Reads a few more than shown, since a book can be on several shelves. */
async function newestBooks(
  database: Database,
  user: string,
  count: number,
): Promise<DirectoryBook[]> {
  const rows = await query(
    database,
    sql`SELECT b.book_key, b.id, b.title, b.authors, b.image, b.images, b.isbn
      FROM ${publicBooks(sql`${user}`)} ORDER BY b.created DESC, b.id
      LIMIT ${sql.lit(count * 3)}`,
  )
  const copies = named(rows, {
    key: text,
    id: text,
    title: text,
    authors: texts,
    image: text,
    images: texts,
    isbn: text,
  })
  const distinct = new Map<string, DirectoryBook>()
  for (const copy of copies)
    distinct.getOrInsertComputed(copy.key, () => ({
      title: copy.title,
      authors: copy.authors,
      images: bookImages(copy),
      isbn: copy.isbn,
    }))
  return [...distinct.values()].slice(0, count)
}

interface ReaderShelves extends Page<
  Pick<Bookshelf, 'id' | 'name' | 'visibility' | 'book_count' | 'covers' | 'created'>
> {
  user: { id: string; username: string }
}

/**
 * The shelves of one reader, newest first, as far as the viewer may see them.
 *
 * @param viewer id; '' for a visitor
 * @returns null if there is no such reader or the viewer can't see the profile
 */
export async function listReaderShelves(
  database: Database,
  username: string,
  viewer: string,
  page: number,
): Promise<ReaderShelves | null> {
  const user = await findVisibleReader(database, username, viewer)
  if (!user) return null
  const visible = sql`FROM bookshelves WHERE "user" = ${user.id}
    AND (visibility = 'public' OR "user" = ${viewer})`
  const [counted, rows] = await Promise.all([
    query(database, sql`SELECT COUNT(*) ${visible}`),
    query(
      database,
      sql`SELECT id, name, visibility, book_count, covers, created ${visible}
        ORDER BY created DESC, id
        LIMIT ${sql.lit(shelvesPageSize)} OFFSET ${(page - 1) * shelvesPageSize}`,
    ),
  ])
  const shelves = named(rows, {
    id: text,
    name: text,
    visibility: visibilityIn,
    book_count: number,
    covers: texts,
    created: text,
  })
  const { total } = named(counted, { total: number })[0]!
  return { user, ...toPage(shelves, page, shelvesPageSize, total) }
}

function visibilityIn(column: unknown): Visibility {
  return column === 'public' ? 'public' : 'private'
}
