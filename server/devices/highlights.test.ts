import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { diskStorage, type FileStorage } from '#records/index.ts'
import { runAllJobs } from '#server/runtime/jobs.ts'
import type { DeviceBook, NewConnection } from '#shared/connection.ts'
import type { Quote } from '#shared/reading.ts'
import type { UserBook } from '#shared/user-book.ts'
import { addBook, addShelf, openFixture, type Fixture, type Reader } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { KoreaderDevice } from '#tests/koreader-device.ts'
import { sentFiles } from './read-files.ts'
import { pendingDocuments } from './runner.ts'
import { storePush } from './store-push.ts'

interface Entry {
  text: string
  note?: string
  page?: number
  time?: number
}

describeMigratedDatabases('KOReader’s highlights', (open) => {
  let fixture: Fixture
  let storage: FileStorage
  let folder: string
  let reader: Reader
  let shelf: string
  let connection: NewConnection
  let kobo: KoreaderDevice
  let book: UserBook
  let title: string
  let count = 0
  const warnings: object[] = []

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'octavo-highlights-'))
    storage = diskStorage(join(folder, 'files'))
    fixture = await openFixture(await open(), () => new Date(), storage)
    reader = await fixture.reader('lamplight')
    shelf = (await addShelf(reader, 'Shelf')).id
    connection = await reader.client
      .collection('connections')
      .create<NewConnection>({ name: 'Kobo in bed', kind: 'koreader' })
    kobo = new KoreaderDevice((path, init) => fixture.fetch(path, init), connection, [])
    return async () => {
      await fixture.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
  beforeEach(async () => {
    await fixture.records.write(async (tx) => {
      for (const name of ['device_files', 'device_books', 'device_quotes', 'quotes'] as const)
        for (const { id } of await reader.client.collection(name).getFullList())
          await tx.delete(name, id)
    })
    title = `Emma ${'I'.repeat(++count)}`
    book = await addBook(reader, shelf, { title, authors: ['Jane Austen'], status: 'reading' })
  })

  const exported = (...entries: Entry[]) =>
    JSON.stringify({
      title,
      author: 'Jane Austen',
      number_of_pages: 400,
      entries: entries.map((one) => ({
        sort: 'highlight',
        page: 100,
        time: 1_772_395_200,
        ...one,
      })),
      created_on: 1,
      version: 'json/1.0.0',
    })
  const send = async (content: string, path = '/highlights.json') => {
    const { status } = await kobo.request('PUT', path, {}, content)
    expect([201, 204]).toContain(status)
    await apply()
  }
  async function apply(): Promise<void> {
    const log = { warn: (said: object) => void warnings.push(said) }
    await runAllJobs(sentFiles({ ...fixture, storage, folder, log }))
    await runAllJobs(pendingDocuments({ ...fixture, log }))
  }
  const devices = () => reader.client.collection('device_books').getFullList<DeviceBook>()
  const quotes = () => reader.client.collection('quotes').getFullList<Quote>({ sort: 'text' })
  const bind = async (book_key: string | undefined) => {
    await reader.client.collection('device_books').update((await devices())[0]!.id, { book_key })
    await apply()
  }
  const rich = { text: 'Handsome, clever, and rich', note: 'The first line' }

  test('become private quotes of the only book of that title and author, each once', async () => {
    await send(exported(rich, { text: 'Badly done' }))
    const made = await quotes()
    expect(made).toMatchObject([
      { book_key: book.book_key, text: 'Badly done', note: '', percent: 25, isPrivate: true },
      { book_key: book.book_key, ...rich, created: '2026-03-01 20:00:00.000Z' },
    ])
    // Nothing waits for an answer to which book it is.
    expect(await devices()).toMatchObject([{ book_key: '', pushed: '' }])
    await send(exported(rich, { text: 'Badly done' }))
    await send(exported(rich), '/clipboard/again.json')
    expect(await quotes()).toEqual(made)
    // What the reader has deleted doesn't come back, and what they have written stays.
    await reader.client.collection('quotes').delete(made[0]!.id)
    await reader.client.collection('quotes').update(made[1]!.id, { note: 'Mine' })
    await send(exported({ ...rich, note: 'Another' }, { text: 'Badly done' }, { text: 'New' }))
    expect(await quotes()).toMatchObject([{ text: rich.text, note: 'Mine' }, { text: 'New' }])
  })

  test('that were marked anew or got a note since are the same quotes', async () => {
    await send(exported({ text: rich.text }, { text: 'Badly done' }))
    await send(
      exported(
        { text: `${rich.text}, with a comfortable home` },
        { text: 'Badly done', note: 'Box Hill' },
      ),
    )
    expect(await quotes()).toMatchObject([
      { text: 'Badly done', note: 'Box Hill' },
      { text: `${rich.text}, with a comfortable home` },
    ])
  })

  test('wait for their book, and move with it if it was another one', async () => {
    const other = await addBook(reader, shelf, {
      title: `${title}: A Novel`,
      authors: ['Jane Austen'],
    })
    title = `${title}: Annotated`
    await send(exported(rich))
    expect(await quotes()).toEqual([])
    expect(await devices()).toMatchObject([
      { title, authors: ['Jane Austen'], device: 'Kobo in bed', book_key: '' },
    ])
    expect((await devices())[0]?.pushed).not.toBe('')
    await bind(other.book_key)
    expect(await quotes()).toMatchObject([{ book_key: other.book_key, ...rich }])
    await bind(book.book_key)
    expect(await quotes()).toMatchObject([{ book_key: book.book_key, ...rich }])
    await bind('')
    expect(await quotes()).toEqual([])
  })

  test('stay away from a book once the reader has said that it isn’t this one', async () => {
    await send(exported(rich))
    await bind(book.book_key)
    expect(await quotes()).toMatchObject([rich])
    await bind('')
    await send(exported(rich, { text: 'Badly done' }))
    expect(await quotes()).toEqual([])
    await bind(book.book_key)
    expect(await quotes()).toMatchObject([{ text: 'Badly done' }, rich])
  })

  test('stay where they are when a second book of the title comes', async () => {
    await send(exported(rich))
    const authors = ['Jane Austen']
    await addBook(reader, shelf, { title, authors, isbn: '9780141439587', status: 'planning' })
    await send(exported(rich, { text: 'Badly done' }))
    const key = { book_key: book.book_key }
    expect(await quotes()).toMatchObject([
      { ...key, text: 'Badly done' },
      { ...key, ...rich },
    ])
  })

  test('taking them back leaves what the reader has written or had before', async () => {
    const own = { book_key: book.book_key, text: 'Badly done' }
    await reader.client.collection('quotes').create(own)
    await send(exported(rich, { text: 'Badly done', note: 'Box Hill' }, { text: 'Left' }))
    expect((await quotes())[0]).toMatchObject({ note: 'Box Hill' })
    const left = (await quotes()).find(({ text }) => text === 'Left')!
    await reader.client.collection('quotes').update(left.id, { note: 'Mine' })
    const other = await addBook(reader, shelf, { title: 'Persuasion', authors: ['Jane Austen'] })
    await bind(other.book_key)
    const stayed = (await quotes()).filter(({ book_key }) => book_key === book.book_key)
    expect(stayed).toMatchObject([
      { text: 'Badly done', note: '' },
      { text: 'Left', note: 'Mine' },
    ])
  })

  test('leave the question open of a file that the device is reading', async () => {
    await send(exported(rich))
    const [{ document, title: marked } = { document: '', title: '' }] = await devices()
    const position = { document, title: marked, authors: ['Jane Austen'], percentage: 0.5 }
    const from = { progress: 'x', device: 'Kobo', device_id: '', filename: '' }
    const sender = { id: connection.id, user: reader.id }
    await storePush(fixture.records, sender, { ...position, ...from }, new Date())
    await send(exported(rich, { text: 'Badly done' }))
    expect(await quotes()).toHaveLength(2)
    expect((await devices())[0]?.pushed).not.toBe('')
  })

  test('beside a book belong to the file that it pushes its position for', async () => {
    const position = { document: 'a1', percentage: 0.5, progress: 'x', device: 'Kobo' }
    const unnamed = { title: '', authors: [], filename: '', device_id: '' }
    const sender = { id: connection.id, user: reader.id }
    await storePush(fixture.records, sender, { ...position, ...unnamed }, new Date())
    const other = await addBook(reader, shelf, { title: 'Persuasion', authors: ['Jane Austen'] })
    await bind(other.book_key)
    await send(
      `return {
    ["annotations"] = { [1] = { ["text"] = "Half agony", ["datetime"] = "2026-03-01 10:00:00" } },
    ["doc_props"] = { ["title"] = "${title}", ["authors"] = "Jane Austen" },
    ["partial_md5_checksum"] = "a1",
}
`,
      '/books/p.sdr/metadata.epub.lua',
    )
    expect(await devices()).toHaveLength(1)
    expect(await quotes()).toMatchObject([{ book_key: other.book_key, text: 'Half agony' }])
  })

  test('that the records refuse hold up no other document', async () => {
    warnings.length = 0
    await send(exported(rich))
    // As an earlier version might have stored it.
    const [stored] = await reader.client.collection('device_quotes').getFullList()
    const [asked] = await devices()
    const blank = { text: '', note: '', page: 0, percent: 0, at: '', state: 'new' as const }
    await fixture.records.write(async (tx) => {
      await tx.update('device_quotes', stored!.id, { quotes: [blank] })
      await tx.update('device_books', asked!.id, { pending: true })
    })
    title = `${title} again`
    const other = await addBook(reader, shelf, { title, authors: ['Jane Austen'] })
    await send(exported({ text: 'Badly done' }))
    expect(await quotes()).toMatchObject([{ text: 'Badly done', book_key: other.book_key }, rich])
    expect(warnings).toMatchObject([{ document: asked!.id, err: { status: 400 } }])
  })

  test('other files of these names stay as they are', async () => {
    await send('{"settings": {}}', '/settings.json')
    await send('x = os.execute()', '/metadata.pdf.lua')
    await send('Title,Author\nEmma,Jane Austen\n', '/table.json')
    expect(await devices()).toEqual([])
    expect(await quotes()).toEqual([])
    expect(await (await kobo.request('GET', '/settings.json')).text()).toBe('{"settings": {}}')
  })
})
