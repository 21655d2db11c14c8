import { sql } from 'kysely'
import { flag, named, prepared, text } from '#records/index.ts'
import type { LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { modify } from '#server/storage/query.ts'
import { nameKeysOf } from '#server/collections/derived-fields.ts'
import { hasNewEntries } from './visible-entries.ts'

/** What a reading takes from its book, so that it can be counted and listed without it. */
export type BookFacts = Pick<Stored<'readings'>, 'title' | 'authors' | 'genres'>

/** A reader's record of a book. */
interface Copy extends BookFacts {
  id: string
  book_key: string
  created: string
  /** Whether other readers may see it. */
  isOpen: boolean
}

/**
 * The copy that describes its book's readings: the oldest that others can see, so that they learn
 * nothing of a hidden one.
 */
function describing(copies: readonly Copy[]): Copy | undefined {
  const byAge = copies.toSorted((a, b) =>
    a.created === b.created ? (a.id < b.id ? -1 : 1) : a.created < b.created ? -1 : 1,
  )
  return byAge.find(({ isOpen }) => isOpen) ?? byAge[0]
}

/**
 * Copies what changed of a reader's books to their readings. Those of a book whose last copy goes
 * stay as they are.
 *
 * @param keys of all books that may have changed
 */
export async function updateFacts(
  tx: LibraryTransaction,
  user: string,
  {
    before,
    after,
    keys,
  }: { before: readonly Copy[]; after: readonly Copy[]; keys: Iterable<string> },
): Promise<void> {
  const were = byKey(before)
  const are = byKey(after)
  const rows = [...keys].flatMap((key) => {
    const book = describing(are.get(key) ?? [])
    const isNew = hasNewEntries(tx, user, key)
    if (!book || (!isNew && hasSameFacts(book, describing(were.get(key) ?? [])))) return []
    const { title, authors, genres } = book
    const lists = [JSON.stringify(authors), JSON.stringify(genres)]
    const derived = [authorKeys.derived.by(authors), genreKeys.derived.by(genres)]
    return sql`(${sql.join([key, title, ...lists, ...derived])})`
  })
  if (!rows.length) return
  const set = columns.map((name, i) => sql`${sql.ref(name)} = facts.${sql.ref(`column${i + 2}`)}`)
  await modify(
    tx,
    'readings',
    sql`UPDATE readings SET ${sql.join(set)} FROM (VALUES ${sql.join(rows)}) AS facts
      WHERE "user" = ${user} AND book_key = facts.column1`,
  )
}

const columns = ['title', 'authors', 'genres', 'authors_keys', 'genres_keys']

const byKey = (copies: readonly Copy[]) => Map.groupBy(copies, ({ book_key }) => book_key)

const authorKeys = nameKeysOf('authors')
const genreKeys = nameKeysOf('genres')

function hasSameFacts(a: BookFacts, b: BookFacts | undefined): boolean {
  const facts = ({ title, authors, genres }: BookFacts) => JSON.stringify([title, authors, genres])
  return b !== undefined && facts(a) === facts(b)
}

/** A finished reading. */
type Finish = Pick<Stored<'readings'>, 'id' | 'finished' | 'created' | 'is_reread'>

/** Marks re-reads before a reading is added, changed or removed. */
export async function markRereads(
  tx: LibraryTransaction,
  before: Stored<'readings'> | null,
  after: Stored<'readings'> | null,
): Promise<void> {
  const reading = after ?? before
  const [was, is] = [before, after].map((one) => one?.outcome === 'finished' && one.finished)
  if (!reading || was === is) return
  const others = (await finishesOf(tx, reading)).filter(({ id }) => id !== reading.id)
  // A new one has no time yet.
  const own = after && { ...after, created: after.created || '9999' }
  const again = rereads(own && is !== false ? [...others, own] : others)
  if (after) after.is_reread = again.has(after.id)
  await storeRereads(tx, others, again)
}

/** Marks the re-reads among a book's readings, to which some were moved. */
export async function remarkRereads(
  tx: LibraryTransaction,
  book: Pick<Stored<'readings'>, 'user' | 'book_key'>,
): Promise<void> {
  const finishes = await finishesOf(tx, book)
  await storeRereads(tx, finishes, rereads(finishes))
}

/**
 * The ids of readings that finished a book which an earlier one had finished. One without a day may
 * have been at any time and comes first.
 */
function rereads(finishes: readonly Finish[]): Set<string> {
  const place = ({ finished, created, id }: Finish) => `${finished} ${created} ${id}`
  const [, ...again] = finishes.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
  return new Set(again.map(({ id }) => id))
}

async function finishesOf(
  tx: LibraryTransaction,
  { user, book_key }: Pick<Stored<'readings'>, 'user' | 'book_key'>,
): Promise<Finish[]> {
  const rows = await finishes(tx, { user, book_key })
  return named(rows, { id: text, finished: text, created: text, is_reread: flag })
}

const finishes = prepared<Record<'user' | 'book_key', unknown>>(
  (value) => sql`SELECT id, finished, created, is_reread FROM readings
    WHERE "user" = ${value('user')} AND book_key = ${value('book_key')} AND outcome = 'finished'`,
)

async function storeRereads(
  tx: LibraryTransaction,
  finishes: readonly Finish[],
  again: ReadonlySet<string>,
): Promise<void> {
  for (const { id, is_reread } of finishes)
    if (is_reread !== again.has(id))
      await modify(
        tx,
        'readings',
        sql`UPDATE readings SET is_reread = ${sql.lit(!is_reread)} WHERE id = ${id}`,
      )
}
