import { beforeEach, describe, expect, test } from 'vitest'
import { filterOfGoal, type Goal, type GoalList } from '#shared/goal.ts'
import type { UserBook } from '#shared/user-book.ts'
import {
  addBook,
  addShelf,
  ask,
  openFixture,
  path,
  type Fixture,
  type Reader,
} from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { listGoals } from './goals.ts'

describeMigratedDatabases('goals', (open) => {
  let fixture: Fixture
  let reader: Reader
  let shelf: string

  beforeEach(async () => {
    let clock = Date.parse('2026-11-28T12:00:00Z')
    // Each record is younger than the one before.
    fixture = await openFixture(await open(), () => new Date(clock++))
    reader = await fixture.reader('reader')
    shelf = (await addShelf(reader, 'Shelf')).id
    return () => fixture.close()
  })

  const create = (goal: Partial<Goal>) =>
    reader.client.collection('goals').create<Goal>({ kind: 'books', target: 12, ...goal })
  const goals = async (client = reader.client) => {
    const { status, body } = await ask(client, 'GET', `/api/v1/users/${reader.username}/goals`)
    expect(status).toBe(200)
    return (body as { data: GoalList }).data
  }
  const values = async (client = reader.client) =>
    (await goals(client)).goals.map(({ value }) => value)
  /** A book that was read, on these dates. */
  const read = async (book: Partial<UserBook> & { title: string }, ...dates: string[]) => {
    const { book_key } = await addBook(reader, shelf, { status: 'planning', ...book })
    for (const finished of dates)
      await reader.client.collection('readings').create({
        book_key,
        finished,
        outcome: 'finished',
        format: book.format ?? '',
        pages: book.page_count ?? 0,
        minutes: book.duration ?? 0,
      })
  }

  test('are for a year, or for any days', async () => {
    const year = { year: 2026, from: '2026-01-01', to: '2026-12-31' }
    const { id } = await create({ year: 2026 })
    expect((await goals()).goals).toMatchObject([year])
    const update = (change: Partial<Goal>) =>
      reader.client.collection('goals').update<Goal>(id, change)
    expect(await update({ target: 13 })).toMatchObject({ ...year, target: 13 })
    const days = { from: '2026-06-01', to: '2026-08-31' }
    expect(await update(days)).toMatchObject({ ...days, year: 0 })
    expect(await update({ year: 2025 })).toMatchObject({ year: 2025, to: '2025-12-31' })
    expect(await update({ from: '2026-01-01', to: '2026-12-31' })).toMatchObject(year)
    // Several at once, of one kind in one year, too.
    await create({ year: 2026 })
    expect(await values()).toEqual([0, 0])
  })

  test.each<[object, string]>([
    [{ year: 1500 }, 'year'],
    [{ from: '2026-01-01' }, 'to'],
    [{ from: '2026-01', to: '2026-12-31' }, 'from'],
    [{ from: '2026-02-01', to: '2026-01-31' }, 'to'],
    [{ year: 2026, filter: 'pages >' }, 'filter'],
    [{ year: 2026, filter: 'pages > 1) || (pages > 0' }, 'filter'],
    [{ year: 2026, filter: 'visible = true' }, 'filter'],
    [{ year: 2026, filter: 'shoe_size > 40' }, 'filter'],
    [{ year: 2026, filter: '@request.auth.id != ""' }, 'filter'],
    [{ year: 2026, filter: `title = "${'x'.repeat(500)}"` }, 'filter'],
  ])('are refused: %j', async (goal, field) => {
    const body = { kind: 'books', target: 12, ...goal }
    const answer = await ask(reader.client, 'POST', path('goals'), body)
    expect(answer).toMatchObject({ status: 400, body: { data: { [field]: {} } } })
  })

  test('count books, pages and minutes of readings that finished then', async () => {
    await read({ title: 'Emma', page_count: 474 }, '2026-02-01', '2026', '2025-12-31', '')
    await read({ title: 'Persuasion', page_count: 250, genres: ['Romance'] }, '2026-05')
    await read({ title: 'Dune', format: 'audio', duration: 1260, page_count: 600 }, '2026-11-28')
    await create({ year: 2026, kind: 'minutes' })
    await create({ year: 2026, kind: 'pages' })
    await create({ year: 2026 })
    await create({ year: 2026, filter: 'genres:folded ~ "romance" // of all kinds' })
    await create({ from: '2026-02-01', to: '2026-06-30' })
    expect(await values()).toEqual([1260, 474 + 474 + 250, 4, 1, 2])
    // What counts is what a list under its filter has.
    for (const { kind, counted, value } of (await goals()).goals.slice(2)) {
      expect(kind).toBe('books')
      const { totalItems } = await reader.client
        .collection('readings')
        .getList(1, 1, { filter: counted })
      expect(totalItems).toBe(value)
    }
  })

  test('count the books of an author, a format or a length, as the dialog asks for them', async () => {
    await read({ title: 'Emma', page_count: 474, authors: ['Jane Austen'] }, '2026-02-01')
    await read({ title: 'Dune', page_count: 600, format: 'ebook' }, '2026-03-01')
    for (const narrow of [
      { by: 'author', value: 'jane austen' },
      { by: 'format', value: 'ebook' },
      { by: 'pages', value: '400' },
      { by: 'pages', value: '500' },
    ] as const)
      await create({ year: 2026, filter: filterOfGoal(narrow) })
    expect(await values()).toEqual([1, 1, 2, 1])
  })

  test('leave out what was given up and what isn’t counted', async () => {
    const { book_key } = await addBook(reader, shelf, { title: 'Emma', status: 'planning' })
    const records = reader.client.collection('readings')
    await records.create({ book_key, finished: '2026-02', outcome: 'dropped' })
    await records.create({ book_key, finished: '2026-02', outcome: 'finished', uncounted: true })
    await create({ year: 2026 })
    expect(await values()).toEqual([0])
  })

  describe('as others see them', () => {
    test('count what others may see, and so does their owner', async () => {
      await read({ title: 'Emma' }, '2026-02-01')
      await read({ title: 'Secret', isPrivate: true }, '2026-03-01')
      await create({ year: 2026 })
      await create({ year: 2026, isPrivate: true })
      expect(await values()).toEqual([1, 2])
      expect(await values(fixture.visitor())).toEqual([1])
      const other = await fixture.reader('other')
      expect(await values(other.client)).toEqual([1])
    })

    test('are unknown with a private profile', async () => {
      await create({ year: 2026 })
      const settings = await reader.client.collection('settings').getFirstListItem('')
      await reader.client.collection('settings').update(settings.id, { isPrivate: true })
      const at = `/api/v1/users/${reader.username}/goals`
      expect((await ask(fixture.visitor(), 'GET', at)).status).toBe(404)
      expect(await values()).toEqual([0])
    })
  })

  test('say how far they would be at an even pace, by the reader’s own day', async () => {
    await create({ year: 2026, target: 42 })
    await create({ from: '2026-12-01', to: '2026-12-24', target: 4 })
    await create({ year: 2025, target: 20 })
    const { database, records } = fixture
    const now = new Date('2026-11-28T20:00:00Z')
    const plans = async () => {
      const list = await listGoals(database, records, reader.username, null, now)
      return [list?.today, ...(list?.goals.map(({ plan }) => plan) ?? [])]
    }
    expect(await plans()).toEqual(['2026-11-28', 38, 0, 20])
    const settings = await reader.client.collection('settings').getFirstListItem('')
    const zone = { time_zone: 'Pacific/Kiritimati' }
    await reader.client.collection('settings').update(settings.id, zone)
    expect((await plans())[0]).toBe('2026-11-29')
  })
})
