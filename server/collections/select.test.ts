import { sql } from 'kysely'
import { beforeEach, expect, expectTypeOf, test } from 'vitest'
import type { Database } from '#records/index.ts'
import { query } from '#server/storage/query.ts'
import { addBook, addShelf, openFixture } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { columnsOf, selectBy, type FieldName } from './select.ts'

describeMigratedDatabases('fields of records', (open) => {
  let database: Database
  let shelf: string

  beforeEach(async () => {
    database = await open()
    const fixture = await openFixture(database)
    const reader = await fixture.reader('reader')
    shelf = (await addShelf(reader, 'Next')).id
    await addBook(reader, shelf, { title: 'Emma', authors: ['Jane Austen'], page_count: 474 })
    await addBook(reader, shelf, { title: 'Persuasion', authors: ['Jane Austen'], isPrivate: true })
    return () => fixture.close()
  })

  test('have the types that their collection declares', async () => {
    const byShelf = selectBy(
      'user_books',
      ['title', 'authors', 'page_count', 'isPrivate'],
      ['shelf', 'authors'],
      sql`ORDER BY title`,
    )
    const authors = ['Jane Austen']
    expect(await byShelf(database, { shelf, authors })).toEqual([
      { title: 'Emma', authors, page_count: 474, isPrivate: false },
      { title: 'Persuasion', authors, page_count: 0, isPrivate: true },
    ])
    expect(await byShelf(database, { shelf, authors: [] })).toEqual([])
  })

  test('are read by any statement that selects them in this order', async () => {
    const rows = await query(
      database,
      sql`SELECT b.title, b."isPrivate", s.name FROM user_books b
        JOIN bookshelves s ON s.id = b.shelf ORDER BY b.title LIMIT 1`,
      { ...columnsOf('user_books', 'title', 'isPrivate'), ...columnsOf('bookshelves', 'name') },
    )
    expect(rows).toEqual([{ title: 'Emma', isPrivate: false, name: 'Next' }])
  })
})

test('a name that the collection doesn’t declare doesn’t compile', () => {
  const byShelf = selectBy('user_books', ['title', 'page_count'], ['shelf'])
  expectTypeOf<'title'>().toExtend<FieldName<'user_books'>>()
  expectTypeOf<'tilte'>().not.toExtend<FieldName<'user_books'>>()
  expect(() => columnsOf('user_books', 'tilte' as 'title')).toThrow('user_books has no field tilte')
  expectTypeOf(byShelf).parameter(1).toEqualTypeOf<{ shelf: string }>()
  expectTypeOf(byShelf).returns.resolves.toEqualTypeOf<{ title: string; page_count: number }[]>()
})
