import { beforeEach, expect, test } from 'vitest'
import { ask, openFixture, path, type Reader, type Fixture } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'

const day = 24 * 60 * 60 * 1000

describeMigratedDatabases('a username that was given up', (open) => {
  let fixture: Fixture
  let reader: Reader
  let other: Reader
  let time: number
  beforeEach(async () => {
    time = Date.now()
    fixture = await openFixture(await open(), () => new Date(time))
    reader = await fixture.reader('reader')
    other = await fixture.reader('other')
    await rename(reader, 'old.quill')
    await rename(reader, 'new.quill')
    return () => fixture.close()
  })

  const rename = ({ client, id }: Reader, username: string) =>
    ask(client, 'PATCH', path('users', id), { username })
  const now = (username: string, by = fixture.visitor()) =>
    ask(by, 'GET', `/api/v1/usernames/${encodeURIComponent(username)}`)
  const taken = {
    status: 400,
    body: {
      data: { username: { code: 'validation_not_unique', message: 'Value must be unique.' } },
    },
  }

  test('leads to the one of today for 30 days, in any case', async () => {
    const found = { status: 200, body: { data: { username: 'new.quill' } } }
    for (const name of ['old.quill', 'OLD.Quill', 'new.quill', reader.username])
      expect(await now(name), name).toEqual(found)
    time += 29 * day
    expect(await now('old.quill')).toEqual(found)
    time += 2 * day
    expect((await now('old.quill')).status).toBe(404)
  })

  test('is not found by viewers who cannot see the profile', async () => {
    const unknown = await now('nobody-at-all')
    expect(unknown).toMatchObject({ status: 404, body: { message: 'User profile not found.' } })
    const [settings] = await reader.client.collection('settings').getFullList()
    await reader.client.collection('settings').update(settings!.id, { isPrivate: true })
    expect(await now('old.quill')).toEqual(unknown)
    expect(await now('new.quill', other.client)).toEqual(unknown)
    expect((await now('old.quill', reader.client)).status).toBe(200)
  })

  test('is kept for its reader for 30 days, and looks like any that is taken', async () => {
    expect(await rename(other, 'old.quill')).toMatchObject(taken)
    expect(await rename(other, 'new.quill')).toMatchObject(taken)
    const form = { email: 'third@example.org', password: 'turn the page' }
    const signUp = { ...form, passwordConfirm: form.password, username: 'Old.Quill' }
    expect(await ask(fixture.visitor(), 'POST', path('users'), signUp)).toMatchObject(taken)
    expect((await rename(reader, 'old.quill')).status).toBe(200)
    expect(await now('new.quill')).toMatchObject({ body: { data: { username: 'old.quill' } } })
    time += 31 * day
    expect(await take(other, 'new.quill')).toMatchObject({ username: 'new.quill' })
    expect(await now('new.quill')).toMatchObject({ body: { data: { username: 'new.quill' } } })
  })

  test('is kept as one of the last five only', async () => {
    for (const name of ['one', 'two', 'three', 'four', 'five']) {
      time += 1
      await rename(reader, `quill-${name}`)
    }
    expect((await now('old.quill')).status).toBe(404)
    expect((await now('new.quill')).status).toBe(200)
    expect((await rename(other, 'old.quill')).status).toBe(200)
  })

  test('stays nobody’s for 30 days when the account is deleted', async () => {
    expect((await ask(reader.client, 'DELETE', path('users', reader.id))).status).toBe(204)
    for (const name of ['new.quill', 'old.quill']) {
      expect((await now(name)).status).toBe(404)
      expect(await rename(other, name)).toMatchObject(taken)
    }
    time += 31 * day
    expect(await take(other, 'new.quill')).toMatchObject({ username: 'new.quill' })
  })

  test('goes to nobody else at the moment it is given up', async () => {
    for (const name of ['quill-1', 'quill-2', 'quill-3', 'quill-4']) {
      const answers = await Promise.all([rename(reader, name), rename(other, 'new.quill')])
      expect(answers.map(({ status }) => status)).toEqual([200, 400])
      await rename(reader, 'new.quill')
    }
  })

  /** A month later every session has ended; the server itself can still write. */
  const take = ({ id }: Reader, username: string) =>
    fixture.records.write((tx) => tx.update('users', id, { username }))
})
