import { expect, test } from 'vitest'
import { addBook, addShelf, ask, path } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { dump, goodreads, useImports } from '#tests/imports.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'

const catalogue = await openFederatedStarter()

describeMigratedDatabases('an import that is undone', (open) => {
  const of = useImports(open, catalogue)

  test('restores every record byte for byte', async () => {
    const shelf = await addShelf(of.reader, 'Here before')
    const owned = await addBook(of.reader, shelf.id, {
      title: 'Pride & Prejudice',
      authors: ['Jane Austen'],
      status: 'planning',
      tags: ['mine'],
    })
    await addBook(of.reader, shelf.id, { title: 'Another', authors: ['Jane Austen'] })
    const { client } = of.reader
    await client.collection('user_books').update(owned.id, { status: 'reading' })
    for (const finished of ['2009', '2020-05-04'])
      await client
        .collection('readings')
        .create({ book_key: owned.book_key, finished, outcome: 'finished' })
    await client.collection('quotes').create({ book_key: owned.book_key, text: 'It is a truth' })
    const before = await dump(of.world, of.reader)
    of.ahead(60_000)
    const storygraph = `Title,Authors,ISBN/UID,Read Status,Star Rating,Dates Read,Tags
Pride and Prejudice,Jane Austen,,read,4.5,2020/04/20-2020/05/04,quiet
`
    for (const [file, options] of [
      [goodreads, { shelf: shelf.id }],
      [storygraph, {}],
      [goodreads, {}],
    ] as const) {
      const { id } = await of.send(file, options)
      await of.step(id, { state: 'applying' })
      expect(await dump(of.world, of.reader)).not.toBe(before)
      expect(await of.step(id, { state: 'undone' })).toMatchObject({ applied: 0 })
      expect(await dump(of.world, of.reader)).toBe(before)
    }
  })

  test.each([
    { rating: 7 },
    // Which changes no date.
    { notes: 'Read it to the end' },
  ])('leaves a book that its reader has changed when it is undone: %j', async (change) => {
    const { id } = await of.send(goodreads)
    await of.step(id, { state: 'applying' })
    const [moby] = await of.books()
    of.ahead(60_000)
    await of.reader.client.collection('user_books').update(moby!.id, change)
    await of.step(id, { state: 'undone' })
    expect(await of.books()).toMatchObject([{ title: 'Moby-Dick', ...change }])
    expect((await of.rows(id))[1]!.reason).toBe(
      'This book has changed since the import, so it stays.',
    )
  })

  test('can be undone after its shelf was deleted', async () => {
    const { id } = await of.send(goodreads)
    await of.step(id, { state: 'applying' })
    const shelves = of.reader.client.collection('bookshelves')
    for (const shelf of await shelves.getFullList()) await shelves.delete(shelf.id)
    expect(await of.step(id, { state: 'undone' })).toMatchObject({ state: 'undone' })
    expect(await of.books()).toEqual([])
    expect(await shelves.getFullList()).toEqual([])
  })

  test('of which rows are still undecided puts them onto a new shelf, once its own was deleted', async () => {
    const other =
      'Title,Author,ISBN13\nQuite Another Book,A Writer,9780141439587\nNobody’s,Ann Author,\n'
    const { id } = await of.send(other, { shelf_name: 'Ferries' })
    await of.step(id, { state: 'applying' })
    const shelves = of.reader.client.collection('bookshelves')
    for (const shelf of await shelves.getFullList()) await shelves.delete(shelf.id)
    const [row] = await of.rows(id)
    const book = { title: 'Quite Another Book', authors: ['A Writer'], isbn: '9780141439587' }
    const rows = of.reader.client.collection('import_rows')
    await rows.update(row!.id, { state: 'matched', book })
    await of.step(id, { state: 'applying' })
    expect((await of.books()).map(({ title }) => title)).toEqual(['Quite Another Book'])
    expect(await shelves.getFullList()).toMatchObject([{ name: 'Ferries' }])
  })

  test('leaves a book whose reading its reader has changed when it is undone', async () => {
    const { id } = await of.send(goodreads)
    await of.step(id, { state: 'applying' })
    const readings = of.reader.client.collection('readings')
    const read = await readings.getFirstListItem('finished = "2020-05-04"')
    of.ahead(60_000)
    await readings.update(read.id, { finished: '2020-05-06' })
    await of.step(id, { state: 'undone' })
    expect(await of.books()).toMatchObject([{ title: 'Pride and Prejudice' }])
    expect(await readings.getFullList()).toMatchObject([{ id: read.id, finished: '2020-05-06' }])
  })

  test('can be undone for 30 days', async () => {
    const { id } = await of.send(goodreads)
    await of.step(id, { state: 'applying' })
    of.ahead(31 * 86_400_000)
    const late = await of.world.signIn('reader')
    const answer = await ask(late, 'PATCH', path('imports', id), { state: 'undone' })
    expect(answer).toMatchObject({
      status: 400,
      body: { data: { state: { message: 'An import can be undone for 30 days.' } } },
    })
  })
})
