import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { diskStorage } from '#records/index.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { openFixture, passwordOf, type Fixture, type Reader } from '#tests/access/fixture.ts'
import { KoreaderDevice, statisticsFile, type ReadPage } from '#tests/koreader-device.ts'
import type { NewConnection } from '#shared/connection.ts'
import { withholdStatistics } from './device-files.ts'

const emma = { md5: 'e'.repeat(32), title: 'Emma', authors: 'Jane Austen' }
const page = (number: number, seconds = 60): ReadPage => ({
  md5: emma.md5,
  page: number,
  start: Date.parse('2026-03-01T20:00:00Z') / 1000 + 100 * number,
  seconds,
  pages: 400,
})

describeMigratedDatabases('KOReader’s cloud storage', (open) => {
  let fixture: Fixture
  let reader: Reader
  let connection: NewConnection
  let kobo: KoreaderDevice
  let arriving: string

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-dav-'))
    const now = () => new Date('2026-03-02T12:00:00Z')
    arriving = join(folder, 'arriving')
    fixture = await openFixture(await open(), now, diskStorage(folder), arriving)
    reader = await fixture.reader('lamplight')
    return async () => {
      await fixture.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
  beforeEach(async () => {
    await fixture.records.write(async (tx) => {
      for (const { id } of await reader.client.collection('device_files').getFullList())
        await tx.delete('device_files', id)
    })
    connection = await connect()
    kobo = deviceOf(connection)
  })

  const connect = ({ client } = reader) =>
    client.collection('connections').create<NewConnection>({ name: 'Kobo', kind: 'koreader' })
  const deviceOf = (by: Pick<NewConnection, 'username' | 'password'>) =>
    new KoreaderDevice((path, init) => fixture.fetch(path, init), by, [emma])
  async function statusOf(...asked: Parameters<KoreaderDevice['request']>) {
    const answer = await kobo.request(...asked)
    // A file that nobody reads stays open.
    await answer.body?.cancel()
    return answer.status
  }
  const textOf = async (path: string) => (await kobo.request('GET', path)).text()

  /** What KOReader reads of a folder’s list. */
  async function list(path: string, device = kobo) {
    const answer = await device.request('PROPFIND', path, { Depth: '1' })
    expect(answer.status).toBe(207)
    const items = (await answer.text()).matchAll(
      /<[^:]*:response[^>]*>([\s\S]+?)<\/[^:]*:response>/g,
    )
    return [...items].map(([, item = '']) => {
      const href = /<[^:]*:href[^>]*>(.*)<\/[^:]*:href>/.exec(item)?.[1] ?? ''
      const size = /<[^:]*:getcontentlength[^>]*>(\d+)<\/[^:]*:getcontentlength>/.exec(item)?.[1]
      return /<[^:]*:resourcetype\s*\/>/.test(item)
        ? [decodeURIComponent(href), Number(size)]
        : [decodeURIComponent(href), /<[^:]*:collection[^<]*\/>/.test(item)]
    })
  }

  test('opens with a connection’s password alone', async () => {
    const asNobody = await fixture.fetch('/dav/')
    expect(asNobody.status).toBe(401)
    expect(asNobody.headers.get('www-authenticate')).toMatch(/^Basic realm=/)
    const { username, password } = connection
    const { token } = reader.client.authStore
    for (const by of [
      { username, password: 'hk7mw3qxr9tavd4p' },
      { username: reader.username, password },
      { username: reader.email, password: passwordOf('lamplight') },
      { username: '', password: '' },
    ])
      for (const method of ['PROPFIND', 'GET', 'PUT', 'DELETE', 'MKCOL'])
        expect((await deviceOf(by).request(method, '/a', { Depth: '1' })).status).toBe(401)
    for (const headers of [{ Authorization: token }, { Cookie: `pb_auth=${token}` }])
      expect((await fixture.fetch('/dav/', { headers })).status).toBe(401)
    // And it opens nothing else.
    const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    const headers = { Authorization: basic }
    const files = await fixture.fetch('/api/collections/device_files/records', { headers })
    expect(await files.json()).toMatchObject({ totalItems: 0 })
    expect((await fixture.fetch('/api/v1/library/removed', { headers })).status).toBe(401)
  })

  test('a paused connection and a revoked one open nothing', async () => {
    const connections = reader.client.collection('connections')
    expect(await statusOf('PUT', '/a.txt', {}, 'kept')).toBe(201)
    await connections.update(connection.id, { paused: true })
    const paused = await kobo.request('GET', '/a.txt')
    expect([paused.status, await paused.text()]).toEqual([403, 'This connection is paused.\n'])
    await connections.update(connection.id, { paused: false })
    expect(await textOf('/a.txt')).toBe('kept')
    await connections.delete(connection.id)
    expect(await statusOf('GET', '/a.txt')).toBe(401)
    kobo = deviceOf(await connect())
    expect(await textOf('/a.txt')).toBe('kept')
  })

  test('a file that arrives in part takes no other’s place', async () => {
    expect(await statusOf('PUT', '/a.txt', {}, 'whole')).toBe(201)
    expect(await statusOf('PUT', '/a.txt', { 'Content-Range': 'bytes 0-1/5' }, 'wh')).toBe(400)
    const reset = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('wh')),
      pull: (controller) => controller.error(reset),
    })
    const { username, password } = connection
    const Authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    const cut = { method: 'PUT', headers: { Authorization }, body, duplex: 'half' }
    expect((await fixture.fetch('/dav/a.txt', cut)).status).toBe(400)
    expect(await textOf('/a.txt')).toBe('whole')
    expect(readdirSync(arriving)).toEqual([])
  })

  test('a connection that is revoked while it sends leaves no file', async () => {
    let isRevoked = false
    const body = new ReadableStream({
      async pull(controller) {
        if (!isRevoked) await reader.client.collection('connections').delete(connection.id)
        if (isRevoked) controller.close()
        else controller.enqueue(Buffer.from('late'))
        isRevoked = true
      },
    })
    const { username, password } = connection
    const Authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    const late = { method: 'PUT', headers: { Authorization }, body, duplex: 'half' }
    expect((await fixture.fetch('/dav/late.txt', late)).status).toBe(401)
    kobo = deviceOf(await connect())
    expect(await statusOf('GET', '/late.txt')).toBe(404)
  })

  test('a reader’s connections share their files, and no other reader has them', async () => {
    await kobo.request('PUT', '/a.txt', {}, 'mine')
    const boox = deviceOf(await connect())
    expect(await (await boox.request('GET', '/a.txt')).text()).toBe('mine')
    const other = deviceOf(await connect(await fixture.reader(`other${Date.now()}`)))
    expect((await other.request('GET', '/a.txt')).status).toBe(404)
    expect((await other.request('DELETE', '/a.txt')).status).toBe(404)
    expect(await list('/', other)).toEqual([['/dav/', true]])
    expect((await other.request('PUT', '/a.txt', {}, 'theirs')).status).toBe(201)
    expect(await textOf('/a.txt')).toBe('mine')
  })

  test('says when a connection was last used', async () => {
    await kobo.request('PROPFIND', '/', { Depth: '0' })
    const used = await reader.client.collection('connections').getOne(connection.id)
    expect(used['last_used']).toBe('2026-03-02 12:00:00.000Z')
  })

  test('keeps files and folders as KOReader lists them', async () => {
    expect(await statusOf('MKCOL', '/Bücher & mehr/')).toBe(201)
    expect(await statusOf('MKCOL', '/Bücher & mehr')).toBe(405)
    const path = encodeURI('/Bücher & mehr/it’s <1>.json')
    expect(await statusOf('PUT', path, {}, '{}')).toBe(201)
    // What it needs on the way is created.
    expect(await statusOf('PUT', '/deep/er/a.txt', {}, 'x')).toBe(201)
    expect(await list('/')).toEqual([
      ['/dav/', true],
      ['/dav/Bücher & mehr/', true],
      ['/dav/deep/', true],
    ])
    expect(await list('/B%C3%BCcher%20&%20mehr/')).toEqual([
      ['/dav/Bücher & mehr/', true],
      ['/dav/Bücher & mehr/it’s <1>.json', 2],
    ])
    const single = await kobo.request('PROPFIND', '/deep/er/a.txt', { Depth: '0' })
    expect(await single.text()).toContain('<d:href>/dav/deep/er/a.txt</d:href>')
    expect(await statusOf('PUT', '/deep/er/a.txt/b.txt', {}, 'x')).toBe(409)
    expect(await statusOf('PUT', '/deep', {}, 'x')).toBe(405)
    expect(await statusOf('GET', '/deep')).toBe(405)
    expect(await statusOf('DELETE', '/')).toBe(405)
    expect(await statusOf('DELETE', '/deep')).toBe(204)
    expect(await statusOf('GET', '/deep/er/a.txt')).toBe(404)
    expect(await statusOf('DELETE', '/deep')).toBe(404)
  })

  test('gives back the same bytes, with an ETag that names them', async () => {
    const bytes = new Uint8Array(300_000).map((_, i) => (7 * i + (i >> 8)) % 256)
    const sent = await kobo.request('PUT', '/bytes', {}, bytes)
    const answer = await kobo.request('GET', '/bytes')
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
    const etag = answer.headers.get('etag')!
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/)
    expect(sent.headers.get('etag')).toBe(etag)
    const head = await kobo.request('HEAD', '/bytes')
    expect([head.status, head.headers.get('etag')]).toEqual([200, etag])
    expect(head.headers.get('content-length')).toBe('300000')
    expect(await statusOf('GET', '/bytes', { 'If-None-Match': etag })).toBe(304)
    // A proxy that compresses answers makes them weak.
    for (const known of [`W/${etag}`, `"x",W/${etag}`])
      expect(await statusOf('GET', '/bytes', { 'If-None-Match': known })).toBe(304)
    expect(await statusOf('GET', '/bytes', { 'If-None-Match': 'W/"x"' })).toBe(200)
    const missing = await kobo.request('GET', '/nothing')
    expect([missing.status, missing.headers.get('etag')]).toEqual([404, null])
  })

  test('refuses a write for another version of the file', async () => {
    expect(await statusOf('PUT', '/a', { 'If-Match': '"x"' }, 'no')).toBe(412)
    expect(await statusOf('PUT', '/a', { 'If-Match': '*' }, 'no')).toBe(412)
    const first = await kobo.request('PUT', '/a', { 'If-None-Match': '*' }, 'one')
    expect(first.status).toBe(201)
    expect(await statusOf('PUT', '/a', { 'If-None-Match': '*' }, 'no')).toBe(412)
    const etag = first.headers.get('etag')!
    expect(await statusOf('PUT', '/a', { 'If-Match': `W/${etag}` }, 'no')).toBe(412)
    expect(await statusOf('DELETE', '/a', { 'If-Match': `W/${etag}` })).toBe(412)
    expect(await statusOf('PUT', '/a', { 'If-None-Match': `W/${etag}` }, 'no')).toBe(412)
    expect(await statusOf('PUT', '/a', { 'If-Match': `"x", ${etag}` }, 'two')).toBe(204)
    expect(await statusOf('PUT', '/a', { 'If-Match': etag }, 'no')).toBe(412)
    expect(await statusOf('DELETE', '/a', { 'If-Match': etag })).toBe(412)
    expect(await textOf('/a')).toBe('two')
    // Of two at once, one has to merge.
    const known = { 'If-Match': (await kobo.request('HEAD', '/a')).headers.get('etag')! }
    const both = ['three', 'four'].map((text) => statusOf('PUT', '/a', known, text))
    expect((await Promise.all(both)).toSorted((a, b) => a - b)).toEqual([204, 412])
  })

  test('refuses paths that aren’t safe, and what it doesn’t do', async () => {
    const far = encodeURI(`/${'ü'.repeat(251)}`)
    const unsafe = ['/%2e%2e%2fa', '/a%2fb', '/a%5cb', '/a%00', '/a%0ab', '/%ff', far]
    for (const path of [...unsafe, '/1/2/3/4/5/6/7/8/9/10'])
      expect([path, await statusOf('PUT', path, {}, 'x')]).toEqual([path, 400])
    // A URL’s dots are resolved before anything is read.
    expect(await statusOf('PUT', '/x/../a', {}, 'x')).toBe(201)
    expect(await list('/')).toEqual([
      ['/dav/', true],
      ['/dav/a', 1],
    ])
    for (const depth of [{}, { Depth: 'infinity' }])
      expect(await statusOf('PROPFIND', '/', depth)).toBe(403)
    for (const method of ['POST', 'PATCH', 'MOVE', 'COPY', 'LOCK', 'PROPPATCH'])
      expect([method, await statusOf(method, '/a')]).toEqual([method, 405])
    const options = await kobo.request('OPTIONS', '/')
    expect([options.status, options.headers.get('dav')]).toEqual([200, '1'])
    expect(options.headers.get('allow')).toContain('PROPFIND')
  })

  test('keeps no pictures, and no more than there is room for', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    expect(await statusOf('PUT', '/a.png', {}, new Uint8Array(png))).toBe(415)
    await fixture.records.write(async (tx) => {
      for (let n = 0; n < 499; n++)
        await tx.create('device_files', { user: reader.id, path: `folder ${n}` })
    })
    expect(await statusOf('MKCOL', '/last')).toBe(201)
    expect(await statusOf('MKCOL', '/more')).toBe(507)
    expect(await statusOf('PUT', '/more.txt', {}, 'x')).toBe(507)
  })

  test('leaves nothing behind of a file that arrives', async () => {
    await kobo.request('PUT', '/a', {}, 'x')
    await kobo.request('PUT', '/a', { 'If-Match': '"x"' }, 'x')
    // The folder is made for the first file.
    expect(readdirSync(arriving)).toEqual([])
  })

  test('two devices merge their statistics, also when both write at once', async () => {
    const boox = deviceOf(await connect())
    kobo.read(page(1), page(2))
    expect(await kobo.sync()).toEqual([201])
    boox.read(page(3))
    boox.meanwhile = async () => {
      boox.meanwhile = async () => {}
      kobo.read(page(2, 90), page(4))
      expect(await kobo.sync()).toEqual([204])
    }
    expect(await boox.sync()).toEqual([412, 204])
    expect(await kobo.sync()).toEqual([204])
    const all = [page(1), page(2, 90), page(3), page(4)]
    for (const device of [kobo, boox])
      expect([...device.pages.values()].toSorted((a, b) => a.page - b.page)).toEqual(all)
  })

  test('gives no statistics of a restored backup, as a device would delete its own', async () => {
    kobo.read(page(1))
    await kobo.sync()
    const old = await (await kobo.request('GET', '/statistics.sqlite3')).arrayBuffer()
    kobo.read(page(2))
    await kobo.sync()
    // Back to the older file, as a restored backup has it.
    await kobo.request('PUT', '/statistics.sqlite3', {}, old)
    await kobo.request('PUT', '/note.txt', {}, 'kept')
    await fixture.database.transaction((tx) => tx.query(withholdStatistics))
    const answer = await kobo.request('GET', '/statistics.sqlite3')
    expect([answer.status, answer.headers.get('etag')]).toEqual([404, null])
    expect(await list('/')).toEqual([
      ['/dav/', true],
      ['/dav/note.txt', 4],
    ])
    expect(await kobo.sync()).toEqual([204])
    expect([...kobo.pages.values()]).toEqual([page(1), page(2)])
    expect((await kobo.request('GET', '/statistics.sqlite3')).status).toBe(200)
    expect(await kobo.sync()).toEqual([204])
  })

  test('a file counts towards the reader’s own room', async () => {
    await kobo.request('PUT', '/statistics.sqlite3', {}, new Uint8Array(statisticsFile([emma], [])))
    const [row] = await fixture.database.query(
      `SELECT size FROM _files WHERE account = '${reader.id}' AND name LIKE 'statistics%'`,
    )
    expect(Number(row?.[0])).toBeGreaterThan(4096)
  })
})
