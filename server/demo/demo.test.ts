import { expect, onTestFinished, test } from 'vitest'
import type { Profile } from '#shared/account.ts'
import type { Activity } from '#shared/activity.ts'
import type { Reading } from '#shared/reading.ts'
import type { StatisticsForm } from '#shared/statistics.ts'
import type { UserBook } from '#shared/user-book.ts'
import { readStatistics } from '#server/library/statistics.ts'
import { openFixture } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { openStarter } from '#tests/open-starter.ts'
import { readers } from './demo-readers.ts'
import { fillDemo } from './demo.ts'

const { catalogue } = await openStarter()

describeMigratedDatabases('the demo', (open) => {
  test('is a library with readers, shelves and weeks of reading, and an account to sign in', async () => {
    const fixture = await openFixture(await open())
    onTestFinished(() => fixture.close())

    const { email, password } = await fillDemo(fixture.records, catalogue)
    const visitor = fixture.visitor()
    await expect(
      visitor.collection('users').authWithPassword(email, password),
    ).rejects.toMatchObject({ status: 401, response: { mfaId: expect.any(String) as string } })

    const profiles = await visitor.collection('profile').getFullList<Profile>()
    expect(profiles).toHaveLength(7)
    const main = profiles.find((profile) => email.startsWith(profile.username))
    expect(main).toMatchObject({ shelves_count: 3 })
    expect(main?.books_count).toBeGreaterThan(20)
    expect(main?.average_rating).toBeGreaterThan(4)

    const timeline = await visitor
      .collection('activities')
      .getFullList<Activity>({ sort: '-created', filter: `user = "${main?.id}"` })
    expect(new Set(timeline.map((entry) => entry.event_type))).toContain('progress_updated')
    const days = new Set(timeline.map((entry) => entry.created.slice(0, 10)))
    expect(days.size).toBeGreaterThan(10)
    const [newest] = timeline
    expect(Date.parse(newest?.created ?? '')).toBeLessThan(Date.now())
    const shelves = await visitor.collection('bookshelves').getFullList()
    for (const shelf of shelves) expect(shelf['book_count']).toBeGreaterThan(0)

    const books = await visitor.collection('user_books').getFullList<UserBook>()
    const kept = shelves.find(({ name }) => name === 'Finished and kept')
    const finished = books.filter(({ shelf, status }) => shelf === kept?.id && status !== 'dropped')
    expect(finished.length).toBeGreaterThan(40)
    for (const { status, progress, page_count } of finished)
      expect([status, progress]).toEqual(['completed', page_count])
    const readings = await visitor.collection('readings').getFullList<Reading>()
    const read = readings.filter(({ outcome }) => outcome === 'finished')
    expect(new Set(read.map(({ finished: end }) => end)).size).toBeGreaterThan(10)
    for (const { started, finished: end } of read)
      expect(started < end, `${started} ${end}`).toBe(true)
    expect(new Set(books.map(({ user, title }) => `${user} ${title}`)).size).toBe(books.length)
    for (const { name } of profiles) expect(name).toMatch(/ \(demo\)$/)
  })

  test('has three readers with a year behind them, and nothing missing from it', async () => {
    const database = await open()
    const fixture = await openFixture(database)
    onTestFinished(() => fixture.close())
    await fillDemo(fixture.records, catalogue)

    const year = String(new Date().getFullYear() - 1)
    for (const { username, years } of readers.filter((reader) => reader.years)) {
      const { id } = await fixture
        .visitor()
        .collection('profile')
        .getFirstListItem(`username = "${username}"`)
      const figures = async (form: StatisticsForm) => {
        const statistics = await readStatistics(database, username, id, form)
        return new Map(statistics?.figures.map((figure) => [figure.id, figure]))
      }
      const always = await figures({})
      const reads = years?.reads ?? []
      expect(always.get('dropped')?.value).toBeGreaterThanOrEqual(
        reads.filter(({ isDropped }) => isDropped).length,
      )
      expect(always.get('books')?.value).toBeGreaterThanOrEqual(
        reads.filter(({ isDropped }) => !isDropped).length,
      )
      expect(always.get('rereads')?.value).toBeGreaterThan(0)
      expect(always.get('minutes')?.value).toBeGreaterThan(0)
      expect(always.get('dropped_pages')?.value).toBeGreaterThan(0)
      const last = await figures({ year })
      expect(last.get('books')?.value).toBeGreaterThan(10)
      const months = last.get('by_month')?.parts.filter(({ value }) => value > 0) ?? []
      expect(months.length).toBeGreaterThan(8)
      expect(last.get('days_read')?.value).toBeGreaterThan(60)
    }
  })
})
