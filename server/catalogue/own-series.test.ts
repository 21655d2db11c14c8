import { Hono } from 'hono'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { errorHandler } from '#server/http/errors.ts'
import type { OwnSeries } from '#shared/series.ts'
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
