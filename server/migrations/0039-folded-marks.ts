import { sql } from 'kysely'
import { named, text, texts, type Transaction } from '#records/index.ts'
import { modify, query } from '#server/storage/query.ts'
import { tagKey } from '#shared/tags.ts'
import { bookKey } from '#shared/user-book.ts'
import { fillColumns, rowsById } from './fill-columns.ts'
import type { Migration } from './migration.ts'

/** A book whose key is no longer what its title and author give. */
interface Rekeyed {
  user: string
  from: string
  to: string
}

const journal = ['readings', 'progress_log', 'quotes']

/**
 * Keys in which marks that are part of a word stay (“マンガ” isn’t “マンカ”) and the optional vowels of
 * Arabic and Hebrew don’t count. A book’s readings, progress and quotes follow it. Where several of
 * a reader’s books had one key, or would get one, they keep the key they have until they are edited.
 */
export const foldedMarks: Migration = {
  name: 'folded-marks',
  statements: () => [],
  async fill(tx, progress) {
    const counted = await query(
      tx,
      sql`SELECT (SELECT COUNT(*) FROM users) + (SELECT COUNT(*) FROM bookshelves)
        + 2 * (SELECT COUNT(*) FROM user_books)`,
    )
    let done = 0
    const onDone = (rows: number) => progress((done += rows), Number(counted[0]?.[0]))
    await fillColumns(tx, 'users', ['username_key', 'name_key'], onDone)
    await fillColumns(tx, 'bookshelves', ['name_key'], onDone)
    await fillColumns(tx, 'user_books', ['title_key', 'authors_key', 'tags_keys'], onDone)
    await rekeyTags(tx)
    for (const book of await findRekeyed(tx, onDone)) await rekey(tx, book)
  },
}

async function rekeyTags(tx: Transaction): Promise<void> {
  for (const [tag, key] of await query(tx, sql`SELECT DISTINCT tag, key FROM tag_totals`))
    if (tagKey(String(tag)) !== key)
      await modify(
        tx,
        'tag_totals',
        sql`UPDATE tag_totals SET key = ${tagKey(String(tag))} WHERE tag = ${tag}`,
      )
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

async function rekey(tx: Transaction, { user, from, to }: Rekeyed): Promise<void> {
  const books = named(
    await query(
      tx,
      sql`SELECT book_key, isbn, title, authors FROM user_books
        WHERE "user" = ${user} AND book_key IN (${from}, ${to})`,
    ),
    facts,
  )
  if (books.some((book) => book.book_key !== from || bookKey(book) !== to)) return
  for (const table of ['user_books', ...journal])
    await modify(
      tx,
      table,
      sql`UPDATE ${sql.table(table)} SET book_key = ${to}
        WHERE "user" = ${user} AND book_key = ${from}`,
    )
}
