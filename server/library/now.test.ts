import { beforeEach, expect, test } from 'vitest'
import { schema } from '#server/collections/schema.ts'
import type { Statistics } from '#shared/statistics.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import {
  addBook,
  addShelf,
  ask,
  openFixture,
  type Fixture,
  type Reader,
} from '#tests/access/fixture.ts'
import { readNow } from './now.ts'

const address = '/api/v1/me/now'

describeMigratedDatabases('what a reader reads now', (open) => {
  let fixture: Fixture
  let reader: Reader
  let shelf: string

  beforeEach(async () => {
    let clock = Date.parse('2026-11-28T12:00:00Z')
    // Each record is younger than the one before.
    fixture = await openFixture(await open(), () => new Date(clock++))
    reader = await fixture.reader('reader')
    shelf = (await addShelf(reader, 'Shelf', 'private')).id
    return () => fixture.close()
  })

  const now = async () => {
    const { status, body } = await ask(reader.client, 'GET', address)
    expect(status).toBe(200)
    return (body as { data: Record<string, unknown> }).data
  }
  const finish = (book_key: string | undefined, finished: string, more: object = {}) =>
    reader.client
      .collection('readings')
      .create({ book_key, finished, outcome: 'finished', pages: 100, ...more })

  test('is empty at first', async () => {
    expect(await now()).toEqual({ reading: [], year: { books: 0, pages: 0 }, goals: [] })
  })

  test('has each book once, private ones too, the last changed first', async () => {
    const other = await addShelf(reader, 'Another')
    const images = ['https://covers.openlibrary.org/b/id/12-L.jpg']
    const book = { title: 'Emma', authors: ['Jane Austen'], images, page_count: 200 }
    const emma = await addBook(reader, shelf, { ...book, isPrivate: true })
    await addBook(reader, other.id, book)
    const dune = await addBook(reader, shelf, { title: 'Dune', page_count: 0 })
    await addBook(reader, shelf, { title: 'Later', status: 'planning' })
    await reader.client.collection('user_books').update(emma.id, { progress: 50 })
    const { reading } = await now()
    expect(reading).toMatchObject([
      { title: 'Emma', authors: ['Jane Austen'], page: 50, pages: 200, percent: 25 },
      { id: dune.id, title: 'Dune', authors: [], cover: '', page: 0, pages: 0, percent: 0 },
    ])
    expect((reading as { cover: string }[])[0]?.cover).toMatch(/^\/covers\/openlibrary\//)
  })

  test('counts the year as the statistics do, and the goals of today', async () => {
    const key = async (title: string) =>
      (await addBook(reader, shelf, { title, status: 'planning' })).book_key
    const emma = await key('Emma')
    await finish(emma, '2026-03-01')
    await finish(emma, '2026')
    await finish(emma, '2025-12-31')
    await finish(emma, '2026-05-01', { uncounted: true })
    await finish(emma, '2026-05-02', { outcome: 'dropped' })
    await finish(emma, '2026-06-01', { format: 'audio', minutes: 60 })
    const statistics = `/api/v1/users/${reader.username}/stats?year=2026`
    const { body } = await ask(reader.client, 'GET', statistics)
    const { figures } = (body as { data: Statistics }).data
    const figure = (id: string) => figures.find((one) => one.id === id)?.value
    const goals = reader.client.collection('goals')
    await goals.create({ kind: 'books', target: 12, year: 2026, isPrivate: true })
    await goals.create({ kind: 'books', target: 12, year: 2025 })
    const day = '2026-11-28'
    await goals.create({ kind: 'books', target: 1, from: day, to: day })
    await goals.create({ kind: 'books', target: 2, from: '2026-11-29', to: '2026-12-01' })
    await goals.create({ kind: 'books', target: 3, from: '2026-11-20', to: '2026-11-27' })
    const { database, records } = fixture
    const { id: collectionId, name: collectionName } = schema.get('users')
    const { id } = reader
    const viewer = { id, collectionId, collectionName, session: '', record: { id } }
    const shown = await readNow(database, records, viewer, new Date(`${day}T12:00:00Z`))
    expect(shown.year).toEqual({ books: 3, pages: 200 })
    expect(shown.year).toEqual({ books: figure('books'), pages: figure('pages') })
    expect(shown.goals).toMatchObject([
      { year: 2026, target: 12, value: 3 },
      { from: day, target: 1, value: 0 },
    ])
  })

  test('is 304 until something changes, and nobody else’s', async () => {
    const { client } = reader
    const { token } = await client
      .collection('api_tokens')
      .create({ name: 'Dashboard', scope: 'read' })
    const get = (etag = '') =>
      fixture.fetch(address, {
        headers: { Authorization: `Bearer ${String(token)}`, 'If-None-Match': etag },
      })
    const first = await get()
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const etag = first.headers.get('etag') ?? ''
    const again = await get(etag)
    expect([again.status, await again.text()]).toEqual([304, ''])
    await addBook(reader, shelf, { title: 'Emma' })
    expect((await get(etag)).status).toBe(200)
    const other = await fixture.reader('other')
    expect(await ask(other.client, 'GET', address)).toMatchObject({
      body: { data: { reading: [] } },
    })
    expect((await ask(fixture.visitor(), 'GET', address)).status).toBe(401)
  })
})
