import { beforeEach, expect, test } from 'vitest'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { subscribe, type Event, type Subscriber } from './subscriber.ts'
import {
  addBook,
  addShelf,
  ask,
  askAs,
  openFixture,
  path,
  type Reader,
  type Fixture,
} from './fixture.ts'

const topics = ['users', 'profile', 'settings', 'bookshelves', 'user_books', 'activities'].map(
  (name) => `${name}/*`,
)
const endings = ['reset', 'delete'] as const

describeMigratedDatabases('a reader who leaves', (open) => {
  let fixture: Fixture
  let time: number
  let leaver: Reader
  let another: Reader
  let seen: { shelf: string; book: string }
  let hidden: { shelf: string; book: string }

  beforeEach(async () => {
    time = Date.now()
    fixture = await openFixture(await open(), () => new Date(time))
    leaver = await fixture.reader('leaver')
    another = await fixture.reader('another')
    seen = await furnish('public')
    hidden = await furnish('private')
    return () => fixture.close()
  })

  async function furnish(visibility: 'public' | 'private') {
    const title = visibility === 'public' ? 'In the window' : 'canary'
    const shelf = (await addShelf(leaver, title, visibility)).id
    return { shelf, book: (await addBook(leaver, shelf, { title })).id }
  }

  const end = (how: (typeof endings)[number]) =>
    how === 'reset'
      ? ask(leaver.client, 'POST', '/api/v1/account/reset')
      : ask(leaver.client, 'DELETE', path('users', leaver.id))

  /** What visitor and reader hear of it; a shelf of somebody else marks its end. */
  async function heard(how: (typeof endings)[number]): Promise<Event[][]> {
    const listeners = [
      await subscribe(fixture, undefined, topics),
      await subscribe(fixture, another.client.authStore.token, topics),
    ]
    expect((await end(how)).status).toBe(204)
    await addShelf(another, 'The last')
    const events = await Promise.all(listeners.map((one) => one.until('The last')))
    await Promise.all(listeners.map((one: Subscriber) => one.close()))
    return events
  }

  test.each(endings)('by %s is heard of by others for what they could see', async (how) => {
    const { id: activity } = await leaver.client
      .collection('activities')
      .getFirstListItem<{ id: string }>(`book = "${seen.book}"`)
    for (const events of await heard(how)) {
      const gone = events.filter(({ action }) => action === 'delete').map(({ record }) => record.id)
      const account = how === 'delete' ? [seen.shelf, leaver.id] : []
      expect(gone).toEqual(expect.arrayContaining([seen.book, activity, ...account]))
      const text = events.map((event) => event.text).join('\n')
      for (const secret of ['canary', hidden.book, hidden.shelf, leaver.email, 'tokenKey'])
        expect(text, secret).not.toContain(secret)
    }
  })

  test.each(endings)('by %s with a private profile is not heard of', async (how) => {
    const { id } = await leaver.client.collection('settings').getFirstListItem<{ id: string }>('')
    await leaver.client.collection('settings').update(id, { isPrivate: true })
    expect(await heard(how)).toEqual([[], []])
  })

  test('by deletion leaves tokens that open nothing, and a name that is nobody’s for 30 days', async () => {
    const { token } = leaver.client.authStore
    expect((await end('delete')).status).toBe(204)
    leaver.client.authStore.save(token, null)
    const doors: [string, string][] = [
      ['POST', '/api/collections/users/auth-refresh'],
      ['POST', '/api/v1/account/reset'],
      ['GET', '/api/v1/account/export'],
      ['GET', '/api/v1/account/export.csv'],
      ['GET', '/api/collections/users/sessions'],
      ['DELETE', '/api/collections/users/sessions'],
      ['GET', '/api/collections/users/passkeys'],
      ['POST', '/api/collections/users/passkeys'],
      ['POST', '/api/collections/users/passkeys/options'],
      ['GET', '/api/collections/users/providers'],
      ['DELETE', '/api/collections/users/providers/google'],
      ['POST', '/api/files/token'],
    ]
    for (const [method, door] of doors)
      expect((await askAs(fixture, leaver, method, door)).status, `${method} ${door}`).toBe(401)
    const form = { email: 'new@example.org', password: 'turn the page', username: leaver.username }
    const signUp = () =>
      ask(fixture.visitor(), 'POST', path('users'), { ...form, passwordConfirm: form.password })
    const kept = { status: 400, body: { data: { username: { code: 'validation_not_unique' } } } }
    time += 29 * 86_400_000
    expect(await signUp()).toMatchObject(kept)
    time += 2 * 86_400_000
    expect(await signUp()).toMatchObject({ status: 200, body: { username: leaver.username } })
  })

  test('takes along their own rows only, in files that do not name an address', async () => {
    const shelf = await addShelf(another, 'Not theirs')
    await addBook(another, shelf.id, { title: 'Another’s book' })
    for (const file of ['export', 'export.csv', 'export?format=openreads']) {
      const answer = await fixture.fetch(`/api/v1/account/${file}`, {
        headers: { Authorization: leaver.client.authStore.token },
      })
      const text = await answer.text()
      expect(text).toContain('In the window')
      for (const foreign of [another.id, another.username, another.email, 'Not theirs', shelf.id])
        expect(text, foreign).not.toContain(foreign)
      expect(text).not.toContain('Another’s book')
      const name = { export: '.json', 'export.csv': '.csv' }[file] ?? '-openreads.csv'
      expect(answer.headers.get('content-disposition')).toBe(
        `attachment; filename="octavo-${leaver.username}${name}"`,
      )
      expect((await fixture.fetch(`/api/v1/account/${file}`)).status).toBe(401)
    }
  })
})
