/** Random readers' libraries, and what each reader may see of them: an oracle that knows no SQL. */

import fc from 'fast-check'
import type { Database } from '#records/index.ts'
import { insertRow } from '#records/write/rows.ts'
import { fillDerived } from '#records/schema/auto-fields.ts'
import { zeroValue } from '#records/schema/values.ts'
import { schema } from '#server/collections/schema.ts'
import { countWorks } from '#server/migrations/0041-work-readers.ts'
import { countBookTotals } from '#server/migrations/0025-book-totals.ts'
import type { Reader } from './fixture.ts'

export const collections = [
  'users',
  'profile',
  'settings',
  'subscriptions',
  'bookshelves',
  'user_books',
  'activities',
] as const
export type CollectionName = (typeof collections)[number]

export type AnyRecord = { id: string } & Record<string, unknown>
/** Every record there is; `profile` is what `users` is. */
export type Rows = Record<CollectionName, AnyRecord[]>

export const words = ['ash', 'birch', 'cedar'] as const
const word = fc.constantFrom(...words)
const someone = fc.nat(3)
const one = (of: number) => fc.nat(of - 1)

/** A library of four readers. Books lie on shelves of their own reader. */
export const library = fc.record({
  // null: there are no settings at all.
  settings: fc.tuple(...[0, 1, 2, 3].map(() => fc.constantFrom(false, false, true, null))),
  subscriptions: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  shelves: fc.array(fc.record({ user: someone, isPublic: fc.boolean(), word }), {
    minLength: 5,
    maxLength: 8,
  }),
  books: fc.array(
    fc.record({
      shelf: one(8),
      word,
      rating: fc.integer({ min: 1, max: 10 }),
      isPrivate: fc.constantFrom(false, false, true),
    }),
    {
      minLength: 6,
      maxLength: 12,
    },
  ),
  activities: fc.array(
    fc.record({
      book: one(12),
      isPrivate: fc.boolean(),
      lost: fc.constantFrom('', '', '', 'book', 'shelf'),
    }),
    { minLength: 6, maxLength: 10 },
  ),
})
export type Library = typeof library extends fc.Arbitrary<infer T> ? T : never

/** Every text of a record holds its id, so that a trace of the record is found by its id. */
export function rowsOf(plan: Library, readers: readonly Reader[]): Rows {
  const id = (kind: string, i: number) => `${kind}${String(i).padStart(15 - kind.length, '0')}`
  const readerId = (i: number) => readers[i]!.id
  const shelves = plan.shelves.map(({ user, isPublic, word }, i): AnyRecord => ({
    id: id('shelf', i),
    user: readerId(user),
    name: `${word} ${id('shelf', i)}`,
    visibility: isPublic ? 'public' : 'private',
  }))
  const books = plan.books.map(({ shelf, word, rating, isPrivate }, i): AnyRecord => {
    const on = shelves[shelf % shelves.length]!
    const title = `${word} ${id('book', i)}`
    return {
      id: id('book', i),
      user: on.user,
      shelf: on.id,
      title,
      rating,
      status: 'reading',
      book_key: title,
      isPrivate,
      authors: [],
      genres: [],
      images: [],
      tags: [],
    }
  })
  const activities = plan.activities.map(({ book, isPrivate, lost }, i): AnyRecord => {
    const { id: bookId, user, shelf, title } = books[book % books.length]!
    const data = { title, shelf: `on ${String(shelf)}`, of: id('act', i) }
    return {
      id: id('act', i),
      event_type: 'reading',
      user,
      book: lost === 'book' ? '' : bookId,
      shelf: lost === 'shelf' ? '' : shelf,
      isPrivate,
      data,
    }
  })
  const users = readers.map(({ id, username }): AnyRecord => ({ id, username }))
  return {
    users,
    profile: users,
    settings: plan.settings.flatMap((isPrivate, i) =>
      isPrivate === null ? [] : [{ id: id('set', i), user: readerId(i), isPrivate }],
    ),
    subscriptions: plan.subscriptions.flatMap((has, i) =>
      has ? [{ id: id('sub', i), user: readerId(i), status: 'active' }] : [],
    ),
    bookshelves: shelves,
    user_books: books,
    activities,
  }
}

/** Puts the rows in the place of all there were, as they are. */
export async function replaceRows(database: Database, rows: Rows): Promise<void> {
  await database.transaction(async (tx) => {
    for (const name of collections) {
      if (name === 'users' || name === 'profile') continue
      await tx.query(`DELETE FROM ${name}`)
      const collection = schema.get(name)
      const zeros = Object.fromEntries(collection.fields.map((f) => [f.name, zeroValue(f)]))
      for (const item of rows[name]) {
        const record = { ...zeros, ...item }
        fillDerived(collection, record)
        await insertRow(tx, collection, record)
      }
    }
    for (const table of [
      'book_totals',
      'tag_totals',
      'tag_key_totals',
      'work_readers',
      'work_totals',
    ])
      await tx.query(`DELETE FROM ${table}`)
    for (const statement of [...countBookTotals(database.dialect.name), ...countWorks])
      await tx.query(statement)
  })
}

/** What a viewer may see: the predicates of the access rules, said once more. */
export function visibleTo(rows: Rows, viewer: string) {
  const find = (name: CollectionName, id: unknown) => rows[name].find((item) => item.id === id)
  const isOpen = (user: unknown) =>
    rows.settings.some((settings) => settings['user'] === user && settings['isPrivate'] === false)
  const isOpenShelf = (id: unknown) => find('bookshelves', id)?.['visibility'] === 'public'

  function sees(name: CollectionName, item: AnyRecord): boolean {
    if (name === 'users' || name === 'profile') return item.id === viewer || isOpen(item.id)
    if (item['user'] === viewer) return true
    if (!isOpen(item['user'])) return false
    if (name === 'bookshelves') return isOpenShelf(item.id)
    if (name === 'user_books') return item['isPrivate'] === false && isOpenShelf(item['shelf'])
    return (
      name === 'activities' &&
      item['isPrivate'] === false &&
      isOpenShelf(item['shelf']) &&
      find('user_books', item['book'])?.['isPrivate'] === false &&
      isOpenShelf(find('user_books', item['book'])?.['shelf'])
    )
  }
  return {
    viewer,
    sees,
    all: (name: CollectionName) => rows[name].filter((item) => sees(name, item)),
    /** What a relation leads to, as far as it may be seen. */
    one: (name: CollectionName, id: unknown) =>
      rows[name].find((item) => item.id === id && sees(name, item)),
    /** What names a record, as far as it may be seen. */
    via: (name: CollectionName, field: string, id: string) =>
      rows[name].filter((item) => item[field] === id && sees(name, item)),
  }
}
export type Visibility = ReturnType<typeof visibleTo>

/** The ids of what leaves no trace in any answer to this viewer. */
export function hiddenIds(rows: Rows, { sees }: Visibility): string[] {
  return collections.flatMap((name) =>
    rows[name].filter((item) => !sees(name, item)).map((item) => item.id),
  )
}
