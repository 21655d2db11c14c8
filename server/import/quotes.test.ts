import { expect, test } from 'vitest'
import type { Quote } from '#shared/reading.ts'
import { addBook, addShelf, type Reader } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { counted, dump, useImports } from '#tests/imports.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'

const catalogue = await openFederatedStarter()

const clipping = (title: string, about: string, text: string) =>
  `${title}\n- Your ${about} | Added on Sunday, July 24, 2022 1:15:17 AM\n\n${text}\n==========\n`

const emma = 'Emma (Austen, Jane)'
const clippings = [
  clipping(emma, 'Highlight on page 7 | Location 70-71', 'Handsome, clever, and rich'),
  clipping(emma, 'Note on page 7 | Location 71', 'The first line'),
  clipping(emma, 'Highlight at location 90-91', 'Badly done'),
  clipping('The Cookbook of Nobody (Nobody Atall)', 'Highlight at location 1-2', 'First, an egg'),
].join('')

const quotesOf = ({ client }: Reader) =>
  client.collection<Quote>('quotes').getFullList({ sort: 'book_key,page,created,text' })

describeMigratedDatabases('an import of highlights', (open) => {
  const of = useImports(open, catalogue)

  const addEmma = async () => {
    const shelf = await addShelf(of.reader, 'Here before')
    const values = { title: 'Emma', authors: ['Jane Austen'], status: 'reading' as const }
    return addBook(of.reader, shelf.id, values)
  }

  test('makes them private quotes of the reader’s books, each once', async () => {
    const owned = await addEmma()
    await of.reader.client
      .collection('quotes')
      .create({ book_key: owned.book_key, text: 'Badly  done' })
    const read = await of.send(clippings)
    expect(read).toMatchObject({ format: 'kindle', total: 2, duplicate: 1, unmatched: 1 })
    expect(counted(read)).toBe(2)
    expect(await of.step(read.id, { state: 'applying' })).toMatchObject({ applied: 2 })
    const quotes = await quotesOf(of.reader)
    expect(quotes).toMatchObject([
      { book_key: owned.book_key, text: 'Badly  done' },
      {
        book_key: owned.book_key,
        text: 'Handsome, clever, and rich',
        note: 'The first line',
        page: 7,
        isPrivate: true,
      },
      { book_key: 'the cookbook of nobody|nobody atall', text: 'First, an egg', isPrivate: true },
    ])
    expect(quotes[1]!.created.slice(0, 10)).toBe('2022-07-24')
    expect(await of.books()).toMatchObject([
      { title: 'Emma', status: 'reading' },
      { title: 'The Cookbook of Nobody', status: 'planning' },
    ])
    // Nobody else sees them, and neither does the timeline.
    const other = await of.world.reader('other')
    expect(await quotesOf(other)).toEqual([])
    const before = await dump(of.world, of.reader)
    const again = await of.send(clippings)
    expect(again).toMatchObject({ duplicate: 2 })
    expect(await of.step(again.id, { state: 'applying' })).toMatchObject({ applied: 0 })
    expect(await dump(of.world, of.reader)).toBe(before)
  })

  test('is taken back byte for byte', async () => {
    const owned = await addEmma()
    await of.reader.client
      .collection('quotes')
      .create({ book_key: owned.book_key, text: 'Handsome, clever, and rich' })
    const before = await dump(of.world, of.reader)
    of.ahead(60_000)
    const { id } = await of.send(clippings)
    await of.step(id, { state: 'applying' })
    expect(await quotesOf(of.reader)).toHaveLength(3)
    await of.step(id, { state: 'undone' })
    expect(await dump(of.world, of.reader)).toBe(before)
  })

  test('a passage that was marked anew replaces the one of an earlier file', async () => {
    await addEmma()
    const first = await of.send(clippings)
    await of.step(first.id, { state: 'applying' })
    const before = await dump(of.world, of.reader)
    of.ahead(60_000)
    const grown =
      clippings + clipping(emma, 'Highlight on page 8 | Location 90-92', 'Badly done, indeed')
    const later = await of.send(grown)
    await of.step(later.id, { state: 'applying' })
    const texts = (await quotesOf(of.reader)).map(({ text }) => text)
    expect(texts.toSorted()).toEqual([
      'Badly done, indeed',
      'First, an egg',
      'Handsome, clever, and rich',
    ])
    await of.step(later.id, { state: 'undone' })
    expect(await dump(of.world, of.reader)).toBe(before)
  })

  test('leaves a quote that its reader has changed when it is undone', async () => {
    await addEmma()
    const { id } = await of.send(clippings)
    await of.step(id, { state: 'applying' })
    of.ahead(60_000)
    const egg = (await quotesOf(of.reader)).find(({ text }) => text === 'First, an egg')
    await of.reader.client.collection('quotes').update(egg!.id, { note: 'Mine' })
    await of.step(id, { state: 'undone' })
    expect(await quotesOf(of.reader)).toMatchObject([{ text: 'First, an egg', note: 'Mine' }])
    expect((await of.rows(id)).map(({ reason }) => reason)).toEqual([
      'Undone.',
      'This book has changed since the import, so it stays.',
    ])
  })

  test('asks about a book that only resembles one of the reader’s', async () => {
    const shelf = await addShelf(of.reader, 'Here before')
    await addBook(of.reader, shelf.id, {
      title: 'The Cookbook of Nobody: A Life',
      authors: ['Nobody Atall'],
    })
    const read = await of.send(clippings)
    expect(read).toMatchObject({ doubtful: 1 })
    const done = await of.step(read.id, { state: 'applying' })
    expect((await quotesOf(of.reader)).map(({ text }) => text)).not.toContain('First, an egg')
    const row = (await of.rows(done.id)).find(({ state }) => state === 'doubtful')!
    await of.reader.client
      .collection('import_rows')
      .update(row.id, { state: 'matched', book: row.candidates![0] })
    await of.step(done.id, { state: 'applying' })
    expect((await quotesOf(of.reader)).map(({ text }) => text)).toContain('First, an egg')
  })
})
