import { beforeEach, expect, test } from 'vitest'
import type { FigureId } from '#shared/statistics.ts'
import { addBook, addShelf, openFixture, type Fixture, type Reader } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
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

    const others = await figures('')
    expect(others.get('dropped')).toBe(1)
    for (const name of ['days_read', 'pages_logged', 'longest_streak', 'dropped_pages'] as const)
      expect(others.has(name)).toBe(false)
  })
})
