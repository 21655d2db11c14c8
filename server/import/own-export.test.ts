import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { diskStorage } from '#records/index.ts'
import type { ImportRecord } from '#shared/import.ts'
import { addBook, addShelf, openWorld, type Reader, type World } from '#tests/access/world.ts'
import { describeDatabases } from '#tests/databases.ts'
import { openStarterWorld } from '#tests/open-starter.ts'
import { workOff } from './runner.ts'

const catalogue = await openStarterWorld()
const collections = [
  ...(['bookshelves', 'user_books', 'readings', 'progress_log', 'quotes', 'goals'] as const),
]
type Row = Record<string, unknown>

describeDatabases('our own export', (open) => {
  let world: World
  let ann: Reader
  let work: (write?: World['records']['write']) => Promise<void>
  beforeEach(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-own-'))
    const storage = diskStorage(folder)
    world = await openWorld(await open(), undefined, storage)
    const log = pino({ level: 'silent' })
    work = (write = (job) => world.records.write(job)) =>
      workOff({
        database: world.database,
        records: { ...world.records, write },
        catalogue,
        storage,
        folder,
        planDefault: 'free',
        log,
      })
    ann = await world.reader('ann')
    await fill(ann)
    return async () => {
      await world.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  const exported = async ({ client }: Reader) => {
    const headers = { Authorization: client.authStore.token }
    return (await world.fetch('/api/v1/account/export', { headers })).text()
  }
  const send = async (reader: Reader, content: string | Buffer) => {
    const file = new File([content as BlobPart], 'octavo.json')
    return (await reader.client.collection('imports').create({ file })).id
  }
  const get = ({ client }: Reader, id: string) =>
    client.collection('imports').getOne<ImportRecord>(id)
  const step = async (reader: Reader, id: string, state: string) => {
    await reader.client.collection('imports').update(id, { state })
    await work()
    return get(reader, id)
  }
  /** A library as its export has it, with names for the ids that differ between accounts. */
  const library = async (reader: Reader) => {
    const all = JSON.parse(await exported(reader)) as Record<string, Row[]>
    const names = new Map<unknown, unknown>([['', '']])
    for (const { id, name } of all['bookshelves']!) names.set(id, name)
    for (const { id, book_key, started } of all['readings']!)
      names.set(id, `${String(book_key)} ${String(started)}`)
    const plain = ({ id: _id, user: _user, covers: _covers, latest: _latest, ...rest }: Row) => ({
      ...rest,
      ...('shelf' in rest && { shelf: names.get(rest['shelf']) }),
      ...('reading' in rest && { reading: names.get(rest['reading']) }),
    })
    return Object.fromEntries(
      collections.map((name) => [
        name,
        all[name]!.map(plain)
          .map((one) => JSON.stringify(one))
          .toSorted(),
      ]),
    )
  }

  test('makes an equal library of an empty account, once, and is taken back whole', async () => {
    const text = await exported(ann)
    const bob = await world.reader('bob')
    const empty = await library(bob)
    const settings = () => bob.client.collection('settings').getFullList()
    const before = await settings()
    const id = await send(bob, text)
    await work()
    const read = await get(bob, id)
    expect(read).toMatchObject({ state: 'waiting', format: 'octavo', duplicate: 0, invalid: 0 })
    expect(read.matched).toBe(read.total)
    expect(await library(bob)).toEqual(empty)
    const done = await step(bob, id, 'applying')
    expect(done).toMatchObject({ state: 'done', applied: read.total, error: '' })
    expect(await library(bob)).toEqual(await library(ann))
    expect(await settings()).toMatchObject([{ isPrivate: true, country: 'DE' }])

    const again = await send(bob, text)
    await work()
    expect(await get(bob, again)).toMatchObject({ duplicate: read.total - 1, matched: 1 })
    expect(await step(bob, again, 'applying')).toMatchObject({ state: 'done', applied: 0 })
    expect(await library(bob)).toEqual(await library(ann))

    expect(await step(bob, id, 'undone')).toMatchObject({ applied: 0, skipped: read.total })
    expect(await library(bob)).toEqual(empty)
    expect(await settings()).toMatchObject([{ ...before[0] }])
  })

  test('comes zipped too, and leaves what its reader has said', async () => {
    const zip = new ZipFile()
    zip.addBuffer(Buffer.from(await exported(ann)), 'octavo.json')
    zip.end()
    const cat = await world.reader('cat')
    const shelf = await addShelf(cat, 'Somewhere else')
    await addBook(cat, shelf.id, { ...emma, status: 'paused', rating: 2, tags: ['mine'] })
    const id = await send(cat, await buffer(zip.outputStream as Readable))
    await work()
    expect(await step(cat, id, 'applying')).toMatchObject({ state: 'done', invalid: 0 })
    const books = await cat.client
      .collection('user_books')
      .getFullList({ filter: 'title = "Emma"' })
    expect(books).toHaveLength(3)
    for (const book of books)
      expect(book).toMatchObject({ status: 'paused', rating: 2, tags: ['mine'] })
  })

  test('is the same after ten crashes as without any', { timeout: 240_000 }, async () => {
    const [bob, cat] = [await world.reader('bob'), await world.reader('cat')]
    const text = await exported(ann)
    const whole = await send(bob, text)
    await work()
    await step(bob, whole, 'applying')
    const id = await send(cat, text)
    let left = 10
    let count = 0
    let isDead = false
    // A process ends before a transaction is written, or after it, and does nothing more.
    const write: World['records']['write'] = async (job) => {
      const isKilled = left > 0 && ++count % 2 === 0
      if (isDead || (isKilled && --left % 2 === 0)) {
        isDead = true
        throw new Crash()
      }
      const done = await world.records.write(job)
      isDead = isKilled
      if (isDead) throw new Crash()
      return done
    }
    for (let tries = 0; tries < 40; tries++) {
      const { state } = await get(cat, id)
      if (state === 'done') break
      if (state === 'waiting')
        await cat.client.collection('imports').update(id, { state: 'applying' })
      isDead = false
      await work(write).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error
      })
    }
    expect(left).toBe(0)
    const { total, applied, state } = await get(cat, id)
    expect([state, applied]).toEqual(['done', total])
    expect(await library(cat)).toEqual(await library(bob))
  })
})

class Crash extends Error {}

const emma = { title: 'Emma', authors: ['Jane Austen'], isbn: '9780141439587' }

/** A library with something of everything. */
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
