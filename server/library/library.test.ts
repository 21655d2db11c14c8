import { beforeEach, describe, expect, test } from 'vitest'
import type { Activity } from '#shared/activity.ts'
import type { Bookshelf } from '#shared/bookshelf.ts'
import { linkedCoverPath } from '#shared/cover.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import type { UserBook } from '#shared/user-book.ts'
import {
  addBook,
  addShelf,
  ask,
  askAs,
  openFixture,
  path,
  type Answer,
  type Reader,
  type Fixture,
} from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'

describeMigratedDatabases('shelves and books', (open) => {
  let fixture: Fixture
  let reader: Reader
  let ahead: number

  beforeEach(async () => {
    ahead = 0
    fixture = await openFixture(await open(), () => new Date(Date.now() + ahead))
    reader = await fixture.reader('reader')
    return () => fixture.close()
  })

  const minutes = (count: number) => (ahead += count * 60_000)

  const book = (id: string) => reader.client.collection('user_books').getOne<UserBook>(id)
  const shelf = (id: string) => reader.client.collection('bookshelves').getOne<Bookshelf>(id)
  const edit = (id: string, change: Partial<UserBook>) =>
    reader.client.collection('user_books').update<UserBook>(id, change)

  /** The timeline as it is read: oldest first. */
  async function timeline(): Promise<string[]> {
    const all = await reader.client
      .collection('activities')
      .getFullList<Activity>({ sort: 'created' })
    return all.map((entry) => {
      const page = entry.event_type === 'progress_updated' ? ` ${entry.data.progress}` : ''
      return `${entry.event_type}${page}`
    })
  }

  describe('an update that names the values it expects', () => {
    const expecting = (id: string, expected: unknown, change: object) => {
      const text = typeof expected === 'string' ? expected : JSON.stringify(expected)
      const query = `?expected=${encodeURIComponent(text)}`
      return ask(reader.client, 'PATCH', `${path('user_books', id)}${query}`, change)
    }

    const shelved = async (fields: Partial<UserBook> = {}) => {
      const { id } = await addShelf(reader, 'The shelf')
      return addBook(reader, id, { title: 'Emma', status: 'reading', ...fields })
    }

    test('is made where nothing else has changed these values', async () => {
      const { id } = await shelved({
        progress: 120,
        page_count: 300,
      })
      await edit(id, { rating: 4 })
      const before = { progress: 120, status: 'reading' }
      expect((await expecting(id, before, { progress: 150 })).status).toBe(200)
      expect(await book(id)).toMatchObject({ progress: 150, rating: 4 })
    })

    test('is refused where one of them has, and changes nothing', async () => {
      const { id } = await shelved({
        progress: 120,
        page_count: 300,
      })
      await edit(id, { progress: 140 })
      expect(await expecting(id, { progress: 120, rating: 0 }, { progress: 150 })).toEqual({
        status: 409,
        body: {
          status: 409,
          message: 'The record has changed since.',
          data: {
            progress: { code: 'validation_outdated', message: 'This value has since changed.' },
          },
        },
      })
      expect(await book(id)).toMatchObject({ progress: 140 })
    })

    test.each(['', 'progress', '[1]', '7', 'null'])('is refused with %j for it', async (text) => {
      const { id } = await shelved()
      expect((await expecting(id, text, { rating: 3 })).status).toBe(400)
      expect(await book(id)).toMatchObject({ rating: 0 })
    })

    test('tells a stranger nothing', async () => {
      const { id } = await shelved({ progress: 120 })
      const stranger = await fixture.reader('stranger')
      for (const progress of [120, 121]) {
        const query = `?expected=${encodeURIComponent(JSON.stringify({ progress }))}`
        const { status } = await ask(
          stranger.client,
          'PATCH',
          `${path('user_books', id)}${query}`,
          {},
        )
        expect(status).toBe(404)
      }
    })
  })

  describe('a shelf', () => {
    test.each([
      [{ name: 'abc', visibility: 'public' }, 'name', 'Name must be at least 4 characters long.'],
      [
        { name: '  abc  ', visibility: 'public' },
        'name',
        'Name must be at least 4 characters long.',
      ],
      [{ visibility: 'public' }, 'name', 'Name must be at least 4 characters long.'],
      [
        { name: 'a'.repeat(101), visibility: 'public' },
        'name',
        'Name cannot exceed 100 characters.',
      ],
      [{ name: 'A shelf' }, 'visibility', "Visibility must be either 'public' or 'private'."],
      [
        { name: 'A shelf', visibility: 'friends' },
        'visibility',
        "Visibility must be either 'public' or 'private'.",
      ],
    ])('%o is refused', async (form, field, message) => {
      expect(await ask(reader.client, 'POST', path('bookshelves'), form)).toEqual(
        refused('Failed to create record.', { [field]: message }),
      )
    })

    test('has a trimmed name; two full-width characters are enough', async () => {
      const trimmed = await addShelf(reader, '  On the table  ')
      expect(trimmed).toMatchObject({
        name: 'On the table',
        book_count: 0,
        covers: [],
        user: reader.id,
      })
      expect((await addShelf(reader, '積読')).name).toBe('積読')
      const renamed = await ask(reader.client, 'PATCH', path('bookshelves', trimmed.id), {
        name: 'x',
      })
      expect(renamed.status).toBe(400)
    })

    test('counts its books and knows the newest four', async () => {
      const { id } = await addShelf(reader, 'Covers')
      const address = (n: number) => `https://covers.example.org/${n}.jpg`
      const books: UserBook[] = []
      // Of other sites this server hands them out.
      const cover = (n: number) => linkedCoverPath(books[Math.min(n, 4)]?.id ?? '', address(n))
      for (let n = 0; n < 5; n++) {
        minutes(1)
        books.push(await addBook(reader, id, { title: `Book ${n}`, images: [address(n)] }))
      }
      await addBook(reader, id, { title: 'Without a cover' })
      expect(await shelf(id)).toMatchObject({
        book_count: 6,
        covers: [4, 3, 2].map(cover),
      })
      expect((await shelf(id)).latest).toEqual([
        { title: 'Without a cover', author: '', cover: '' },
        ...[4, 3, 2].map((n) => ({ title: `Book ${n}`, author: '', cover: cover(n) })),
      ])
      await edit(books[4]?.id ?? '', { images: [address(9)] })
      expect((await shelf(id)).covers[0]).toBe(cover(9))
      await reader.client.collection('user_books').delete(books[4]?.id ?? '')
      expect(await shelf(id)).toMatchObject({ book_count: 5, covers: [3, 2, 1].map(cover) })
    })

    test('counts both ways when a book moves, and under parallel writes', async () => {
      const [from, to] = [await addShelf(reader, 'From'), await addShelf(reader, 'To the other')]
      const books = await Promise.all(
        Array.from({ length: 12 }, (_, n) => addBook(reader, from.id, { title: `Book ${n}` })),
      )
      expect((await shelf(from.id)).book_count).toBe(12)
      await Promise.all([
        ...books.slice(0, 5).map(({ id }) => edit(id, { shelf: to.id })),
        ...books.slice(5, 8).map(({ id }) => reader.client.collection('user_books').delete(id)),
      ])
      expect((await shelf(from.id)).book_count).toBe(4)
      expect((await shelf(to.id)).book_count).toBe(5)
    })

    test('is told right by every answer of a batch that puts books on it', async () => {
      const { id } = await addShelf(reader, 'In one go')
      const title = (n: number) => ({ shelf: id, title: `Book ${n}`, status: 'planning' })
      const batch = reader.client.createBatch()
      const books = batch.collection('user_books')
      books.create(title(1))
      books.create(title(2), { expand: 'shelf' })
      books.create(title(3))
      batch.collection('bookshelves').update(id, { name: 'In one go, renamed' })
      books.create(title(4))
      const bodies = (await batch.send()).map((answer) => answer.body as UserBook & Bookshelf)
      expect(bodies[1]?.expand?.shelf).toMatchObject({ book_count: 2 })
      expect(bodies[3]).toMatchObject({ name: 'In one go, renamed', book_count: 3 })
      expect(await shelf(id)).toMatchObject({ name: 'In one go, renamed', book_count: 4 })
    })

    test('goes with its books, and their activity stays with the owner', async () => {
      const { id } = await addShelf(reader, 'Going')
      const { id: bookId } = await addBook(reader, id, { title: 'Gone' })
      await reader.client.collection('bookshelves').delete(id)
      expect(await fixture.records.find('user_books', bookId)).toBeNull()
      const [entry] = await reader.client.collection('activities').getFullList<Activity>()
      expect(entry).toMatchObject({ book: '', shelf: '', data: { title: 'Gone', shelf: 'Going' } })
    })
  })

  test('a name that no database can store is unknown', async () => {
    const users = '/api/v1/users'
    expect((await ask(fixture.visitor(), 'GET', `${users}?q=a%00b`)).status).toBe(400)
    expect((await ask(fixture.visitor(), 'GET', `${users}/a%00b/shelves`)).status).toBe(404)
  })

  describe('the free plan', () => {
    const parallel = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, n) =>
          reader.client
            .collection('bookshelves')
            .create({ name: `Shelf ${n}`, visibility: 'public' })
            .then(
              () => 'made',
              (error: { response: { message: string } }) => error.response.message,
            ),
        ),
      )

    test('R30: has room for five shelves, also when fifty are asked for at once', async () => {
      const given = await parallel(50)
      expect(given.filter((answer) => answer === 'made')).toHaveLength(5)
      expect(given.filter((answer) => answer === answers.shelfLimit)).toHaveLength(45)
      const { totalItems } = await reader.client.collection('bookshelves').getList(1, 1)
      expect(totalItems).toBe(5)
    })

    test('R30: has no more room through batches and restored shelves, at once or together', async () => {
      const shelves = reader.client.collection('bookshelves')
      await parallel(5)
      const ids = (await shelves.getFullList()).map(({ id }) => id)
      for (const id of ids) await shelves.delete(id)
      const batchOf = (count: number) => {
        const batch = reader.client.createBatch()
        for (let n = 0; n < count; n++)
          batch.collection('bookshelves').create({ name: `Batch ${n}`, visibility: 'public' })
        return batch.send().catch(() => undefined)
      }
      const restore = (...all: string[]) =>
        ask(reader.client, 'POST', '/api/v1/library/restore', {
          collection: 'bookshelves',
          ids: all,
        })
      await batchOf(6)
      expect(await shelves.getFullList()).toEqual([])
      await parallel(3)
      expect(await restore(...ids)).toMatchObject({
        status: 409,
        body: { message: answers.shelfLimit },
      })
      expect(await shelves.getFullList()).toHaveLength(3)
      await Promise.all([
        parallel(6),
        ...Array.from({ length: 6 }, () => batchOf(1)),
        ...ids.map((id) => restore(id)),
      ])
      expect(await shelves.getFullList()).toHaveLength(5)
    })

    test('makes room again when a shelf goes', async () => {
      await parallel(5)
      const [first] = await reader.client.collection('bookshelves').getFullList()
      await reader.client.collection('bookshelves').delete(first?.id ?? '')
      expect(await parallel(2)).toContain('made')
      expect(await parallel(1)).toEqual([answers.shelfLimit])
    })

    test('ends with an active subscription, and only with an active one', async () => {
      await parallel(5)
      const subscription = await fixture.records.write((tx) =>
        tx.create('subscriptions', { user: reader.id, status: 'canceled' }),
      )
      expect(await parallel(1)).toEqual([answers.shelfLimit])
      await fixture.records.write((tx) =>
        tx.update('subscriptions', subscription.id, { status: 'active' }),
      )
      expect(await parallel(3)).toEqual(['made', 'made', 'made'])
    })
  })

  describe('a book', () => {
    let on: Bookshelf
    beforeEach(async () => void (on = await addShelf(reader, 'The shelf')))

    const wrong: [Partial<Record<keyof UserBook, unknown>>, string, string][] = [
      [{ title: '  ' }, 'title', 'Title is required and cannot be empty.'],
      [{ authors: ['Mary', ' '] }, 'authors', 'Must not contain empty values.'],
      [{ genres: [''] }, 'genres', 'Must not contain empty values.'],
      [{ images: [''] }, 'images', 'Must not contain empty values.'],
      [{ isbn: '123' }, 'isbn', 'ISBN must be a valid 10 or 13-digit number.'],
      [{ isbn: '978014143947' }, 'isbn', 'ISBN must be a valid 10 or 13-digit number.'],
      [{ page_count: -1 }, 'page_count', 'Page count must be greater than or equal to 0.'],
      [{ progress: -1 }, 'progress', 'Progress must be greater than or equal to 0.'],
      [
        { page_count: 100, progress: 101 },
        'progress',
        'Progress cannot exceed the total page count.',
      ],
      [{ page_count: 1e300 }, 'page_count', `Page count must be at most ${2 ** 53 - 1}.`],
      [{ progress_percent: -1 }, 'progress_percent', 'Percent must be at least 0.'],
      [{ progress_percent: 101 }, 'progress_percent', 'Percent must be at most 100.'],
      [{ rating: -0.5 }, 'rating', 'Rating must be at least 0.'],
      [{ rating: 10.5 }, 'rating', 'Rating must be at most 10.'],
      [
        { status: 'lost' },
        'status',
        'Status must be one of: completed, reading, paused, dropped, or planning.',
      ],
      [{ shelf: '' }, 'shelf', 'Shelf is required.'],
    ]
    test('takes every page, length and rating of the specification', async () => {
      const exact = { page_count: 312.5, progress: 57.25, rating: 7.3 }
      const form = { title: 'Frankenstein', status: 'reading' as const }
      const { id } = await addBook(reader, on.id, { ...form, ...exact })
      expect(await fixture.records.find('user_books', id)).toMatchObject({
        ...exact,
        progress_average: (57.25 / 312.5) * 100,
      })
      const long = { page_count: 2 ** 53 - 1, progress: 250_000, rating: 0.1 }
      await edit(id, long)
      expect(await fixture.records.find('user_books', id)).toMatchObject(long)
      expect(await edit(id, { page_count: 300.5, progress_percent: 100 })).toMatchObject({
        progress: 300,
        progress_average: 100,
      })
    })

    test.each(wrong)('%o is refused at its field', async (change, field, message) => {
      const form = { title: 'Frankenstein', status: 'reading', shelf: on.id, ...change }
      expect(await ask(reader.client, 'POST', path('user_books'), form)).toEqual(
        refused('Failed to create record.', { [field]: message }),
      )
      const { id } = await addBook(reader, on.id, { title: 'Kept', page_count: 50 })
      const before = await fixture.records.find('user_books', id)
      expect(await ask(reader.client, 'PATCH', path('user_books', id), change)).toEqual(
        refused('Failed to update record.', { [field]: message }),
      )
      expect(await fixture.records.find('user_books', id)).toEqual(before)
    })

    test('keeps its ISBN without hyphens, and the percent read', async () => {
      const { id } = await addBook(reader, on.id, {
        title: ' Frankenstein ',
        isbn: '978-0-14-143947-1',
        page_count: 280,
        progress: 70,
      })
      expect(await book(id)).toMatchObject({
        title: 'Frankenstein',
        isbn: '9780141439471',
        progress_average: 25,
        user: reader.id,
      })
      expect((await edit(id, { progress: 140 })).progress_average).toBe(50)
      expect(await book(id)).toHaveProperty('book_key', '9780141439471')
    })

    test('of unknown length has any page', async () => {
      const { id } = await addBook(reader, on.id, { title: 'Unknown', progress: 5000 })
      expect(await book(id)).toMatchObject({ progress: 5000, progress_average: 0 })
    })

    test('that is completed has been read to the end, and stays so', async () => {
      const { id } = await addBook(reader, on.id, { title: 'Frankenstein', page_count: 280 })
      expect((await edit(id, { status: 'completed' })).progress).toBe(280)
      expect((await edit(id, { progress: 12 })).progress).toBe(280)
      expect((await edit(id, { page_count: 300 })).progress).toBe(300)
    })

    test('counts in percent, with or without a length, until a page is entered', async () => {
      const { id } = await addBook(reader, on.id, { title: 'Frankenstein', progress_percent: 40 })
      expect(await book(id)).toMatchObject({
        progress: 0,
        progress_percent: 40,
        progress_average: 40,
      })
      // The share is kept, whatever the length.
      expect(await edit(id, { page_count: 280 })).toMatchObject({
        progress: 112,
        progress_average: 40,
      })
      expect(await edit(id, { page_count: 100 })).toMatchObject({
        progress: 40,
        progress_average: 40,
      })
      expect(await edit(id, { progress_percent: 12.5 })).toMatchObject({
        progress: 13,
        progress_average: 12.5,
      })
      expect(await edit(id, { progress: 50 })).toMatchObject({
        progress_percent: 0,
        progress_average: 50,
      })
      expect(await edit(id, { page_count: 200 })).toMatchObject({
        progress: 50,
        progress_average: 25,
      })
      await edit(id, { progress_percent: 10 })
      expect(await edit(id, { status: 'completed' })).toMatchObject({
        progress: 200,
        progress_average: 100,
      })
    })

    test('at its last page is completed only when the reader says so', async () => {
      const { id } = await addBook(reader, on.id, { title: 'Frankenstein', page_count: 280 })
      expect((await edit(id, { progress: 280 })).status).toBe('reading')
    })

    test('stands on a shelf once, by ISBN-10 or ISBN-13', async () => {
      const twice = refused('Failed to create record.', {
        isbn: 'This book is already on the shelf.',
      })
      const form = { title: 'Frankenstein', status: 'reading', shelf: on.id }
      const first = await addBook(reader, on.id, { title: 'Frankenstein', isbn: '9780141439471' })
      for (const isbn of ['9780141439471', '0141439475', '0-14-143947-5'])
        expect(
          withCode(await ask(reader.client, 'POST', path('user_books'), { ...form, isbn }), 'isbn'),
        ).toEqual(twice)
      const other = await addShelf(reader, 'Another shelf')
      const copy = await addBook(reader, other.id, { title: 'Frankenstein', isbn: '0141439475' })
      const moved = await ask(reader.client, 'PATCH', path('user_books', copy.id), { shelf: on.id })
      expect(moved).toMatchObject({ status: 400, body: { data: { isbn: {} } } })
      await edit(first.id, { rating: 8 })
    })

    test('stands on a shelf once, also when it is added many times at once', async () => {
      const answers = await Promise.allSettled(
        Array.from({ length: 12 }, () =>
          addBook(reader, on.id, { title: 'Frankenstein', isbn: '9780141439471' }),
        ),
      )
      expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1)
      expect((await shelf(on.id)).book_count).toBe(1)
    })

    test('is moved to and fro, by itself and with others, and every move is made', async () => {
      const other = await addShelf(reader, 'Another shelf')
      const books: string[] = []
      for (const title of ['One', 'Two', 'Three', 'Four'])
        books.push((await addBook(reader, on.id, { title })).id)
      const move = (id: string, n: number) => ({
        method: 'PATCH',
        url: path('user_books', id),
        body: { shelf: n % 2 ? on.id : other.id },
      })
      const alone = (id: string, n: number) => {
        const { method, url, body } = move(id, n)
        return askAs(fixture, reader, method, url, body)
      }
      const together = (n: number) => {
        const inOrder = n % 2 ? books : books.toReversed()
        const requests = inOrder.map((id, i) => move(id, n + i))
        return askAs(fixture, reader, 'POST', '/api/batch', { requests })
      }
      const answers = await Promise.all(
        [0, 1].flatMap((n) => [together(n), ...books.map((id, i) => alone(id, n + i))]),
      )
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      const counts = [await shelf(on.id), await shelf(other.id)].map((one) => one.book_count)
      expect(counts[0]! + counts[1]!).toBe(4)
    })

    test('keeps an ISBN that was printed with a wrong digit', async () => {
      const { id: shelfId } = await addShelf(reader, 'The shelf')
      const { id } = await addBook(reader, shelfId, {
        title: 'Emma',
        isbn: '978-0-14-143947-2 (pbk.)',
      })
      expect(await book(id)).toMatchObject({ isbn: '9780141439472', book_key: expect.any(String) })
    })

    test('may have the longest title and any name of its author, in whatever script', async () => {
      const signs = (count: number) =>
        Array.from({ length: count }, (_, i) =>
          String.fromCodePoint(0x2_0000 + ((i * 7919) % 40_000)),
        )
      const title = signs(250).join('')
      for (const author of [signs(1500).join(''), 'a'.repeat(6000), '\uFDFA'.repeat(500)]) {
        const { id } = await addBook(reader, on.id, { title, authors: [author], isbn: '' })
        expect(await book(id)).toMatchObject({ title, authors: [author] })
      }
    })

    test('without an ISBN may stand there twice', async () => {
      await addBook(reader, on.id, { title: 'Notebook' })
      await addBook(reader, on.id, { title: 'Notebook' })
      expect((await shelf(on.id)).book_count).toBe(2)
    })

    test('R31: keeps its progress within its pages under a hundred parallel edits', async () => {
      const { id } = await addBook(reader, on.id, { title: 'Frankenstein', page_count: 280 })
      await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          edit(id, n % 3 ? { progress: n * 2 } : { page_count: 280 - n }).catch(() => undefined),
        ),
      )
      const { progress, page_count, progress_average } = await book(id)
      expect(progress).toBeLessThanOrEqual(page_count)
      expect(progress_average).toBe((progress / page_count) * 100)
    })
  })

  test('books are counted by status for their reader alone, on each shelf they are on', async () => {
    const counts = (client: Reader['client']) => ask(client, 'GET', '/api/v1/library/statuses')
    const [novels, favourites] = await Promise.all([
      addShelf(reader, 'Novels'),
      addShelf(reader, 'Favourites'),
    ])
    for (const { id } of [novels, favourites])
      await addBook(reader, id, { title: 'Emma', status: 'reading' })
    await addBook(reader, novels.id, { title: 'Walden', status: 'completed' })
    const none = { completed: 0, reading: 0, paused: 0, dropped: 0, planning: 0 }
    expect((await counts(reader.client)).body).toEqual({
      data: { ...none, reading: 2, completed: 1 },
    })
    const stranger = await fixture.reader('stranger')
    expect((await counts(stranger.client)).body).toEqual({ data: none })
    stranger.client.authStore.clear()
    expect((await counts(stranger.client)).status).toBe(401)
  })

  describe('the timeline', () => {
    test('forgets a name that was changed', async () => {
      const secret = await addShelf(reader, 'Hidden reasons', 'private')
      const added = await addBook(reader, secret.id, { title: 'Secret' })
      await reader.client
        .collection('bookshelves')
        .update(secret.id, { name: 'Family', visibility: 'public' })
      await edit(added.id, { title: 'Open' })
      const { body } = await ask(fixture.visitor(), 'GET', path('activities'))
      expect(JSON.stringify(body)).toContain('Family')
      expect(JSON.stringify(body)).not.toMatch(/Hidden|Secret/)
    })

    let on: Bookshelf
    beforeEach(async () => void (on = await addShelf(reader, 'The shelf')))

    test('tells each status, and the page', async () => {
      const { id } = await addBook(reader, on.id, {
        title: 'Frankenstein',
        authors: ['Mary Shelley'],
        isbn: '0141439475',
        images: ['https://covers.example.org/f.jpg'],
        page_count: 280,
        status: 'planning',
      })
      for (const change of [
        { status: 'reading' },
        { progress: 57 },
        { status: 'paused' },
        { status: 'dropped' },
        { status: 'reading', progress: 100 },
        { status: 'completed' },
        { rating: 9 },
      ] as const) {
        minutes(20)
        await edit(id, change)
      }
      expect(await timeline()).toEqual([
        'planning',
        'reading',
        'progress_updated 57',
        'paused',
        'dropped',
        expect.stringMatching(/^reading$|^progress_updated 100$/),
        expect.stringMatching(/^reading$|^progress_updated 100$/),
        'completed',
      ])
      const page = await reader.client
        .collection('activities')
        .getFirstListItem<Activity>('event_type = "progress_updated" && data.progress = 57')
      expect(page).toMatchObject({
        user: reader.id,
        book: id,
        shelf: on.id,
        isPrivate: false,
        data: {
          progress: 57,
          title: 'Frankenstein',
          shelf: 'The shelf',
          isbn: '0141439475',
          slug: 'frankenstein-9780141439471',
          cover: linkedCoverPath(id, 'https://covers.example.org/f.jpg'),
          authors: ['Mary Shelley'],
        },
      })
    })

    test('says nothing of a status that is soon taken back', async () => {
      const { id } = await addBook(reader, on.id, { title: 'Frankenstein', page_count: 280 })
      const undo = (change: Partial<UserBook>) =>
        reader.client.collection('user_books').update(id, change, { query: { undo: true } })
      minutes(20)
      await edit(id, { progress: 57 })
      const before = ['reading', 'progress_updated 57']
      minutes(20)
      await edit(id, { status: 'completed' })
      expect(await timeline()).toEqual([...before, 'completed'])
      minutes(1)
      await undo({ status: 'reading', progress: 57 })
      expect(await timeline()).toEqual(before)
      expect(await book(id)).toMatchObject({ status: 'reading', progress: 57 })
      // What was taken back is not among what the reader removed.
      const { body } = await ask(reader.client, 'GET', '/api/v1/library/removed')
      expect(JSON.stringify(body)).not.toContain('Frankenstein')
      // Taken back later, it is what happened.
      await edit(id, { status: 'paused' })
      minutes(11)
      await undo({ status: 'reading' })
      expect(await timeline()).toEqual([...before, 'paused', 'reading'])
    })

    test('begins anew after a clock that was ahead has been set right', async () => {
      const { id } = await addBook(reader, on.id, { title: 'Frankenstein', page_count: 280 })
      minutes(24 * 60)
      await edit(id, { progress: 10 })
      await edit(id, { status: 'paused' })
      minutes(-24 * 60 + 1)
      const undo = { query: { undo: true } }
      await reader.client.collection('user_books').update(id, { status: 'reading' }, undo)
      for (const progress of [20, 30]) {
        minutes(1)
        await edit(id, { progress })
      }
      const now = ['reading', 'reading', 'progress_updated 30']
      expect(await timeline()).toEqual([...now, 'progress_updated 10', 'paused'])
    })

    test('takes many back in one batch', async () => {
      const books = await Promise.all(
        ['Emma', 'Persuasion'].map((title) => addBook(reader, on.id, { title })),
      )
      const setAll = async (status: 'dropped' | 'reading', options = {}) => {
        const batch = reader.client.createBatch()
        for (const { id } of books) batch.collection('user_books').update(id, { status }, options)
        await batch.send()
      }
      minutes(20)
      await setAll('dropped')
      expect(await timeline()).toHaveLength(4)
      minutes(1)
      await setAll('reading', { query: { undo: true } })
      expect(await timeline()).toEqual(['reading', 'reading'])
    })

    test('makes one entry of the pages of ten minutes', async () => {
      const { id } = await addBook(reader, on.id, { title: 'Frankenstein', page_count: 280 })
      for (const progress of [10, 20, 30]) {
        minutes(3)
        await edit(id, { progress })
      }
      expect(await timeline()).toEqual(['reading', 'progress_updated 30'])
      minutes(11)
      await edit(id, { progress: 40 })
      expect(await timeline()).toEqual(['reading', 'progress_updated 30', 'progress_updated 40'])
      minutes(1)
      await edit(id, { status: 'paused' })
      minutes(1)
      await edit(id, { progress: 50 })
      expect((await timeline()).at(-1)).toBe('progress_updated 50')
      expect(await timeline()).toHaveLength(5)
    })

    test('makes one entry of edits each within ten minutes of the one before', async () => {
      const { id } = await addBook(reader, on.id, { title: 'Frankenstein', page_count: 280 })
      for (const progress of [10, 20, 30]) {
        minutes(8)
        await edit(id, { progress })
      }
      expect(await timeline()).toEqual(['reading', 'progress_updated 30'])
    })

    test('tells the share where there are no pages', async () => {
      const { id } = await addBook(reader, on.id, { title: 'Frankenstein' })
      minutes(1)
      await edit(id, { progress_percent: 40 })
      const [entry] = await reader.client
        .collection('activities')
        .getFullList<Activity>({ filter: 'event_type = "progress_updated"' })
      expect(entry!.data).toMatchObject({ title: 'Frankenstein', percent: 40 })
      await edit(id, { page_count: 100, progress_percent: 41 })
      const [page] = await reader.client
        .collection('activities')
        .getFullList<Activity>({ filter: 'event_type = "progress_updated"' })
      expect(page!.data).toMatchObject({ title: 'Frankenstein', progress: 41 })
      expect(page!.data.percent).toBeFalsy()
    })

    test('says nothing when a length is mended that moves the page with it', async () => {
      const read = await addBook(reader, on.id, {
        title: 'Read',
        page_count: 300,
        status: 'completed',
      })
      const half = await addBook(reader, on.id, { title: 'Half' })
      await edit(half.id, { progress_percent: 50 })
      const before = await timeline()
      minutes(20)
      await edit(read.id, { page_count: 320 })
      await edit(half.id, { page_count: 200 })
      expect(await book(read.id)).toMatchObject({ progress: 320 })
      expect(await book(half.id)).toMatchObject({ progress: 100 })
      expect(await timeline()).toEqual(before)
    })

    test('makes one entry of parallel edits, too', async () => {
      const { id } = await addBook(reader, on.id, { title: 'Frankenstein', page_count: 280 })
      await Promise.all(Array.from({ length: 20 }, (_, n) => edit(id, { progress: 10 + n })))
      const { progress } = await book(id)
      expect(await timeline()).toEqual(['reading', `progress_updated ${progress}`])
    })

    test('keeps books apart', async () => {
      const one = await addBook(reader, on.id, { title: 'One', page_count: 100 })
      const two = await addBook(reader, on.id, { title: 'Two', page_count: 100 })
      minutes(1)
      await edit(one.id, { progress: 10 })
      minutes(1)
      await edit(two.id, { progress: 20 })
      expect((await timeline()).slice(2)).toEqual(['progress_updated 10', 'progress_updated 20'])
    })

    test('says nothing of what did not change, and of refused edits', async () => {
      const { id } = await addBook(reader, on.id, { title: 'One', page_count: 100, progress: 10 })
      minutes(20)
      await edit(id, { progress: 10, status: 'reading', title: 'Another title' })
      await ask(reader.client, 'PATCH', path('user_books', id), { progress: 101 })
      expect(await timeline()).toEqual(['reading'])
    })
  })
})

/** An answer that refuses with these sentences; the codes are the wire's affair. */
function refused(message: string, fields: Record<string, string>) {
  const data: Record<string, unknown> = {}
  for (const [field, text] of Object.entries(fields))
    data[field] = {
      code: 'validation_invalid_value',
      message: text,
      params: expect.objectContaining({ rule: expect.any(String) as string }) as object,
    }
  return { status: 400, body: { data, message, status: 400 } }
}

/** The answer with the general code at a field. */
function withCode(answer: Answer, field: string): Answer {
  const { data } = answer.body as { data: Record<string, { code: string }> }
  if (data[field]) data[field].code = 'validation_invalid_value'
  return answer
}
