import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import type { Readable } from 'node:stream'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { addBook, addShelf, type Reader } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { collection } from '#records/index.ts'
import { lifeOf } from '#server/collections/life.ts'
import { schema } from '#server/collections/schema.ts'
import { query } from '#server/storage/query.ts'
import { dump, exported, libraryCollections, libraryOf, useImports } from '#tests/imports.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'
import { relationFields, restoredFields, withOwnRelations } from './export-records.ts'

const catalogue = await openFederatedStarter()

describeMigratedDatabases('our own export', (open) => {
  const of = useImports(open, catalogue)
  let ann: Reader
  beforeEach(async () => {
    ann = await of.world.reader('ann')
    await fill(ann)
  })

  const library = async (reader: Reader) => libraryOf(await exported(of.world, reader))

  test('restores an equal library to an empty account, once, and can be undone completely', async () => {
    const text = await exported(of.world, ann)
    const bob = await of.world.reader('bob')
    const empty = await library(bob)
    const settings = () => bob.client.collection('settings').getFullList()
    const before = await settings()
    const read = await of.send(text, undefined, bob)
    const { id } = read
    expect(read).toMatchObject({ state: 'waiting', format: 'octavo', duplicate: 0, invalid: 0 })
    expect(read.matched).toBe(read.total)
    expect(await library(bob)).toEqual(empty)
    const done = await of.step(id, { state: 'applying' }, bob)
    expect(done).toMatchObject({ state: 'done', applied: read.total, error: '' })
    expect(await library(bob)).toEqual(await library(ann))
    expect(await settings()).toMatchObject([{ isPrivate: true, country: 'DE' }])

    const again = await of.send(text, undefined, bob)
    expect(again).toMatchObject({ duplicate: read.total - 1, matched: 1 })
    expect(await of.step(again.id, { state: 'applying' }, bob)).toMatchObject({
      state: 'done',
      applied: 0,
    })
    expect(await library(bob)).toEqual(await library(ann))

    expect(await of.step(id, { state: 'undone' }, bob)).toMatchObject({
      applied: 0,
      skipped: read.total,
    })
    expect(await library(bob)).toEqual(empty)
    expect(await settings()).toMatchObject([{ ...before[0] }])
  })

  test('knows books that have become other editions since', async () => {
    const text = await exported(of.world, ann)
    const books = ann.client.collection('user_books')
    for (const { id, title } of await books.getFullList()) {
      const edition = { title: `${title}, übersetzt`, isbn: '', page_count: 900 }
      await books.update(id, edition, { query: { edition: true } })
    }
    const before = await library(ann)
    const again = await of.send(text, undefined, ann)
    expect(again).toMatchObject({ matched: 1, duplicate: again.total - 1 })
    await of.step(again.id, { state: 'applying' }, ann)
    expect(await library(ann)).toEqual(before)
  })

  test.each(libraryCollections)(
    'R63: %s take all five ways: trash, export, import, reset and deletion',
    async (name) => {
      const { id: user, client } = ann
      const send = async (path: string, body: object = {}) => {
        const headers = {
          Authorization: client.authStore.token,
          'Content-Type': 'application/json',
        }
        const request = { method: 'POST', headers, body: JSON.stringify(body) }
        expect((await of.world.fetch(`/api/v1/${path}`, request)).status).toBe(204)
      }
      const rowsOf = async (reader: Reader) => {
        const table = sql`SELECT id FROM ${sql.table(name)} WHERE "user" = ${reader.id}`
        return (await query(of.world.database, table)).length
      }
      // A record that comes back may say when it did.
      const timeless = (text = '') => text.replaceAll(/"updated":"[^"]*"/g, '')
      const here = async (reader: Reader) => (await library(reader))[name]!.map(timeless)
      const before = await here(ann)
      expect(before.length).toBeGreaterThan(0)

      const [first] = await client.collection(name).getFullList()
      const throughTrash = async () => {
        await client.collection(name).delete(first!.id)
        const left = (await here(ann)).length
        await send('library/restore', { collection: name, ids: [first!.id] })
        return [left, await here(ann)]
      }
      const hasTrash = Boolean(schema.get(name).trashLife)
      expect(hasTrash ? await throughTrash() : 'no trash').toEqual(
        hasTrash ? [before.length - 1, before] : 'no trash',
      )

      const bob = await of.world.reader('bob')
      const { id } = await of.send(await exported(of.world, ann), undefined, bob)
      await of.step(id, { state: 'applying' }, bob)
      expect(await here(bob)).toEqual(before)

      const isCleared = lifeOf(schema.get(name)).cleared
      await send('account/reset')
      expect(await here(ann)).toHaveLength(isCleared ? 0 : before.length)
      await client.collection('users').delete(user)
      expect(await rowsOf(ann)).toBe(0)
      expect(await rowsOf(bob)).toBe(before.length)
    },
  )

  test('R63: restores every setting', async () => {
    const [settings] = await ann.client.collection('settings').getFullList()
    const chosen = {
      isPrivate: true,
      default_add_status: 'planning',
      country: 'DE',
      time_zone: 'Asia/Tokyo',
      accent: 'ocean',
      rating_scale: '5',
      complete_books: 'off',
      day_ends: '4',
      streak_days_off: '1',
      language: 'de',
    } as const
    await of.world.records.write((tx) => tx.update('settings', settings!.id, chosen))
    const bob = await of.world.reader('bob')
    const { id } = await of.send(await exported(of.world, ann), undefined, bob)
    await of.step(id, { state: 'applying' }, bob)
    expect(await bob.client.collection('settings').getFullList()).toMatchObject([chosen])
    const names = [...Object.keys(chosen), 'stores']
    expect(names.toSorted()).toEqual(restoredFields('settings').toSorted())
  })

  test('R35: makes no administrator', async () => {
    await of.world.records.write((tx) => tx.update('users', ann.id, { isAdmin: true }))
    const text = await exported(of.world, ann)
    expect(JSON.parse(text)).toMatchObject({ user: { isAdmin: true } })
    const bob = await of.world.reader('bob')
    const { id } = await of.send(text, undefined, bob)
    expect(await of.step(id, { state: 'applying' }, bob)).toMatchObject({ state: 'done' })
    expect(await of.world.records.find('users', bob.id)).toMatchObject({ isAdmin: false })
  })

  test('keeps the kind of a shelf, in the shelf of that kind where there is one', async () => {
    const wanted = (reader: Reader, name: string) =>
      reader.client.collection('bookshelves').create({ name, visibility: 'public', kind: 'want' })
    const dee = await of.world.reader('dee')
    const { id: from } = await wanted(dee, 'Someday')
    await addBook(dee, from, { title: 'Emma', status: 'planning' })
    const text = await exported(of.world, dee)
    const bring = async (reader: Reader) => {
      const { id } = await of.send(text, undefined, reader)
      expect(await of.step(id, { state: 'applying' }, reader)).toMatchObject({ state: 'done' })
      return reader.client.collection('bookshelves').getFullList({ filter: 'kind = "want"' })
    }
    const bob = await of.world.reader('bob')
    for (let n = 0; n < 5; n++) await addShelf(bob, `Shelf ${n}`)
    expect(await bring(bob)).toMatchObject([{ name: 'Someday', book_count: 1 }])
    const eve = await of.world.reader('eve')
    const { id: own } = await wanted(eve, 'Quiero leer')
    expect(await bring(eve)).toMatchObject([{ id: own, name: 'Quiero leer', book_count: 1 }])
  })

  const zipped = async ({ client }: Reader) => {
    const headers = { Authorization: client.authStore.token }
    const answer = await of.world.fetch('/api/v1/account/export?format=zip', { headers })
    return new Uint8Array(await answer.arrayBuffer())
  }
  const picturesOf = async ({ client }: Reader) => {
    const [settings] = await client.collection('settings').getFullList()
    const books = await client.collection('user_books').getFullList({
      filter: 'title = "Pictured" || title = "Emma"',
      sort: 'title,authors,shelf.name',
    })
    const found = [settings!, ...books].map(async (record) => {
      const name = String(record['image'] ?? record['background'])
      if (!name) return null
      const address = `/api/files/${record.collectionName}/${record.id}/${name}`
      const headers = { Authorization: client.authStore.token }
      const answer = await of.world.fetch(address, { headers })
      expect(answer.status).toBe(200)
      return Buffer.from(await answer.arrayBuffer())
    })
    return Promise.all(found)
  }
  /** Pictures that all differ. */
  const picture = async (red: number) => {
    const create = {
      width: 20,
      height: 30,
      channels: 3,
      background: { r: red, g: 9, b: 9 },
    } as const
    return new File([new Uint8Array(await sharp({ create }).png().toBuffer())], 'cover.png')
  }

  test('restores its pictures from a ZIP file, and removes them when undone', async () => {
    const shelf = await addShelf(ann, 'Pictures')
    for (const red of [1, 2])
      await ann.client.collection('user_books').create({
        title: 'Pictured',
        authors: [`A ${red}`],
        shelf: shelf.id,
        status: 'reading',
        image: await picture(red),
      })
    const [settings] = await ann.client.collection('settings').getFullList()
    await ann.client.collection('settings').update(settings!.id, { background: await picture(3) })
    const bob = await of.world.reader('bob')
    const before = await dump(of.world, bob)
    const { id, total } = await of.send(await zipped(ann), undefined, bob)
    expect(await of.step(id, { state: 'applying' }, bob)).toMatchObject({
      state: 'done',
      applied: total,
    })
    const pictures = await picturesOf(bob)
    expect(pictures.filter(Boolean)).toHaveLength(3)
    expect(pictures).toEqual(await picturesOf(ann))

    const again = await of.send(await zipped(ann), undefined, bob)
    expect(await of.step(again.id, { state: 'applying' }, bob)).toMatchObject({ applied: 0 })
    expect(await picturesOf(bob)).toEqual(pictures)
    await of.step(id, { state: 'undone' }, bob)
    expect(await dump(of.world, bob)).toBe(before)
  })

  test('leaves out an invalid picture', async () => {
    const book = {
      id: 'b00000000000001',
      shelf: 's00000000000001',
      title: 'Emma',
      status: 'reading',
      image: 'bad.png',
    }
    const zip = new ZipFile()
    const shelves = [{ id: book.shelf, name: 'From elsewhere', visibility: 'private' }]
    const text = JSON.stringify({
      product: 'Octavo',
      version: 1,
      bookshelves: shelves,
      user_books: [book],
    })
    zip.addBuffer(Buffer.from(text), 'octavo.json')
    zip.addBuffer(Buffer.from('<script>'), `pictures/user_books/${book.id}/${book.image}`)
    zip.end()
    const cat = await of.world.reader('cat')
    const { id } = await of.send(await buffer(zip.outputStream as Readable), undefined, cat)
    expect(await of.step(id, { state: 'applying' }, cat)).toMatchObject({ applied: 2, invalid: 0 })
    expect(await of.books(cat)).toMatchObject([{ title: 'Emma', image: '' }])
    const [, row] = await of.rows(id, cat)
    expect(row!.reason).toBe('Its picture couldn’t be used.')
  })

  test('keeps the reader’s own entries', async () => {
    const cat = await of.world.reader('cat')
    const shelf = await addShelf(cat, 'Somewhere else')
    await addBook(cat, shelf.id, { ...emma, status: 'paused', rating: 2, tags: ['mine'] })
    const { id } = await of.send(await zipped(ann), undefined, cat)
    expect(await of.step(id, { state: 'applying' }, cat)).toMatchObject({
      state: 'done',
      invalid: 0,
    })
    const books = await cat.client
      .collection('user_books')
      .getFullList({ filter: 'title = "Emma"' })
    expect(books).toHaveLength(3)
    for (const book of books)
      expect(book).toMatchObject({ status: 'paused', rating: 2, tags: ['mine'] })
  })

  test('sets no time that hasn’t come yet and no position that no book can have', async () => {
    const created = '9999-12-31 00:00:00.000Z'
    const shelf = { id: 's', name: 'From afar', visibility: 'private', created }
    const book = { id: 'b', shelf: 's', title: 'Emma', authors: ['Jane Austen'], created }
    const far = { ...book, status: 'planning', position: 1e308, updated: created }
    const file = { product: 'Octavo', version: 1, bookshelves: [shelf], user_books: [far] }
    const cat = await of.world.reader('cat')
    const { id } = await of.send(JSON.stringify(file), {}, cat)
    expect(await of.step(id, { state: 'applying' }, cat)).toMatchObject({ applied: 2, invalid: 0 })
    const [made] = await of.books(cat)
    const now = new Date(Date.now() + 1000).toISOString().replace('T', ' ')
    expect(made!.created < now && made!.updated < now).toBe(true)
    expect(made).toMatchObject({ title: 'Emma', position: 0 })
    const books = cat.client.collection('user_books')
    await expect(books.update(made!.id, { position: 1e308 })).rejects.toMatchObject({ status: 400 })
  })

  test('is the same after ten crashes as without any', { timeout: 240_000 }, async () => {
    const [bob, cat] = [await of.world.reader('bob'), await of.world.reader('cat')]
    const text = await exported(of.world, ann)
    const whole = await of.send(text, undefined, bob)
    await of.step(whole.id, { state: 'applying' }, bob)
    const file = new File([text], 'octavo.json')
    const { id } = await cat.client.collection('imports').create({ file })
    let left = 10
    let count = 0
    let isDead = false
    // A process ends before or after a transaction is written, and does nothing more.
    const write: typeof of.world.records.write = async (job) => {
      const isKilled = left > 0 && ++count % 2 === 0
      if (isDead || (isKilled && --left % 2 === 0)) {
        isDead = true
        throw new Crash()
      }
      const done = await of.world.records.write(job)
      isDead = isKilled
      if (isDead) throw new Crash()
      return done
    }
    for (let tries = 0; tries < 40; tries++) {
      const { state } = await of.get(id, cat)
      if (state === 'done') break
      if (state === 'waiting')
        await cat.client.collection('imports').update(id, { state: 'applying' })
      isDead = false
      await of.work(write).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error
      })
    }
    expect(left).toBe(0)
    const { total, applied, state } = await of.get(id, cat)
    expect([state, applied]).toEqual(['done', total])
    expect(await library(cat)).toEqual(await library(bob))
  })
})

class Crash extends Error {}

const emma = { title: 'Emma', authors: ['Jane Austen'], isbn: '9780141439587' }

/** A library with a record of every kind. */
test('R63: the relations of any collection are to the records here', () => {
  const loans = collection({
    name: 'loans',
    fields: [
      { name: 'user', type: 'relation', collection: 'users' },
      { name: 'book', type: 'relation', collection: 'user_books' },
      { name: 'borrower', type: 'text' },
    ],
    rules: { list: '', view: '', create: '', update: '', delete: '' },
  })
  expect(relationFields(loans)).toEqual(['book'])
  const progress = { collection: 'progress_log', values: { reading: 'there', to: 12 } } as const
  const idOf = (old: string) => (old === 'there' ? 'here' : undefined)
  expect(withOwnRelations(progress, idOf)).toEqual({ reading: 'here', to: 12 })
  // Another reader's record of that id isn't in the export.
  const stray = { collection: 'progress_log', values: { reading: 'elsewhere' } } as const
  expect(withOwnRelations(stray, idOf)).toEqual({ reading: '' })
})

async function fill(reader: Reader): Promise<void> {
  const { client } = reader
  const shelf = await addShelf(reader, 'Winter, cold', 'private')
  const other = await addShelf(reader, 'Summer')
  await addShelf(reader, 'Nothing here')
  const book = await addBook(reader, shelf.id, {
    ...emma,
    page_count: 474,
    progress: 40,
    rating: 9,
    tags: ['classics', 'Ähnlich'],
    notes: 'Mine alone',
    review: 'Fine.\n"Quoted"',
    review_spoilers: true,
    format: 'print',
    isPrivate: true,
    position: 3.5,
  })
  await client.collection('user_books').update(book.id, { progress: 80 })
  await addBook(reader, other.id, emma)
  await addBook(reader, other.id, { title: '琅俨', authors: [], status: 'planning', position: 1 })
  await addBook(reader, other.id, { title: 'Heard', status: 'completed', duration: 90 })
  const key = { book_key: emma.isbn }
  for (const days of [
    { started: '2009', finished: '2009-05', outcome: 'finished', rating: 7 },
    { started: '', finished: '', outcome: 'finished' },
    { started: '', finished: '', outcome: 'finished' },
    { started: '2012-02-03', finished: '', outcome: 'dropped', format: 'audio', minutes: 30 },
  ])
    await client.collection('readings').create({ ...key, ...days })
  await client.collection('quotes').create({ ...key, text: 'Handsome, clever', page: 1 })
  await client.collection('quotes').create({ ...key, text: 'and rich', isPrivate: false })
  await client
    .collection('goals')
    .create({ year: 2026, kind: 'books', target: 52, isPrivate: true })
  const [settings] = await client.collection('settings').getFullList()
  await client.collection('settings').update(settings!.id, { isPrivate: true, country: 'DE' })
}
