import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeEach, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { diskStorage } from '#records/index.ts'
import {
  addBook,
  addShelf,
  ask,
  openFixture,
  type Reader,
  type Fixture,
} from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'

interface Export {
  user: Record<string, unknown>
  settings: object[]
  bookshelves: object[]
  user_books: { id: string; title: string; isbn: string }[]
  activities: object[]
  sessions: object[]
  devices: object[]
  removed: { collection: string; removed: string; record: Record<string, unknown> }[]
  pictures: string[]
}

const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes)
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return files
}

describeMigratedDatabases('all of a reader’s data', (open) => {
  let fixture: Fixture
  let reader: Reader
  beforeEach(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-export-'))
    fixture = await openFixture(await open(), undefined, diskStorage(folder))
    reader = await fixture.reader('reader')
    return async () => {
      await fixture.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  const fetchAs = (path: string, token = '') =>
    fixture.fetch(path, token ? { headers: { Authorization: token } } : {})
  const load = async (path: string, who: Reader) => {
    const answer = await fetchAs(path, who.client.authStore.token)
    expect(answer.status).toBe(200)
    return { answer, text: await answer.text() }
  }

  test('is refused to everyone else', async () => {
    for (const path of [
      '/api/v1/account/export',
      '/api/v1/account/export.csv',
      '/api/v1/account/export?format=storygraph',
      '/api/v1/account/export?format=zip',
    ])
      for (const token of ['', 'not.a.token'])
        expect((await fetchAs(path, token)).status, `${path} with ${token}`).toBe(401)
  })

  test('is one document with everything of the reader and nothing of others', async () => {
    const other = await fixture.reader('other')
    for (const who of [reader, other]) {
      const shelf = await addShelf(who, `Shelf of ${who.username}`, 'private')
      await addBook(who, shelf.id, { title: `Book of ${who.username}` })
    }
    const avatar = new File([pixel], 'me.png', { type: 'image/png' })
    await reader.client.collection('users').update(reader.id, { avatar, name: 'Ann "A"' })
    const { answer, text } = await load('/api/v1/account/export', reader)
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="octavo-${reader.username}.json"`,
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const data = JSON.parse(text) as Export
    expect(data.user).toMatchObject({ id: reader.id, email: reader.email, name: 'Ann "A"' })
    expect(data.settings).toMatchObject([{ user: reader.id, isPrivate: false }])
    expect(data.bookshelves).toMatchObject([{ visibility: 'private', book_count: 1 }])
    expect(data.user_books).toMatchObject([{ title: `Book of ${reader.username}`, authors: [] }])
    expect(data.activities).toMatchObject([{ event_type: 'reading' }])
    expect(data.sessions).toEqual([
      {
        agent: expect.any(String) as string,
        created: expect.stringMatching(instant) as string,
        used: expect.stringMatching(instant) as string,
      },
    ])
    expect(data.devices).toEqual([])
    expect(data.pictures).toEqual([
      expect.stringMatching(`^http://localhost:3000/api/files/users/${reader.id}/me`),
    ])
    expect((await fetchAs(new URL(data.pictures[0]!).pathname)).status).toBe(200)
    for (const secret of [other.id, other.username, '$argon2', 'tokenKey', 'password'])
      expect(text, secret).not.toContain(secret)
  })

  test('comes with the pictures as they are stored, and nobody else’s', async () => {
    const other = await fixture.reader('other')
    const picture = () => new File([pixel], 'me.png', { type: 'image/png' })
    for (const who of [reader, other]) {
      const shelf = await addShelf(who, `Shelf of ${who.username}`)
      await addBook(who, shelf.id, { title: 'Plain' })
      const book = { title: 'Pictured', shelf: shelf.id, status: 'reading', image: picture() }
      await who.client.collection('user_books').create(book)
      await who.client.collection('users').update(who.id, { avatar: picture() })
      const [settings] = await who.client.collection('settings').getFullList()
      await who.client.collection('settings').update(settings!.id, { background: picture() })
    }
    const { token } = reader.client.authStore
    const answer = await fetchAs('/api/v1/account/export?format=zip', token)
    expect(answer.headers.get('content-type')).toBe('application/zip')
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="octavo-${reader.username}.zip"`,
    )
    const files = await unzip(Buffer.from(await answer.arrayBuffer()))
    const { pictures, ...data } = JSON.parse(files.get('octavo.json')!.toString()) as Export
    expect(data.user_books).toHaveLength(2)
    expect(pictures).toHaveLength(3)
    expect([...files.keys()].toSorted()).toEqual(
      [
        'octavo.json',
        ...pictures.map((address) => address.replace(/.*\/api\/files/, 'pictures')),
      ].toSorted(),
    )
    for (const address of pictures) {
      const stored = await fetchAs(new URL(address).pathname, token)
      const name = new URL(address).pathname.replace('/api/files', 'pictures')
      expect(files.get(name)).toEqual(Buffer.from(await stored.arrayBuffer()))
    }
  })

  test('ends where its reader leaves', async () => {
    const { token } = reader.client.authStore
    for (let n = 0; n < 3; n++) {
      const answer = await fetchAs('/api/v1/account/export?format=zip', token)
      await answer.body!.cancel()
    }
    expect((await fetchAs('/api/v1/account/export', token)).status).toBe(200)
  })

  test('has what was removed and can still come back, of theirs alone', async () => {
    const other = await fixture.reader('other')
    for (const who of [reader, other]) {
      const shelf = await addShelf(who, `Gone shelf of ${who.username}`)
      await addBook(who, shelf.id, { title: `Gone book of ${who.username}` })
      await who.client.collection('bookshelves').delete(shelf.id)
    }
    const { text } = await load('/api/v1/account/export', reader)
    const { removed, bookshelves } = JSON.parse(text) as Export
    expect(bookshelves).toEqual([])
    expect(
      removed.map(({ collection, record }) => [collection, record['name'] ?? record['title']]),
    ).toEqual([
      ['bookshelves', `Gone shelf of ${reader.username}`],
      ['user_books', `Gone book of ${reader.username}`],
    ])
    expect(Date.parse(removed[0]!.removed)).toBeLessThanOrEqual(Date.now())
    expect(text).not.toContain(other.username)
    await ask(reader.client, 'POST', '/api/v1/account/reset')
    const cleared = JSON.parse((await load('/api/v1/account/export', reader)).text) as Export
    expect(cleared.removed).toEqual([])
  })

  test('is whole however many readings it takes', { timeout: 120_000 }, async () => {
    const shelf = await addShelf(reader, 'Many')
    await fixture.records.write(async (tx) => {
      for (let n = 0; n < 502; n++)
        await tx.create('user_books', {
          user: reader.id,
          shelf: shelf.id,
          title: `No ${n}`,
          status: 'planning',
        })
    })
    const data = JSON.parse((await load('/api/v1/account/export', reader)).text) as Export
    expect(new Set(data.user_books.map(({ id }) => id)).size).toBe(502)
    await reader.client.collection('bookshelves').delete(shelf.id)
    const after = JSON.parse((await load('/api/v1/account/export', reader)).text) as Export
    expect(new Set(after.removed.map(({ record }) => record['id'])).size).toBe(503)
    await ask(reader.client, 'POST', '/api/v1/library/restore', {
      collection: 'bookshelves',
      ids: [shelf.id],
    })
    const { text } = await load('/api/v1/account/export.csv', reader)
    expect(text.trimEnd().split('\r\n')).toHaveLength(503)
  })

  test('comes in the shape of other trackers, a book once whatever its shelves', async () => {
    for (const name of ['Winter', 'Summer']) {
      const shelf = await addShelf(reader, name)
      await addBook(reader, shelf.id, {
        title: 'Emma',
        isbn: '9780141439587',
        rating: 9,
        status: 'completed',
      })
    }
    for (const format of ['goodreads', 'storygraph', 'openreads', 'bookwyrm']) {
      const { answer, text } = await load(`/api/v1/account/export?format=${format}`, reader)
      expect(answer.headers.get('content-disposition')).toContain(`-${format}.csv"`)
      expect(text.trimEnd().split('\r\n'), format).toHaveLength(2)
      expect(text).toContain('9780141439587')
    }
    const odd = await fetchAs('/api/v1/account/export?format=xls', reader.client.authStore.token)
    expect(odd.status).toBe(400)
    expect(await odd.text()).toContain(
      'Choose one of json, zip, goodreads, storygraph, openreads, bookwyrm.',
    )
  })

  test('has the files that were brought in, and their rows', async () => {
    const file = new File(['ISBN\n9780141439587\n'], 'mine.csv', { type: 'text/csv' })
    const { id } = await reader.client.collection('imports').create({ file })
    const { text } = await load('/api/v1/account/export', reader)
    const data = JSON.parse(text) as Export & { imports: object[]; import_rows: object[] }
    expect(data.imports).toMatchObject([{ id, state: 'reading' }])
    expect(data.import_rows).toEqual([])
    expect(data.pictures[0]).toContain(`/api/files/imports/${id}/`)
  })

  test('R37: has the books as a table that Goodreads reads, and that runs nothing', async () => {
    const shelf = await addShelf(reader, 'Winter, cold')
    await addBook(reader, shelf.id, {
      title: '=HYPERLINK("http://evil.example")',
      authors: ['Mary Wollstonecraft Shelley', 'P. B. Shelley'],
      isbn: '9780141439471',
      page_count: 280,
      progress: 280,
      rating: 9,
      status: 'completed',
    })
    const { answer, text } = await load('/api/v1/account/export.csv', reader)
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="octavo-${reader.username}.csv"`,
    )
    const again = await fetchAs('/api/v1/account/export.csv', reader.client.authStore.token)
    // Excel takes a table without a mark for one in Windows' own letters.
    expect([...new Uint8Array(await again.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const [head, row] = text.split('\r\n')
    expect(head).toMatch(
      /^Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating/,
    )
    const added = new Date().toISOString().slice(0, 10).replaceAll('-', '/')
    expect(row!.slice(16)).toBe(
      `"'=HYPERLINK(""http://evil.example"")",Mary Wollstonecraft Shelley,` +
        `"Shelley, Mary Wollstonecraft",P. B. Shelley,"=""0141439475""","=""9780141439471""",` +
        `5,,,,280,,,,${added},Winter  cold,,read,,,,1,0`,
    )
  })

  test('has a star for the smallest rating, which is not none', async () => {
    const shelf = await addShelf(reader, 'Disappointments')
    for (const [title, rating] of [
      ['Hardly anything', 0.5],
      ['Nothing said', 0],
    ] as const)
      await addBook(reader, shelf.id, { title, rating })
    const { text } = await load('/api/v1/account/export.csv', reader)
    const starsOf = (title: string) =>
      new RegExp(`,${title},.*?,"=""""","=""""",(\\d),`).exec(text)?.[1]
    expect([starsOf('Hardly anything'), starsOf('Nothing said')]).toEqual(['1', '0'])
  })
})
