import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createRecords } from '#records/index.ts'
import { schema } from '#server/collections/schema.ts'
import type { Figure, FigureId } from '#shared/statistics.ts'
import {
  addBook,
  addShelf,
  ask,
  openFixture,
  type Fixture,
  type Reader,
} from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { plansOf } from '#tests/plans.ts'
import { listGoals } from './goals.ts'
import { readStatistics } from './statistics.ts'

describeMigratedDatabases('the days on which a reader saved progress', (open) => {
  let fixture: Fixture
  let reader: Reader
  let now: Date

  beforeEach(async () => {
    now = new Date('2026-01-05T12:00:00Z')
    fixture = await openFixture(await open(), () => now)
    reader = await fixture.reader('reader')
    return () => fixture.close()
  })

  const figures = async (viewer: string, year?: string) =>
    new Map(
      (await readStatistics(fixture.database, reader.username, viewer, { year }, now))?.figures.map(
        ({ id, value }): [FigureId, number] => [id, value],
      ),
    )

  /** Reads up to these pages, one after the other, on a day. */
  async function read(book: string, day: string, ...pages: number[]): Promise<void> {
    for (const progress of pages) {
      now = new Date(Math.max(now.getTime() + 1000, Date.parse(`${day}T12:00:00Z`)))
      await reader.client.collection('user_books').update(book, { progress })
    }
  }

  test('are told to the reader alone, with streaks and what was read of given up books', async () => {
    const shelf = await addShelf(reader, 'Shelf')
    const paper = { page_count: 300, status: 'reading' } as const
    const { id } = await addBook(reader, shelf.id, { ...paper, title: 'Ulysses' })
    await read(id, '2026-01-06', 10, 25)
    await read(id, '2026-01-07', 40)
    await read(id, '2026-01-08', 50)
    await read(id, '2026-01-12', 60)
    await reader.client.collection('user_books').update(id, { status: 'dropped' })

    const own = await figures(reader.id, '2026')
    expect(own.get('days_read')).toBe(4)
    expect(own.get('pages_logged')).toBe(60)
    expect(own.get('longest_streak')).toBe(3)
    expect(own.get('current_streak')).toBe(1)
    expect(own.get('dropped')).toBe(1)
    expect(own.get('dropped_pages')).toBe(60)
    expect((await figures(reader.id, '2025')).get('dropped_pages')).toBe(0)

    // Yesterday's streak isn't lost before today is over.
    now = new Date('2026-01-13T23:00:00Z')
    expect((await figures(reader.id)).get('current_streak')).toBe(1)
    now = new Date('2026-01-14T12:00:00Z')
    expect((await figures(reader.id)).get('current_streak')).toBe(0)

    // With days off a week: three days were missed within one, so two of them begin it anew.
    const [settings] = await reader.client.collection('settings').getFullList()
    const allow = (streak_days_off: string) =>
      reader.client.collection('settings').update(settings!.id, { streak_days_off })
    await allow('1')
    expect((await figures(reader.id)).get('current_streak')).toBe(1)
    await allow('2')
    expect((await figures(reader.id)).get('longest_streak')).toBe(3)
    await expect(allow('7')).rejects.toMatchObject({ status: 400 })

    const others = await figures('')
    expect(others.get('dropped')).toBe(1)
    for (const name of ['days_read', 'pages_logged', 'longest_streak', 'dropped_pages'] as const)
      expect(others.has(name)).toBe(false)
  })
})

describeMigratedDatabases('the editions and the status of a reader’s books', (open) => {
  let fixture: Fixture

  beforeEach(async () => {
    fixture = await openFixture(await open())
    return () => fixture.close()
  })

  test('are counted as their lists show them, also once a book is removed', async () => {
    const reader = await fixture.reader('reader')
    const [open, closed] = [
      await addShelf(reader, 'Open'),
      await addShelf(reader, 'Closed', 'private'),
    ]
    const finished = { status: 'completed' } as const
    const heidi = await addBook(reader, open.id, {
      ...finished,
      title: 'Heidi',
      language: 'ger',
      published: '1880',
    })
    const other = { language: 'eng', published: '1889-07' }
    await addBook(reader, open.id, { ...finished, ...other, title: 'Three Men in a Boat' })
    await addBook(reader, open.id, { ...finished, title: 'Undated', language: 'unknown' })
    await addBook(reader, closed.id, { ...finished, ...other, title: 'Hidden' })
    await addBook(reader, closed.id, { status: 'planning', title: 'Wanted' })
    const books = reader.client.collection('user_books')
    await books.update(heidi.id, { language: 'gsw', published: '1881' })
    await books.delete(heidi.id)

    const figures = async (viewer: string, year?: string) => {
      const answer = await readStatistics(fixture.database, reader.username, viewer, { year })
      return new Map(answer?.figures.map((figure): [FigureId, Figure] => [figure.id, figure]))
    }
    const [own, others] = [await figures(reader.id), await figures('')]
    const parts = (figure: Figure | undefined) =>
      figure?.parts.map(({ key, value }) => [key, value])
    expect(parts(own.get('by_language'))).toEqual([
      ['eng', 2],
      ['gsw', 1],
      ['unknown', 1],
    ])
    expect(parts(own.get('by_published'))).toEqual([
      ['1880', 3],
      ['unknown', 1],
    ])
    expect(parts(own.get('by_status'))).toEqual([
      ['completed', 3],
      ['planning', 1],
    ])
    expect(parts(others.get('by_status'))).toEqual([['completed', 2]])
    for (const [shown, client] of [
      [own, reader.client],
      [others, fixture.visitor()],
    ] as const)
      for (const id of ['by_language', 'by_published', 'by_status'] as const) {
        const { of, parts: bars, ...all } = shown.get(id)!
        for (const { filter, value } of [all, ...bars]) {
          const { totalItems } = await client.collection(of).getList(1, 1, { filter })
          expect({ id, filter, totalItems }).toEqual({ id, filter, totalItems: value })
        }
      }
    // A book has its status at present, in no year.
    expect((await figures(reader.id, '2026')).has('by_status')).toBe(false)
  })

  test('refuse a date and a language that no book could have', async () => {
    const reader = await fixture.reader('reader')
    const shelf = await addShelf(reader, 'Shelf')
    const { book_key } = await addBook(reader, shelf.id, { title: 'Emma' })
    const readings = reader.client.collection('readings')
    for (const wrong of [{ published: '18th century' }, { language: 'Old English' }]) {
      const reading = { book_key, outcome: 'finished', ...wrong }
      await expect(readings.create(reading)).rejects.toMatchObject({ status: 400 })
    }
  })
})

describeMigratedDatabases("what a stranger's statistics read", (open, dialect) => {
  // PostgreSQL chooses by how many readings are visible.
  const readsHidden = (plans: string) =>
    dialect === 'sqlite' &&
    /SEARCH (?:(?:readings|b) USING INDEX \w+ \(user=\?\)|t0 USING INDEX readings_user_)/.test(
      plans,
    )

  test('is found by indexes of what is visible, whatever is hidden', async () => {
    const fixture = await openFixture(await open())
    onTestFinished(() => fixture.close())
    const reader = await fixture.reader('reader')
    const hidden = await addShelf(reader, 'Hidden', 'private')
    await addShelf(reader, 'Open')
    await addBook(reader, hidden.id, { title: 'Secret', tags: ['beach'], status: 'completed' })
    await reader.client.collection('goals').create({ kind: 'books', target: 1, year: 2026 })
    const goals = await plansOf(fixture.database, async (told) => {
      const records = createRecords({
        database: told,
        schema,
        secret: 'a secret for tests that is long enough',
        appUrl: 'http://localhost:3000',
        onOtp: () => undefined,
      })
      const list = await listGoals(told, records, reader.username, null)
      expect(list?.goals.map(({ value }) => value)).toEqual([0])
      await records.close()
    })
    expect(readsHidden(goals)).toBe(false)
    for (const form of [{}, { year: '2024' }, { tag: 'beach' }, { shelf: hidden.id }]) {
      const plans = await plansOf(fixture.database, async (told) => {
        const { figures } = (await readStatistics(told, reader.username, '', form))!
        expect(figures.map(({ value }) => value).filter(Boolean)).toEqual([])
      })
      expect(readsHidden(plans)).toBe(false)
    }
  })
})

describeMigratedDatabases('names of signs alone', (open) => {
  test('are counted and listed as names, not as patterns', async () => {
    const fixture = await openFixture(await open())
    onTestFinished(() => fixture.close())
    const reader = await fixture.reader('reader')
    const shelf = await addShelf(reader, 'Shelf')
    for (const [n, name] of ['%', '_', '\\%', 'Fiction'].entries()) {
      const book = { title: `Book ${n}`, genres: [name], authors: [name] }
      await addBook(reader, shelf.id, { ...book, status: 'completed' })
    }
    const { figures } = (await readStatistics(fixture.database, reader.username, '', {}))!
    for (const id of ['by_genre', 'by_author'] as const) {
      const { parts } = figures.find((figure) => figure.id === id)!
      expect(parts.map(({ key }) => key).toSorted()).toEqual(['%', 'Fiction', '\\%', '_'])
      for (const { filter, value } of parts) {
        const readings = fixture.visitor().collection('readings')
        const { totalItems } = await readings.getList(1, 1, { filter })
        expect({ filter, totalItems }).toEqual({ filter, totalItems: value })
      }
    }
  })
})

describeMigratedDatabases('a filter with a zero character', (open) => {
  test.each([
    ['stats?genre=%00', 'genre'],
    ['stats?tag=a%00b', 'tag'],
    ['stats?shelf=%00', 'shelf'],
    ['diary?by=format&key=%00', 'key'],
  ])('is refused: %s', async (query, field) => {
    const fixture = await openFixture(await open())
    onTestFinished(() => fixture.close())
    const { username } = await fixture.reader('reader')
    const answer = await ask(fixture.visitor(), 'GET', `/api/v1/users/${username}/${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body).toHaveProperty(`data.${field}`)
  })
})
