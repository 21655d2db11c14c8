import { beforeEach, expect, test } from 'vitest'
import type { Database } from '#records/index.ts'
import { addBook, addShelf, openFixture, type Reader, type Fixture } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { openCoReads, publicLibraries } from './public-shelves.ts'

describeMigratedDatabases('what ranks the catalogue', (open) => {
  let fixture: Fixture
  let database: Database
  const isbn = '9780141439471'

  beforeEach(async () => {
    database = await open()
    fixture = await openFixture(database)
    return () => fixture.close()
  })

  /** How many readers have each book, by ISBN-13. */
  async function publicReaders(): Promise<Map<string, number>> {
    const { isbns, readers } = await openCoReads(database).count()
    return new Map(Array.from(isbns, (each, n) => [String(each), readers[n] ?? 0]))
  }

  async function librariesOf(rowsAtOnce?: number): Promise<string[][]> {
    return (await Array.fromAsync(publicLibraries(database, rowsAtOnce))).flat()
  }

  async function shelved(name: string, visibility: 'public' | 'private'): Promise<Reader> {
    const reader = await fixture.reader(name)
    const shelf = await addShelf(reader, `Shelf of ${name}`, visibility)
    await addBook(reader, shelf.id, { title: 'Frankenstein', isbn })
    return reader
  }

  test('is how many readers have a book on a public shelf, each counted once', async () => {
    const first = await shelved('first', 'public')
    const again = await addShelf(first, 'Another shelf', 'public')
    await addBook(first, again.id, { title: 'Frankenstein', isbn: '0141439475' })
    await shelved('second', 'public')
    expect((await publicReaders()).get(isbn)).toBe(2)
  })

  test('is not what stands on a private shelf', async () => {
    await shelved('secret', 'private')
    expect(await publicReaders()).toEqual(new Map())
  })

  test('is not what a reader has whom the operator hides', async () => {
    const reader = await shelved('moderated', 'public')
    const shelf = await addShelf(reader, 'Another shelf', 'public')
    await addBook(reader, shelf.id, { title: 'Emma', isbn: '9780141439587' })
    expect(await librariesOf()).toHaveLength(1)
    await database.transaction((tx) => tx.query(`UPDATE settings SET "isHidden" = TRUE`))
    expect(await publicReaders()).toEqual(new Map())
    expect(await librariesOf()).toEqual([])
  })

  test('is the same however many rows are read at once', async () => {
    const isbns = [isbn, '9780141439518', '9780141439587', '9780141439846', '9780141441146']
    for (const name of ['first', 'second']) {
      const reader = await shelved(name, 'public')
      const shelf = await addShelf(reader, 'Another shelf', 'public')
      for (const each of isbns) await addBook(reader, shelf.id, { title: each, isbn: each })
      await addBook(reader, shelf.id, { title: 'A letter without a number' })
    }
    expect(await publicReaders()).toEqual(new Map(isbns.map((each) => [each, 2])))
    for (const rowsAtOnce of [1, 2, 500]) {
      const libraries = await librariesOf(rowsAtOnce)
      expect(libraries.map((books) => books.toSorted())).toEqual([isbns, isbns])
    }
  })

  test('is not what a reader with a private profile has', async () => {
    const reader = await shelved('hidden', 'public')
    expect((await publicReaders()).get(isbn)).toBe(1)
    const [settings] = await reader.client.collection('settings').getFullList()
    await reader.client.collection('settings').update(settings?.id ?? '', { isPrivate: true })
    expect(await publicReaders()).toEqual(new Map())
  })
})
