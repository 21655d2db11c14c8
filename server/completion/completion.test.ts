import { afterAll, beforeEach, expect, test } from 'vitest'
import type { UserBook } from '#shared/user-book.ts'
import {
  addBook,
  addShelf,
  askAs,
  openFixture,
  type Fixture,
  type Reader,
} from '#tests/access/fixture.ts'
import { openCatalogues } from '#tests/catalogues.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { dump, goodreadsHeader, useImports } from '#tests/imports.ts'
import { openFreshSources, openStarter } from '#tests/open-starter.ts'
import { SourceQueue } from '#server/library/completion-queue.ts'
import { completeAll } from './runner.ts'

const sites = await openCatalogues()
afterAll(() => sites.close())
const { catalogue: starter } = await openStarter()
const openOutside = await openFreshSources({
  sources: ['openlibrary', 'google'],
  openLibraryUrl: sites.openLibraryUrl,
  googleBooksUrl: sites.googleBooksUrl,
})
let outside = openOutside()
beforeEach(async () => {
  await outside.close()
  outside = openOutside()
})
afterAll(() => outside.close())
/** Without what it learns, so that each test finds it as new. */
const withGoogle: typeof outside = {
  ...outside,
  named: (books) => starter.named(books),
  editionsFrom: (...asked) => outside.editionsFrom(...asked),
  namedFrom: (...asked) => outside.namedFrom(...asked),
}
const catalogue: typeof outside = { ...withGoogle, sources: withGoogle.sources.slice(0, 1) }

const night = {
  title: 'The Night Ferry to Umbra',
  authors: ['Ilse Marrow'],
  isbn: '9781861972712',
}
const [pride, emma] = ['9780141439518', '9780141439587'] as const
const path = '/api/v1/account/completion'

describeMigratedDatabases('books that lack something', (open) => {
  let fixture: Fixture
  let reader: Reader
  let shelf: string

  beforeEach(async () => {
    sites.behave('openlibrary', 'fine')
    sites.behave('google', 'fine')
    sites.asked.length = 0
    fixture = await openFixture(await open())
    reader = await fixture.reader('reader')
    shelf = (await addShelf(reader, 'Ferries')).id
    return () => fixture.close()
  })

  const add = (book: Partial<UserBook> & { title: string }, on = shelf) =>
    addBook(reader, on, { status: 'planning', ...book })
  const get = ({ id }: UserBook) => reader.client.collection('user_books').getOne<UserBook>(id)
  const complete = (ahead = 0, from = catalogue) =>
    completeAll({ ...fixture, catalogue: from }, () => Date.now() + ahead)
  const state = async (who: Reader | undefined = reader, query = '', method = 'GET') => {
    const { status, text } = await askAs(fixture, who, method, path + query)
    return { status, data: (JSON.parse(text) as { data: unknown }).data }
  }
  const waiting = (count: number) => ({
    status: 200,
    data: expect.objectContaining({ waiting: count }),
  })
  const requests = (to: string) => sites.asked.filter((asked) => asked.startsWith(to))

  test('are completed on every shelf, and nobody is told', async () => {
    const other = await addShelf(reader, 'Rivers')
    const books = [await add(night), await add(night, other.id)]
    const activities = () => reader.client.collection('activities').getFullList()
    const before = await activities()
    expect(await state()).toEqual(waiting(1))
    await complete(0, withGoogle)
    for (const book of books)
      expect(await get(book)).toEqual({
        ...book,
        images: ['https://covers.openlibrary.org/b/id/777-L.jpg'],
        genres: ['Rivers'],
        description: 'A ferryman counts his passengers twice.\n\nOne night the count "fails"',
        page_count: 312,
        language: 'eng',
        published: '2019-03-05',
        completed: {
          images: { source: 'openlibrary' },
          genres: { source: 'openlibrary' },
          page_count: { source: 'openlibrary' },
          language: { source: 'openlibrary' },
          published: { source: 'openlibrary' },
          description: { source: 'google' },
        },
      })
    expect(await activities()).toEqual(before)
    expect(await state()).toEqual(waiting(0))
    const [link] = await reader.client.collection('bookshelves').getFullList({ sort: 'created' })
    expect(link!['covers']).toEqual(['https://covers.openlibrary.org/b/id/777-L.jpg'])
  })

  test('are first looked up here, and many at once elsewhere', async () => {
    const known = await add({ title: 'Pride and Prejudice', authors: ['Jane Austen'], isbn: pride })
    await add({ title: 'A Volume of Nothing', isbn: isbnOf(1) })
    await add(night)
    await complete()
    expect(await get(known)).toMatchObject({
      language: 'eng',
      completed: { language: { source: 'catalogue' } },
    })
    const asked = requests('/api/books').map((url) => new URL(url, sites.openLibraryUrl))
    const commands = asked.map(({ searchParams }) => String(searchParams.get('jscmd')))
    expect(commands.toSorted()).toEqual(['data', 'details'])
    const keys = asked[0]!.searchParams.get('bibkeys')!.split(',')
    expect(keys).toEqual(expect.arrayContaining([`ISBN:${night.isbn}`, `ISBN:${isbnOf(1)}`]))
  })

  test('keep what their reader entered, before and after', async () => {
    const given = { genres: ['Mine'], page_count: 300, description: 'Mine', language: 'fre' }
    const book = await add({ ...night, ...given })
    await complete()
    const filled = await get(book)
    expect(filled).toMatchObject({ ...given, published: '2019-03-05' })
    expect(Object.keys(filled.completed!).toSorted()).toEqual(['images', 'published'])
    const changed = await reader.client
      .collection('user_books')
      .update<UserBook>(book.id, { published: '2018' })
    expect(Object.keys(changed.completed!)).toEqual(['images'])
    await reader.client.collection('user_books').update(book.id, { images: [] })
    expect((await get(book)).completed).toBeNull()
  })

  test.each([
    { status: 'reading', progress: 400 },
    { status: 'reading', progress_percent: 40 },
  ] as const)('get no length that changes the position %j', async (position) => {
    const book = await add({ ...night, ...position })
    await complete()
    expect(await get(book)).toMatchObject({ ...position, page_count: 0, language: 'eng' })
  })

  test('get nothing of another book with their ISBN', async () => {
    const book = await add({ ...night, title: 'Quite Another Book' })
    await complete()
    expect(await get(book)).toEqual(book)
    expect(await state()).toEqual(waiting(0))
  })

  test('are found by title and author without an ISBN, in another edition', async () => {
    const { isbn: _, ...named } = night
    const ferry = await add(named)
    const known = await add({ title: 'Pride and Prejudice', authors: ['Austen, Jane'] })
    await complete(0, withGoogle)
    expect(await get(ferry)).toEqual({
      ...ferry,
      images: ['https://covers.openlibrary.org/b/id/777-L.jpg'],
      genres: ['Ferries', 'Rivers'],
      description: 'A ferryman counts his passengers twice.\n\nOne night the count "fails"',
      language: 'eng',
      completed: {
        images: { source: 'openlibrary' },
        genres: { source: 'openlibrary' },
        language: { source: 'openlibrary' },
        description: { source: 'google' },
      },
    })
    expect(await get(known)).toMatchObject({
      language: 'eng',
      page_count: 0,
      published: '',
      completed: { language: { source: 'catalogue' } },
    })
    expect(await state()).toEqual(waiting(0))
  })

  test.each([
    { title: 'The Night Ferry to Umbra', authors: ['Zoe Else'] },
    { title: 'The Night Ferry', authors: ['Ilse Marrow'] },
    { title: 'The Night Ferry to Umbra, Vol. 2', authors: ['Ilse Marrow'] },
    { title: 'The Night Ferry to Umbra (Graphic Novel)', authors: ['Ilse Marrow'] },
    { title: 'The Night Ferry to Umbra', authors: [] },
  ])('without an ISBN get nothing if it isn’t surely theirs: %j', async (named) => {
    const book = await add(named)
    await complete(0, withGoogle)
    expect(await get(book)).toEqual(book)
    expect(await state()).toEqual(waiting(0))
  })

  test('wait for a source that doesn’t answer', async () => {
    const book = await add(night)
    sites.behave('openlibrary', 'quota')
    await complete()
    expect(await get(book)).toEqual(book)
    await complete()
    expect(requests('/api/books')).toHaveLength(2)
    expect(await state()).toEqual(waiting(1))
    sites.behave('openlibrary', 'fine')
    await complete(61_000)
    expect(await get(book)).toMatchObject({ page_count: 312 })
  })

  test('are taken over from a clock that was days ahead', async () => {
    const book = await add(night)
    const queue = new SourceQueue(fixture.database, 'catalogue')
    expect(await queue.claim(20, Date.now() + 3 * 86_400_000)).toHaveLength(1)
    await complete()
    expect(await get(book)).toMatchObject({ page_count: 312 })
  })

  test('without an ISBN wait, too', async () => {
    const { isbn: _, ...named } = night
    const book = await add(named)
    sites.behave('openlibrary', 'quota')
    await complete()
    expect([await get(book), await state()]).toEqual([book, waiting(1)])
    sites.behave('openlibrary', 'fine')
    await complete(61_000)
    expect(await get(book)).toMatchObject({ language: 'eng' })
  })

  test('go on to the next source once one has failed five times, each after a longer pause', async () => {
    const book = await add(night)
    const asked: string[] = []
    const failing: typeof catalogue = {
      ...withGoogle,
      editionsFrom: async (source, isbns) => {
        asked.push(source)
        if (source === 'openlibrary') throw new Error('down')
        return outside.editionsFrom(source, isbns)
      },
    }
    const counts: number[] = []
    // After one minute, four, sixteen and sixty-four.
    for (const minutes of [0, 0.5, 1.5, 5, 6, 20, 23, 80, 90]) {
      await completeAll({ ...fixture, catalogue: failing }, () => Date.now() + minutes * 60_000)
      counts.push(asked.length)
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 6])
    expect(asked).toEqual([...Array<string>(5).fill('openlibrary'), 'google'])
    expect(await get(book)).toMatchObject({ completed: { images: { source: 'google' } } })
    expect(await state()).toEqual(waiting(0))
  })

  test('are taken in turn from the readers, however many one of them has', async () => {
    const other = await fixture.reader('other')
    for (const title of ['Emma', 'Persuasion', 'Sanditon']) await add({ ...night, title, isbn: '' })
    const { id } = await addShelf(other, 'Rivers')
    await addBook(other, id, { status: 'planning', title: 'Emma', authors: ['Jane Austen'] })
    const queue = new SourceQueue(fixture.database, 'catalogue')
    const readers: string[] = []
    for (let n = 0; n < 4; n++)
      readers.push(...(await queue.claim(1, Date.now())).map(({ user }) => user))
    expect(readers.toSorted()).toEqual([reader.id, reader.id, reader.id, other.id].toSorted())
    expect(new Set(readers.slice(0, 2))).toEqual(new Set([reader.id, other.id]))
  })

  test('are asked about once by several processes', async () => {
    const isbns = Array.from({ length: 45 }, (_, n) => isbnOf(n))
    for (const isbn of isbns) await add({ title: `Volume ${isbn}`, isbn })
    const asked: string[] = []
    const counting: typeof catalogue = {
      ...catalogue,
      sources: [{ name: 'openlibrary', isbnsAtOnce: 20 }],
      editionsFrom: async (_, some) => {
        asked.push(...some)
        return []
      },
    }
    const processes = [0, 1].map(() => completeAll({ ...fixture, catalogue: counting }))
    await Promise.all(processes)
    await completeAll({ ...fixture, catalogue: counting })
    expect(asked.toSorted()).toEqual(isbns.toSorted())
    expect(await state()).toEqual(waiting(0))
  })

  test('without an ISBN are asked about once, however slowly a source answers', async () => {
    const titles = Array.from({ length: 25 }, (_, n) => `The ${String(n)}th Ferry`)
    for (const title of titles) await add({ title, authors: ['Ilse Marrow'] })
    const asked: string[] = []
    let later = 0
    const completeInProcess = () =>
      completeAll({ ...fixture, catalogue: slow }, () => Date.now() + later)
    const slow: typeof catalogue = {
      ...catalogue,
      namedFrom: async (_, { title }) => {
        asked.push(title)
        if (asked.length <= 10) later += 5000
        // Another process looks for work in the middle.
        if (asked.length === 10) await completeInProcess()
        return []
      },
    }
    await completeInProcess()
    expect(asked.toSorted()).toEqual(titles.toSorted())
    expect(await state()).toEqual(waiting(0))
  })

  test('are taken over from a process that was killed', async () => {
    const book = await add(night)
    const queue = new SourceQueue(fixture.database, 'catalogue')
    expect(await queue.claim(20, Date.now())).toMatchObject([{ book_key: night.isbn }])
    await complete()
    expect(await get(book)).toEqual(book)
    await complete(61_000)
    expect(await get(book)).toMatchObject({ page_count: 312 })
  })

  test('stay as they are if their reader wants that', async () => {
    const book = await add(night)
    const settings = reader.client.collection('settings')
    const { id } = await settings.getFirstListItem(`user = "${reader.id}"`)
    await settings.update(id, { complete_books: 'off' })
    const later = await add({ title: 'Emma', isbn: emma })
    await complete()
    expect(sites.asked).toEqual([])
    expect([await get(book), await get(later)]).toEqual([book, later])
    expect(await state()).toEqual(waiting(0))
    await settings.update(id, { complete_books: '' })
    expect(await state(reader, '', 'POST')).toEqual(waiting(2))
    await complete()
    expect(await get(book)).toMatchObject({ page_count: 312 })
  })

  test('are counted for their reader alone', async () => {
    await add(night)
    const other = await fixture.reader('other')
    expect(await state(other)).toEqual(waiting(0))
    expect(await state(other, '', 'POST')).toEqual(waiting(0))
    for (const method of ['GET', 'POST'])
      expect((await askAs(fixture, undefined, method, path)).status).toBe(401)
    expect(await state()).toEqual(waiting(1))
  })

  test('show their facts to those who see them, and where these are from to their reader', async () => {
    const seen = await add(night)
    const secret = await add({ title: 'Secret', description: 'A ferryman, too', isPrivate: true })
    await complete(0, withGoogle)
    const other = await fixture.reader('other')
    for (const { client } of [other, { client: fixture.visitor() }]) {
      const books = client.collection('user_books')
      const filter = 'description ~ "ferryman"'
      const found = await books.getFullList<UserBook>({ filter })
      expect(found.map(({ id }) => id)).toEqual([seen.id])
      expect(found[0]).toMatchObject({ language: 'eng', published: '2019-03-05' })
      expect(found[0]).not.toHaveProperty('completed')
      await expect(books.getOne(secret.id)).rejects.toMatchObject({ status: 404 })
    }
    const asked = (client: Reader['client']) =>
      client.collection('user_books').getFullList({ filter: 'completed ~ "google"' })
    expect(await asked(other.client)).toEqual([])
    await expect(asked(fixture.visitor())).rejects.toMatchObject({ status: 400 })
    expect(await asked(reader.client)).toMatchObject([{ id: seen.id }])
    expect(await get(secret)).toMatchObject({ description: 'A ferryman, too' })
  })

  test('of a deleted account are forgotten', async () => {
    await add(night)
    await reader.client.collection('users').delete(reader.id)
    expect(await fixture.database.query('SELECT book_key FROM book_completions')).toEqual([])
  })
})

/** @returns an ISBN that no catalogue has */
function isbnOf(n: number): string {
  const body = `97800000${String(1000 + n)}`
  const sum = [...body].reduce((all, digit, at) => all + Number(digit) * (at % 2 ? 3 : 1), 0)
  return body + String((10 - (sum % 10)) % 10)
}

describeMigratedDatabases('the books of an import', (open) => {
  const of = useImports(open, catalogue)
  const complete = () => completeAll({ ...of.world, catalogue })
  const row = (title: string, isbn: string, rating: number) =>
    `1,${title},Ilse Marrow,,${isbn},${rating},,2020/05/04,2019/12/31,,read,,`
  const waiting = async (id = '') => {
    const { text } = await askAs(of.world, of.reader, 'GET', id ? `${path}?import=${id}` : path)
    return (JSON.parse(text) as { data: { waiting: number } }).data.waiting
  }

  test('are completed, and undoing it takes only that back', async () => {
    const shelf = await addShelf(of.reader, 'Here before')
    const owned = await addBook(of.reader, shelf.id, { ...night, status: 'completed' })
    const before = await dump(of.world, of.reader)
    const file = [
      goodreadsHeader,
      row(night.title, night.isbn, 5),
      row('A Volume of Nothing', isbnOf(1), 4),
      '',
    ].join('\n')
    const { id } = await of.send(file)
    await of.step(id, { state: 'applying' })
    expect(await waiting(id)).toBe(2)
    await complete()
    expect([await waiting(id), await waiting()]).toEqual([0, 0])
    const books = of.reader.client.collection('user_books')
    expect(await books.getOne(owned.id)).toMatchObject({
      page_count: 312,
      progress: 312,
      rating: 10,
      completed: { images: { source: 'openlibrary', import: id } },
    })
    expect(await of.step(id, { state: 'undone' })).toMatchObject({ state: 'undone', applied: 0 })
    expect(await dump(of.world, of.reader)).toBe(before)
  })

  test('keep what their reader has changed since, and lose the rest', async () => {
    const shelf = await addShelf(of.reader, 'Here before')
    const owned = await addBook(of.reader, shelf.id, { ...night, status: 'completed' })
    const { id } = await of.send([goodreadsHeader, row(night.title, night.isbn, 5), ''].join('\n'))
    await of.step(id, { state: 'applying' })
    await complete()
    of.ahead(60_000)
    const books = of.reader.client.collection('user_books')
    await books.update(owned.id, { genres: ['Mine'] })
    await of.step(id, { state: 'undone' })
    expect(await books.getOne(owned.id)).toMatchObject({
      genres: ['Mine'],
      images: [],
      page_count: 0,
      progress: 0,
      description: '',
      completed: null,
    })
  })

  test('keep what the file says of them', async () => {
    const { id } =
      await of.send(`authors,author_sort,library_name,timestamp,title,isbn,series,series_index,languages,pubdate,comments,uuid
Ilse Marrow,"Marrow, Ilse",Books,2021-01-19,${night.title},${night.isbn},Umbra,2.0,fra,2001-05-01,Mine,u1
`)
    await of.step(id, { state: 'applying' })
    await complete()
    const [book] = await of.books()
    expect(book).toMatchObject({
      series: 'Umbra',
      series_position: '2',
      language: 'fre',
      published: '2001-05-01',
      description: 'Mine',
      page_count: 312,
    })
    expect(Object.keys(book!.completed!).toSorted()).toEqual(['genres', 'images', 'page_count'])
  })

  test('leave the queue when it is undone', async () => {
    const { id } = await of.send([goodreadsHeader, row('Nothing', isbnOf(1), 4), ''].join('\n'))
    await of.step(id, { state: 'applying' })
    expect(await waiting(id)).toBe(1)
    await of.step(id, { state: 'undone' })
    expect(await waiting()).toBe(0)
  })
})
