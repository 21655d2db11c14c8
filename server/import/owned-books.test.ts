import { expect, test } from 'vitest'
import type { Reading } from '#shared/reading.ts'
import { addBook, addShelf, ask, path } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { counted, dump, goodreads, goodreadsHeader, useImports } from '#tests/imports.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'

const catalogue = await openFederatedStarter()

describeMigratedDatabases('an import of books that are there already', (open) => {
  const of = useImports(open, catalogue)

  test('recognises books already on shelves, in any edition', async () => {
    const shelf = await addShelf(of.reader, 'Here before')
    await addBook(of.reader, shelf.id, { title: 'Pride & Prejudice', authors: ['Jane Austen'] })
    await addBook(of.reader, shelf.id, { title: 'Moby Dick', authors: ['Herman Melville'] })
    expect(await of.send(goodreads)).toMatchObject({ matched: 0, duplicate: 3 })
  })

  test('recognises a book that has become another edition since', async () => {
    const shelf = await addShelf(of.reader, 'Here before')
    const authors = ['Nobody Atall']
    const cookbook = { title: 'The Cookbook of Nobody', authors, isbn: '9780306406157' }
    const { id } = await addBook(of.reader, shelf.id, cookbook)
    const books = of.reader.client.collection('user_books')
    const translation = { title: 'Das Kochbuch von niemand', isbn: '9783161484100' }
    await books.update(id, translation, { query: { edition: true } })
    const read = await of.send(`${goodreadsHeader}
1,The Cookbook of Nobody,Nobody Atall,,9780306406157,3,,,2021/01/02,,read,Tasty,
2,The Cookbook of Nobody,Nobody Atall,,,3,,,2021/01/02,,read,,
3,Das Kochbuch von niemand,Nobody Atall,,9783161484100,3,,,2021/01/02,,read,,
4,Another Cookbook,Nobody Atall,,,3,,,2021/01/02,,read,,
`)
    expect(read).toMatchObject({ duplicate: 3, unmatched: 1 })
    await of.step(read.id, { state: 'applying' })
    expect(await of.books()).toMatchObject([
      { title: 'Another Cookbook' },
      { id, ...translation, review: 'Tasty', status: 'completed' },
    ])
    await books.update(id, cookbook, { query: { edition: true } })
    const other = await addBook(of.reader, shelf.id, { ...translation, authors })
    const later = await of.send(`${goodreadsHeader}
3,Das Kochbuch von niemand,Nobody Atall,,9783161484100,3,,,2021/01/02,,read,Gut,
`)
    await of.step(later.id, { state: 'applying' })
    expect(await books.getOne(other.id)).toMatchObject({ review: 'Gut' })
  })

  test('treats a row with an ISBN and one without as the same book', async () => {
    const read = await of.send(`${goodreadsHeader}
1,The Cookbook of Nobody,Nobody Atall,,,3,,,2021/01/02,,read,,
2,The Cookbook of Nobody,Nobody Atall,,9780306406157,0,,,2021/01/02,,read,Tasty,
3,The Cookbook of Nobody,Nobody Atall,,9780306406157,0,,,2021/01/02,,read,,
`)
    expect(read).toMatchObject({ unmatched: 1, duplicate: 2 })
    await of.step(read.id, { state: 'applying' })
    expect(await of.books()).toMatchObject([{ isbn: '9780306406157', rating: 6, review: 'Tasty' }])
  })

  test('keeps different books with one ISBN apart, and asks before it mistakes one for another', async () => {
    const isbn = '9780141439518'
    const read = await of.send(`${goodreadsHeader}
1,The Cookbook of Nobody,Nobody Atall,,${isbn},3,,,2021/01/02,,read,,
2,Another Cookbook,Nobody Atall,,${isbn},4,,,2021/01/02,,read,,
3,The Cookbook of Nobody (Second Helping),Nobody Atall,,${isbn},0,,2020/01/02,2021/01/02,,read,Tasty,
`)
    expect(counted(read)).toBe(3)
    const [first, second, third] = await of.rows(read.id)
    expect(second).toMatchObject({ state: 'unmatched', read: { isbn: '' } })
    expect(third).toMatchObject({ state: 'duplicate' })
    expect(third!.reason).toContain('row 1')
    await of.reader.client.collection('imports').update(read.id, {})
    const settled = { title: first!.read!.title, authors: first!.read!.authors, isbn }
    await ask(of.reader.client, 'PATCH', path('import_rows', first!.id), {
      state: 'matched',
      book: settled,
    })
    await of.step(read.id, { state: 'applying' })
    expect(await of.books()).toMatchObject([
      { title: 'Another Cookbook', isbn: '', rating: 8 },
      { title: 'The Cookbook of Nobody', isbn, rating: 6, review: 'Tasty' },
    ])

    const later = await of.send(`${goodreadsHeader}
7,A Third Cookbook,Nobody Atall,,${isbn},2,,,2021/01/02,,read,,
8,Another Cookbook,Nobody Atall,,9780306406157,0,,,2021/01/02,,read,,
`)
    const [third2, known] = await of.rows(later.id)
    expect(third2).toMatchObject({
      state: 'doubtful',
      reason: `You already have ISBN ${isbn} as “The Cookbook of Nobody”.`,
      candidates: [{ title: 'The Cookbook of Nobody', isOwned: true }],
    })
    expect(known).toMatchObject({ state: 'duplicate' })
    const own = { title: 'A Third Cookbook', authors: ['Nobody Atall'] }
    await ask(of.reader.client, 'PATCH', path('import_rows', third2!.id), {
      state: 'matched',
      book: own,
    })
    await of.step(later.id, { state: 'applying' })
    expect((await of.books()).map(({ title, isbn: of }) => [title, of])).toEqual([
      ['A Third Cookbook', ''],
      ['Another Cookbook', ''],
      ['The Cookbook of Nobody', isbn],
    ])
  })

  test('changes no other reader’s book that a row is said to be', async () => {
    const other = await of.world.reader('other')
    const theirs = { title: 'The Cookbook of Nobody', authors: ['Nobody Atall'] }
    const { id } = await addBook(other, (await addShelf(other, 'Kitchen', 'private')).id, theirs)
    const before = await of.books(other)
    const read = await of.send(`${goodreadsHeader}
1,The Cookbook of Nobody,Nobody Atall,,,3,,,2021/01/02,"food",read,Tasty,
`)
    const [row] = await of.rows(read.id)
    const chosen = { state: 'matched', book: { ...theirs, id, isOwned: true } }
    await of.reader.client.collection('import_rows').update(row!.id, chosen)
    expect(await of.step(read.id, { state: 'applying' })).toMatchObject({ applied: 1 })
    expect(await of.books()).toMatchObject([{ title: theirs.title, rating: 6, review: 'Tasty' }])
    expect(await of.books(other)).toEqual(before)
  })

  test('fills in what existing books lack, once, and undoes it', async () => {
    const [first, second] = [await addShelf(of.reader, 'Once'), await addShelf(of.reader, 'Again')]
    const pride = { title: 'Pride and Prejudice', authors: ['Jane Austen'], notes: 'My own' }
    for (const { id } of [first, second])
      await addBook(of.reader, id, { ...pride, status: 'planning' })
    await addBook(of.reader, first.id, { title: 'Moby Dick', authors: ['Herman Melville'] })
    const readings = () => of.reader.client.collection('readings').getFullList({ sort: 'id' })
    const before = [await of.books(), await readings()]
    const file = `${goodreadsHeader}
1,Pride and Prejudice,Jane Austen,,,5,,2020/05/04,2019/12/31,"classics",read,Lovely,Theirs
1,Pride and Prejudice,Jane Austen,,,0,,2010/02/03,2019/12/31,,read,,
`
    const { id } = await of.send(file)
    expect(await of.step(id, { state: 'applying' })).toMatchObject({ applied: 1, duplicate: 1 })
    const after = (await of.books()).filter((book) => book.title === pride.title)
    expect(after).toHaveLength(2)
    for (const book of after)
      expect(book).toMatchObject({
        status: 'completed',
        rating: 10,
        review: 'Lovely',
        notes: 'My own',
        tags: ['classics'],
      })
    const days = (await readings()).flatMap((one) => String(one['finished']) || [])
    expect(days.toSorted()).toEqual(['2010-02-03', '2020-05-04'])
    const again = await of.send(file)
    expect(await of.step(again.id, { state: 'applying' })).toMatchObject({
      state: 'done',
      applied: 0,
    })
    await of.step(id, { state: 'undone' })
    expect([await of.books(), await readings()]).toEqual(before)
  })

  test('adds nothing the second time', async () => {
    const first = await of.send(goodreads)
    await of.step(first.id, { state: 'applying' })
    const before = await dump(of.world, of.reader)
    of.ahead(60_000)
    const second = await of.send(goodreads)
    expect(await of.step(second.id, { state: 'applying' })).toMatchObject({
      state: 'done',
      applied: 0,
    })
    expect(await dump(of.world, of.reader)).toBe(before)
  })

  /** One reader's books as exported by Goodreads, then by StoryGraph. */
  const fromGoodreads = `${goodreadsHeader}
1,"The Cartographer's Silence (The Silent Maps, #1)",Ilse Brandauer,,9780306406157,4,320,2020/05/04,2019/12/31,favourites,read,Quiet.,Lent to Ann
2,The Lamp at Low Tide: A Memoir of the Coast,Mara J. Quill,"=""""",,0,,,2021/01/01,,to-read,,
3,Salt and Iron,Tomás Ferreira,,9781861972712,5,210,2018/02/03,2018/01/01,,read,,
4,Nine Small Harbours,Ana O’Dell,,,0,,,2022/02/02,,currently-reading,,
5,Only on Goodreads,Nobody Atall,,,3,,2017/07/07,2017/01/01,,read,,
`
  const fromStoryGraph = `Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Star Rating,Review,Tags,Owned?
The Cartographer's Silence,Ilse Brandauer,,9780306406157,paperback,read,2021/01/01,2022/03/04,"2020/04/20-2020/05/04, 2022/02/01-2022/03/04",2,4.5,Quieter.,maps,Yes
The Lamp at Low Tide,Mara Quill,,6fb6bd9c-f217-43f5-a0d7-1a9f9e1a9d9e,digital,to-read,2021/01/01,,,0,,,,No
Salt and Iron,Tomás Ferreira,,9780140449136,hardcover,read,2021/01/01,2018/02/03,2018/02/03,1,5.0,,,No
Nine Small Harbours,Ana O'Dell,,,audio,read,2022/02/02,2022/06/07,2022/05/01-2022/06/07,1,3.25,,,No
Only on StoryGraph,Nobody Atall,,,paperback,did-not-finish,2021/01/01,,2021/04/05,1,1.5,,,No
`
  const titles = ['Nine Small Harbours', 'Only on Goodreads', 'Only on StoryGraph', 'Salt and Iron']

  test.each([
    [
      'Goodreads, then StoryGraph',
      [fromGoodreads, fromStoryGraph],
      'The Lamp at Low Tide: A Memoir of the Coast',
    ],
    ['StoryGraph, then Goodreads', [fromStoryGraph, fromGoodreads], 'The Lamp at Low Tide'],
  ])('merges the exports of two trackers into one library: %s', async (_, files, lamp) => {
    for (const [n, file] of files.entries()) {
      const { id, doubtful } = await of.send(file)
      expect(doubtful).toBe(n)
      for (const row of await of.rows(id)) {
        if (row.state !== 'doubtful') continue
        expect(row.reason).toBe('You have a book whose title is similar.')
        const [book] = row.candidates!
        await ask(of.reader.client, 'PATCH', path('import_rows', row.id), {
          state: 'matched',
          book,
        })
      }
      expect(await of.step(id, { state: 'applying' })).toMatchObject({
        state: 'done',
        doubtful: 0,
        invalid: 0,
      })
    }
    const books = await of.books()
    const withoutSeries = books.map(({ title }) => title.replace(' (The Silent Maps, #1)', ''))
    expect(withoutSeries.toSorted()).toEqual(
      [...titles, lamp, "The Cartographer's Silence"].toSorted(),
    )
    const readings = await of.reader.client.collection('readings').getFullList<Reading>()
    const timesOf = (start: string) => {
      const book = books.find(({ title }) => title.startsWith(start))!
      return readings
        .filter((one) => one.book_key === book.book_key)
        .map(({ started, finished, outcome }) => `${started}–${finished} ${outcome}`)
        .toSorted()
    }
    expect(timesOf('The Cartographer')).toEqual([
      '2020-04-20–2020-05-04 finished',
      '2022-02-01–2022-03-04 finished',
    ])
    expect(timesOf('Salt and Iron')).toEqual(['–2018-02-03 finished'])
    expect(timesOf('Only on StoryGraph')).toEqual(['–2021-04-05 dropped'])
    const silence = books.find(({ title }) => title.startsWith('The Cartographer'))!
    expect(silence.notes).toBe('Lent to Ann')
    expect(silence.tags.toSorted()).toEqual(['favourites', 'maps', 'owned'])
  })
})
