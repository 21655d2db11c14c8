import type PocketBase from 'pocketbase'
import { beforeAll, expect, test } from 'vitest'
import { maxTokens } from '#shared/api-token.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { seedOwner, recordKindNames, recordKinds, type Owner } from './owner.ts'
import { addBook, addShelf, ask, openFixture, path, type Fixture } from './fixture.ts'

type Scope = 'read' | 'write'

describeMigratedDatabases('what a program does with an API token', (open) => {
  let fixture: Fixture
  let owner: Owner

  beforeAll(async () => {
    fixture = await openFixture(await open())
    owner = await seedOwner(fixture, 'owner')
    return () => fixture.close()
  })

  async function program(
    scope: Scope,
    collections: readonly string[] = [],
    of = owner,
  ): Promise<PocketBase> {
    const sent = { name: 'Script', scope, collections }
    const { token } = await of.client.collection('api_tokens').create(sent)
    const client = fixture.visitor()
    client.authStore.save(String(token), null)
    return client
  }

  const refused = (scope: string) => ({
    status: 403,
    body: { data: { scope: { code: 'insufficient_scope', params: { scope } } } },
  })

  test('it sees all that the reader sees', async () => {
    const client = await program('read')
    for (const thing of recordKindNames) {
      const address = path(recordKinds[thing].collection, owner.ids[thing])
      expect(await ask(client, 'GET', address), thing).toEqual(
        await ask(owner.client, 'GET', address),
      )
    }
  })

  test('limited to a collection it sees that one alone', async () => {
    for (const name of ['user_books', 'readings', 'settings']) {
      const client = await program('write', [name])
      for (const thing of recordKindNames) {
        const { collection } = recordKinds[thing]
        const address = path(collection, owner.ids[thing])
        const answer = await ask(client, 'GET', address)
        const wanted = collection === name ? { status: 200 } : refused(`read:${collection}`)
        expect(answer, thing).toMatchObject(wanted)
      }
    }
  })

  test('a refusal says as RFC 6750 does what it lacks', async () => {
    const client = await program('read', ['settings'])
    const headers = { Authorization: `Bearer ${client.authStore.token}` }
    const challenge = async (address: string, method = 'GET') =>
      (await fixture.fetch(address, { method, headers })).headers.get('www-authenticate')
    const lacking = (scope: string) => `Bearer error="insufficient_scope", scope="${scope}"`
    expect(await challenge(path('user_books'))).toBe(lacking('read:user_books'))
    const settings = path('settings', owner.ids['the settings'])
    expect(await challenge(settings, 'DELETE')).toBe(lacking('write'))
    expect(await challenge(settings)).toBeNull()
  })

  test('it writes as the reader, where it may', async () => {
    const shelf = owner.ids['a public shelf']
    const book = { shelf, title: 'By a script', status: 'reading' }
    const writing = await program('write')
    const made = await ask(writing, 'POST', path('user_books'), book)
    expect(made.status).toBe(200)
    const { id } = made.body as { id: string }
    const reading = await program('read')
    for (const [method, address, body] of [
      ['POST', path('user_books'), book],
      ['PATCH', path('user_books', id), { progress: 3 }],
      ['DELETE', path('user_books', id)],
      ['PATCH', path('settings', owner.ids['the settings']), { isPrivate: true }],
    ] as const)
      expect(await ask(reading, method, address, body), address).toMatchObject(refused('write'))
    expect((await ask(writing, 'PATCH', path('user_books', id), { progress: 3 })).status).toBe(200)
    expect((await ask(writing, 'DELETE', path('user_books', id))).status).toBe(204)
  })

  test('it gives access to nobody: no token, no device, no webhook, no other password', async () => {
    const { id, ids } = owner
    const client = await program('write')
    const tokens = () => owner.client.collection('api_tokens').getFullList({ fields: 'id,name' })
    const before = await tokens()
    for (const [method, address, body] of [
      ['POST', path('api_tokens'), { name: 'Another', scope: 'read' }],
      ['PATCH', path('api_tokens', ids['an API token']), { name: 'Mine' }],
      ['DELETE', path('api_tokens', ids['an API token'])],
      ['POST', path('connections'), { name: 'Kobo', kind: 'koreader' }],
      ['DELETE', path('connections', ids['a connection'])],
      ['POST', path('private_feeds'), {}],
      ['DELETE', path('private_feeds', ids['private feeds'])],
      ['POST', path('webhooks'), { url: 'https://hooks.example.org', events: ['book.added'] }],
      ['PATCH', `${path('webhooks', ids['a webhook'])}?rotate=true`, {}],
      ['PATCH', path('users', id), { password: 'x', passwordConfirm: 'x', oldPassword: 'x' }],
      ['PATCH', path('users', id), { email: 'other@example.org' }],
      ['DELETE', path('users', id)],
      ['GET', '/api/collections/users/passkeys'],
      ['POST', '/api/collections/users/passkeys', { name: 'Mine' }],
      ['POST', '/api/collections/users/passkeys/options', { password: 'x' }],
      ['PATCH', '/api/collections/users/passkeys/somewhere', { name: 'Mine' }],
      ['DELETE', '/api/collections/users/passkeys/somewhere'],
      ['POST', '/api/collections/users/request-passkey'],
      ['POST', '/api/collections/users/auth-with-passkey'],
      ['GET', '/api/collections/users/providers'],
      ['DELETE', '/api/collections/users/providers/google'],
      ['POST', '/api/collections/users/auth-refresh'],
      ['POST', '/api/v1/account/reset'],
      ['POST', '/api/v1/auth/logout'],
    ] as const)
      expect(await ask(client, method, address, body), address).toMatchObject(refused('session'))
    expect(await tokens()).toEqual(before)
  })

  test('the product’s own calls ask for reading or writing everything', async () => {
    const { username } = owner
    const book = await addBook(owner, owner.ids['a public shelf'], { title: 'To be removed' })
    await owner.client.collection('user_books').delete(book.id)
    const restored = { collection: 'user_books', ids: [book.id] }
    const statistics = `/api/v1/users/${username}/stats`
    const reading = await program('read')
    expect(await ask(reading, 'GET', statistics)).toEqual(
      await ask(owner.client, 'GET', statistics),
    )
    expect((await ask(reading, 'GET', '/api/v1/account/export')).status).toBe(200)
    const trash = await ask(reading, 'GET', '/api/v1/library/removed')
    expect(trash.status).toBe(200)
    expect(await ask(reading, 'POST', '/api/v1/library/restore', restored)).toMatchObject(
      refused('write'),
    )
    const limited = await program('write', ['user_books', 'readings'])
    for (const address of [statistics, '/api/v1/library/removed', '/api/v1/account/export'])
      expect(await ask(limited, 'GET', address)).toMatchObject(refused('read:*'))
    expect(await ask(limited, 'POST', '/api/v1/library/restore', restored)).toMatchObject(
      refused('write:*'),
    )
    const writing = await program('write')
    expect((await ask(writing, 'POST', '/api/v1/library/restore', restored)).status).toBeLessThan(
      300,
    )
  })

  test('the reader’s export leaves tokens out, and clearing the library ends them', async () => {
    const leaving = await seedOwner(fixture, 'clearing')
    const client = await program('write', [], leaving)
    const { body } = await ask(leaving.client, 'GET', '/api/v1/account/export')
    expect(body).toHaveProperty('bookshelves')
    expect(body).not.toHaveProperty('api_tokens')
    expect(JSON.stringify(body)).not.toContain('Script')
    expect((await ask(leaving.client, 'POST', '/api/v1/account/reset')).status).toBe(204)
    expect((await ask(client, 'GET', '/api/v1/library/removed')).status).toBe(401)
    expect((await leaving.client.collection('api_tokens').getList()).totalItems).toBe(0)
  })

  test('a reader has up to 50 of them, each with a name', async () => {
    const many = await fixture.reader('many')
    const make = (name: string) =>
      ask(many.client, 'POST', path('api_tokens'), { name, scope: 'read' })
    expect(await make(' ')).toMatchObject({ status: 400, body: { data: { name: {} } } })
    for (let n = 0; n < maxTokens; n++) expect((await make(` Token ${n} `)).status).toBe(200)
    const [first] = await many.client.collection('api_tokens').getFullList({ sort: 'created' })
    expect(first?.['name']).toBe('Token 0')
    const message = 'You can have up to 50 API tokens.'
    expect(await make('One too many')).toMatchObject({
      status: 400,
      body: { data: { name: { message } } },
    })
    expect((await many.client.collection('api_tokens').getList()).totalItems).toBe(maxTokens)
    expect(await addShelf(many, 'A shelf')).toHaveProperty('id')
  })
})
