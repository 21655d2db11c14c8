import { beforeEach, expect, test } from 'vitest'
import type { Database } from '#records/index.ts'
import { migrate, migrations } from '#server/migrations/migrate.ts'
import { schema } from '#server/collections/schema.ts'
import { listReaders } from './directory.ts'
import { findOwnBooks } from './own-books.ts'
import { addBook, addShelf, openFixture, type Fixture, type Reader } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'

describeMigratedDatabases('titles and names', (open) => {
  let database: Database
  let fixture: Fixture
  let reader: Reader

  beforeEach(async () => {
    database = await open()
    fixture = await openFixture(database)
    reader = await fixture.reader('reader')
    return () => fixture.close()
  })

  async function shelved(...books: { title: string; authors?: string[]; isbn?: string }[]) {
    const { id } = await addShelf(reader, 'Shelf')
    for (const book of books) await addBook(reader, id, book)
  }

  const listed = async (options: { sort?: string; filter?: string }) => {
    const books = await reader.client.collection('user_books').getFullList(options)
    return books.map((book) => String(book['title']))
  }

  test('sort like in a dictionary, numbers by their value', async () => {
    const titles = ['Zorro', 'apple', 'zebra', 'Éclair', 'Part 10', 'Part 9']
    await shelved(...titles.map((title) => ({ title })))
    const sorted = ['apple', 'Éclair', 'Part 9', 'Part 10', 'zebra', 'Zorro']
    expect(await listed({ sort: 'title' })).toEqual(sorted)
    expect(await listed({ sort: '-title' })).toEqual(sorted.toReversed())
  })

  test('sort by their new text after a change', async () => {
    await shelved({ title: 'Alpha' }, { title: 'Beta' })
    const books = reader.client.collection('user_books')
    const { id } = await books.getFirstListItem('title = "Alpha"')
    await books.update(id, { title: 'zeta' })
    expect(await listed({ sort: 'title' })).toEqual(['Beta', 'zeta'])
  })

  test('sort by authors and by shelf', async () => {
    await shelved(
      { title: '1', authors: ['Zola'] },
      { title: '2', authors: ['Émile Ajar'] },
      { title: '3', authors: ['emily bronte'] },
    )
    expect(await listed({ sort: 'authors' })).toEqual(['2', '3', '1'])
    await addShelf(reader, 'ärger')
    await addShelf(reader, 'Zoos')
    const shelves = await reader.client.collection('bookshelves').getFullList({ sort: 'name' })
    expect(shelves.map((shelf) => String(shelf['name']))).toEqual(['ärger', 'Shelf', 'Zoos'])
    expect(await listed({ sort: 'shelf.name,title' })).toEqual(['1', '2', '3'])
  })

  test('sort readers by username, in the directory and on the wire', async () => {
    const others = [await fixture.reader('one'), await fixture.reader('other'), reader]
    for (const [i, username] of ['ann10', 'ann9', 'reader'].entries())
      await others[i]!.client.collection('users').update(others[i]!.id, { username })
    const { items } = await listReaders(database, { q: '', sort: 'a-z', page: 1 }, '')
    expect(items.map(({ username }) => username)).toEqual(['ann9', 'ann10', 'reader'])
    for (const name of ['users', 'profile']) {
      const found = await reader.client.collection(name).getFullList({ sort: 'username' })
      expect(found.map((one) => String(one['username']))).toEqual(['ann9', 'ann10', 'reader'])
    }
  })

  test.for([
    ['title', 'les miserables', 'Les Misérables'],
    ['title', 'old mans war', 'Old Man’s War'],
    ['title', 'miser', 'Les Misérables'],
    ['authors', 'bronte', 'Villette'],
    ['genres', 'comédie', 'Les Misérables'],
  ])('%s are filtered as search finds them: %s', async ([field, text, title]) => {
    await shelved(
      { title: 'Les Misérables', genres: ['Comedie'] } as { title: string },
      { title: 'Old Man’s War' },
      { title: 'Villette', authors: ['Charlotte Brontë'] },
    )
    expect(await listed({ filter: `${field}:folded ~ "${text}"` })).toEqual([title])
    expect(await listed({ filter: `${field}:folded !~ "${text}"` })).not.toContain(title)
  })

  test('tags are filtered whole, in any spelling', async () => {
    const tagged = (title: string, ...tags: string[]) => ({ title, tags }) as { title: string }
    await shelved(
      tagged('Dune', 'Sci-Fi', 'sand'),
      tagged('Emma', 'sci fi'),
      tagged('Dracula', 'Sci-Fi horror'),
      tagged('Persuasion'),
    )
    const found = async (tag: string) =>
      (await listed({ filter: `tags:folded ~ "${tag}"` })).toSorted()
    expect(await found('SCI FI')).toEqual(['Dune', 'Emma'])
    expect(await found('Sand')).toEqual(['Dune'])
    expect(await found('sci')).toEqual([])
    const books = reader.client.collection('user_books')
    const { id } = await books.getFirstListItem('title = "Emma"')
    await books.update(id, { tags: ['quiet'] })
    expect(await found('sci-fi')).toEqual(['Dune'])
    expect(await found('Quiet')).toEqual(['Emma'])
  })

  test('a filter refuses to fold what has no words, and other comparisons', async () => {
    await shelved({ title: 'Emma' })
    for (const filter of ['isbn:folded ~ "1"', 'title:folded = "emma"', 'title_words ~ "emma"'])
      await expect(listed({ filter })).rejects.toMatchObject({ status: 400 })
    await expect(listed({ sort: 'title_key' })).rejects.toMatchObject({ status: 400 })
    const [book] = await reader.client.collection('user_books').getFullList()
    expect(Object.keys(book!).filter((name) => /_(?:keys?|words)$/.test(name))).toEqual([
      'book_key',
    ])
  })

  test.for(['9780141439587', '0141439580', '978-0-14-143958-7'])(
    'a book is found by its ISBN in either length: %s',
    async (isbn) => {
      await shelved({ title: 'Emma', isbn: '0141439580' }, { title: 'Ulysses' })
      const found = await findOwnBooks(database, reader.id, isbn, 3)
      expect(found.map(({ title }) => title)).toEqual(['Emma'])
    },
  )

  test('a client cannot set them', async () => {
    await shelved({ title: 'Emma' })
    const books = reader.client.collection('user_books')
    const { id } = await books.getFirstListItem('')
    await books.update(id, { title_key: 'zzz', title_words: ' zzz' })
    expect(await listed({ filter: 'title:folded ~ "zzz"' })).toEqual([])
    expect(await listed({ filter: 'title:folded ~ "emma"' })).toEqual(['Emma'])
  })
})

describeMigratedDatabases('a library from before there were keys', (open) => {
  test('gets them when it is upgraded', async () => {
    const database = await open()
    const fixture = await openFixture(database)
    const reader = await fixture.reader('reader')
    const { id } = await addShelf(reader, 'Shelf')
    for (let i = 0; i < 30; i++)
      await addBook(reader, id, { title: `Part ${i}`, authors: ['Ümit'] })
    const keys = schema.get('user_books').fields.filter((f) => f.type === 'text' && f.derived)
    const read = () =>
      database.query(
        `SELECT id, ${keys.map(({ name }) => name).join()} FROM user_books ORDER BY id`,
      )
    const filled = await read()
    await fixture.close()
    await database.transaction((tx) =>
      tx.query(`UPDATE user_books SET ${keys.map(({ name }) => `${name} = ''`).join()}`),
    )
    expect(await read()).not.toEqual(filled)
    const step = migrations.find(({ name }) => name === 'derived-texts')!
    await database.transaction(async (tx) => step.fill!(tx, () => undefined))
    expect(await read()).toEqual(filled)
    await migrate(database)
  })
})
