import { beforeAll, expect, test } from 'vitest'
import { addBook, addShelf, openFixture, type Fixture, type Reader } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { rejection } from '#tests/wire/fixture.ts'
import type { UserBook } from '#shared/user-book.ts'

/** Texts of which nothing can be seen: zero width, soft hyphens, selectors, fillers, marks of direction. */
const invisible = ['\u200B', '\u200D', '\u00AD\u00AD', '\uFE0F', '\u3164', '\u2800', ' \u202E ']

const koreader = { kind: 'koreader' }
const epub = { format: 'ebook', template: 'https://store.example/{isbn13}' }

describeMigratedDatabases('a name that can’t be seen', (open) => {
  let fixture: Fixture
  let reader: Reader
  let shelf: string
  let book: UserBook

  beforeAll(async () => {
    fixture = await openFixture(await open())
    reader = await fixture.reader('lamplight')
    shelf = (await addShelf(reader, 'Shelf')).id
    book = await addBook(reader, shelf, { title: 'Emma' })
    return () => fixture.close()
  })

  /** @returns the fields that are refused */
  const refused = async (attempt: Promise<unknown>) => {
    const { status, response } = await rejection(attempt)
    expect(status).toBe(400)
    return Object.keys(response['data'] as object)
  }
  const settings = () => reader.client.collection('settings').getFirstListItem('')

  const makers: Record<string, [field: string, (name: string) => Promise<unknown>]> = {
    shelf: [
      'name',
      (name) =>
        reader.client
          .collection('bookshelves')
          .create({ name: name.repeat(4), visibility: 'public' }),
    ],
    token: [
      'name',
      (name) => reader.client.collection('api_tokens').create({ name, scope: 'read' }),
    ],
    connection: [
      'name',
      (name) => reader.client.collection('connections').create({ name, ...koreader }),
    ],
    store: [
      'stores',
      async (name) =>
        reader.client
          .collection('settings')
          .update((await settings()).id, { stores: [{ name, ...epub }] }),
    ],
    title: ['title', (title) => addBook(reader, shelf, { title })],
    author: ['authors', (name) => addBook(reader, shelf, { title: 'Emma', authors: [name] })],
    quote: [
      'text',
      (text) => reader.client.collection('quotes').create({ book_key: book.book_key, text }),
    ],
  }

  test.each(Object.entries(makers))('is refused for a %s', async (_, [field, make]) => {
    for (const name of invisible) expect([name, await refused(make(name))]).toEqual([name, [field]])
    await make('👩‍🚀 می‌خواهم')
  })

  test.each(['api_tokens', 'connections', 'bookshelves'])(
    'is refused in a change of %s',
    async (collection) => {
      const [first] = await reader.client.collection(collection).getFullList()
      const change = { name: '\u200B'.repeat(5) }
      const attempt = reader.client.collection(collection).update(first!.id, change)
      expect(await refused(attempt)).toEqual(['name'])
    },
  )

  test('leaves a series, tags and a reader’s name as if nothing was sent', async () => {
    const sent = { series: '\u200B', tags: ['\u200D', 'kept', '\u2800'] }
    const changed = await reader.client.collection('user_books').update<UserBook>(book.id, sent)
    expect(changed).toMatchObject({ series: '', tags: ['kept'] })
    const users = reader.client.collection('users')
    const { name } = await users.getOne<{ name: string }>(reader.id)
    expect(await users.update(reader.id, { name: '\u200D' })).toMatchObject({ name })
  })
})
