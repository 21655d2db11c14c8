import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { diskStorage } from '#records/index.ts'
import type { ImportRecord, ImportRow } from '#shared/import.ts'
import { shelfLimitMessage } from '#shared/plan.ts'
import type { UserBook } from '#shared/user-book.ts'
import {
  addBook,
  addShelf,
  ask,
  openWorld,
  path,
  type Reader,
  type World,
} from '#tests/access/world.ts'
import { describeDatabases } from '#tests/databases.ts'
import { openStarterWorld } from '#tests/open-starter.ts'
import { workOff } from './runner.ts'

const catalogue = await openStarterWorld()

const header =
  'Book Id,Title,Author,ISBN,ISBN13,My Rating,Number of Pages,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review,Private Notes'
/** Two the catalogue has, one with another's ISBN, one it lacks, one twice, one without a title. */
const goodreads = `${header}
1,Pride and Prejudice,Jane Austen,,,5,,2020/05/04,2019/12/31,,read,Lovely,Mine
2,Moby Dick,Herman Melville,,,0,,,2021/01/01,,to-read,,
3,The Cookbook of Nobody,Nobody Atall,,,3,120,,2021/01/02,"food",currently-reading,,
3,The Cookbook of Nobody,Nobody Atall,,,3,120,,2021/01/02,"food",currently-reading,,
,,,,,,,,,,,,
`

describeDatabases('an import', (open) => {
  let world: World
  let reader: Reader
  let ahead: number
  let work: () => Promise<void>
  beforeEach(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-import-'))
    const storage = diskStorage(folder)
    ahead = 0
    world = await openWorld(await open(), () => new Date(Date.now() + ahead), storage)
    const { database, records } = world
    const log = pino({ level: 'silent' })
    work = () =>
      workOff({ database, records, catalogue, storage, folder, planDefault: 'free', log })
    reader = await world.reader('reader')
    return async () => {
      await world.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  const imports = (who = reader) => who.client.collection('imports')
  const get = (id: string) => imports().getOne<ImportRecord>(id)
  const rowsOf = (id: string, who = reader) =>
    who.client
      .collection('import_rows')
      .getFullList<ImportRow>({ filter: `import = "${id}"`, sort: 'number' })
  const books = () =>
    reader.client.collection('user_books').getFullList<UserBook>({ sort: 'title' })

  async function send(text: string, options?: object): Promise<ImportRecord> {
    const file = new File([text], 'export.csv', { type: 'text/csv' })
    const { id } = await imports().create<ImportRecord>({ file, ...(options && { options }) })
    await work()
    return get(id)
  }
  async function step(id: string, values: object): Promise<ImportRecord> {
    await imports().update(id, values)
    await work()
    return get(id)
  }
  const counts = (one: ImportRecord) =>
    one.matched +
    one.doubtful +
    one.unmatched +
    one.duplicate +
    one.invalid +
    one.applied +
    one.skipped

  test('is read, previewed, applied and undone', async () => {
    const before = await books()
    const read = await send(goodreads)
    expect(read).toMatchObject({
      state: 'waiting',
      format: 'goodreads',
      total: 5,
      matched: 2,
      unmatched: 1,
      duplicate: 1,
      invalid: 1,
      options: { shelf_name: 'Goodreads', unmatched: 'file' },
    })
    expect(counts(read)).toBe(5)
    const rows = await rowsOf(read.id)
    expect(rows.map(({ state }) => state)).toEqual([
      'matched',
      'matched',
      'unmatched',
      'duplicate',
      'invalid',
    ])
    expect(rows[0]).toMatchObject({
      source: { 'My Review': 'Lovely' },
      read: { review: 'Lovely', notes: 'Mine', readings: [{ finished: '2020-05-04' }] },
    })
    expect(await books()).toEqual(before)

    const done = await step(read.id, { state: 'applying' })
    expect(done).toMatchObject({ state: 'done', applied: 3, matched: 0, unmatched: 0, total: 5 })
    expect(counts(done)).toBe(5)
    const [moby, pride, cookbook] = await books()
    expect(moby).toMatchObject({ title: 'Moby-Dick', status: 'planning' })
    expect(pride).toMatchObject({ title: 'Pride and Prejudice', status: 'completed', rating: 10 })
    expect(pride!.created.slice(0, 10)).toBe('2019-12-31')
    expect(cookbook).toMatchObject({ title: 'The Cookbook of Nobody', page_count: 120, rating: 6 })
    expect(pride).toMatchObject({ review: 'Lovely', notes: 'Mine' })
    expect(cookbook).toMatchObject({ tags: ['food'] })
    const readings = () =>
      reader.client
        .collection('readings')
        .getFullList({ sort: 'outcome', fields: 'finished,outcome,rating,source' })
    expect(await readings()).toEqual([
      { finished: '2020-05-04', outcome: 'finished', rating: 10, source: 'import' },
      { finished: '', outcome: 'reading', rating: 0, source: 'import' },
    ])
    // They were read elsewhere, and long ago.
    expect(await reader.client.collection('activities').getFullList()).toEqual([])
    const shelves = () => reader.client.collection('bookshelves').getFullList()
    expect(await shelves()).toMatchObject([{ name: 'Goodreads', book_count: 3 }])

    const again = await send(goodreads)
    expect(again).toMatchObject({ matched: 0, unmatched: 0, duplicate: 4, invalid: 1 })
    expect(await step(again.id, { state: 'applying' })).toMatchObject({ state: 'done', applied: 0 })
    expect(await books()).toHaveLength(3)

    const undone = await step(read.id, { state: 'undone' })
    expect(undone).toMatchObject({ state: 'undone', applied: 0, skipped: 3, total: 5 })
    expect(await books()).toEqual(before)
    expect(await shelves()).toEqual([])
    expect(await readings()).toEqual([])
  })

  test('leaves a book that its reader has changed when it is undone', async () => {
    const { id } = await send(goodreads)
    await step(id, { state: 'applying' })
    const [moby] = await books()
    ahead = 60_000
    await reader.client.collection('user_books').update(moby!.id, { rating: 7 })
    await step(id, { state: 'undone' })
    expect(await books()).toMatchObject([{ title: 'Moby-Dick', rating: 7 }])
    expect((await rowsOf(id))[1]!.reason).toBe(
      'This book has changed since the import, so it stays.',
    )
  })

  test('leaves a book whose reading its reader has changed when it is undone', async () => {
    const { id } = await send(goodreads)
    await step(id, { state: 'applying' })
    const readings = reader.client.collection('readings')
    const read = await readings.getFirstListItem('finished = "2020-05-04"')
    ahead = 60_000
    await readings.update(read.id, { finished: '2020-05-06' })
    await step(id, { state: 'undone' })
    expect(await books()).toMatchObject([{ title: 'Pride and Prejudice' }])
    expect(await readings.getFullList()).toMatchObject([{ id: read.id, finished: '2020-05-06' }])
  })

  test('can be undone for 30 days', async () => {
    const { id } = await send(goodreads)
    await step(id, { state: 'applying' })
    ahead = 31 * 86_400_000
    const late = await world.signIn('reader')
    const answer = await ask(late, 'PATCH', path('imports', id), { state: 'undone' })
    expect(answer).toMatchObject({
      status: 400,
      body: { data: { state: { message: 'An import can be undone for 30 days.' } } },
    })
  })

  test('asks once how dates are written, and applies nothing before', async () => {
    const file = goodreads.replace('2020/05/04', '04/05/2020')
    const read = await send(file)
    expect(read.options?.ambiguous_dates).toEqual(['04/05/2020'])
    const early = await ask(reader.client, 'PATCH', path('imports', read.id), { state: 'applying' })
    expect(early).toMatchObject({
      status: 400,
      body: { data: { options: { message: 'Choose how the dates in this file are written.' } } },
    })
    const told = await step(read.id, {
      state: 'reading',
      options: { ...read.options, date_order: 'mdy' },
    })
    expect(told).toMatchObject({ state: 'waiting', total: 5, matched: 2 })
    expect(told.options).not.toHaveProperty('ambiguous_dates')
    expect((await rowsOf(read.id))[0]!.read!.readings[0]!.finished).toBe('2020-04-05')
  })

  test('settles a doubtful row as a book or leaves it out', async () => {
    const found = await catalogue.search(
      {
        q: 'Moby Dick',
        title: '',
        author: '',
        publisher: '',
        genre: '',
        isbn: '',
        by: '1',
        mode: 'words',
        order: 'relevance',
        page: 1,
        after: '',
      },
      'remember',
    )
    const { ISBN_13: isbn = '' } = found.books.find((book) => book.isbns.ISBN_13)?.isbns ?? {}
    expect(isbn).not.toBe('')
    const { id, doubtful } = await send(
      `${header}\n9,Quite Another Book,A Writer,,${isbn},0,,,2021/01/01,,read,,\n`,
    )
    expect(doubtful).toBe(1)
    const [row] = await rowsOf(id)
    expect(row!.reason).toContain(isbn)
    const settle = (values: object, who = reader) =>
      ask(who.client, 'PATCH', path('import_rows', row!.id), values)
    expect((await settle({ state: 'matched' })).status).toBe(400)
    expect((await settle({ state: 'applied' })).status).toBe(400)
    const own = { title: 'Quite Another Book', authors: ['A Writer'] }
    expect((await settle({ state: 'matched', book: own })).status).toBe(200)
    expect(await get(id)).toMatchObject({ doubtful: 0, matched: 1 })
    await step(id, { state: 'applying' })
    expect(await books()).toMatchObject([{ title: 'Quite Another Book', isbn }])
    expect((await settle({ state: 'skipped' })).status).toBe(400)
  })

  test('goes onto a shelf of the reader, and makes none beyond the plan', async () => {
    const shelves = []
    for (let n = 0; n < 5; n++) shelves.push(await addShelf(reader, `Shelf ${n}`))
    const { id } = await send(goodreads)
    const full = await step(id, { state: 'applying' })
    expect(full).toMatchObject({ state: 'waiting', applied: 0 })
    expect(full.error).toContain(shelfLimitMessage)
    const shelf = shelves[2]!.id
    const done = await step(id, { state: 'applying', options: { shelf } })
    expect(done).toMatchObject({ state: 'done', applied: 3, error: '' })
    expect((await books()).every((book) => book.shelf === shelf)).toBe(true)
    // The shelf was there before, and stays.
    await step(id, { state: 'undone' })
    expect(await reader.client.collection('bookshelves').getFullList()).toHaveLength(5)
  })

  test('knows the books that are on shelves already, in any edition', async () => {
    const shelf = await addShelf(reader, 'Here before')
    await addBook(reader, shelf.id, { title: 'Pride & Prejudice', authors: ['Jane Austen'] })
    await addBook(reader, shelf.id, { title: 'Moby Dick', authors: ['Herman Melville'] })
    expect(await send(goodreads)).toMatchObject({ matched: 1, duplicate: 2 })
  })

  test('tells books apart whose rows have one ISBN, and asks before it takes one for another', async () => {
    const isbn = '9780141439518'
    const read = await send(`${header}
1,The Cookbook of Nobody,Nobody Atall,,${isbn},3,,,2021/01/02,,read,,
2,Another Cookbook,Nobody Atall,,${isbn},4,,,2021/01/02,,read,,
3,The Cookbook of Nobody (Second Helping),Nobody Atall,,${isbn},0,,2020/01/02,2021/01/02,,read,Tasty,
`)
    expect(counts(read)).toBe(3)
    const [first, second, third] = await rowsOf(read.id)
    expect(second).toMatchObject({ state: 'unmatched', read: { isbn: '' } })
    expect(third).toMatchObject({ state: 'duplicate' })
    expect(third!.reason).toContain('row 1')
    await imports().update(read.id, {})
    const settled = { title: first!.read!.title, authors: first!.read!.authors, isbn }
    await ask(reader.client, 'PATCH', path('import_rows', first!.id), {
      state: 'matched',
      book: settled,
    })
    await step(read.id, { state: 'applying' })
    expect(await books()).toMatchObject([
      { title: 'Another Cookbook', isbn: '', rating: 8 },
      { title: 'The Cookbook of Nobody', isbn, rating: 6, review: 'Tasty' },
    ])

    const later = await send(`${header}
7,A Third Cookbook,Nobody Atall,,${isbn},2,,,2021/01/02,,read,,
8,Another Cookbook,Nobody Atall,,9780306406157,0,,,2021/01/02,,read,,
`)
    const [third2, known] = await rowsOf(later.id)
    expect(third2).toMatchObject({
      state: 'doubtful',
      reason: `You have the ISBN ${isbn} already, as “The Cookbook of Nobody”.`,
      candidates: [{ title: 'The Cookbook of Nobody', isOwned: true }],
    })
    expect(known).toMatchObject({ state: 'duplicate' })
    const own = { title: 'A Third Cookbook', authors: ['Nobody Atall'] }
    await ask(reader.client, 'PATCH', path('import_rows', third2!.id), {
      state: 'matched',
      book: own,
    })
    await step(later.id, { state: 'applying' })
    expect((await books()).map(({ title, isbn: of }) => [title, of])).toEqual([
      ['A Third Cookbook', ''],
      ['Another Cookbook', ''],
      ['The Cookbook of Nobody', isbn],
    ])
  })

  test('takes a row with an ISBN and one without for the same book', async () => {
    const read = await send(`${header}
1,The Cookbook of Nobody,Nobody Atall,,,3,,,2021/01/02,,read,,
2,The Cookbook of Nobody,Nobody Atall,,9780306406157,0,,,2021/01/02,,read,Tasty,
3,The Cookbook of Nobody,Nobody Atall,,9780306406157,0,,,2021/01/02,,read,,
`)
    expect(read).toMatchObject({ unmatched: 1, duplicate: 2 })
    await step(read.id, { state: 'applying' })
    expect(await books()).toMatchObject([{ isbn: '9780306406157', rating: 6, review: 'Tasty' }])
  })

  test('gives books that are there already what they lack, once, and takes it back', async () => {
    const [first, second] = [await addShelf(reader, 'Once'), await addShelf(reader, 'Again')]
    const pride = { title: 'Pride and Prejudice', authors: ['Jane Austen'], notes: 'My own' }
    for (const { id } of [first, second])
      await addBook(reader, id, { ...pride, status: 'planning' })
    await addBook(reader, first.id, { title: 'Moby Dick', authors: ['Herman Melville'] })
    const readings = () => reader.client.collection('readings').getFullList({ sort: 'id' })
    const before = [await books(), await readings()]
    const file = `${header}
1,Pride and Prejudice,Jane Austen,,,5,,2020/05/04,2019/12/31,"classics",read,Lovely,Theirs
1,Pride and Prejudice,Jane Austen,,,0,,2010/02/03,2019/12/31,,read,,
`
    const { id } = await send(file)
    expect(await step(id, { state: 'applying' })).toMatchObject({ applied: 1, duplicate: 1 })
    const after = (await books()).filter((book) => book.title === pride.title)
    expect(after).toHaveLength(2)
    for (const book of after)
      expect(book).toMatchObject({
        status: 'planning',
        rating: 10,
        review: 'Lovely',
        notes: 'My own',
        tags: ['classics'],
      })
    const days = (await readings()).flatMap((one) => String(one['finished']) || [])
    expect(days.toSorted()).toEqual(['2010-02-03', '2020-05-04'])
    const again = await send(file)
    expect(await step(again.id, { state: 'applying' })).toMatchObject({ state: 'done', applied: 0 })
    await step(id, { state: 'undone' })
    expect([await books(), await readings()]).toEqual(before)
  })

  test('goes on where a crash has left it, each row once', async () => {
    const { id } = await send(goodreads)
    await imports().update(id, { state: 'applying' })
    const { records } = world
    const write: typeof records.write = async (job) => {
      await records.write(job)
      throw new Error('killed')
    }
    const storage = { read: async () => null }
    const log = pino({ level: 'silent' })
    const deps = { ...world, records: { ...records, write }, catalogue, storage, folder: '', log }
    await expect(workOff({ ...deps, planDefault: 'free' })).rejects.toThrow('killed')
    await imports()
      .update(id, { state: 'applying' })
      .catch(() => undefined)
    await work()
    expect(await books()).toHaveLength(3)
  })

  test('says why a file can’t be read', async () => {
    expect(await send('PK\u0003\u0004')).toMatchObject({ state: 'failed', total: 0 })
    expect((await send('one,two\n1,2')).error).toMatch(/^We don’t recognise this file/)
  })

  test('is its reader’s alone', async () => {
    const { id, file } = await send(goodreads)
    const [row] = await rowsOf(id)
    const other = await world.reader('other')
    const visitor = world.visitor()
    for (const client of [other.client, visitor]) {
      expect(await ask(client, 'GET', path('imports'))).toMatchObject({ body: { items: [] } })
      expect(await ask(client, 'GET', path('import_rows'))).toMatchObject({ body: { items: [] } })
      for (const address of [path('imports', id), path('import_rows', row!.id)]) {
        expect((await ask(client, 'GET', address)).status).toBe(404)
        expect((await ask(client, 'PATCH', address, { state: 'skipped' })).status).toBe(404)
      }
      expect((await ask(client, 'DELETE', path('imports', id))).status).toBe(404)
      expect((await ask(client, 'GET', `/api/files/imports/${id}/${file}`)).status).toBe(404)
    }
    expect((await ask(visitor, 'POST', path('imports'), {})).status).toBe(400)
    expect((await ask(reader.client, 'POST', path('import_rows'), {})).status).toBe(403)
    expect((await ask(reader.client, 'DELETE', path('import_rows', row!.id))).status).toBe(403)
    expect((await ask(reader.client, 'PATCH', path('imports', id), { state: 'done' })).status).toBe(
      400,
    )
    // What the server counts isn't a client's to say.
    await ask(reader.client, 'PATCH', path('imports', id), { total: 9, matched: 9, error: 'x' })
    expect(await get(id)).toMatchObject({ total: 5, matched: 2, error: '' })
    const theirs = await addShelf(other, 'Not yours')
    const answer = await ask(reader.client, 'PATCH', path('imports', id), {
      options: { shelf: theirs.id },
    })
    expect(answer.status).toBe(400)
    expect(Object.keys(row!)).not.toContain('result')
  })
})
