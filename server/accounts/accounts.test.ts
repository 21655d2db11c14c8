import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import type { MailTransport } from '#server/mail/message.ts'
import { openOutbox } from '#server/mail/outbox.ts'
import { reservedUsernames, usernamePattern } from '#shared/username.ts'
import { addBook, addShelf, ask, openFixture, path, type Fixture } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { otpMail } from './otp-mail.ts'
import { suggestUsername } from './username.ts'

const password = 'turn the page'

/** A mail server that takes nothing. */
const awayPost: MailTransport = {
  deliver: () => Promise.reject(new Error('421 try later')),
  close: () => undefined,
}

describeMigratedDatabases('accounts', (open) => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await openFixture(await open())
    return () => fixture.close()
  })

  const signUp = (form: object) =>
    ask(fixture.visitor(), 'POST', path('users'), {
      password,
      passwordConfirm: password,
      ...form,
    })

  test('a new reader has a readable name of their own, and settings', async () => {
    const reader = await fixture.reader('reader')
    expect(reader.username).toMatch(/^[a-z]+-[a-z]+-\d+$/)
    expect(reader.username).toMatch(usernamePattern)
    const settings = await reader.client.collection('settings').getFullList()
    expect(settings).toMatchObject([
      { user: reader.id, isPrivate: false, default_add_status: 'reading', background: '' },
    ])
  })

  test('tells only the reader who waits for a code whether it is late', async () => {
    const { email } = await fixture.reader('reader')
    const form = { identity: email, password: 'reader turns the page' }
    const step = await ask(
      fixture.visitor(),
      'POST',
      '/api/collections/users/auth-with-password',
      form,
    )
    const { mfaId } = step.body as { mfaId: string }
    const isLate = async (id: string) =>
      (await ask(fixture.visitor(), 'POST', '/api/v1/auth/mail', { mfaId: id })).body
    expect(await isLate(mfaId)).toEqual({ data: { isLate: false } })
    const outbox = openOutbox(fixture.database, awayPost, pino({ level: 'silent' }))
    await outbox.send(otpMail(email, '042317', new Date()))
    await expect.poll(() => isLate(mfaId)).toEqual({ data: { isLate: true } })
    for (const stranger of ['', 'x'.repeat(15)])
      expect(await isLate(stranger)).toEqual({ data: { isLate: false } })
    expect((await ask(fixture.visitor(), 'POST', '/api/v1/auth/mail', {})).status).toBe(400)
    await outbox.close()
  })

  test.each([
    [{ isPrivate: 'yes' }, 'isPrivate', 'Must be true or false.'],
    [{ isPrivate: null }, 'isPrivate', 'Must be true or false.'],
    [{ isPrivate: 2 }, 'isPrivate', 'Must be true or false.'],
    [{ default_add_status: '' }, 'default_add_status', 'Cannot be blank.'],
    [{ default_add_status: 'read' }, 'default_add_status', 'Invalid value read.'],
  ])(
    'settings of %j are refused, and a private profile stays private',
    async (form, at, message) => {
      const { client } = await fixture.reader('reader')
      const settings = client.collection('settings')
      const { id } = await settings.getFirstListItem('')
      await settings.update(id, { isPrivate: 'true' })
      expect(await ask(client, 'PATCH', path('settings', id), form)).toMatchObject({
        status: 400,
        body: { data: { [at]: { message } } },
      })
      expect(await settings.getOne(id)).toMatchObject({
        isPrivate: true,
        default_add_status: 'reading',
      })
    },
  )

  test('an address is one account, however it is written', async () => {
    expect((await signUp({ email: 'Reader@Example.org' })).status).toBe(200)
    expect(await signUp({ email: 'reader@example.ORG' })).toMatchObject({
      status: 400,
      body: { data: { email: { code: 'validation_not_unique' } } },
    })
    await expect(
      fixture.visitor().collection('users').authWithPassword('READER@example.org', password),
    ).rejects.toMatchObject({ status: 401, response: { mfaId: expect.any(String) as string } })
  })

  test('an international domain is one, however it is written', async () => {
    expect((await signUp({ email: 'ivan@почта.рф' })).status).toBe(200)
    expect(await signUp({ email: 'ivan@xn--80a1acny.xn--p1ai' })).toMatchObject({
      status: 400,
      body: { data: { email: { code: 'validation_not_unique' } } },
    })
  })

  test.each(['rеader@example.org', 'ſ@example.org', 'a b@example.org'])(
    'the address %s is refused',
    async (email) => {
      expect(await signUp({ email })).toMatchObject({
        status: 400,
        body: { data: { email: { code: 'validation_is_email' } } },
      })
    },
  )

  describe('a username', () => {
    test('R36: is one reader’s in any case', async () => {
      expect((await signUp({ email: 'a@example.org', username: ' Quill ' })).status).toBe(200)
      expect(await signUp({ email: 'b@example.org', username: 'QUILL' })).toMatchObject({
        status: 400,
        body: { data: { username: { code: 'validation_not_unique' } } },
      })
    })

    test.each(['ab', 'a'.repeat(31), '.quill', 'quill-', 'qu ill', 'quıll', 'Кill', 'qu\u200Dill'])(
      'R36: %s is refused',
      async (username) => {
        expect(await signUp({ email: 'a@example.org', username })).toMatchObject({
          status: 400,
          body: { data: { username: { code: 'validation_invalid_format' } } },
        })
      },
    )

    test.each(['admin', 'Octavo', 'settings'])('%s is reserved', async (username) => {
      expect(await signUp({ email: 'a@example.org', username })).toMatchObject({
        status: 400,
        body: { data: { username: { message: 'This username is reserved.' } } },
      })
    })

    test.each(['0ctavo', 'ad.min', 'he1p', 'L0G-1N'])(
      '%s, which reads as a reserved word, is reserved',
      async (username) => {
        expect(await signUp({ email: 'a@example.org', username })).toMatchObject({
          status: 400,
          body: { data: { username: { message: 'This username is reserved.' } } },
        })
      },
    )

    test('leaves no mark in a name that turns the text around it', async () => {
      const { client, id } = await fixture.reader('reader')
      const name = ' Quill\u202E\u2066 \u200B  Pen\u0007\u200F '
      await client.collection('users').update(id, { name })
      expect(await client.collection('users').getOne(id)).toMatchObject({ name: 'Quill Pen' })
      const persian = 'کتاب\u200Cخوان'
      await client.collection('users').update(id, { name: persian })
      expect(await client.collection('users').getOne(id)).toMatchObject({ name: persian })
    })

    test('can be changed, and a blank one leaves it as it is', async () => {
      const { client, id, username } = await fixture.reader('reader')
      await client.collection('users').update(id, { username: '', name: ' Quill ' })
      expect(await client.collection('users').getOne(id)).toMatchObject({ username, name: 'Quill' })
      await client.collection('users').update(id, { username: 'Quill.Pen' })
      expect(await client.collection('users').getOne(id)).toMatchObject({ username: 'quill.pen' })
      expect((await ask(client, 'PATCH', path('users', id), { username: 'admin' })).status).toBe(
        400,
      )
    })
  })

  test('signing out ends the session on the server, not only here', async () => {
    const { client, id } = await fixture.reader('reader')
    const { token, record } = client.authStore
    const other = fixture.visitor()
    other.authStore.save(token, record)
    expect(await other.collection('users').getOne(id)).toHaveProperty('email')
    expect((await ask(client, 'POST', '/api/v1/auth/logout')).status).toBe(204)
    expect(await other.collection('users').getOne(id)).not.toHaveProperty('email')
    expect((await ask(other, 'POST', '/api/collections/users/auth-refresh')).status).toBe(401)
    // Nobody is signed in any more, and that is fine.
    expect((await ask(client, 'POST', '/api/v1/auth/logout')).status).toBe(204)
  })

  test('signing out takes the cookie away', async () => {
    let cookie: string | null = null
    const client = fixture.visitor()
    client.afterSend = (response, data: unknown) => {
      cookie = response.headers.get('set-cookie')
      return data
    }
    await client.send('/api/v1/auth/logout', { method: 'POST' })
    expect(cookie).toBe('pb_auth=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
  })

  test('reset clears only the caller’s books and timeline', async () => {
    const [reader, other] = [await fixture.reader('reader'), await fixture.reader('other')]
    for (const who of [reader, other]) {
      const shelf = await addShelf(who, 'The shelf')
      await addBook(who, shelf.id, { title: 'Frankenstein', page_count: 280 })
    }
    expect((await ask(fixture.visitor(), 'POST', '/api/v1/account/reset')).status).toBe(401)
    expect((await ask(reader.client, 'POST', '/api/v1/account/reset')).status).toBe(204)
    const left = async (who: typeof reader, collection: string) =>
      (await who.client.collection(collection).getFullList({ filter: `user = "${who.id}"` })).length
    for (const collection of ['user_books', 'activities']) {
      expect(await left(reader, collection), collection).toBe(0)
      expect(await left(other, collection), collection).toBe(1)
    }
    const [shelf] = await reader.client
      .collection('bookshelves')
      .getFullList({ filter: `user = "${reader.id}"` })
    expect(shelf).toMatchObject({ name: 'The shelf', book_count: 0, covers: [] })
    expect(await left(reader, 'settings')).toBe(1)
  })
})

test('generated names are valid, free of reserved words, and more when they get scarce', () => {
  for (let i = 0; i < 2000; i++) {
    const name = suggestUsername(i % 8)
    expect(name).toMatch(usernamePattern)
    expect(reservedUsernames.has(name)).toBe(false)
  }
})
