import { beforeEach, expect, test } from 'vitest'
import type { FinishedMonth } from '#shared/finished-month.ts'
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
import { countMonths } from './months.ts'

describeMigratedDatabases('the last twelve months', (open) => {
  let fixture: Fixture
  let reader: Reader
  let book: string

  beforeEach(async () => {
    fixture = await openFixture(await open(), () => new Date('2026-12-15T12:00:00Z'))
    reader = await fixture.reader('reader')
    const shelf = await addShelf(reader, 'Shelf')
    book = String((await addBook(reader, shelf.id, { title: 'Emma' })).book_key)
    return () => fixture.close()
  })

  const finish = (finished: string, more: object = {}) =>
    reader.client
      .collection('readings')
      .create({ book_key: book, finished, outcome: 'finished', ...more })
  const count = async (time: string, viewer = reader.id) =>
    (await countMonths(fixture.database, reader.username, viewer, new Date(time)))!
  const shown = (months: readonly FinishedMonth[]) =>
    months.filter(({ books }) => books > 0).map(({ month, books }) => `${month}: ${books}`)

  test('are those until the reader’s day, and count what was finished in each', async () => {
    for (const day of ['2025-11-30', '2025-12-01', '2026-11-30', '2026-11-02', '2026-11', '2026'])
      await finish(day)
    await finish('2026-11-03', { outcome: 'dropped' })
    await finish('2026-12-01')
    const months = await count('2026-11-30T12:00:00Z')
    expect(months.map(({ month }) => month)).toEqual([
      '2025-12',
      ...Array.from({ length: 11 }, (_, index) => `2026-${String(index + 1).padStart(2, '0')}`),
    ])
    expect(shown(months)).toEqual(['2025-12: 1', '2026-11: 3'])
    // In Tokyo it is December already.
    const [settings] = await reader.client.collection('settings').getFullList()
    await reader.client.collection('settings').update(settings!.id, { time_zone: 'Asia/Tokyo' })
    const later = await count('2026-11-30T16:00:00Z')
    expect(shown(later)).toEqual(['2026-11: 3', '2026-12: 1'])
    await reader.client.collection('settings').update(settings!.id, { day_ends: '2' })
    const [earliest] = await count('2026-11-30T16:00:00Z')
    expect(earliest?.month).toBe('2025-12')
    expect((await count('2026-11-30T17:00:00Z'))[0]?.month).toBe('2026-01')
  })

  test('count for others what they can see, as the statistics of a year do', async () => {
    const secret = await addShelf(reader, 'Secret', 'private')
    const hidden = await addBook(reader, secret.id, { title: 'Hidden' })
    await finish('2026-03-01')
    await finish('2026-05-01')
    await finish('2026-05-02', { book_key: hidden.book_key })
    const other = await fixture.reader('other')
    expect(shown(await count('2026-11-30T12:00:00Z'))).toEqual(['2026-03: 1', '2026-05: 2'])
    for (const viewer of ['', other.id]) {
      const months = shown(await count('2026-11-30T12:00:00Z', viewer))
      expect(months).toEqual(['2026-03: 1', '2026-05: 1'])
    }
    const { body } = await ask(
      other.client,
      'GET',
      `/api/v1/users/${reader.username}/stats?year=2026`,
    )
    const { figures } = (body as { data: Statistics }).data
    const byMonth = figures.find(({ id }) => id === 'by_month')!.parts
    expect(
      byMonth.filter(({ value }) => value > 0).map(({ key, value }) => `${key}: ${value}`),
    ).toEqual(['2026-03: 1', '2026-05: 1'])
  })

  test('are nobody’s of whom there is no profile to see', async () => {
    const other = await fixture.reader('other')
    const address = `/api/v1/users/${reader.username}/months`
    const { status, body } = await ask(other.client, 'GET', address)
    expect(status).toBe(200)
    // By the server's clock.
    const { items } = (body as { data: { items: FinishedMonth[] } }).data
    expect(items.at(-1)?.month).toBe('2026-12')
    const [settings] = await reader.client.collection('settings').getFullList()
    await reader.client.collection('settings').update(settings!.id, { isPrivate: true })
    expect((await ask(other.client, 'GET', address)).status).toBe(404)
    expect((await ask(reader.client, 'GET', address)).status).toBe(200)
    expect((await ask(other.client, 'GET', '/api/v1/users/nobody/months')).status).toBe(404)
  })
})
