import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { query } from '#server/storage/query.ts'
import { openFixture, type Reader, type Fixture } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { plansOf } from '#tests/plans.ts'
import type { DirectoryEntry, Page, Taste } from '#shared/directory.ts'
import { nearestReaders } from './similar-taste.ts'

/** @returns such as "2 in common, both gave Emma 10" */
const told = ({ in_common, both_gave }: Taste) =>
  `${in_common} in common${both_gave ? `, both gave ${both_gave.title} ${both_gave.rating}` : ''}`

describeMigratedDatabases('similar taste', (open) => {
  let fixture: Fixture
  let ann: Reader
  let bea: Reader
  let cid: Reader
  const shelves = new Map<string, string>()

  /** Puts books on a shelf of the name, which is private if the name says so; title and rating. */
  async function shelve({ id, client }: Reader, name: string, books: [string, number][]) {
    const visibility = name.startsWith('Private') ? 'private' : 'public'
    const shelf = await client.collection('bookshelves').create({ name, visibility })
    shelves.set(`${id} ${name}`, shelf.id)
    for (const [title, rating] of books)
      await client
        .collection('user_books')
        .create({ title, shelf: shelf.id, status: 'completed', rating })
  }

  async function similarTo(reader: Reader | undefined, q = ''): Promise<string[]> {
    const client = reader?.client ?? fixture.visitor()
    const { data } = await client.send<{ data: Page<DirectoryEntry> }>('/api/v1/users', {
      query: { sort: 'similar', q },
    })
    expect(data.totalItems).toBe(data.items.length)
    const name = new Map([ann, bea, cid].map(({ id }, i) => [id, ['ann', 'bea', 'cid'][i]]))
    return data.items.map(({ id, taste }) => `${name.get(id)}: ${taste && told(taste)}`)
  }

  beforeEach(async () => {
    fixture = await openFixture(await open())
    ann = await fixture.reader('ann')
    bea = await fixture.reader('bea')
    cid = await fixture.reader('cid')
    await shelve(ann, 'All I have', [
      ['Emma', 10],
      ['Persuasion', 8],
      ['Frankenstein', 3],
    ])
    return () => fixture.close()
  })

  test('who agrees comes first, with the reason', async () => {
    await shelve(cid, 'All I have', [
      ['Emma', 2],
      ['Persuasion', 8],
      ['Frankenstein', 9],
    ])
    await shelve(bea, 'All I have', [
      ['Emma', 10],
      ['Persuasion', 8],
      ['Dracula', 7],
    ])
    expect(await similarTo(ann)).toEqual([
      'bea: 2 in common, both gave Emma 10',
      'cid: 3 in common, both gave Persuasion 8',
    ])
    expect(await similarTo(bea)).toEqual([
      'ann: 2 in common, both gave Emma 10',
      'cid: 2 in common, both gave Persuasion 8',
    ])
    const { username } = await cid.client.collection('users').getOne(cid.id)
    expect(await similarTo(ann, String(username))).toHaveLength(1)
  })

  test('of two who agree the same, who loves what others like them love comes first', async () => {
    await ann.client.collection('bookshelves').delete(shelves.get(`${ann.id} All I have`) ?? '')
    await shelve(ann, 'All of mine', [
      ['Emma', 10],
      ['Persuasion', 8],
    ])
    const alike: [string, number][] = [
      ['Emma', 10],
      ['Persuasion', 8],
    ]
    // Ids are random: each of the two is once the one who fits in.
    for (const [fits, name] of [
      [bea, 'bea'],
      [cid, 'cid'],
    ] as const) {
      const other = fits === bea ? cid : bea
      const dan = await fixture.reader(`dan${name}`)
      await shelve(fits, 'Round one', [...alike, ['Dracula', 10]])
      await shelve(other, 'Round one', [...alike, ['Carmilla', 10]])
      await shelve(dan, 'Round one', [...alike, ['Dracula', 9]])
      const order = (await similarTo(ann)).map((line) => line.slice(0, 3))
      expect(order.indexOf(name)).toBeLessThan(order.indexOf(other === bea ? 'bea' : 'cid'))
      for (const one of [fits, other, dan])
        await one.client.collection('bookshelves').delete(shelves.get(`${one.id} Round one`) ?? '')
    }
  })

  test('what a reader keeps to themselves changes nobody’s place', async () => {
    const books: [string, number][] = [
      ['Emma', 10],
      ['Persuasion', 8],
    ]
    await shelve(bea, 'All I have', [...books, ['Dracula', 10]])
    await shelve(cid, 'All I have', [...books, ['Carmilla', 10]])
    const before = await similarTo(ann)
    await shelve(bea, 'Private things', [['Carmilla', 10]])
    await shelve(cid, 'Private things', [['Frankenstein', 3]])
    expect(await similarTo(ann)).toEqual(before)
  })

  test('books that nobody else has hide nobody', async () => {
    const alone = Array.from({ length: 30 }, (_, n): [string, number] => [`No ${n} of mine`, 10])
    await shelve(ann, 'Of mine alone', alone)
    await shelve(bea, 'All I have', [
      ['Persuasion', 8],
      ['Frankenstein', 3],
    ])
    expect(await similarTo(ann)).toEqual(['bea: 2 in common, both gave Persuasion 8'])
  })

  test('one book in common says nothing, and two copies are one book', async () => {
    await shelve(bea, 'All I have', [['Emma', 10]])
    await shelve(bea, 'Once more', [['Emma', 9]])
    await shelve(cid, 'All I have', [['Dracula', 10]])
    expect(await similarTo(ann)).toEqual([])
    expect(await similarTo(bea)).toEqual([])
  })

  test('private shelves do not count, on either side', async () => {
    await shelve(bea, 'Private things', [
      ['Emma', 10],
      ['Persuasion', 8],
    ])
    await shelve(bea, 'All I have', [['Frankenstein', 3]])
    expect(await similarTo(ann)).toEqual([])
    expect(await similarTo(bea)).toEqual([])
    const shelf = shelves.get(`${bea.id} Private things`) ?? ''
    await bea.client.collection('bookshelves').update(shelf, { visibility: 'public' })
    expect(await similarTo(ann)).toEqual(['bea: 3 in common, both gave Emma 10'])
    await bea.client.collection('bookshelves').delete(shelf)
    expect(await similarTo(ann)).toEqual([])
  })

  test('a private profile is similar to nobody', async () => {
    await shelve(bea, 'All I have', [
      ['Emma', 10],
      ['Persuasion', 8],
    ])
    const settings = await bea.client.collection('settings').getFirstListItem('')
    await bea.client.collection('settings').update(settings.id, { isPrivate: true })
    expect(await similarTo(ann)).toEqual([])
    expect(await similarTo(bea)).toEqual(['ann: 2 in common, both gave Emma 10'])
  })

  test('a visitor has no taste to compare', async () => {
    await expect(similarTo(undefined)).rejects.toMatchObject({ status: 401 })
  })

  test('books are looked up by index on both sides', async () => {
    const steps = await plansOf(fixture.database, (told) =>
      query(told, sql`${nearestReaders(ann.id)} SELECT * FROM near`),
    )
    expect(steps).toMatch(/user_books_profile/)
    expect(steps.match(/user_books_readers/g)?.length).toBeGreaterThanOrEqual(4)
    expect(steps).not.toMatch(/SCAN (?:t|o|h)\b|Seq Scan/)
  })
})
