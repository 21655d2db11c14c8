import { beforeEach, expect, test } from 'vitest'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { ask, openFixture, path, type Fixture, type Reader } from './fixture.ts'
import { subscribe } from './subscriber.ts'

const password = 'turns the last page'

describeMigratedDatabases('who administers the site', (open) => {
  let fixture: Fixture
  let ann: Reader
  let bob: Reader

  beforeEach(async () => {
    fixture = await openFixture(await open())
    ann = await fixture.reader('ann')
    bob = await fixture.reader('bob')
    await fixture.records.write((tx) => tx.update('users', ann.id, { isAdmin: true }))
    return () => fixture.close()
  })

  const stored = async (id: string) => (await fixture.records.find('users', id))?.['isAdmin']

  test('is shown to that reader alone', async () => {
    const own = await ann.client.collection('users').getOne(ann.id)
    expect(own).toMatchObject({ isAdmin: true })
    const { record } = await ann.client.collection('users').authRefresh()
    expect(record).toMatchObject({ isAdmin: true })
    expect(await bob.client.collection('users').getOne(bob.id)).toMatchObject({ isAdmin: false })
    await ann.client.collection('bookshelves').create({ name: 'Open', visibility: 'public' })
    for (const { client } of [bob, { client: fixture.visitor() }]) {
      const fields = '*,isAdmin,expand.*'
      const seen: object[] = [
        await client.collection('users').getOne(ann.id, { fields }),
        await client.collection('users').getFirstListItem(`id = "${ann.id}"`, { fields }),
        await client.collection('profile').getOne(ann.id, { fields }),
        await client.collection('bookshelves').getFirstListItem('', { expand: 'user', fields }),
      ]
      expect(JSON.stringify(seen)).not.toContain('isAdmin')
    }
  })

  test('is in the events of that reader alone', async () => {
    const { token } = ann.client.authStore
    const topics = ['users/*']
    const hers = await subscribe(fixture, token, topics)
    const his = await subscribe(fixture, bob.client.authStore.token, topics)
    await fixture.records.write((tx) => tx.update('users', ann.id, { isAdmin: false }))
    const event = { action: 'update', record: { id: ann.id } }
    expect(JSON.parse(await hers.nextOf('users/*'))).toMatchObject({
      ...event,
      record: { isAdmin: false },
    })
    const others = await his.nextOf('users/*')
    expect(JSON.parse(others)).toMatchObject(event)
    expect(others).not.toContain('isAdmin')
    await hers.close()
    await his.close()
  })

  test('R35: is changed by no request', async () => {
    const isAdmin = true
    const form = (name: string) => ({
      email: `${name}@example.org`,
      password,
      passwordConfirm: password,
      isAdmin,
    })
    const users = fixture.visitor().collection('users')
    const made = [await users.create(form('cat'))]
    const multipart = new FormData()
    for (const [name, value] of Object.entries(form('dan'))) multipart.set(name, String(value))
    made.push(await users.create(multipart))
    const batch = fixture.visitor().createBatch()
    batch.collection('users').create(form('eve'))
    made.push(...(await batch.send()).map(({ body }: { body: { id: string } }) => body as never))
    for (const { id } of made) expect(await stored(id)).toBe(false)

    const url = path('users', bob.id)
    const upsert = { id: bob.id, isAdmin }
    expect((await ask(bob.client, 'PATCH', url, { isAdmin })).status).toBe(200)
    for (const key of ['isAdmin+', '+isAdmin', 'isAdmin:each', 'isadmin'])
      await ask(bob.client, 'PATCH', url, { [key]: isAdmin })
    const requests = [
      { method: 'PATCH', url, body: { isAdmin } },
      { method: 'PUT', url: path('users'), body: upsert },
    ]
    expect((await ask(bob.client, 'POST', '/api/batch', { requests })).status).toBe(200)
    expect(await stored(bob.id)).toBe(false)
    // An administrator can't step down over HTTP either, nor make others administrators.
    await ask(ann.client, 'PATCH', path('users', ann.id), { isAdmin: false })
    expect((await ask(ann.client, 'PATCH', url, { isAdmin })).status).toBe(404)
    expect([await stored(ann.id), await stored(bob.id)]).toEqual([true, false])
  })
})
