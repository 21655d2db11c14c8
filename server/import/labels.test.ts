import { expect, test } from 'vitest'
import type { Reading } from '#shared/reading.ts'
import { addShelf, ask, path } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { readImportFile } from '#tests/import-file.ts'
import { dump, goodreadsHeader, useImports } from '#tests/imports.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'

const catalogue = await openFederatedStarter()

const file = `${goodreadsHeader}
1,Alder Almanac,Ann Author,,,4,,2020/05/04,2019/12/31,"dnf, read",read,,
2,Birch Ballads,Ann Author,,,0,,,2021/01/01,"lent, book-club",lent,,
3,Cedar Chronicle,Ann Author,,,0,,,2021/01/02,"book-club, favourites, kindle",to-read,,
4,Damson Days,Ann Author,,,0,,,2021/01/03,,to-read,,
`
const becomes = {
  'status:lent': 'shelf',
  'tag:dnf': 'dropped',
  'tag:book-club': 'shelf',
  'tag:kindle': 'out',
}

test('labels are counted with examples and with what they mean as a status', async () => {
  const tag = { kind: 'tag', status: '' }
  const { labels } = await readImportFile(file)
  expect(labels).toEqual([
    {
      kind: 'status',
      name: 'to-read',
      rows: 2,
      titles: ['Cedar Chronicle', 'Damson Days'],
      status: 'planning',
    },
    { kind: 'status', name: 'read', rows: 1, titles: ['Alder Almanac'], status: 'completed' },
    { kind: 'status', name: 'lent', rows: 1, titles: ['Birch Ballads'], status: '' },
    { ...tag, name: 'book-club', rows: 2, titles: ['Birch Ballads', 'Cedar Chronicle'] },
    { ...tag, name: 'dnf', rows: 1, titles: ['Alder Almanac'] },
    { ...tag, name: 'favourites', rows: 1, titles: ['Cedar Chronicle'] },
    { ...tag, name: 'kindle', rows: 1, titles: ['Cedar Chronicle'] },
  ])
})

test('a list of books is one label without a name, which comes after the others', async () => {
  const list = 'Dune by Frank Herbert\nEmma by Jane Austen\n'
  expect((await readImportFile(list)).labels).toEqual([
    { kind: 'status', name: '', rows: 2, titles: ['Dune', 'Emma'], status: '' },
  ])
  const table = 'Title,Author,Status\nDune,Frank Herbert,\nEmma,Jane Austen,gelesen\n'
  expect((await readImportFile(table)).labels.map(({ name }) => name)).toEqual(['gelesen', ''])
})

test('a tag means a status where no book with it has one', async () => {
  const { labels } = await readImportFile(
    'Title,Author,Tags,Status\nDune,Frank Herbert,tbr,\nEmma,Jane Austen,"unread, read",read\n',
  )
  const meanings = labels.map(({ kind, name, status }) => [`${kind}:${name}`, status])
  expect(meanings).toEqual([
    ['status:read', 'completed'],
    ['status:', ''],
    ['tag:tbr', 'planning'],
    ['tag:unread', ''],
    ['tag:read', ''],
  ])
})

describeMigratedDatabases('the labels of a file', (open) => {
  const of = useImports(open, catalogue)

  /** Each of the reader's records of a book: its title, status, tags and shelf. */
  async function library() {
    const shelves = await of.reader.client.collection('bookshelves').getFullList()
    const nameOf = (id: string) => shelves.find((shelf) => shelf.id === id)?.['name'] as string
    return (await of.books())
      .map(({ title, status, tags, shelf }) => [title, status, tags, nameOf(shelf)] as const)
      .toSorted((a, b) => (`${a[0]} ${a[3]}` < `${b[0]} ${b[3]}` ? -1 : 1))
  }

  test('become statuses and tags unless the reader chooses', async () => {
    const { id } = await of.send(file)
    await of.step(id, { state: 'applying' })
    expect(await library()).toEqual([
      ['Alder Almanac', 'completed', ['dnf'], 'Goodreads'],
      ['Birch Ballads', 'planning', ['book-club', 'lent'], 'Goodreads'],
      ['Cedar Chronicle', 'planning', ['book-club', 'favourites', 'kindle'], 'Goodreads'],
      ['Damson Days', 'planning', [], 'Goodreads'],
    ])
  })

  test('become what the reader chooses, the next time too, and are taken back', async () => {
    const before = await dump(of.world, of.reader)
    const { id, options } = await of.send(file)
    const done = await of.step(id, { state: 'applying', options: { ...options, becomes } })
    expect(done).toMatchObject({ state: 'done', applied: 4, labels: null })
    expect(await library()).toEqual([
      ['Alder Almanac', 'dropped', [], 'Goodreads'],
      ['Birch Ballads', 'planning', [], 'book-club'],
      ['Birch Ballads', 'planning', [], 'lent'],
      ['Cedar Chronicle', 'planning', ['favourites'], 'book-club'],
      ['Damson Days', 'planning', [], 'Goodreads'],
    ])
    const readings = await of.reader.client.collection('readings').getFullList<Reading>()
    expect(readings).toMatchObject([{ finished: '2020-05-04', outcome: 'dropped' }])
    const after = await dump(of.world, of.reader)
    of.ahead(60_000)
    const again = await of.send(file)
    expect(again.options).toMatchObject({ becomes })
    await of.step(again.id, { state: 'applying' })
    expect(await dump(of.world, of.reader)).toBe(after)
    await of.step(id, { state: 'undone' })
    expect(await dump(of.world, of.reader)).toBe(before)
  })

  test('put a book that is there already onto their shelf as well, until that is undone', async () => {
    const { id } = await of.send(file)
    await of.step(id, { state: 'applying' })
    const before = await dump(of.world, of.reader)
    of.ahead(60_000)
    const again = await of.send(file)
    const done = await of.step(again.id, {
      state: 'applying',
      options: { ...again.options, becomes: { 'tag:favourites': 'shelf' } },
    })
    expect(done).toMatchObject({ applied: 1 })
    const tags = ['book-club', 'favourites', 'kindle']
    expect(await library()).toContainEqual(['Cedar Chronicle', 'planning', tags, 'favourites'])
    await of.step(again.id, { state: 'undone' })
    expect(await dump(of.world, of.reader)).toBe(before)
  })

  test('use a shelf that has the name, and make none beyond the plan', async () => {
    for (const name of ['Book Club', 'Shelf 2', 'Shelf 3', 'Shelf 4'])
      await addShelf(of.reader, name)
    const { id, options } = await of.send(file)
    const full = await of.step(id, { state: 'applying', options: { ...options, becomes } })
    expect(full).toMatchObject({ state: 'waiting' })
    expect(full.error).toMatch(/Make some of the file’s shelves tags\.$/)
    const fewer = { ...becomes, 'status:lent': 'tag' }
    const done = await of.step(id, {
      state: 'applying',
      options: { ...full.options, becomes: fewer },
    })
    expect(done).toMatchObject({ state: 'done', error: '' })
    expect(await library()).toEqual([
      ['Alder Almanac', 'dropped', [], 'Goodreads'],
      ['Birch Ballads', 'planning', ['lent'], 'Book Club'],
      ['Cedar Chronicle', 'planning', ['favourites'], 'Book Club'],
      ['Damson Days', 'planning', [], 'Goodreads'],
    ])
    await of.step(id, { state: 'undone' })
    expect(await of.reader.client.collection('bookshelves').getFullList()).toHaveLength(4)
  })

  test('become nothing that there isn’t, and only for their reader', async () => {
    const { id, options } = await of.send(file)
    const change = (becomes: object, who = of.reader) =>
      ask(who.client, 'PATCH', path('imports', id), { options: { ...options, becomes } })
    expect((await change({ 'tag:dnf': 'gone' })).status).toBe(400)
    const other = await of.world.reader('other')
    expect((await change({ 'tag:dnf': 'out' }, other)).status).toBe(404)
    expect((await change({ 'tag:dnf': 'out' })).status).toBe(200)
  })
})
