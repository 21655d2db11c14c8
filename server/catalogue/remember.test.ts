import { Hono } from 'hono'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { errorHandler } from '#server/http/errors.ts'
import { findInOwnTexts } from '#server/library/own-texts.ts'
import type { RememberedBook } from '#shared/suggestion.ts'
import type { Database } from '#records/index.ts'
import { addBook, addShelf, openFixture, type Reader, type Fixture } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'
import { plansOf } from '#tests/plans.ts'
import { rememberRoutes } from './remember.ts'

const catalogue = await openFederatedStarter()

describeMigratedDatabases('a search of one’s own books', (open) => {
  let fixture: Fixture
  let database: Database
  let ann: Reader
  let shelf: string

  beforeEach(async () => {
    database = await open()
    fixture = await openFixture(database)
    ann = await fixture.reader('ann')
    shelf = (await addShelf(ann, 'Shelf', 'private')).id
    return () => fixture.close()
  })

  async function ask(q: string, as: Reader | null = ann, more = '') {
    const { records } = fixture
    const routes = rememberRoutes({ catalogue, database, records })
    const app = new Hono().route('/api/v1', routes)
    app.onError(errorHandler(pino({ level: 'silent' })))
    const token = as?.client.authStore.token
    const path = `/api/v1/library/search?q=${encodeURIComponent(q)}${more}`
    const response = await app.request(path, token ? { headers: { Authorization: token } } : {})
    return { status: response.status, body: (await response.json()) as unknown }
  }
  async function remember(q: string, as = ann, more = '') {
    const { body } = await ask(q, as, more)
    const { books } = (body as { data: { books: RememberedBook[] } }).data
    return books.map(({ title, found }) => [title, found.where, found.sentence])
  }
  const own = (title: string, fields: object = {}) =>
    addBook(ann, shelf, { title, authors: ['A. Writer'], ...fields })

  test('finds the sentence of a note, a review, a quote and a tag, and the title', async () => {
    await own('One', { notes: 'Lent to Bea in May. The ferryman’s dog dies! Sad.' })
    await own('Two', { review: 'Slow at first.\nThen a lighthouse keeper counts every ferry.' })
    const three = await own('Three', { tags: ['café reading', 'ferry'] })
    await own('The Ferry')
    await ann.client
      .collection('quotes')
      .create({ book_key: three.book_key, text: 'We are all passengers.', note: 'on the Fähre' })
    const found = await remember('ferry')
    expect(found).toHaveLength(4)
    expect(found).toEqual(
      expect.arrayContaining([
        ['The Ferry', 'title', ''],
        ['One', 'notes', 'The ferryman’s dog dies!'],
        ['Two', 'review', 'Then a lighthouse keeper counts every ferry.'],
        ['Three', 'tags', 'café reading, ferry'],
      ]),
    )
    expect(await remember('cafe')).toEqual([['Three', 'tags', 'café reading, ferry']])
    expect(await remember('fahre')).toEqual([['Three', 'quote', 'on the Fähre']])
    expect(await remember('passengers writer')).toEqual([
      ['Three', 'quote', 'We are all passengers.'],
    ])
    expect(await remember('ferrymans')).toEqual([['One', 'notes', 'The ferryman’s dog dies!']])
    expect(await remember('ferry zeppelin')).toEqual([])
  })

  test('finds what a book is about, where the catalogue knows it', async () => {
    await own('Moby-Dick', { authors: ['Herman Melville'] })
    await own('Emma', { authors: ['Jane Austen'] })
    const [first, ...others] = await remember('a captain obsessed with hunting a white whale')
    expect(first).toEqual(['Moby-Dick', 'description', expect.stringMatching(/whale/)])
    expect(others).toEqual([])
  })

  test('shows a book on two shelves once, and one long text around its words', async () => {
    const other = (await addShelf(ann, 'Other')).id
    const notes = `${'word '.repeat(300)}the lantern ${'word '.repeat(300)}`
    await own('One', { notes })
    await addBook(ann, other, { title: 'One', authors: ['A. Writer'] })
    const found = await remember('lantern')
    expect(found).toHaveLength(1)
    const sentence = found[0]![2]!
    expect(sentence).toMatch(/^….*the lantern .*…$/)
    expect(sentence.length).toBeLessThan(250)
  })

  test('leaves titles out for those who have asked for them already', async () => {
    await own('The Ferry', { notes: 'Begins on a ferry.' })
    await own('Ferry Tales')
    const without = await remember('ferry', ann, '&titles=false')
    expect(without).toEqual([['The Ferry', 'notes', 'Begins on a ferry.']])
    expect((await remember('ferry')).map(([, where]) => where)).toEqual(['title', 'title'])
    expect((await ask('ferry', ann, '&titles=no')).status).toBe(400)
  })

  test('ends with 20 books, those with the words in their titles first', async () => {
    await own('One', { notes: 'Begins on a ferry.' })
    const book = { user: ann.id, shelf, authors: ['A. Writer'], status: 'planning' as const }
    const add = (from: number, to: number) =>
      fixture.records.write(async (tx) => {
        for (let n = from; n <= to; n++)
          await tx.create('user_books', { ...book, title: `The Ferry, part ${n}` })
      })
    await add(1, 19)
    expect((await remember('ferry')).map(([, where]) => where)).toEqual([
      ...Array<string>(19).fill('title'),
      'notes',
    ])
    await add(20, 21)
    expect((await remember('ferry')).map(([, where]) => where)).toEqual(
      Array<string>(20).fill('title'),
    )
  })

  test('is one’s own: nothing of others, nothing for a visitor', async () => {
    const book = await own('One', { notes: 'A secret lantern', isPrivate: true })
    await ann.client.collection('quotes').create({ book_key: book.book_key, text: 'lantern light' })
    const bea = await fixture.reader('bea')
    expect(await remember('lantern', bea)).toEqual([])
    expect(await ask('lantern', null)).toMatchObject({ status: 401 })
    expect(await remember('la')).toEqual([])
    expect((await ask('x'.repeat(256))).status).toBe(400)
  })

  test('finds a note behind more books than are compared, changed later and with marks', async () => {
    await own('One', { notes: 'A lantern' })
    const book = { user: ann.id, shelf, authors: ['É. Writer'], status: 'planning' as const }
    await fixture.records.write(async (tx) => {
      for (let n = 0; n < 301; n++)
        await tx.create('user_books', { ...book, title: `L’été, tome ${n}` })
    })
    expect(await remember('lantern')).toEqual([['One', 'notes', 'A lantern']])
  })

  test('reads the caller’s rows alone, by index', async () => {
    await own('One', { notes: 'A lantern' })
    const plans = await plansOf(database, async (told) =>
      expect(await findInOwnTexts(told, ann.id, 'lantern', 3)).toHaveLength(1),
    )
    expect(plans).toMatch(/quotes_user/)
    expect(plans).not.toMatch(/Seq Scan|SCAN [bq]\b/)
  })
})
