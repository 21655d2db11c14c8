import { setImmediate } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import { flag, named, number, perTransaction, prepared, text, texts } from '#records/index.ts'
import { columnsOf } from '#server/collections/select.ts'
import type { LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { modify, query } from '#server/storage/query.ts'
import { lockShelf } from './locked-shelf.ts'
import { lockTotals } from '#server/collections/locks.ts'
import { audiences, type Audience } from '#server/collections/audience.ts'
import { differs } from './differs.ts'
import { updateFacts, type BookFacts } from './reading-facts.ts'
import { tagKey } from '#shared/tags.ts'
import { addTagKeys, addTags, type TagChange } from './tag-totals.ts'
import { updateVisible } from './visible-entries.ts'
import { updateWorks } from './work-readers.ts'

/*
 * `book_totals`, `tag_totals` and `tag_key_totals` hold a reader's totals twice, as the owner sees
 * them and as others do, so that a profile costs the same with many books as with few. A book's
 * copies count once: it is read if one of them is, with the best rating and the furthest page of all.
 */

/** The fields that affect the totals, or what readings take from their book. */
const countedFields = [
  'shelf',
  'book_key',
  'isPrivate',
  'status',
  'rating',
  'progress',
  'tags',
  'work',
  'rated',
  'reviewed',
  ...(['title', 'authors', 'genres', 'language', 'published', 'series'] as const),
] as const

/** Those that affect the readers of a work. */
const worksFields = ['shelf', 'isPrivate', 'work', 'rated', 'reviewed'] as const

/** One record of a book. */
interface Copy extends BookFacts {
  id: string
  book_key: string
  created: string
  status: string
  rating: number
  progress: number
  tags: readonly string[]
  isPrivate: boolean
  /** Whether other readers may see it. */
  isOpen: boolean
}

/** The records that a transaction changed, and their books. */
interface ChangedRecords {
  /** The original record by id; null if it is new. */
  originals: Map<string, Stored<'user_books'> | null>
  keys: Set<string>
  works: Set<string>
}

/** What a transaction has yet to count, by reader. */
const uncounted = perTransaction(() => new Map<string, ChangedRecords>())

/** Books counted at a time, so that other requests get their turn. */
const batchSize = 50

/**
 * Notes a changed record of a book. The totals are updated at the end of the transaction, or once
 * many books have changed.
 */
export async function countInTotals(
  tx: LibraryTransaction,
  before: Stored<'user_books'> | null,
  after: Stored<'user_books'> | null,
): Promise<void> {
  const record = after ?? before
  const isChanged = (names: readonly (typeof countedFields)[number][]) =>
    !before || !after || names.some((name) => differs(before[name], after[name]))
  if (!record || !isChanged(countedFields)) return
  const { user } = record
  const readers = uncounted(tx)
  const known = readers.get(user) ?? { originals: new Map(), keys: new Set(), works: new Set() }
  readers.set(user, known)
  if (!known.originals.has(record.id)) known.originals.set(record.id, before)
  for (const one of [before, after]) {
    if (!one) continue
    known.keys.add(one.book_key)
    if (isChanged(worksFields)) known.works.add(one.work)
  }
  if (known.keys.size >= batchSize) await updateTotals(tx, user)
  else tx.atEnd(`totals of ${user}`, () => updateTotals(tx, user))
}

/** Counts what was noted so far. Call before a shelf changes whose visibility counts. */
export async function updateTotals(tx: LibraryTransaction, user: string): Promise<void> {
  const readers = uncounted(tx)
  const changed = readers.get(user)
  readers.delete(user)
  if (!changed) return
  await lockTotals(tx, user)
  const { originals, keys, works } = changed
  const now = await copiesOf(tx, user, [...keys])
  const shelves = new Map(now.map(({ shelf, isPublic }) => [shelf, isPublic]))
  const others = now.filter(({ id }) => !originals.has(id))
  const before: Copy[] = []
  for (const record of originals.values()) {
    if (!record) continue
    const { shelf } = record
    // Shelves that a book left are locked and cached.
    const isPublic = shelves.get(shelf) ?? (await lockShelf(tx, shelf))?.isPublic ?? false
    const isOpen = isPublic && !record.isPrivate
    before.push({ ...record, tags: record.tags ?? [], isOpen })
  }
  await addChanges(tx, user, keys, [...others, ...before], now)
  await updateWorks(tx, user, works)
}

/**
 * Counts a shelf's books after it was shown, hidden or restored with them, a few at a time.
 *
 * @param was whether others could see the shelf before; null if it wasn't there
 */
export async function countShelf(
  tx: LibraryTransaction,
  { id, user }: Stored<'bookshelves'>,
  was: boolean | null,
): Promise<void> {
  await lockTotals(tx, user)
  const counted = new Set<string>()
  let place = { title: '', book: '' }
  for (;;) {
    const books = named(await booksOf(tx, { shelf: id, ...place }), shelfColumns)
    const keys = new Set(books.map(({ book_key }) => book_key)).difference(counted)
    await updateWorks(tx, user, new Set(books.map(({ work }) => work)))
    for (const key of keys) counted.add(key)
    if (keys.size) {
      const now = await copiesOf(tx, user, [...keys])
      const before = now.flatMap((copy) => {
        if (copy.shelf !== id) return copy
        return was === null ? [] : { ...copy, isOpen: was && !copy.isPrivate }
      })
      await addChanges(tx, user, keys, before, now)
    }
    const last = books.at(-1)
    if (!last || books.length < batchSize) return
    place = { title: last.title_key, book: last.id }
    await setImmediate()
  }
}

/** The next books of a shelf after one of them. */
const booksOf = prepared<Record<'shelf' | 'title' | 'book', unknown>>(
  (value) => sql`SELECT title_key, id, book_key, work FROM user_books
    WHERE shelf = ${value('shelf')} AND (title_key, id) > (${value('title')}, ${value('book')})
    ORDER BY title_key, id LIMIT ${sql.lit(batchSize)}`,
)

const shelfColumns = columnsOf('user_books', 'title_key', 'id', 'book_key', 'work')

/** A reader's records of some books. */
async function copiesOf(tx: LibraryTransaction, user: string, keys: string[]) {
  const [key = ''] = keys
  const rows =
    keys.length === 1
      ? await copiesOfBook(tx, { user, key })
      : await query(tx, selectCopies(sql`${user}`, sql`IN (${sql.join(keys)})`))
  return named(rows, columnsOfCopy).map((copy) => ({
    ...copy,
    isOpen: copy.isPublic && !copy.isPrivate,
  }))
}

const copiesOfBook = prepared<{ user: string; key: string }>((value) =>
  selectCopies(value('user'), sql`= ${value('key')}`),
)

function selectCopies(user: RawBuilder<unknown>, isOneOf: RawBuilder<unknown>) {
  return sql`SELECT b.id, b.shelf, CASE WHEN h.visibility = 'public' THEN 1 ELSE 0 END,
      b."isPrivate", b.book_key, b.status, b.rating, b.progress, b.tags, b.created,
      b.title, b.authors, b.genres, b.language, b.published, b.series
    FROM user_books b JOIN bookshelves h ON h.id = b.shelf
    WHERE b."user" = ${user} AND b.book_key ${isOneOf}`
}

const columnsOfCopy = {
  id: text,
  shelf: text,
  isPublic: flag,
  isPrivate: flag,
  book_key: text,
  status: text,
  rating: number,
  progress: number,
  tags: texts,
  created: text,
  title: text,
  authors: texts,
  genres: texts,
  language: text,
  published: text,
  series: text,
}

/** Columns of `book_totals`. */
const numbers = ['books', 'books_read', 'rated', 'rating_total', 'pages_read'] as const
type Numbers = Record<(typeof numbers)[number], number>

interface Totals {
  numbers: Numbers
  /** How many books have each tag. */
  tags: Map<string, number>
  /** How many books have a tag in any of its spellings, by key. */
  tagKeys: Map<string, number>
}

function totalsOf(copies: readonly Copy[]): Record<Audience, Totals> {
  return { owner: sumUp(copies), others: sumUp(copies.filter(({ isOpen }) => isOpen)) }
}

function sumUp(copies: readonly Copy[]): Totals {
  const numbers = { books: 0, books_read: 0, rated: 0, rating_total: 0, pages_read: 0 }
  const tags = new Map<string, number>()
  const tagKeys = new Map<string, number>()
  for (const book of Map.groupBy(copies, ({ book_key }) => book_key).values()) {
    const best = Math.max(...book.map(({ rating }) => rating))
    numbers.books++
    numbers.books_read += Number(book.some(({ status }) => status === 'completed'))
    numbers.rated += Number(best > 0)
    numbers.rating_total += best
    numbers.pages_read += Math.max(...book.map(({ progress }) => progress))
    const ofBook = new Set(book.flatMap((copy) => copy.tags))
    for (const tag of ofBook) tags.set(tag, (tags.get(tag) ?? 0) + 1)
    for (const key of new Set([...ofBook].map(tagKey)))
      tagKeys.set(key, (tagKeys.get(key) ?? 0) + 1)
  }
  return { numbers, tags, tagKeys }
}

/** Adds the difference between two states of a reader's books to the totals. */
async function addChanges(
  tx: LibraryTransaction,
  user: string,
  keys: ReadonlySet<string>,
  copiesBefore: readonly Copy[],
  copiesAfter: readonly Copy[],
): Promise<void> {
  const [before, after] = [totalsOf(copiesBefore), totalsOf(copiesAfter)]
  await updateVisible(tx, user, {
    before: visibleKeys(copiesBefore),
    after: visibleKeys(copiesAfter),
    keys,
  })
  await updateFacts(tx, user, { before: copiesBefore, after: copiesAfter, keys })
  const rows: RawBuilder<unknown>[] = []
  const tagRows: TagChange[] = []
  const keyRows: TagChange[] = []
  for (const audience of audiences) {
    const [was, is] = [before[audience], after[audience]]
    const by = numbers.map((name) => is.numbers[name] - was.numbers[name])
    if (by.some(Boolean)) rows.push(sql`(${user}, ${audience}, ${sql.join(by)})`)
    tagRows.push(...changed(audience, was.tags, is.tags))
    keyRows.push(...changed(audience, was.tagKeys, is.tagKeys))
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
  await addTags(tx, user, tagRows)
  await addTagKeys(tx, user, keyRows)
}

/** What has another count than before. */
function changed(
  audience: Audience,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): TagChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])]
  return names.flatMap((name): TagChange[] => {
    const more = (after.get(name) ?? 0) - (before.get(name) ?? 0)
    return more ? [[audience, name, more]] : []
  })
}

const visibleKeys = (copies: readonly Copy[]) =>
  new Set(copies.filter(({ isOpen }) => isOpen).map(({ book_key }) => book_key))

const columns = sql.join(numbers.map((name) => sql.ref(name)))
