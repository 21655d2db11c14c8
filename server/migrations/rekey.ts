import { sql } from 'kysely'
import { named, text, texts, type Transaction } from '#records/index.ts'
import { modify, query } from '#server/storage/query.ts'
import { tagKey } from '#shared/tags.ts'
import { bookKey } from '#shared/user-book.ts'
import { workOf } from '#server/library/work.ts'
import { countWorks } from './0041-work-readers.ts'
import { countTagKeys } from './0047-tag-key-totals.ts'
import { fillColumns, rowsById } from './fill-columns.ts'
import type { Migration } from './migration.ts'

/**
 * Fills all that is derived from folded texts, after a change of how they are folded.
 *
 * @param journal the columns, as `table.column`, that hold a book's key
 */
export function foldAnew(journal: readonly string[]): NonNullable<Migration['fill']> {
  return async (tx, progress) => {
    const counted = await query(
      tx,
      sql`SELECT (SELECT COUNT(*) FROM users) + (SELECT COUNT(*) FROM bookshelves)
        + (SELECT COUNT(*) FROM readings) + 3 * (SELECT COUNT(*) FROM user_books)`,
    )
    let done = 0
    const onDone = (rows: number) => progress((done += rows), Number(counted[0]?.[0]))
    await fillColumns(tx, 'users', ['username_key', 'name_key'], onDone)
    await fillColumns(tx, 'bookshelves', ['name_key'], onDone)
    await fillColumns(tx, 'readings', ['authors_keys', 'genres_keys'], onDone)
    await fillColumns(tx, 'user_books', ['title_key', 'authors_key', 'tags_keys'], onDone)
    const recount = [
      ...((await rekeyTags(tx))
        ? [`DELETE FROM tag_key_totals`, ...countTagKeys(tx.dialect.name)]
        : []),
      ...((await renameWorks(tx, onDone))
        ? [`DELETE FROM work_readers`, `DELETE FROM work_totals`, ...countWorks]
        : []),
    ]
    for (const statement of recount) await tx.query(statement)
    await rekeyBooks(tx, journal, onDone)
  }
}

/** @returns whether any book is of a work of another name now */
async function renameWorks(tx: Transaction, onDone: (rows: number) => void): Promise<boolean> {
  let isChanged = false
  for await (const rows of rowsById(tx, 'user_books', sql`title, authors, work`)) {
    for (const [id, title, authors = null, before] of rows) {
      const work = workOf({ title: String(title), authors: texts(authors) })
      if (work === before) continue
      isChanged = true
      await modify(tx, 'user_books', sql`UPDATE user_books SET work = ${work} WHERE id = ${id}`)
    }
    onDone(rows.length)
  }
  return isChanged
}

/**
 * Gives the counts of tags the keys that their spellings have now.
 *
 * @returns whether any had another one
 */
export async function rekeyTags(tx: Transaction): Promise<boolean> {
  let isChanged = false
  for (const [tag, key] of await query(tx, sql`SELECT DISTINCT tag, key FROM tag_totals`)) {
    const now = tagKey(String(tag))
    if (now === key) continue
    isChanged = true
    await modify(tx, 'tag_totals', sql`UPDATE tag_totals SET key = ${now} WHERE tag = ${tag}`)
  }
  return isChanged
}

/** A book whose key is no longer what its title and author give. */
interface Rekeyed {
  user: string
  from: string
  to: string
}

/**
 * Gives books the keys that their titles and authors have now. Where several of a reader's books had
 * one key, or would get one, they keep the key they have until they are edited.
 *
 * @param journal the columns, as `table.column`, that hold a book's key
 * @param onDone called with the number of books that were looked at since the last call
 */
export async function rekeyBooks(
  tx: Transaction,
  journal: readonly string[],
  onDone: (rows: number) => void,
): Promise<void> {
  for (const book of await findRekeyed(tx, onDone)) await rekey(tx, book, journal)
}

/** What a book's key is made of. */
const facts = { book_key: text, isbn: text, title: text, authors: texts }

async function findRekeyed(
  tx: Transaction,
  onDone: (rows: number) => void,
): Promise<Iterable<Rekeyed>> {
  const found = new Map<string, Rekeyed>()
  const columns = sql`"user", book_key, isbn, title, authors`
  for await (const rows of rowsById(tx, 'user_books', columns)) {
    for (const book of named(rows, { id: text, user: text, ...facts })) {
      const { user, book_key: from } = book
      const to = bookKey(book)
      if (to !== from) found.set(JSON.stringify([user, from, to]), { user, from, to })
    }
    onDone(rows.length)
  }
  return found.values()
}

async function rekey(
  tx: Transaction,
  { user, from, to }: Rekeyed,
  journal: readonly string[],
): Promise<void> {
  const books = named(
    await query(
      tx,
      sql`SELECT book_key, isbn, title, authors FROM user_books
        WHERE "user" = ${user} AND book_key IN (${from}, ${to})`,
    ),
    facts,
  )
  if (books.some((book) => book.book_key !== from || bookKey(book) !== to)) return
  for (const place of ['user_books.book_key', ...journal]) {
    const [table = '', column = ''] = place.split('.')
    await modify(
      tx,
      table,
      sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${to}
        WHERE "user" = ${user} AND ${sql.ref(column)} = ${from}`,
    )
  }
}
