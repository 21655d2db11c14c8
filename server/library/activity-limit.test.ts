import { beforeEach, expect, test } from 'vitest'
import type PocketBase from 'pocketbase'
import type { Activity } from '#shared/activity.ts'
import { plans } from '#shared/plan.ts'
import {
  addBook,
  addShelf,
  ask,
  openFixture,
  path,
  type Reader,
  type Fixture,
} from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'

const { activities: limit } = plans.free

describeMigratedDatabases('the timeline of the free plan', (open) => {
  let fixture: Fixture
  let reader: Reader
  let clock: number

  beforeEach(async () => {
    clock = Date.now()
    fixture = await openFixture(await open(), () => new Date(clock))
    reader = await fixture.reader('reader')
    return () => fixture.close()
  })

  /** As many entries as statuses are set, each a second after the one before. */
  async function act(book: string, times: number): Promise<void> {
    for (let n = 0; n < times; n++)
      await fixture.records.write(async (tx) => {
        clock += 1000
        await tx.update('user_books', book, { status: n % 2 ? 'reading' : 'paused' })
      })
  }

  const total = async (client: PocketBase) =>
    (await client.collection('activities').getList(1, 1)).totalItems
  const entries = (client: PocketBase) =>
    client.collection('activities').getFullList<Activity>({ sort: '-created' })

  test('is its newest 100 entries, by every door; the others are kept', async () => {
    const shelf = await addShelf(reader, 'The shelf')
    const { id } = await addBook(reader, shelf.id, { title: 'Frankenstein' })
    const [first] = await entries(reader.client)
    await act(id, limit - 1)
    expect(await total(reader.client)).toBe(limit)
    expect(await total(fixture.visitor())).toBe(limit)
    await act(id, 5)
    for (const client of [reader.client, fixture.visitor()]) {
      expect(await total(client)).toBe(limit)
      expect((await ask(client, 'GET', path('activities', first!.id))).status).toBe(404)
      const through = await client
        .collection('user_books')
        .getOne<{ expand: { activities_via_book: Activity[] } }>(id, {
          expand: 'activities_via_book',
        })
      expect(through.expand.activities_via_book.map((one) => one.id)).not.toContain(first!.id)
      const found = await client
        .collection('user_books')
        .getList(1, 1, { filter: `activities_via_book.id ?= "${first!.id}"` })
      expect(found.totalItems).toBe(0)
    }
    for (const [method, body] of [['PATCH', { isPrivate: true }], ['DELETE']] as const)
      expect((await ask(reader.client, method, path('activities', first!.id), body)).status).toBe(
        404,
      )

    // One that goes makes room for one before.
    const [newest] = await entries(reader.client)
    await reader.client.collection('activities').delete(newest!.id)
    expect(await total(reader.client)).toBe(limit)

    const paid = await fixture.records.write((tx) =>
      tx.create('subscriptions', { user: reader.id, status: 'active' }),
    )
    for (const client of [reader.client, fixture.visitor()]) {
      expect(await total(client)).toBe(limit + 3)
      expect((await ask(client, 'GET', path('activities', first!.id))).status).toBe(200)
    }
    await fixture.records.write((tx) => tx.update('subscriptions', paid.id, { status: 'canceled' }))
    expect(await total(reader.client)).toBe(limit)
  })

  test('loses nothing to others by what is hidden from them', async () => {
    const shelf = await addShelf(reader, 'The shelf')
    const secret = await addShelf(reader, 'Secret', 'private')
    const seen = await addBook(reader, shelf.id, { title: 'Seen' })
    await act(seen.id, limit - 1)
    const before = await entries(fixture.visitor())
    expect(before).toHaveLength(limit)
    const unseen = await addBook(reader, secret.id, { title: 'Unseen' })
    await act(unseen.id, 3)
    expect(await entries(fixture.visitor())).toEqual(before)
    expect((await entries(reader.client)).filter(({ book }) => book === unseen.id)).toHaveLength(4)
    expect(await total(reader.client)).toBe(limit)

    // What is shown or hidden later counts from then on.
    await reader.client.collection('bookshelves').update(secret.id, { visibility: 'public' })
    expect(await total(fixture.visitor())).toBe(limit)
    expect(
      (await entries(fixture.visitor())).filter(({ book }) => book === unseen.id),
    ).toHaveLength(4)
    await reader.client.collection('bookshelves').update(secret.id, { visibility: 'private' })
    expect(await entries(fixture.visitor())).toEqual(before)
    await reader.client.collection('user_books').update(unseen.id, { shelf: shelf.id })
    await reader.client.collection('user_books').update(unseen.id, { shelf: secret.id })
    const [newest] = before
    await reader.client.collection('activities').update(newest!.id, { isPrivate: true })
    expect(await total(fixture.visitor())).toBe(limit - 1)
    await reader.client.collection('activities').update(newest!.id, { isPrivate: false })
    expect(await entries(fixture.visitor())).toEqual(before)
    await reader.client.collection('bookshelves').delete(secret.id)
    expect(await entries(fixture.visitor())).toEqual(before)
  })
})
