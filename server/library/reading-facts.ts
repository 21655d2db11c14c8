import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { flag, named, prepared, text } from '#records/index.ts'
import type { LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { modify } from '#server/storage/query.ts'
import { nameKeysOf } from '#server/collections/derived-fields.ts'
import { updateRows } from './update-rows.ts'
import { hasNewEntries } from './visible-entries.ts'

/** What a reading takes from its book, so that it can be counted and listed without it. */
export type BookFacts = Pick<
  Stored<'readings'>,
  'title' | 'authors' | 'genres' | 'language' | 'published' | 'series'
>

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
  const changed: string[] = []
  const rows = [...keys].flatMap((key) => {
    const book = describing(are.get(key) ?? [])
    const isNew = hasNewEntries(tx, user, key)
    if (!book || (!isNew && hasSameFacts(book, describing(were.get(key) ?? [])))) return []
    changed.push(key)
    const { title, authors, genres, language, published, series } = book
    const lists = [JSON.stringify(authors), JSON.stringify(genres)]
    const derived = [authorKeys.derived.by(authors), genreKeys.derived.by(genres)]
    const edition = [language, published, series]
    return sql`(${sql.join([key, title, ...lists, ...derived, ...edition])})`
  })
  if (!rows.length) return
  const set = columns.map((name, i) => sql`${sql.ref(name)} = facts.${sql.ref(`column${i + 2}`)}`)
  await updateRows(
    tx,
    'readings',
    sql`"user" = ${user} AND book_key IN (${sql.join(changed)})`,
    (some) => sql`UPDATE readings SET ${sql.join(set)} FROM (VALUES ${sql.join(rows)}) AS facts
      WHERE ${some} AND book_key = facts.column1`,
  )
}

const columns = [
  'title',
  'authors',
  'genres',
  'authors_keys',
  'genres_keys',
  'language',
  'published',
  'series',
]

const byKey = (copies: readonly Copy[]) => Map.groupBy(copies, ({ book_key }) => book_key)

const authorKeys = nameKeysOf('authors')
const genreKeys = nameKeysOf('genres')

function hasSameFacts(a: BookFacts, b: BookFacts | undefined): boolean {
  const facts = ({ title, authors, genres, language, published, series }: BookFacts) =>
    JSON.stringify([title, authors, genres, language, published, series])
  return b !== undefined && facts(a) === facts(b)
}

/** A finished reading. */
type Finish = Pick<Stored<'readings'>, 'id' | 'finished' | 'created' | 'is_reread'>

/** @returns the day on which a reading finished its book, '' if unknown; undefined if it didn't */
export const finishOf = (reading: Stored<'readings'> | null) =>
  reading?.outcome === 'finished' ? reading.finished : undefined

/**
 * Marks re-reads before a reading is added, changed or removed. All but the first of a book's are
 * re-reads; one without a day may have been at any time and comes first.
 */
export async function markRereads(
  tx: LibraryTransaction,
  before: Stored<'readings'> | null,
  after: Stored<'readings'> | null,
): Promise<void> {
  const reading = after ?? before
  const is = finishOf(after)
  if (!reading || finishOf(before) === is) return
  const [other] = named(await firstOther(tx, reading), finishColumns)
  // A new one has no time yet.
  const own = after && is !== undefined ? { ...after, created: after.created || '9999' } : null
  const isOtherAgain = Boolean(other && own && isBefore(own, other))
  if (after) after.is_reread = Boolean(other && own && !isOtherAgain)
  if (other) await storeReread(tx, other, isOtherAgain)
}

/** Marks the re-reads among a book's readings, to which some were moved. */
export async function remarkRereads(
  tx: LibraryTransaction,
  { user, book_key }: Pick<Stored<'readings'>, 'user' | 'book_key'>,
): Promise<void> {
  const finishes = named(await allFinishes(tx, { user, book_key }), finishColumns)
  const wrong = finishes.filter(({ is_reread }, place) => is_reread !== place > 0)
  for (const [at, finish] of wrong.entries()) {
    if (at) await setImmediate()
    await storeReread(tx, finish, !finish.is_reread)
  }
}

const isBefore = (a: Finish, b: Finish) => {
  const place = ({ finished, created, id }: Finish) => `${finished} ${created} ${id}`
  return place(a) < place(b)
}

const finishColumns = { id: text, finished: text, created: text, is_reread: flag }

/** The readings that finished a book, first one first. */
const finishes = (user: unknown, book_key: unknown) => sql`
  SELECT id, finished, created, is_reread FROM readings
  WHERE "user" = ${user} AND book_key = ${book_key} AND outcome = 'finished'`
const inOrder = sql`ORDER BY finished, created, id`

const allFinishes = prepared<Record<'user' | 'book_key', unknown>>(
  (value) => sql`${finishes(value('user'), value('book_key'))} ${inOrder}`,
)

/** The first of a book's finished readings besides the one named. */
export const firstOther = prepared<Record<'user' | 'book_key' | 'id', unknown>>(
  (value) => sql`${finishes(value('user'), value('book_key'))}
    AND id <> ${value('id')} ${inOrder} LIMIT 1`,
)

async function storeReread(
  tx: LibraryTransaction,
  { id, is_reread }: Finish,
  isAgain: boolean,
): Promise<void> {
  if (is_reread === isAgain) return
  await modify(
    tx,
    'readings',
    sql`UPDATE readings SET is_reread = ${sql.lit(isAgain)} WHERE id = ${id}`,
  )
}
