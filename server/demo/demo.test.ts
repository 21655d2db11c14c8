import { expect, onTestFinished, test } from 'vitest'
import type { Profile } from '#shared/account.ts'
import type { Activity } from '#shared/activity.ts'
import type { Reading } from '#shared/reading.ts'
import type { UserBook } from '#shared/user-book.ts'
import { openFixture } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { openStarter } from '#tests/open-starter.ts'
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
    const finished = books.filter(({ shelf }) => shelf === kept?.id)
    expect(finished).toHaveLength(14)
    for (const { status, rating, progress, page_count } of finished) {
      expect([status, progress]).toEqual(['completed', page_count])
      expect(rating).toBeGreaterThanOrEqual(6)
    }
    const readings = await visitor.collection('readings').getFullList<Reading>()
    const read = readings.filter(({ outcome }) => outcome === 'finished')
    expect(new Set(read.map(({ finished: end }) => end)).size).toBeGreaterThan(10)
    for (const { started, finished: end } of read)
      expect(started < end, `${started} ${end}`).toBe(true)
    expect(new Set(books.map(({ user, title }) => `${user} ${title}`)).size).toBe(books.length)
  })
})
