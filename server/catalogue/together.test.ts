import { beforeEach, expect, test } from 'vitest'
import type { Database } from '#records/index.ts'
import { addBook, addShelf, openWorld, type Reader, type World } from '#tests/access/world.ts'
import { describeDatabases } from '#tests/databases.ts'
import { openTogether, publicLibraries } from './public-shelves.ts'

const frankenstein = '9780141439471'
const dracula = '9780141439846'
const emma = '9780141439587'

describeDatabases('what readers shelve together', (open) => {
  let world: World
  let database: Database

  beforeEach(async () => {
    database = await open()
    world = await openWorld(database)
    return () => world.close()
  })

  async function reader(
    name: string,
    isbns: string[],
    visibility: 'public' | 'private' = 'public',
  ) {
    const made = await world.reader(name)
    const shelf = await addShelf(made, `Shelf of ${name}`, visibility)
    for (const isbn of isbns) await addBook(made, shelf.id, { title: isbn, isbn })
    return made
  }

  async function near(isbn: string) {
    const together = openTogether(database)
    await together.count()
    return together.with(isbn)
  }

  async function hide(of: Reader): Promise<void> {
    const [settings] = await of.client.collection('settings').getFullList()
    await of.client.collection('settings').update(settings?.id ?? '', { isPrivate: true })
  }

  test('is what two of them or more have on public shelves', async () => {
    await reader('first', [frankenstein, dracula, emma])
    await reader('second', [frankenstein, dracula])
    expect(await near(frankenstein)).toEqual([{ isbn13: dracula, readers: 2 }])
    expect(await near(emma)).toEqual([])
  })

  test('is not what stands on a private shelf, whoever else has it', async () => {
    await reader('first', [frankenstein, dracula])
    const secret = await reader('secret', [frankenstein, dracula], 'private')
    expect(await near(frankenstein)).toEqual([])
    const shelf = await addShelf(secret, 'Shown to all', 'public')
    await addBook(secret, shelf.id, { title: 'Frankenstein', isbn: frankenstein })
    expect(await near(frankenstein)).toEqual([])
  })

  test('is not what a reader with a private profile has, and changes with the profile', async () => {
    await reader('first', [frankenstein, dracula])
    const hidden = await reader('hidden', [frankenstein, dracula])
    expect(await near(frankenstein)).toHaveLength(1)
    await hide(hidden)
    expect(await near(frankenstein)).toEqual([])
    expect(await publicLibraries(database)).toHaveLength(1)
  })
})
