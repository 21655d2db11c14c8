import { beforeEach, expect, test } from 'vitest'
import type { Database } from '#records/index.ts'
import { addBook, addShelf, openWorld, type Reader, type World } from '#tests/access/world.ts'
import { describeDatabases } from '#tests/databases.ts'
import { publicReaders } from './public-shelves.ts'

describeDatabases('what ranks the catalogue', (open) => {
  let world: World
  let database: Database
  const isbn = '9780141439471'

  beforeEach(async () => {
    database = await open()
    world = await openWorld(database)
    return () => world.close()
  })

  async function shelved(name: string, visibility: 'public' | 'private'): Promise<Reader> {
    const reader = await world.reader(name)
    const shelf = await addShelf(reader, `Shelf of ${name}`, visibility)
    await addBook(reader, shelf.id, { title: 'Frankenstein', isbn })
    return reader
  }

  test('is how many readers have a book on a public shelf, each counted once', async () => {
    const first = await shelved('first', 'public')
    const again = await addShelf(first, 'Another shelf', 'public')
    await addBook(first, again.id, { title: 'Frankenstein', isbn: '0141439475' })
    await shelved('second', 'public')
    expect((await publicReaders(database)).get(isbn)).toBe(2)
  })

  test('is not what stands on a private shelf', async () => {
    await shelved('secret', 'private')
    expect(await publicReaders(database)).toEqual(new Map())
  })

  test('is not what a reader with a private profile has', async () => {
    const reader = await shelved('hidden', 'public')
    expect((await publicReaders(database)).get(isbn)).toBe(1)
    const [settings] = await reader.client.collection('settings').getFullList()
    await reader.client.collection('settings').update(settings?.id ?? '', { isPrivate: true })
    expect(await publicReaders(database)).toEqual(new Map())
  })
})
