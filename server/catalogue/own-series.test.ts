import { Hono } from 'hono'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { errorHandler } from '#server/http/errors.ts'
import type { NextInSeries, OwnInSeries, OwnSeries } from '#shared/series.ts'
import { addBook, addShelf, openFixture, type Fixture, type Reader } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { openStarter } from '#tests/open-starter.ts'
import { plansOf } from '#tests/plans.ts'
import { ownSeriesRoutes } from './own-series.ts'

const { catalogue } = await openStarter()

describeMigratedDatabases('a reader’s series', (open) => {
  let fixture: Fixture
  let reader: Reader
  let app: Hono

  beforeEach(async () => {
    fixture = await openFixture(await open())
    reader = await fixture.reader('reader')
    const { database, records } = fixture
    app = new Hono().route('/', ownSeriesRoutes({ catalogue, database, records }))
    app.onError(errorHandler(pino({ level: 'silent' })))
    return () => fixture.close()
  })

  async function ask(who?: Reader, page = 1) {
    const headers = who ? { Authorization: who.client.authStore.token } : {}
    const response = await app.request(`/library/series?page=${page}`, { headers })
    const { data } = (await response.json()) as { data: OwnSeries }
    return { status: response.status, data }
  }

  const have = async (who: Reader, ...isbns: string[]) => {
    const shelf = await addShelf(who, 'A private shelf', 'private')
    for (const [at, isbn] of isbns.entries())
      await addBook(who, shelf.id, { title: `Book ${at}`, isbn })
  }

  test('are those of their own books, by name, and nobody else’s', async () => {
    const other = await fixture.reader('other')
    await have(reader, '9780439023481', '9781841499888', '9999999999')
    await have(other, '9780439554930')
    const { data } = await ask(reader)
    expect(data.series.map(({ series }) => series.name)).toEqual([
      'The Expanse',
      'The Hunger Games',
    ])
    expect(data.hasMore).toBe(false)
    const names = (await ask(other)).data.series.map(({ series }) => series.name)
    expect(names).toContain('Harry Potter')
    expect(names).not.toContain('The Expanse')
    expect((await ask()).status).toBe(401)
  })

  test('have the reader’s own editions', async () => {
    const phoenix = ['9780439358071', '9781855496644']
    for (const isbn of phoenix) {
      const who = await fixture.reader(`reader-${isbn}`)
      await have(who, isbn)
      const [potter] = (await ask(who)).data.series
      expect(potter?.entries[4]?.book.isbns.ISBN_13).toBe(isbn)
      expect(potter?.entries[3]?.book.title).toContain('Goblet of Fire')
    }
  })

  test('are found by the title and author of a book without an ISBN', async () => {
    const shelf = await addShelf(reader, 'A private shelf', 'private')
    const add = (title: string, author: string, more: object = {}) =>
      addBook(reader, shelf.id, { title, authors: [author].filter(Boolean), isbn: '', ...more })
    const fire = await add('Catching Fire', 'Suzanne Collins', { status: 'completed' })
    // A title of which there are others, and what is no one's.
    await add('Leviathan', 'Thomas Hobbes')
    await add('Catching Fire', '')
    await add('The Hunger Games Trivia Book', 'Somebody Else')
    const [series, ...others] = (await ask(reader)).data.series
    expect(others).toEqual([])
    expect(series?.series.name).toBe('The Hunger Games')
    expect(series?.entries.map(({ own }) => own)).toContain(fire.id)
    expect((await askNext(reader)).next).toMatchObject([
      { series: { name: 'The Hunger Games' }, position: '3', own: '' },
    ])
    expect((await ask(await fixture.reader('other'))).data.series).toEqual([])
  })

  const inSeries = async (who: Reader, id: string) => {
    const headers = { Authorization: who.client.authStore.token }
    const response = await app.request(`/library/series/${id}`, { headers })
    const { data } = (await response.json()) as { data: OwnInSeries }
    const found = await catalogue.series(id)
    const positionOf = (book: string) =>
      found?.entries.find((one) => one.book.id === book)?.position
    return new Map(data.books.map(({ book, own }) => [positionOf(book), own]))
  }

  test('count a book in any edition, without an ISBN or with one that nobody knows', async () => {
    const shelf = await addShelf(reader, 'A private shelf', 'private')
    const authors = ['Suzanne Collins']
    const add = (title: string, isbn: string) => addBook(reader, shelf.id, { title, authors, isbn })
    const first = await add('The Hunger Games', '9780439023481')
    const second = await add('Catching Fire (The Hunger Games, #2)', '')
    const third = await add('Mockingjay', '9791034908738')
    await add('The World of the Hunger Games', '')
    const own = await inSeries(reader, 'the-hunger-games')
    expect(Object.fromEntries(own)).toEqual({ 1: first.id, 2: second.id, 3: third.id })
    const [series] = (await ask(reader)).data.series
    expect(series?.entries.slice(0, 4).map((entry) => entry.own)).toEqual([
      first.id,
      second.id,
      third.id,
      '',
    ])
    const other = await fixture.reader('other')
    expect((await inSeries(other, 'the-hunger-games')).size).toBe(0)
    const visitor = await app.request('/library/series/the-hunger-games')
    expect(visitor.status).toBe(401)
    const headers = { Authorization: reader.client.authStore.token }
    expect((await app.request('/library/series/canary', { headers })).status).toBe(404)
  })

  test('are found by their ISBN before their title, and by a title only as one volume', async () => {
    const shelf = await addShelf(reader, 'A private shelf', 'private')
    const book = { title: 'The Hunger Games', authors: ['Suzanne Collins'] }
    const first = await addBook(reader, shelf.id, { ...book, isbn: '9780439023481' })
    await addBook(reader, shelf.id, { ...book, isbn: '' })
    const manga = { title: 'Fullmetal Alchemist', authors: ['Hiromu Arakawa'], isbn: '' }
    await addBook(reader, shelf.id, manga)
    expect([...(await inSeries(reader, 'the-hunger-games'))]).toEqual([['1', first.id]])
    // The first of a series is mostly known by the title alone.
    expect([...(await inSeries(reader, 'fullmetal-alchemist')).keys()]).toEqual(['1'])
  })

  async function askNext(who?: Reader) {
    const headers = who ? { Authorization: who.client.authStore.token } : {}
    const response = await app.request('/library/next-in-series', { headers })
    const { data } = (await response.json()) as { data?: NextInSeries }
    return { status: response.status, next: data?.items ?? [] }
  }

  async function finish(who: Reader, isbn: string, finished: string) {
    const shelf = await addShelf(who, `Finished ${isbn}`, 'private')
    const { id, book_key } = await addBook(who, shelf.id, {
      title: isbn,
      isbn,
      status: 'completed',
    })
    const own = who.client.filter('book_key = {:book_key}', { book_key })
    const [reading] = await who.client.collection('readings').getFullList({ filter: own })
    await who.client.collection('readings').update(reading!.id, { finished })
    return id
  }

  test('say what comes next in those begun, the latest finished first', async () => {
    const other = await fixture.reader('other')
    await finish(reader, '9780439023481', '2024-01-01')
    await finish(reader, '9781841499888', '2024-02')
    await have(reader, '9780439554930')
    const said = async () =>
      (await askNext(reader)).next.map(({ series, position, own }) => [series.name, position, own])
    // Of Harry Potter nothing is finished.
    expect(await said()).toEqual([
      ['The Expanse', '2', ''],
      ['The Hunger Games', '2', ''],
    ])
    expect((await askNext(other)).next).toEqual([])
    expect((await askNext()).status).toBe(401)

    const shelf = await addShelf(reader, 'Next', 'private')
    const book = { title: 'Catching Fire', authors: ['Suzanne Collins'] }
    const { id } = await addBook(reader, shelf.id, { ...book, status: 'planning' })
    expect((await said())[1]).toEqual(['The Hunger Games', '2', id])
    const set = (status: string) => reader.client.collection('user_books').update(id, { status })
    for (const status of ['reading', 'dropped']) {
      await set(status)
      expect(await said()).toEqual([['The Expanse', '2', '']])
    }
    await set('completed')
    // The book without an ISBN was finished last.
    expect((await said())[0]).toEqual(['The Hunger Games', '3', ''])
  })

  test('are begun by what indexes find', async () => {
    await finish(reader, '9780439023481', '2024-01-01')
    const plans = await plansOf(fixture.database, async (told) => {
      const routes = ownSeriesRoutes({ catalogue, database: told, records: fixture.records })
      const headers = { Authorization: reader.client.authStore.token }
      expect((await routes.request('/library/next-in-series', { headers })).status).toBe(200)
    })
    expect(plans).toMatch(/USING INDEX readings_user_finished|Scan using readings_\w+/)
    expect(plans).not.toMatch(/Seq Scan|SCAN (?:readings|user_books|b)\b/)
  })

  test('come page by page, and are found by an index', async () => {
    const firsts = ['9780439023481', '9781841499888', '9780439554930', '9780316015844']
    const more = ['9780765311788', '9780756404079', '9780553588484', '9780812511819']
    await have(reader, ...firsts, ...more, '9780786838653', '9780440242949')
    const [first, second] = await Promise.all([ask(reader), ask(reader, 2)])
    expect(first.data.series).toHaveLength(8)
    expect(first.data.hasMore).toBe(true)
    expect(second.data.series.length).toBeGreaterThan(0)
    const ids = [first, second].flatMap(({ data }) => data.series.map(({ series }) => series.id))
    expect(new Set(ids).size).toBe(ids.length)
    const plans = await plansOf(fixture.database, async (told) => {
      const routes = ownSeriesRoutes({ catalogue, database: told, records: fixture.records })
      const headers = { Authorization: reader.client.authStore.token }
      expect((await routes.request('/library/series', { headers })).status).toBe(200)
    })
    expect(plans).toMatch(/USING COVERING INDEX \w+ \(user=\?|Index Cond: \("user" = /)
    expect(plans).not.toMatch(/Seq Scan|SCAN user_books/)
  })
})
