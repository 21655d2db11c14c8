import { sql, type RawBuilder } from 'kysely'
import { prepared, type Row, type StoredRecord, type WriteTransaction } from '#records/index.ts'
import { modify, query, textList } from '#server/query.ts'
import { lockShelf } from './locked-shelf.ts'

/**
 * `book_totals` and `tag_totals` hold a reader's totals twice, as the owner sees them and as others
 * do, so that a profile costs the same with many books as with few. A book's copies count once: it
 * is read if one of them is, with the best rating and the furthest page of all.
 */
const audiences = ['owner', 'others'] as const
type Audience = (typeof audiences)[number]

/** @returns the `audience` whose totals a viewer gets */
export function audienceOf(reader: RawBuilder<unknown>, viewer: RawBuilder<unknown>) {
  return sql<Audience>`CASE WHEN ${reader} = ${viewer} THEN 'owner' ELSE 'others' END`
}

/** The fields that affect the totals. */
const countedFields = [
  'shelf',
  'book_key',
  'isPrivate',
  'status',
  'rating',
  'progress',
  'tags',
] as const

/** One record of a book. */
interface Copy {
  book_key: string
  status: string
  rating: number
  progress: number
  tags: readonly string[]
  /** Whether other readers may see it. */
  isOpen: boolean
}

/** The records that a transaction changed, and their books. */
interface ChangedRecords {
  /** The original record by id; null if it is new. */
  originals: Map<string, StoredRecord | null>
  keys: Set<string>
}

/** What a transaction must count at its end, by reader; `anew` means everything. */
const uncounted = () => new Map<string, ChangedRecords | 'anew'>()

/** With more changed books it is faster to recount all. */
const mostBooks = 500

/** Notes a changed record of a book; the totals are updated at the end of the transaction. */
export function countInTotals(
  tx: WriteTransaction,
  before: StoredRecord | null,
  after: StoredRecord | null,
): void {
  const record = after ?? before
  if (
    !record ||
    (before && after && !countedFields.some((name) => differs(before[name], after[name])))
  )
    return
  const user = String(record.user)
  const readers = countAtEnd(tx, user)
  const known = readers.get(user) ?? { originals: new Map(), keys: new Set() }
  if (known === 'anew') return
  if (!known.originals.has(record.id)) known.originals.set(record.id, before)
  for (const one of [before, after]) if (one) known.keys.add(String(one['book_key']))
  readers.set(user, known.keys.size > mostBooks ? 'anew' : known)
}

/**
 * Recounts all of a reader's books at the end of the transaction, after a shelf was added, removed
 * or made public or private.
 */
export function recountTotals(tx: WriteTransaction, user: string): void {
  countAtEnd(tx, user).set(user, 'anew')
}

function differs(a: unknown, b: unknown): boolean {
  return a !== b && JSON.stringify(a) !== JSON.stringify(b)
}

function countAtEnd(tx: WriteTransaction, user: string): ReturnType<typeof uncounted> {
  tx.atEnd(`totals of ${user}`, () => updateTotals(tx, user))
  return tx.state(uncounted)
}

async function updateTotals(tx: WriteTransaction, user: string): Promise<void> {
  const readers = tx.state(uncounted)
  const changed = readers.get(user)
  readers.delete(user)
  if (!changed) return
  // Locked, so that concurrent writes are all counted.
  if (tx.dialect.name === 'postgres') await lockTotals(tx, { user })
  if (changed === 'anew') return countAnew(tx, user)
  const { originals, keys } = changed
  const rows = await copiesOf(tx, user, [...keys])
  const shelves = new Map(rows.map(([, shelf, isPublic]) => [String(shelf), Boolean(isPublic)]))
  const others = rows.filter(([id]) => !originals.has(String(id))).map(toCopy)
  const before: Copy[] = []
  for (const record of originals.values()) {
    if (!record) continue
    const shelf = String(record['shelf'])
    // Shelves that a book left are locked and cached.
    const isPublic = shelves.get(shelf) ?? (await lockShelf(tx, shelf))?.isPublic ?? false
    const isOpen = isPublic && !record['isPrivate']
    before.push({ ...(record as unknown as Copy), tags: tagsOf(record['tags']), isOpen })
  }
  await addChanges(tx, user, totalsOf([...others, ...before]), totalsOf(rows.map(toCopy)))
}

const lockTotals = prepared<{ user: string }>(
  (value) => sql`SELECT 1 FROM settings WHERE "user" = ${value('user')} FOR NO KEY UPDATE`,
)

/** A reader's records of some books, for {@link toCopy}. */
async function copiesOf(tx: WriteTransaction, user: string, keys: string[]): Promise<Row[]> {
  const [key = ''] = keys
  return keys.length === 1
    ? copiesOfBook(tx, { user, key })
    : query(tx, selectCopies(sql`${user}`, sql`IN (${sql.join(keys)})`))
}

const copiesOfBook = prepared<{ user: string; key: string }>((value) =>
  selectCopies(value('user'), sql`= ${value('key')}`),
)

function selectCopies(user: RawBuilder<unknown>, isOneOf: RawBuilder<unknown>) {
  return sql`SELECT b.id, b.shelf, CASE WHEN h.visibility = 'public' THEN 1 ELSE 0 END,
      b."isPrivate", b.book_key, b.status, b.rating, b.progress, b.tags
    FROM user_books b JOIN bookshelves h ON h.id = b.shelf
    WHERE b."user" = ${user} AND b.book_key ${isOneOf}`
}

function toCopy([, , isPublic, isPrivate, key, status, rating, progress, tags]: Row): Copy {
  return {
    book_key: String(key),
    status: String(status),
    rating: Number(rating),
    progress: Number(progress),
    tags: textList(String(tags)),
    isOpen: Boolean(isPublic) && !isPrivate,
  }
}

function tagsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** Columns of `book_totals`. */
const numbers = ['books', 'books_read', 'rated', 'rating_total', 'pages_read'] as const
type Numbers = Record<(typeof numbers)[number], number>

interface Totals {
  numbers: Numbers
  /** How many books have each tag. */
  tags: Map<string, number>
}

function totalsOf(copies: readonly Copy[]): Record<Audience, Totals> {
  return { owner: sumUp(copies), others: sumUp(copies.filter(({ isOpen }) => isOpen)) }
}

function sumUp(copies: readonly Copy[]): Totals {
  const numbers = { books: 0, books_read: 0, rated: 0, rating_total: 0, pages_read: 0 }
  const tags = new Map<string, number>()
  for (const book of Map.groupBy(copies, ({ book_key }) => book_key).values()) {
    const best = Math.max(...book.map(({ rating }) => rating))
    numbers.books++
    numbers.books_read += Number(book.some(({ status }) => status === 'completed'))
    numbers.rated += Number(best > 0)
    numbers.rating_total += best
    numbers.pages_read += Math.max(...book.map(({ progress }) => progress))
    for (const tag of new Set(book.flatMap((copy) => copy.tags)))
      tags.set(tag, (tags.get(tag) ?? 0) + 1)
  }
  return { numbers, tags }
}

async function addChanges(
  tx: WriteTransaction,
  user: string,
  before: Record<Audience, Totals>,
  after: Record<Audience, Totals>,
): Promise<void> {
  const rows: RawBuilder<unknown>[] = []
  const tagRows: RawBuilder<unknown>[] = []
  for (const audience of audiences) {
    const [was, is] = [before[audience], after[audience]]
    const by = numbers.map((name) => is.numbers[name] - was.numbers[name])
    if (by.some(Boolean)) rows.push(sql`(${user}, ${audience}, ${sql.join(by)})`)
    for (const tag of new Set([...was.tags.keys(), ...is.tags.keys()])) {
      const more = (is.tags.get(tag) ?? 0) - (was.tags.get(tag) ?? 0)
      if (more) tagRows.push(sql`(${user}, ${audience}, ${tag}, ${more})`)
    }
  }
  const sums = numbers.map(
    (name) => sql`${sql.ref(name)} = t.${sql.ref(name)} + excluded.${sql.ref(name)}`,
  )
  if (rows.length)
    await modify(
      tx,
      'book_totals',
      sql`INSERT INTO book_totals AS t ("user", audience, ${columns}) VALUES ${sql.join(rows)}
        ON CONFLICT ("user", audience) DO UPDATE SET ${sql.join(sums)}`,
    )
  if (!tagRows.length) return
  await modify(
    tx,
    'tag_totals',
    sql`INSERT INTO tag_totals AS t ("user", audience, tag, books) VALUES ${sql.join(tagRows)}
      ON CONFLICT ("user", audience, tag) DO UPDATE SET books = t.books + excluded.books`,
  )
  await modify(tx, 'tag_totals', sql`DELETE FROM tag_totals WHERE "user" = ${user} AND books <= 0`)
}

const columns = sql.join(numbers.map((name) => sql.ref(name)))

async function countAnew(tx: WriteTransaction, user: string): Promise<void> {
  for (const table of ['book_totals', 'tag_totals'])
    await modify(tx, table, sql`DELETE FROM ${sql.table(table)} WHERE "user" = ${user}`)
  for (const audience of audiences) {
    const isSeen =
      audience === 'owner' ? sql`TRUE` : sql`h.visibility = 'public' AND b."isPrivate" = FALSE`
    const books = sql`user_books b JOIN bookshelves h ON h.id = b.shelf`
    const own = sql`b."user" = ${user} AND ${isSeen}`
    await modify(
      tx,
      'book_totals',
      sql`INSERT INTO book_totals ("user", audience, ${columns})
        SELECT ${tx.dialect.text(sql`${user}`)}, ${sql.lit(audience)}, COUNT(*), SUM(one.is_read),
          SUM(CASE WHEN one.best > 0 THEN 1 ELSE 0 END), SUM(one.best), SUM(one.furthest)
        FROM (SELECT MAX(CASE WHEN b.status = 'completed' THEN 1 ELSE 0 END) AS is_read,
            MAX(b.rating) AS best, MAX(b.progress) AS furthest
          FROM ${books} WHERE ${own} GROUP BY b.book_key) one
        HAVING COUNT(*) > 0`,
    )
    await modify(
      tx,
      'tag_totals',
      sql`INSERT INTO tag_totals ("user", audience, tag, books)
        SELECT ${tx.dialect.text(sql`${user}`)}, ${sql.lit(audience)}, tag.value, COUNT(DISTINCT b.book_key)
        FROM ${books} CROSS JOIN ${tx.dialect.jsonEach(sql`b.tags`)} AS tag
        WHERE ${own} GROUP BY tag.value`,
    )
  }
}
