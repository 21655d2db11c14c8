import { expect, onTestFinished, test } from 'vitest'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import { addShelf, ask, path } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { counted, dump, goodreads, goodreadsHeader, useImports } from '#tests/imports.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'
import { batch } from './apply-import.ts'

const catalogue = await openFederatedStarter()

describeMigratedDatabases('an import', (open) => {
  const of = useImports(open, catalogue)

  test('is refused by its first bytes if it is a picture', async () => {
    const bytes = new Uint8Array(9_000_000)
    bytes.set(Buffer.from('iVBORw0KGgoAAAANSUhEUgAA', 'base64'))
    const body = new FormData()
    body.set('file', new File([bytes], 'export.csv'))
    expect(await ask(of.reader.client, 'POST', path('imports'), body)).toMatchObject({
      status: 400,
      body: { data: { file: { message: 'This is a picture. Choose another kind of file.' } } },
    })
    expect(await of.reader.client.collection('imports').getFullList()).toEqual([])
  })

  test('is read, previewed, applied and undone', async () => {
    const before = await of.books()
    const read = await of.send(goodreads)
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
    expect(counted(read)).toBe(5)
    const rows = await of.rows(read.id)
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
    expect(await of.books()).toEqual(before)

    const done = await of.step(read.id, { state: 'applying' })
    expect(done).toMatchObject({ state: 'done', applied: 3, matched: 0, unmatched: 0, total: 5 })
    expect(counted(done)).toBe(5)
    const [moby, pride, cookbook] = await of.books()
    expect(moby).toMatchObject({ title: 'Moby-Dick', status: 'planning' })
    expect(pride).toMatchObject({ title: 'Pride and Prejudice', status: 'completed', rating: 10 })
    expect(pride!.created.slice(0, 10)).toBe('2019-12-31')
    expect(cookbook).toMatchObject({ title: 'The Cookbook of Nobody', page_count: 120, rating: 6 })
    expect(pride).toMatchObject({ review: 'Lovely', notes: 'Mine' })
    expect(cookbook).toMatchObject({ tags: ['food'] })
    const readings = () =>
      of.reader.client
        .collection('readings')
        .getFullList({ sort: 'outcome', fields: 'finished,outcome,rating,source' })
    expect(await readings()).toEqual([
      { finished: '2020-05-04', outcome: 'finished', rating: 10, source: 'import' },
      { finished: '', outcome: 'reading', rating: 0, source: 'import' },
    ])
    // The books were read elsewhere, long ago.
    expect(await of.reader.client.collection('activities').getFullList()).toEqual([])
    const shelves = () => of.reader.client.collection('bookshelves').getFullList()
    expect(await shelves()).toMatchObject([{ name: 'Goodreads', book_count: 3 }])

    const again = await of.send(goodreads)
    expect(again).toMatchObject({ matched: 0, unmatched: 0, duplicate: 4, invalid: 1 })
    expect(await of.step(again.id, { state: 'applying' })).toMatchObject({
      state: 'done',
      applied: 0,
    })
    expect(await of.books()).toHaveLength(3)

    const undone = await of.step(read.id, { state: 'undone' })
    expect(undone).toMatchObject({ state: 'undone', applied: 0, skipped: 3, total: 5 })
    expect(await of.books()).toEqual(before)
    expect(await shelves()).toEqual([])
    expect(await readings()).toEqual([])
  })

  test('adds the rows that are written with one that the rules refuse', async () => {
    // However slow the machine is, the refused row isn't the first of its batch.
    const { within } = batch
    batch.within = Infinity
    onTestFinished(() => void (batch.within = within))
    const titles = ['Alder Almanac', 'Birch Ballads', 'Cedar Chronicle', 'Damson Days', 'Elm Elegy']
    const lines = titles.map((title, n) => `${n},${title},Nobody Atall,,,5,,,2021/01/02,,read,,`)
    const read = await of.send([goodreadsHeader, ...lines, ''].join('\n'))
    const third = (await of.rows(read.id))[2]!
    const authors = Array.from({ length: 100 }, (_, n) => `${String(n)} ${'x'.repeat(400)}`)
    await of.reader.client
      .collection('import_rows')
      .update(third.id, { state: 'matched', book: { title: titles[2], authors } })
    const done = await of.step(read.id, { state: 'applying' })
    expect(done).toMatchObject({ state: 'done', applied: 4, invalid: 1 })
    const rows = await of.rows(read.id)
    expect(rows.map(({ state }) => state)).toEqual(
      titles.map((_, n) => (n === 2 ? 'invalid' : 'applied')),
    )
    expect(rows[2]!.reason).not.toBe('')
  })

  test('adds a book without a day in the future or an impossible number of pages', async () => {
    const file = `${goodreadsHeader}
1,Alder Almanac,Nobody Atall,,,5,9999999,2999/01/01,2021/01/02,,read,,
`
    const read = await of.send(file)
    expect(read.warnings).toEqual({ pagesUnread: 1, dateFuture: 1 })
    expect(await of.step(read.id, { state: 'applying' })).toMatchObject({ applied: 1, invalid: 0 })
    expect(await of.books()).toMatchObject([
      { title: 'Alder Almanac', status: 'completed', rating: 10, page_count: 0 },
    ])
  })

  test('asks once how dates are written, and applies nothing before', async () => {
    const file = goodreads.replace('2020/05/04', '04/05/2020')
    const read = await of.send(file)
    expect(read.options?.ambiguous_dates).toEqual(['04/05/2020'])
    const early = await ask(of.reader.client, 'PATCH', path('imports', read.id), {
      state: 'applying',
    })
    expect(early).toMatchObject({
      status: 400,
      body: { data: { options: { message: 'Choose how the dates in this file are written.' } } },
    })
    const told = await of.step(read.id, {
      state: 'reading',
      options: { ...read.options, date_order: 'mdy' },
    })
    expect(told).toMatchObject({ state: 'waiting', total: 5, matched: 2 })
    expect(told.options).not.toHaveProperty('ambiguous_dates')
    expect((await of.rows(read.id))[0]!.read!.readings[0]!.finished).toBe('2020-04-05')
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
      'cached',
    )
    const { ISBN_13: isbn = '' } = found.books.find((book) => book.isbns.ISBN_13)?.isbns ?? {}
    expect(isbn).not.toBe('')
    const { id, doubtful } = await of.send(
      `${goodreadsHeader}\n9,Quite Another Book,A Writer,,${isbn},0,,,2021/01/01,,read,,\n`,
    )
    expect(doubtful).toBe(1)
    const [row] = await of.rows(id)
    expect(row!.reason).toContain(isbn)
    const settle = (values: object, who = of.reader) =>
      ask(who.client, 'PATCH', path('import_rows', row!.id), values)
    expect((await settle({ state: 'matched' })).status).toBe(400)
    expect((await settle({ state: 'applied' })).status).toBe(400)
    const own = { title: 'Quite Another Book', authors: ['A Writer'] }
    expect((await settle({ state: 'matched', book: own })).status).toBe(200)
    expect(await of.get(id)).toMatchObject({ doubtful: 0, matched: 1 })
    await of.step(id, { state: 'applying' })
    expect(await of.books()).toMatchObject([{ title: 'Quite Another Book', isbn }])
    expect((await settle({ state: 'skipped' })).status).toBe(400)
  })

  test('has rows that can be decided once the others are added', async () => {
    const before = await dump(of.world, of.reader)
    const line = (number: number, title: string, isbn: string) =>
      `${number},${title},A Writer,,${isbn},4,,,2021/01/01,quiet,read,A review,`
    const { id } = await of.send(
      [
        goodreadsHeader,
        line(1, 'Alder Almanac', ''),
        line(2, 'Quite Another Book', '9780141439587'),
        line(3, 'Yet Another Book', '9780141439518'),
        line(4, 'Some Third Book', '9780141439563'),
      ].join('\n'),
    )
    const first = await of.step(id, { state: 'applying' })
    expect(first).toMatchObject({ state: 'done', applied: 1, doubtful: 3, file: '' })
    const [added, another, yet] = await of.rows(id)
    const settle = (row: string, values: object, { client } = of.reader) =>
      ask(client, 'PATCH', path('import_rows', row), values)
    const own = { title: 'Quite Another Book', authors: ['A Writer'] }
    const other = await of.world.reader('other')
    expect((await settle(another!.id, { state: 'skipped' }, other)).status).toBe(404)
    expect((await settle(added!.id, { state: 'skipped' })).status).toBe(400)
    expect((await settle(another!.id, { state: 'matched', book: own })).status).toBe(200)
    expect((await settle(yet!.id, { state: 'skipped' })).status).toBe(200)
    const done = await of.step(id, { state: 'applying' })
    expect(done).toMatchObject({ state: 'done', applied: 2, doubtful: 1, skipped: 1, total: 4 })
    expect(await of.books()).toMatchObject([
      { title: 'Alder Almanac' },
      { title: 'Quite Another Book', review: 'A review', tags: ['quiet'], rating: 8 },
    ])
    await of.step(id, { state: 'undone' })
    expect(await dump(of.world, of.reader)).toBe(before)
  })

  test('goes onto a shelf of the reader, and creates none beyond the plan', async () => {
    const shelves = []
    for (let n = 0; n < 5; n++) shelves.push(await addShelf(of.reader, `Shelf ${n}`))
    const { id } = await of.send(goodreads)
    const full = await of.step(id, { state: 'applying' })
    expect(full).toMatchObject({ state: 'waiting', applied: 0 })
    expect(full.error).toContain(answers.shelfLimit)
    const shelf = shelves[2]!.id
    const done = await of.step(id, { state: 'applying', options: { shelf } })
    expect(done).toMatchObject({ state: 'done', applied: 3, error: '' })
    expect((await of.books()).every((book) => book.shelf === shelf)).toBe(true)
    // The shelf existed before, so it stays.
    await of.step(id, { state: 'undone' })
    expect(await of.reader.client.collection('bookshelves').getFullList()).toHaveLength(5)
  })

  test('continues after a crash, with each row once', async () => {
    const { id } = await of.send(goodreads)
    await of.reader.client.collection('imports').update(id, { state: 'applying' })
    const killed: typeof of.world.records.write = async (job) => {
      await of.world.records.write(job)
      throw new Error('killed')
    }
    await expect(of.work(killed)).rejects.toThrow('killed')
    await of.reader.client
      .collection('imports')
      .update(id, { state: 'applying' })
      .catch(() => undefined)
    await of.work()
    expect(await of.books()).toHaveLength(3)
  })

  test('continues reading from any row', async () => {
    const { id } = await of.send(goodreads)
    const [before, rows] = [await of.get(id), await of.rows(id)]
    await of.world.records.write(async (tx) => {
      for (const row of rows.slice(3)) await tx.delete('import_rows', row.id)
      const kept = { total: 3, matched: 2, unmatched: 1, duplicate: 0, invalid: 0 }
      await tx.update('imports', id, { ...kept, state: 'reading' })
    })
    await of.work()
    const plain = ({ id: _id, ...row }: (typeof rows)[number]) => row
    expect((await of.rows(id)).map(plain)).toEqual(rows.map(plain))
    expect({ ...(await of.get(id)), updated: '' }).toEqual({ ...before, updated: '' })
  })

  test('says why a file can’t be read', async () => {
    expect(await of.send('PK\u0003\u0004')).toMatchObject({ state: 'failed', total: 0 })
    expect((await of.send('one,two\n1,2')).error).toMatch(
      /^We don’t see a list of books in this file/,
    )
  })

  test('is its reader’s alone', async () => {
    const { id, file } = await of.send(goodreads)
    const [row] = await of.rows(id)
    const other = await of.world.reader('other')
    const visitor = of.world.visitor()
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
    expect((await ask(of.reader.client, 'POST', path('import_rows'), {})).status).toBe(403)
    expect((await ask(of.reader.client, 'DELETE', path('import_rows', row!.id))).status).toBe(403)
    expect(
      (await ask(of.reader.client, 'PATCH', path('imports', id), { state: 'done' })).status,
    ).toBe(400)
    // A client can't set what the server counts.
    await ask(of.reader.client, 'PATCH', path('imports', id), { total: 9, matched: 9, error: 'x' })
    expect(await of.get(id)).toMatchObject({ total: 5, matched: 2, error: '' })
    const theirs = await addShelf(other, 'Not yours')
    const answer = await ask(of.reader.client, 'PATCH', path('imports', id), {
      options: { shelf: theirs.id },
    })
    expect(answer.status).toBe(400)
    expect(Object.keys(row!)).not.toContain('result')
  })
})
