import { Hono } from 'hono'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { CatalogueBusy, type Catalogue } from '#catalogue/index.ts'
import type { Database } from '#records/index.ts'
import { errorHandler } from '#server/http/errors.ts'
import { findOwnBooks } from '#server/library/own-books.ts'
import type { SuggestedBook, Suggestions } from '#shared/suggestion.ts'
import { addBook, addShelf, openFixture, type Reader, type Fixture } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { openStarter } from '#tests/open-starter.ts'
import { plansOf } from '#tests/plans.ts'
import { suggestRoutes } from './suggest.ts'
import { translated } from './translated.fixture.ts'

const { catalogue } = await openStarter()

const titles = (books: readonly { title: string }[]) => books.map(({ title }) => title)

/** What is typed, and the one book that it shall find among all of these. */
const typedInLanguages: [typed: string, title: string, author: string][] = [
  ['dont look', "Don't Look Down", 'A. Climber'],
  ['howls mov', 'Howl’s Moving Castle', 'Diana Wynne Jones'],
  ['mobydick', 'Moby-Dick', 'Herman Melville'],
  ['jrr tol', 'The Hobbit', 'J.R.R. Tolkien'],
  ['catch22', 'Catch-22', 'Joseph Heller'],
  ['20000 lea', '20,000 Leagues Under the Sea', 'Jules Verne'],
  ['pride and prej', 'Pride & Prejudice', 'Jane Austen'],
  ['100%', '100% Wool', 'A. Knitter'],
  ['bronte vil', 'Villette', 'Charlotte Brontë'],
  ['ete et autom', 'Été et automne', 'A. Dubois'],
  ['letranger', 'L’Étranger', 'Albert Camus'],
  ['coeur sim', 'Un cœur simple', 'Gustave Flaubert'],
  ['curriculum vitae', 'Curriculum vitæ', 'Quilla Strand'],
  ['strasse', 'Die lange Straße', 'Jutta Ährenfeld'],
  ['buecher aus', 'Bücher aus Papier', 'M. Groß'],
  ['gross papier', 'Bücher aus Papier', 'M. Groß'],
  ['cien anos', 'Cien años de soledad', 'Gabriel García Márquez'],
  ['memorias pos', 'Memórias póstumas de Brás Cubas', 'Machado de Assis'],
  ['perche leg', 'Perché leggere', 'Nino Vela'],
  ['sacli kad', 'Kırmızı Saçlı Kadın', 'Orhan Pamuk'],
  ['istanbul', 'İSTANBUL', 'O. Yazar'],
  ['reka prib', 'Řeka příběhů', 'Tereza Dvořák'],
  ['dabel', 'Ďábel a šťastná rytířka', 'J. Poleček'],
  ['stastna ryt', 'Ďábel a šťastná rytířka', 'J. Poleček'],
  ['lodz', 'Powrót do Łodzi', 'Zuzanna Wróbel'],
  ['капитан', 'Капитанская дочка', 'Александр Пушкин'],
  ['все еще', 'Всё ещё впереди', 'Анна Лескова'],
  ['οδυσσεασ', 'Ο Οδυσσέας', 'Α. Ιωάννου'],
  ['كليدر', 'کلیدر', 'م. د.'],
  ['سه شنبه', 'سه‌شنبه‌ها', 'ن. ا.'],
  ['احمد', 'أحمد والبحر', 'س. ع.'],
  ['बाजार', 'गोदान बाज़ार', 'प. क.'],
  ['銀河', '銀河鉄道の夜', '宮沢 賢治'],
  ['のるうぇい', 'ノルウェイの森', '村上 春樹'],
  ['红楼', '红楼梦', '曹雪芹'],
  ['채식', '채식주의자', '한강'],
]

describeMigratedDatabases('what is offered while somebody types', (open) => {
  let fixture: Fixture
  let database: Database

  beforeEach(async () => {
    database = await open()
    fixture = await openFixture(database)
    return () => fixture.close()
  })

  async function ask(
    q: string,
    as?: Reader,
    from: Pick<Catalogue, 'suggest'> = catalogue,
    language = '',
  ) {
    const app = new Hono().route(
      '/api/v1',
      suggestRoutes({ catalogue: from, database, records: fixture.records }),
    )
    app.onError(errorHandler(pino({ level: 'silent' })))
    const token = as?.client.authStore.token
    const headers = {
      ...(token ? { Authorization: token } : {}),
      ...(language ? { 'Accept-Language': language } : {}),
    }
    const path = `/api/v1/book-info/suggest?q=${encodeURIComponent(q)}`
    const response = await app.request(path, { headers })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

  test('a reader’s own books are looked for among their own alone, by index', async () => {
    const ann = await fixture.reader('ann')
    const shelf = await addShelf(ann, 'Shelf', 'private')
    await addBook(ann, shelf.id, { title: 'Emma', isbn: '9780141439587' })
    const plans = await plansOf(database, async (told) =>
      expect(await findOwnBooks(told, ann.id, 'em', 3)).toHaveLength(1),
    )
    expect(plans).toMatch(/SEARCH b USING INDEX \w+ \(user=\?\)|Index Cond: \("user" = /)
    expect(plans).not.toMatch(/Seq Scan|SCAN b\b/)
  })

  async function suggest(q: string, as?: Reader): Promise<Suggestions> {
    return (await ask(q, as)).body.data
  }

  test('is the best known of the catalogue, the last word only begun', async () => {
    const { own, books } = await suggest('pride and prej')
    expect(own).toEqual([])
    expect(books[0]).toMatchObject({
      title: 'Pride and Prejudice',
      authors: ['Jane Austen'],
      slug: expect.stringMatching(/^pride-and-prejudice-978\d{10}$/),
    } satisfies Partial<SuggestedBook>)
    expect(books.length).toBeLessThanOrEqual(7)
    expect(books[0]).not.toHaveProperty('description')
    expect(titles((await suggest('frankenstien')).books)).toContain('Frankenstein')
  })

  test('is shown in the language the browser asks for', async () => {
    await catalogue.learn('openlibrary', [
      translated({
        OL911M: ['eng', 'Lanterns of Vessny'],
        OL912M: ['ger', 'Laternen von Vessny'],
      }),
    ])
    const shown = async (language: string) =>
      titles((await ask('lanterns of vess', undefined, catalogue, language)).body.data.books)
    expect(await shown('de-AT, en;q=0.5')).toEqual(['Laternen von Vessny'])
    expect(await shown('en')).toEqual(['Lanterns of Vessny'])
  })

  test('begins with books of the reader, and the catalogue does not repeat them', async () => {
    const reader = await fixture.reader('own')
    const shelf = await addShelf(reader, 'Kept to myself', 'private')
    await addBook(reader, shelf.id, {
      title: 'Pride and Prejudice',
      authors: ['Jane Austen'],
      status: 'reading',
      page_count: 400,
      progress: 40,
    })
    const { own, books } = await suggest('pride prej', reader)
    expect(own).toMatchObject([{ title: 'Pride and Prejudice', status: 'reading', progress: 40 }])
    expect(titles(books)).not.toContain('Pride and Prejudice')
    expect(titles((await suggest('austen pri', reader)).own)).toEqual(['Pride and Prejudice'])
  })

  test('suggests no books of others, private or public', async () => {
    const other = await fixture.reader('other')
    for (const visibility of ['public', 'private'] as const) {
      const shelf = await addShelf(other, `Of the other, ${visibility}`, visibility)
      await addBook(other, shelf.id, { title: `Canary ${visibility}`, authors: ['Nobody'] })
    }
    const reader = await fixture.reader('curious')
    for (const who of [reader, undefined])
      expect(JSON.stringify((await ask('canary', who)).body)).not.toContain('Canary')
    expect(titles((await suggest('canary', other)).own)).toHaveLength(2)
  })

  test('finds books of one’s own however readers of their language type them', async () => {
    const reader = await fixture.reader('folded')
    const shelf = await addShelf(reader, 'Everything', 'private')
    for (const [, title, author] of typedInLanguages)
      await addBook(reader, shelf.id, { title, authors: [author] })
    const missed = []
    for (const [typed, title] of typedInLanguages) {
      const { own } = await suggest(typed, reader)
      if (own.length !== 1 || own[0]?.title !== title) missed.push({ typed, title, own })
    }
    expect(missed).toEqual([])
  })

  test('a book on two shelves is one, titles that begin so come first', async () => {
    const reader = await fixture.reader('tidy')
    const [first, second] = [
      await addShelf(reader, 'First shelf', 'public'),
      await addShelf(reader, 'Second shelf', 'public'),
    ]
    for (const { id } of [first, second]) await addBook(reader, id, { title: 'Wind of the East' })
    await addBook(reader, first.id, { title: 'The East Wind' })
    expect(titles((await suggest('wind', reader)).own)).toEqual([
      'Wind of the East',
      'The East Wind',
    ])
  })

  test('a letter or a sign finds nothing, a text that is too long is refused', async () => {
    for (const q of ['', 'p', ' … ', '%'])
      expect((await ask(q)).body).toEqual({ data: { own: [], books: [], series: [], authors: [] } })
    const { status, body } = await ask('a'.repeat(256))
    expect(status).toBe(400)
    expect(body.data.q.message).toBe('Search text must be less than 255 characters.')
  })

  test('is never cached, and is refused by a busy catalogue', async () => {
    expect((await ask('emma')).headers.get('cache-control')).toBe('no-store')
    const full = { suggest: () => Promise.reject(new CatalogueBusy('full')) }
    expect((await ask('emma', undefined, full)).status).toBe(503)
  })
})
