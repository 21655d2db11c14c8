import { QueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { expect, test } from 'vitest'
import { openFixture } from '#tests/access/fixture.ts'
import { describeDatabases } from '#tests/databases.ts'
import { addOlder, fetchOlder, timelineQuery, type TimelineEntries } from './timeline.ts'

describeDatabases('the timeline of a reader', (open) => {
  test('is fetched on from its last entry, whatever comes meanwhile', async () => {
    const fixture = await openFixture(await open())
    const { id, client } = await fixture.reader('ann')
    const api: PocketBase = client
    const shelf = await client
      .collection('bookshelves')
      .create({ name: 'Everything', visibility: 'public' })
    const add = (title: string, fields: object = {}) =>
      client
        .collection('user_books')
        .create({ title, shelf: shelf.id, status: 'planning', ...fields })
    for (let n = 0; n < 20; n++) await add(`Volume ${n}`)
    const queries = new QueryClient()
    const query = { ...timelineQuery(api, id), staleTime: 0 }
    const titles = ({ entries }: TimelineEntries) => entries.map(({ data }) => data.title)
    const first = await queries.query(query)
    expect(first).toMatchObject({ hasMore: true })
    expect(titles(first)[0]).toBe('Volume 19')

    await add('Emma', { status: 'completed', rating: 9 })
    addOlder(queries, id, await fetchOlder(api, first.entries.at(-1)!))
    const all = await queries.query(query)
    const volumes = Array.from({ length: 20 }, (_, n) => `Volume ${19 - n}`)
    expect(titles(all)).toEqual(['Emma', ...volumes])
    expect(all.hasMore).toBe(false)
    expect(all.entries[0]).toMatchObject({ expand: { book: { rating: 9 } } })
  })
})
