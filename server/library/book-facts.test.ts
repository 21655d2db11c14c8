import { beforeEach, expect, test } from 'vitest'
import type { UserBook } from '#shared/user-book.ts'
import {
  addBook,
  addShelf,
  ask,
  openFixture,
  path,
  type Fixture,
  type Reader,
} from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'

describeMigratedDatabases('the facts of a book', (open) => {
  let fixture: Fixture
  let reader: Reader

  beforeEach(async () => {
    fixture = await openFixture(await open())
    reader = await fixture.reader('reader')
    return () => fixture.close()
  })

  const title = 'The Colour of Magic'
  const facts = {
    language: 'eng',
    published: '1983-11',
    series: 'Discworld',
    series_position: '1',
    description: 'Twoflower arrives.',
  }

  test('are the same on every shelf', async () => {
    const [one, two] = [await addShelf(reader, 'Shelf one'), await addShelf(reader, 'Shelf two')]
    const first = await addBook(reader, one.id, { title, ...facts })
    expect(first).toMatchObject(facts)
    const second = await addBook(reader, two.id, { title })
    expect(second).toMatchObject(facts)
    const books = reader.client.collection('user_books')
    await books.update(second.id, { series: '', series_position: '', language: 'fre' })
    expect(await books.getOne<UserBook>(first.id)).toMatchObject({
      ...facts,
      series: '',
      series_position: '',
      language: 'fre',
    })
  })

  test.each([
    ['language', 'x'.repeat(11), 'Language cannot exceed 10 characters.'],
    ['published', 'soon', 'Enter a date such as 2009, 2009-05 or 2009-05-23.'],
    ['series', 'x'.repeat(501), 'Series cannot exceed 500 characters.'],
    ['series_position', 'x'.repeat(21), 'Position in the series cannot exceed 20 characters.'],
    ['description', 'x'.repeat(20_001), 'The description must be at most 20,000 characters long.'],
  ])('refuse a wrong %s at its field', async (field, value, message) => {
    const shelf = await addShelf(reader, 'Shelf one')
    const body = { title, shelf: shelf.id, status: 'planning', [field]: value }
    expect(await ask(reader.client, 'POST', path('user_books'), body)).toMatchObject({
      status: 400,
      body: { data: { [field]: { message } } },
    })
  })
})
