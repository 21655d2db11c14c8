import Newest from 'pocketbase'
import Older from 'pocketbase-0.26'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { id, openFixture, password, type Fixture } from './fixture.ts'

const appUrl = 'http://app.test'

describeDatabases('the official client', (open) => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await openFixture(await open())
    return () => fixture.records.close()
  })

  // The older one has the same calls; where its types differ is not what is tested here.
  const clients = { newest: Newest, '0.26.5': Older as unknown as typeof Newest }
  describe.each(Object.keys(clients) as (keyof typeof clients)[])('%s', (version) => {
    function client(): Newest {
      const made = new clients[version](appUrl)
      made.autoCancellation(false)
      made.beforeSend = (url, options) => ({
        url,
        options: {
          ...options,
          fetch: async (input: string | URL | Request, init?: RequestInit) =>
            fixture.request(new Request(input).url.slice(appUrl.length), init),
        },
      })
      return made
    }

    test('reads lists, pages, the first of them, and one', async () => {
      const notes = client().collection('notes')
      expect((await notes.getList(1, 2, { sort: 'created,id' })).totalPages).toBe(2)
      expect(await notes.getFullList({ batch: 2 })).toHaveLength(3)
      expect(await notes.getFullList()).toHaveLength(3)
      expect((await notes.getFirstListItem('title ~ "beta"')).id).toBe(id('n4'))
      expect((await notes.getOne(id('n1'), { expand: 'folder' })).expand).toMatchObject({
        folder: { name: 'Open' },
      })
      await expect(notes.getOne(id('n3'))).rejects.toMatchObject({ status: 404 })
      await expect(notes.getOne('')).rejects.toMatchObject({ status: 404 })
      await expect(notes.getFirstListItem('title = "none"')).rejects.toMatchObject({ status: 404 })
      await expect(notes.getList(1, 1, { filter: '(' })).rejects.toMatchObject({
        status: 400,
        message: 'Something went wrong while processing your request.',
      })
    })

    test.each([
      ['{:x}', { x: 'Beta 50%_x\\y' }],
      ['{:x} && title ~ {:y}', { x: 'Beta 50%_x\\y', y: 'beta' }],
    ])('quotes what it is given in %s', async (filter, values) => {
      const pb = client()
      const { items } = await pb
        .collection('notes')
        .getList(1, 5, { filter: pb.filter(`title = ${filter}`, values) })
      expect(items.map((item) => item.id)).toEqual([id('n4')])
    })

    test.each(["it's", 'say "it"', 'a\nb', '<&>', "') || 1=1 || ('", 'é\u{1F4D6}'])(
      'writes and finds %j',
      async (name) => {
        const pb = client()
        const tags = pb.collection('tags')
        const tag = await tags.create({ name })
        const found = await tags.getFullList({ filter: pb.filter('name = {:name}', { name }) })
        expect(found).toEqual([tag])
        await tags.delete(tag.id)
        await expect(tags.getOne(tag.id)).rejects.toMatchObject({ status: 404 })
      },
    )

    test('writes forms as it does objects', async () => {
      const tags = client().collection('tags')
      const form = new FormData()
      form.set('name', '0042')
      form.set('weight', '4.5')
      const tag = await tags.create(form)
      expect(tag).toMatchObject({ name: '0042', weight: 4.5 })
      expect(await tags.update(tag.id, { 'weight+': 1 })).toMatchObject({ weight: 5.5 })
      expect(await tags.delete(tag.id)).toBe(true)
    })

    test('signs up, in, on and out', async () => {
      const pb = client()
      const people = pb.collection('people')
      const email = `v${version.replaceAll('.', '')}@example.org`
      const made = await people.create({ email, password, passwordConfirm: password, name: 'V' })
      expect(made).not.toHaveProperty('email')
      const half = await people.authWithPassword(email, password).catch((error: unknown) => error)
      expect(half).toMatchObject({ status: 401, response: { mfaId: expect.any(String) as string } })
      const { mfaId } = (half as { response: { mfaId: string } }).response
      const { otpId } = await people.requestOTP(email)
      const code = await vi.waitUntil(() => fixture.codes.get(email), {
        interval: 5,
        timeout: 30_000,
      })
      const done = await people.authWithOTP(otpId, code, { mfaId })
      expect(done.record).toMatchObject({ id: made.id, email, verified: true })
      expect(pb.authStore.isValid).toBe(true)

      await people.authRefresh()
      await people.update(made.id, { name: 'W' })
      expect(pb.authStore.record).toMatchObject({ name: 'W', email })
      const folder = await pb.collection('folders').create({ name: 'Mine', secret: true })
      expect(folder['owner']).toBe(made.id)
      const change = {
        oldPassword: password,
        password: 'next horse',
        passwordConfirm: 'next horse',
      }
      await people.update(made.id, change)
      await expect(people.authRefresh()).rejects.toMatchObject({ status: 401 })
      expect((await pb.collection('folders').getList()).totalItems).toBe(2)
    })

    test('asks for the ways to sign in, for codes and for letters', async () => {
      const people = client().collection('people')
      const methods = await people.listAuthMethods()
      expect(methods).toMatchObject({
        mfa: { enabled: true, duration: 600 },
        oauth2: { enabled: false, providers: [] },
        otp: { enabled: true, duration: 180 },
        password: { enabled: true, identityFields: ['email'] },
      })
      expect((await people.requestOTP('nobody@example.org')).otpId).toMatch(/^[a-z0-9]{15}$/)
      expect(await people.requestPasswordReset('nobody@example.org')).toBe(true)
      expect(await people.requestVerification('nobody@example.org')).toBe(true)
    })

    test('is told that the service is healthy', async () => {
      expect(await client().health.check()).toEqual({
        code: 200,
        data: {},
        message: 'API is healthy.',
      })
    })
  })

  test('nothing went wrong', () => {
    expect(fixture.errors).toEqual([])
  })
})
