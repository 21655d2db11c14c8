import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import PocketBase, { type RecordModel } from 'pocketbase'
import OldPocketBase from 'pocketbase-0.26'
import sharp from 'sharp'
import { expect, it, onTestFinished, test, vi } from 'vitest'
import { collection, diskStorage, s3Storage, Schema } from '#records/index.ts'
import { describeDatabases } from '#tests/databases.ts'
import { openBucket } from '#tests/s3.ts'
import { inProcess, type ClientClass } from '#tests/in-process.ts'
import {
  appUrl,
  errorCodes,
  openFixture,
  rejection,
  schema as plain,
  type Fixture,
  type OpenDatabase,
} from './fixture.ts'

const own = 'owner = @request.auth.id'
const shown = `${own} || secret = false`
const pictures = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/svg+xml']

/** Members keep prints; a wall shows them with their banner, which is its owner’s alone. */
const schema = new Schema([
  plain.get('members'),
  collection({
    name: 'prints',
    fields: [
      {
        name: 'owner',
        type: 'relation',
        collection: 'members',
        required: true,
        cascadeDelete: true,
        fill: 'viewer',
        writable: 'create',
      },
      { name: 'title', type: 'text', max: 20 },
      { name: 'secret', type: 'bool' },
      {
        name: 'photo',
        type: 'file',
        mimeTypes: pictures,
        thumbs: ['100x50f', '80x40', '80x40t', '80x40b', '0x30', '40x0'],
      },
      { name: 'scans', type: 'file', maxSelect: 3, maxSize: 2000 },
      { name: 'seal', type: 'file', readable: 'self' },
    ],
    rules: { list: shown, view: shown, create: own, update: own, delete: own },
  }),
  collection({
    name: 'banners',
    fields: [
      {
        name: 'print',
        type: 'relation',
        collection: 'prints',
        required: true,
        cascadeDelete: true,
      },
      { name: 'cloth', type: 'file', mimeTypes: pictures, thumbs: ['20x10'] },
    ],
    unique: [['print']],
    rules: {
      list: 'print.owner = @request.auth.id',
      view: 'print.owner = @request.auth.id',
      create: 'print.owner = @request.auth.id',
      update: 'print.owner = @request.auth.id',
      delete: 'print.owner = @request.auth.id',
    },
  }),
  collection({
    name: 'walls',
    type: 'view',
    fields: [
      { name: 'secret', type: 'bool' },
      { name: 'photo', type: 'file', origin: { collection: 'prints', by: 'id' } },
      { name: 'cloth', type: 'file', origin: { collection: 'banners', by: 'print' } },
    ],
    rules: {
      list: 'secret = false',
      view: 'secret = false',
      create: null,
      update: null,
      delete: null,
    },
    select: () => sql`SELECT p.id, p.secret, p.photo, COALESCE(b.cloth, '') AS cloth
      FROM prints p LEFT JOIN banners b ON b.print = p.id`,
  }),
])

async function openGallery(open: OpenDatabase, more = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const fixture = await openFixture(open, { schema, files: diskStorage(folder), ...more })
  const ann = await fixture.member('ann')
  return { fixture, ann, prints: ann.collection('prints'), folder }
}

function kept(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
}

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#a3b' } })
const png = (width = 60, height = 40) => flat(width, height).png().toBuffer()
let bomb: Promise<Uint8Array> | undefined
/** A small file of more pixels than are taken. */
const bombOnce = () => (bomb ??= flat(14_000, 14_000).png().toBuffer())
const asFile = (bytes: Uint8Array, name = 'My Photo.png') => new File([new Uint8Array(bytes)], name)

/** The address of a file, as the official client builds it. */
const fileUrl = (record: { id: string; collectionId: string }, name: string, query = '') =>
  `/api/files/${record.collectionId}/${record.id}/${name}${query}`

const text = (content: string) => new TextEncoder().encode(content)
const halfOf = (bytes: Uint8Array) => bytes.subarray(0, bytes.length / 2)
const band = (background: string) =>
  sharp({ create: { width: 80, height: 40, channels: 3, background } })
    .png()
    .toBuffer()
const noise = () =>
  sharp({
    create: {
      width: 200,
      height: 200,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
const nothing = [undefined, undefined, undefined]
const old = 'Tue, 01 Jan 2019 00:00:00 GMT'

async function manyFrames(count: number): Promise<Uint8Array> {
  const frames = Array.from({ length: count }, (_, i) =>
    sharp({ create: { width: 4, height: 4, channels: 3, background: i % 2 ? '#fff' : '#00f' } })
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .gif()
    .toBuffer()
}

async function sizeOf(answer: Response): Promise<[number, number]> {
  const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
  return [width, height]
}

const get = (fixture: Fixture, path: string, headers: Record<string, string> = {}) =>
  fixture.fetch(path, { headers })

/** Two pictures, one of them a secret of ann's, and somebody else. */
async function openExhibition(open: OpenDatabase) {
  const gallery = await openGallery(open)
  const { fixture, ann, prints } = gallery
  const [open_, secret] = await Promise.all(
    [false, true].map(async (isSecret) =>
      prints.create({ secret: isSecret, photo: asFile(await png()) }),
    ),
  )
  const bob = await fixture.member('bob')
  const path = (print: RecordModel | undefined, query = '') =>
    fileUrl(print!, String(print!['photo']), query)
  return { ...gallery, shown: open_!, secret: secret!, bob, path, ann }
}

describeDatabases('a file', (open) => {
  it('is uploaded, served to those who can see its record, and deleted with it', async () => {
    const { fixture, ann, prints, folder } = await openGallery(open)
    const print = await prints.create({ title: 'one', photo: asFile(await png()) })
    const name = String(print['photo'])
    expect(name).toMatch(/^my_photo_[a-z0-9]{10}\.png$/)
    expect(kept(folder)).toEqual([`${print.collectionId}/${print.id}/${name}`])
    expect(ann.files.getURL(print, name)).toContain(fileUrl(print, name))

    const answer = await get(fixture, fileUrl(print, name))
    expect(answer.status).toBe(200)
    const shape = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    expect(shape).toMatchObject({ format: 'png', width: 60, height: 40 })
    // By the collection's name, too.
    expect((await get(fixture, `/api/files/Prints/${print.id}/${name}`)).status).toBe(200)

    await prints.delete(print.id)
    expect((await get(fixture, fileUrl(print, name))).status).toBe(404)
    await fixture.records.close()
    expect(kept(folder)).toEqual([])
  })

  it('is uploaded by the older client, too', async () => {
    const { fixture, ann } = await openGallery(open)
    const client = inProcess(fixture.app, appUrl, OldPocketBase as unknown as ClientClass)
    client.authStore.save(ann.authStore.token)
    const prints = client.collection('prints')
    const print = await prints.create({
      photo: asFile(await png()),
      scans: [asFile(text('a'), 'a.txt')],
    })
    const scan = (print['scans'] as string[])[0]!
    const changed = await prints.update(print.id, { 'scans+': asFile(text('b'), 'b.txt') })
    expect(changed['scans']).toEqual([scan, expect.stringMatching(/^b\w+\.txt$/)])
    const url = client.files.getURL(print, String(print['photo']), { thumb: '100x50f' })
    expect((await fixture.app.request(url)).status).toBe(200)
    expect((await client.files.getToken()).split('.')).toHaveLength(3)
  })

  it.each([
    ['../../three.txt', /^three_[a-z0-9]{10}\.txt$/],
    ['books/x.txt', /^x[a-z0-9]{10}_[a-z0-9]{10}\.txt$/],
    ['/etc/passwd.tar.gz', /^passwd_[a-z0-9]{10}\.tar\.gz$/],
    ['a.b/c.d/long name', /^long_name_[a-z0-9]{10}\.txt$/],
  ])('sent as %s keeps only the last part of its name', async (sent, kept) => {
    const { prints } = await openGallery(open)
    const print = await prints.create({ scans: [asFile(text('a'), sent)] })
    expect((print['scans'] as string[])[0]).toMatch(kept)
    const large = prints.create({ scans: [asFile(text('x'.repeat(2001)), sent)] })
    const file = sent.split('/').at(-1)!
    expect((await rejection(large)).response['data']).toMatchObject({
      scans: { params: { file }, message: expect.stringContaining(`upload ${file} -`) as string },
    })
  })

  it('replaced or removed is gone, thumbs and all, and nothing else is', async () => {
    const { fixture, prints, folder } = await openGallery(open)
    const print = await prints.create({ title: 'one', photo: asFile(await png()) })
    const first = String(print['photo'])
    await get(fixture, fileUrl(print, first, '?thumb=100x50f'))
    expect(kept(folder)).toHaveLength(2)

    const second = String((await prints.update(print.id, { photo: asFile(await png()) }))['photo'])
    expect(second).not.toBe(first)
    expect((await get(fixture, fileUrl(print, first))).status).toBe(404)
    expect((await get(fixture, fileUrl(print, first, '?thumb=100x50f'))).status).toBe(404)
    expect((await get(fixture, fileUrl(print, second))).status).toBe(200)
    await prints.update(print.id, { title: 'two' })
    expect((await get(fixture, fileUrl(print, second))).status).toBe(200)
    await expect.poll(() => kept(folder)).toEqual([`${print.collectionId}/${print.id}/${second}`])

    expect((await prints.update(print.id, { photo: null }))['photo']).toBe('')
    expect((await get(fixture, fileUrl(print, second))).status).toBe(404)
    await expect.poll(() => kept(folder)).toEqual([])
  })

  it('of many is added in front, behind, and taken away by its name', async () => {
    const { fixture, prints, folder } = await openGallery(open)
    const scan = (letter: string) => asFile(text(letter), `page ${letter}.txt`)
    const print = await prints.create({ scans: [scan('b'), scan('c')] })
    const [b, c] = print['scans'] as string[]
    const d = scan('d')
    const { scans: more } = await prints.update(print.id, { '+scans': [scan('a')] })
    expect((more as string[]).map((name) => name.slice(0, 6))).toEqual([
      'page_a',
      'page_b',
      'page_c',
    ])
    expect((more as string[]).slice(1)).toEqual([b, c])

    expect(await errorCodes(prints.update(print.id, { 'scans+': d }))).toEqual({
      scans: 'validation_too_many_files',
    })
    const left = await prints.update(print.id, { 'scans-': [b, c] })
    expect(left['scans']).toEqual([(more as string[])[0]])
    expect((await get(fixture, fileUrl(print, b!))).status).toBe(404)
    // Names that are sent along stay; without them an upload replaces all there are.
    const both = await prints.update(print.id, { scans: [(more as string[])[0], d] })
    expect(both['scans']).toHaveLength(2)
    const replaced = await prints.update(print.id, { scans: d })
    expect(replaced['scans']).toHaveLength(1)
    await expect.poll(() => kept(folder)).toHaveLength(1)
    expect((await prints.update(print.id, { scans: [] }))['scans']).toEqual([])
    await expect.poll(() => kept(folder)).toEqual([])
  })

  it('is not taken over by its name alone', async () => {
    const { shown, prints } = await openExhibition(open)
    const stolen = { photo: String(shown['photo']) }
    expect(await errorCodes(prints.create(stolen))).toEqual({ photo: 'validation_invalid_file' })
    expect(await errorCodes(prints.update(shown.id, { photo: 'other.png' }))).toEqual({
      photo: 'validation_invalid_file',
    })
  })

  it('is refused with the other fields’ errors, and leaves nothing', async () => {
    const { prints, folder } = await openGallery(open)
    const big = asFile(new Uint8Array(2001), 'big.bin')
    const error = await rejection(
      prints.create({ title: 'x'.repeat(30), scans: [big], photo: asFile(text('x'), 'x.png') }),
    )
    expect(error.status).toBe(400)
    expect(error.response['data']).toEqual({
      title: expect.objectContaining({ code: 'validation_max_text_constraint' }) as unknown,
      scans: {
        code: 'validation_file_size_limit',
        message: 'Failed to upload big.bin - the maximum allowed file size is 2000 bytes.',
        params: { file: 'big.bin', maxSize: 2000 },
      },
      photo: {
        code: 'validation_invalid_mime_type',
        message: expect.stringMatching(
          /^"x\w+\.png" mime type must be one of: image\/jpeg, image\/png, image\/webp, image\/gif, image\/svg\+xml\.$/,
        ) as unknown,
      },
    })
    expect(kept(folder)).toEqual([])
  })

  it('is not even read if the client may not write', async () => {
    const { fixture, bob, shown, secret, folder } = await openExhibition(open)
    const before = kept(folder)
    const broken = { photo: asFile(text('x'), 'x.png') }
    expect((await rejection(bob.collection('prints').update(shown.id, broken))).status).toBe(404)
    expect((await rejection(bob.collection('prints').update(secret.id, broken))).status).toBe(404)
    const error = await rejection(fixture.client().collection('prints').create(broken))
    expect([error.status, error.response['data']]).toEqual([400, {}])
    expect(kept(folder)).toEqual(before)
  })

  it('R42: is read by nobody before the rule and its size let it pass', async () => {
    const { fixture, ann, bob, prints, shown, secret } = await openExhibition(open)
    const read = vi.spyOn(Blob.prototype, 'arrayBuffer')
    onTestFinished(() => read.mockRestore())
    const photo = asFile(text('<!a>'.repeat(1000)), 'x.svg')
    const visitor = fixture.client()
    expect((await rejection(visitor.collection('prints').create({ photo }))).status).toBe(400)
    const taken = { owner: ann.authStore.record!.id, photo }
    expect((await rejection(bob.collection('prints').create(taken))).status).toBe(400)
    for (const { id } of [shown, secret])
      expect((await rejection(bob.collection('prints').update(id, { photo }))).status).toBe(404)
    for (const client of [visitor, bob])
      for (const method of ['create', 'update', 'upsert'] as const) {
        const batch = client.createBatch()
        const print = batch.collection('prints')
        if (method === 'update') print.update(shown.id, { photo })
        else if (method === 'upsert') print.upsert({ id: shown.id, photo })
        else print.create(client === bob ? taken : { photo })
        expect((await rejection(batch.send())).status).toBe(400)
      }
    const big = asFile(text('x'.repeat(2001)), 'big.svg')
    expect(await errorCodes(prints.create({ scans: [big] }))).toEqual({
      scans: 'validation_file_size_limit',
    })
    expect(read).not.toHaveBeenCalled()

    expect(await errorCodes(prints.create({ photo }))).toEqual({
      photo: 'validation_invalid_mime_type',
    })
    expect(read).toHaveBeenCalledTimes(1)
    const batch = ann.createBatch()
    batch.collection('prints').update(shown.id, { photo })
    expect((await rejection(batch.send())).status).toBe(400)
    expect(read).toHaveBeenCalledTimes(2)
  })

  it('is named by its content, for the rules and the record alike', async () => {
    const { fixture, prints } = await openGallery(open)
    const print = await prints.create({ photo: asFile(await png(), 'cover.html') })
    expect(print['photo']).toMatch(/^cover_[a-z0-9]{10}\.png$/)
    expect((await get(fixture, fileUrl(print, String(print['photo'])))).status).toBe(200)
    const jpeg = asFile(await flat(20, 20).jpeg().toBuffer(), 'cover.png')
    const changed = await prints.update(print.id, { photo: jpeg, 'scans+': asFile(text('a'), 'a') })
    expect(changed['photo']).toMatch(/\.jpg$/)
    expect(changed['scans']).toEqual([expect.stringMatching(/\.txt$/)])
  })

  it('is taken back when the row cannot be written', async () => {
    const { prints, ann, folder } = await openGallery(open)
    const print = await prints.create({ title: 'one' })
    const banners = ann.collection('banners')
    await banners.create({ print: print.id })
    // The print has its one banner: told by the database, long after the file is stored.
    const second = banners.create({ print: print.id, cloth: asFile(await png()) })
    expect(await errorCodes(second)).toEqual({ print: 'validation_not_unique' })
    const taken = prints.create({ id: print.id, photo: asFile(await png()) })
    expect(await errorCodes(taken)).toEqual({ id: 'validation_not_unique' })
    const nonsense = prints.create({ id: '../../../tmp/xx', photo: asFile(await png()) })
    expect(await errorCodes(nonsense)).toEqual({ id: 'validation_invalid_format' })
    expect(kept(folder)).toEqual([])
  })

  it('is deleted with the account that owns its record', async () => {
    const { ann, prints, folder } = await openGallery(open)
    await prints.create({ photo: asFile(await png()) })
    await ann.collection('members').delete(ann.me.id)
    await expect.poll(() => kept(folder)).toEqual([])
  })

  it('R29: fits the room that its account has, however many come at once', async () => {
    const { prints, ann, folder } = await openGallery(open, {
      fileQuota: { bytes: 1_048_576, count: 3 },
    })
    const photo = asFile(await png())
    const tries = await Promise.allSettled([1, 2, 3, 4, 5].map(() => prints.create({ photo })))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const error = await rejection(prints.create({ photo }))
    expect([error.status, error.response['message']]).toEqual([
      400,
      'Failed to create record. You can keep up to 3 files and 1 MB in total. Delete some to make room.',
    ])
    const [one] = await prints.getFullList()
    // A new picture in place of an old one takes no more room.
    await prints.update(one!.id, { photo })
    await prints.delete(one!.id)
    await prints.create({ photo })
    await expect.poll(() => kept(folder)).toHaveLength(3)
    expect(ann.authStore.isValid).toBe(true)
  })

  it('cannot be kept without a place to keep it', async () => {
    const { prints } = await openGallery(open, { files: undefined })
    expect(await errorCodes(prints.create({ photo: asFile(await png()) }))).toEqual({
      photo: 'validation_invalid_file',
    })
  })

  it('left over by a crash is swept, and what is in use stays', async () => {
    const { fixture, shown, path, folder } = await openExhibition(open)
    await get(fixture, path(shown, '?thumb=100x50f'))
    const used = kept(folder)
    const storage = diskStorage(folder)
    const { collectionId, id } = shown
    for (const key of [
      `${collectionId}/${id}/gone_0123456789.png`,
      `${collectionId}/${id}/thumbs_gone_0123456789.png/100x50f_gone_0123456789.png`,
      `${collectionId}/norecordofthis/gone_0123456789.png`,
      'someoneelse/x/y.png',
    ])
      await storage.put(key, text('left'))
    expect(await fixture.records.sweepFiles()).toBe(0)
    for (const key of kept(folder)) utimesSync(join(folder, key), 0, 0)
    expect(await fixture.records.sweepFiles()).toBe(3)
    expect(kept(folder)).toEqual([...used, 'someoneelse/x/y.png'].toSorted())
  })
})

describeDatabases('who sees a file', (open) => {
  const status = async (fixture: Fixture, path: string, headers: Record<string, string> = {}) =>
    (await get(fixture, path, headers)).status

  it('is who sees its record: by header or by cookie', async () => {
    const { fixture, ann, bob, shown, secret, path } = await openExhibition(open)
    const by = (client: PocketBase) => ({ Authorization: client.authStore.token })
    const cookie = (client: PocketBase) => ({ Cookie: client.authStore.exportToCookie() })
    for (const query of ['', '?thumb=100x50f', '?thumb=100x100']) {
      expect(await status(fixture, path(shown, query))).toBe(200)
      expect(await status(fixture, path(shown, query), by(bob))).toBe(200)
      expect(await status(fixture, path(secret, query))).toBe(404)
      expect(await status(fixture, path(secret, query), by(bob))).toBe(404)
      expect(await status(fixture, path(secret, query), cookie(bob))).toBe(404)
      expect(await status(fixture, path(secret, query), by(ann))).toBe(200)
      expect(await status(fixture, path(secret, query), cookie(ann))).toBe(200)
    }
    const hidden = await get(fixture, path(secret))
    const missing = await get(fixture, fileUrl(secret, 'nothing_0123456789.png'))
    expect(await hidden.text()).toBe(await missing.text())
    expect([...hidden.headers]).toEqual([...missing.headers])
    expect(await hidden.text().catch(() => '')).toBe('')
  })

  it('follows the record from one request to the next', async () => {
    const { fixture, prints, shown, path } = await openExhibition(open)
    const etag = (await get(fixture, path(shown))).headers.get('etag') ?? ''
    await prints.update(shown.id, { secret: true })
    expect(await status(fixture, path(shown))).toBe(404)
    expect(await status(fixture, path(shown), { 'If-None-Match': etag })).toBe(404)
    await prints.update(shown.id, { secret: false })
    expect(await status(fixture, path(shown), { 'If-None-Match': etag })).toBe(304)
  })

  it('can be shown to its owner by a token for two minutes', async () => {
    const { fixture, ann, bob, secret, path } = await openExhibition(open)
    const token = await ann.files.getToken()
    const by = (value: string) => status(fixture, path(secret, `?token=${value}`))
    expect(await by(token)).toBe(200)
    expect(await by(await bob.files.getToken())).toBe(404)
    expect(await by(ann.authStore.token)).toBe(404)
    expect(await by(`${token}x`)).toBe(404)
    expect(await by('nonsense')).toBe(404)
    // Nor does it open anything else.
    const list = await get(fixture, '/api/collections/prints/records', { Authorization: token })
    expect(await list.json()).toMatchObject({ totalItems: 1 })
    const refresh = await fixture.fetch('/api/collections/members/auth-refresh', {
      method: 'POST',
      headers: { Authorization: token },
    })
    expect(refresh.status).toBe(401)
    fixture.wait(100)
    expect(await by(token)).toBe(200)
    fixture.wait(21)
    expect(await by(token)).toBe(404)
  })

  it('ends with the session that a token was made in', async () => {
    const { fixture, ann, secret, path } = await openExhibition(open)
    const [first, second] = [await ann.files.getToken(), await ann.files.getToken()]
    expect(await status(fixture, path(secret, `?token=${first}`))).toBe(200)
    const viewer = await fixture.records.authenticate(
      new Request(appUrl, { headers: { Authorization: ann.authStore.token } }),
    )
    await fixture.records.endSession(viewer!)
    expect(await status(fixture, path(secret, `?token=${second}`))).toBe(404)
  })

  it('needs an account for a token', async () => {
    const { fixture } = await openGallery(open)
    const error = await rejection(fixture.client().files.getToken())
    expect([error.status, error.response['message']]).toEqual([
      401,
      'The request requires valid record authorization token.',
    ])
  })

  it('finds only names that the records have', async () => {
    const { fixture, ann, shown, secret } = await openExhibition(open)
    const name = String(shown['photo'])
    const { collectionId: prints, id } = shown
    await get(fixture, fileUrl(shown, name, '?thumb=100x50f'))
    const by = { Authorization: ann.authStore.token }
    for (const path of [
      `${prints}/${id}/..%2f${name}`,
      `${prints}/${id}/%2e%2e%2f${id}%2f${name}`,
      `${prints}/${id}/..%5c${name}`,
      `${prints}/${id}/.%5c${name}`,
      `${prints}/${id}/${name}%00`,
      `${prints}/${id}/${name}%00.png`,
      `${prints}/${id}%00/${name}`,
      `${prints}/${id}/thumbs_${name}`,
      `${prints}/${id}/thumbs_${name}/100x50f_${name}`,
      `${prints}/${id}/thumbs_${name}%2f100x50f_${name}`,
      `${prints}/${id}/100x50f_${name}`,
      `${prints}/thumbs_x/${name}`,
      `thumbs_x/${id}/${name}`,
      `${prints}/${id}/${'a'.repeat(4096)}`,
      `${prints}/${id}/${name.toUpperCase()}`,
      `${prints}/${id}/${name}/`,
      `${prints}/${id}/`,
      `${prints}/${id}/%zz`,
      `${prints}/${secret.id}/${name}`,
      `${ann.me.collectionId}/${id}/${name}`,
      `banners/${id}/${name}`,
      `nothing/${id}/${name}`,
    ]) {
      expect(await status(fixture, `/api/files/${path}`, by), path).toBe(404)
    }
    expect(fixture.errors).toEqual([])
  })

  it('of a field for oneself is nobody else', async () => {
    const { fixture, ann, prints } = await openGallery(open)
    const print = await prints.create({ seal: asFile(text('x'), 'x.txt') })
    const row = await fixture.records.find('prints', print.id)
    const path = fileUrl(print, String(row?.['seal']))
    // A record that is no account has no self.
    expect(await status(fixture, path, { Authorization: ann.authStore.token })).toBe(404)
  })
})

describeDatabases('a view', (open) => {
  it('serves the files of the records it is made of, by its own rule', async () => {
    const { fixture, ann, prints } = await openGallery(open)
    const print = await prints.create({ photo: asFile(await png()) })
    const cloth = asFile(await png(200, 100), 'cloth.png')
    const banner = await ann.collection('banners').create({ print: print.id, cloth })
    const wall = await ann.collection('walls').getOne(print.id)
    expect(wall).toMatchObject({ photo: print['photo'], cloth: banner['cloth'] })
    for (const name of ['photo', 'cloth'])
      expect((await get(fixture, fileUrl(wall, String(wall[name])))).status).toBe(200)
    // The thumbs are those of the field it comes from.
    const thumb = await get(fixture, fileUrl(wall, String(wall['cloth']), '?thumb=20x10'))
    expect(await sizeOf(thumb)).toEqual([20, 10])
    // Through the banner itself it is its owner's alone.
    expect((await get(fixture, fileUrl(banner, String(banner['cloth'])))).status).toBe(404)
    await prints.update(print.id, { secret: true })
    expect((await get(fixture, fileUrl(wall, String(wall['cloth'])))).status).toBe(404)
  })
})

test('a view whose file comes from nowhere is a mistake', () => {
  const view = (origin: { collection: string; by: string }) => () =>
    new Schema([
      ...schema.collections,
      collection({
        name: 'halls',
        type: 'view',
        fields: [{ name: 'photo', type: 'file', origin }],
        rules: { list: '', view: '', create: null, update: null, delete: null },
      }),
    ])
  for (const origin of [
    { collection: 'nothing', by: 'id' },
    { collection: 'members', by: 'id' },
    { collection: 'prints', by: 'nothing' },
  ])
    expect(view(origin)).toThrow('halls.photo comes from')
  expect(view({ collection: 'prints', by: 'id' })).not.toThrow()
})

describeDatabases('a picture', (open) => {
  it('R29: keeps no record of where it was taken, and is upright', async () => {
    const { fixture, prints } = await openGallery(open)
    const taken = flat(60, 40)
      .withExif({ IFD0: { Copyright: 'canary' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">canary</x:xmpmeta>')
      .withMetadata({ orientation: 6 })
    for (const [format, extension] of [
      ['jpeg', '.jpg'],
      ['png', '.png'],
      ['webp', '.webp'],
    ] as const) {
      const bytes = await taken.clone().toFormat(format).toBuffer()
      expect(bytes.includes('canary')).toBe(true)
      const hidden = Buffer.concat([bytes, Buffer.from('<script>canary</script>')])
      const print = await prints.create({ photo: asFile(hidden, `x${extension}`) })
      const answer = await get(fixture, fileUrl(print, String(print['photo'])))
      const stored = Buffer.from(await answer.arrayBuffer())
      expect(stored.includes('canary'), format).toBe(false)
      const { width, height, exif, xmp, orientation } = await sharp(stored).metadata()
      expect([width, height, exif, xmp, orientation], format).toEqual([40, 60, ...nothing])
    }
  })

  it('stays animated', async () => {
    const { fixture, prints } = await openGallery(open)
    const frames = await Promise.all(
      ['#f00', '#0f0', '#00f'].map((background) =>
        sharp({ create: { width: 20, height: 20, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    const print = await prints.create({ photo: asFile(gif, 'x.gif') })
    const name = String(print['photo'])
    const whole = Buffer.from(await (await get(fixture, fileUrl(print, name))).arrayBuffer())
    expect((await sharp(whole).metadata()).pages).toBe(3)
    const thumb = await get(fixture, fileUrl(print, name, '?thumb=100x50f'))
    expect(thumb.headers.get('content-type')).toBe('image/gif')
    const small = await sharp(Buffer.from(await thumb.arrayBuffer())).metadata()
    expect([small.format, small.pages ?? 1]).toEqual(['gif', 1])
  })

  it('has the thumbs that its field names, and one more', async () => {
    const { fixture, prints } = await openGallery(open)
    const print = await prints.create({ photo: asFile(await png(300, 200)) })
    const name = String(print['photo'])
    for (const [form, width, height] of [
      ['100x100', 100, 100],
      ['100x50f', 75, 50],
      ['80x40', 80, 40],
      ['80x40t', 80, 40],
      ['80x40b', 80, 40],
      ['0x30', 45, 30],
      ['40x0', 40, 27],
      // Neither of the field nor known to everyone.
      ['81x40', 300, 200],
      ['0x0', 300, 200],
      ['100x50F', 300, 200],
      ['nonsense', 300, 200],
    ] as const) {
      const answer = await get(fixture, fileUrl(print, name, `?thumb=${form}`))
      expect(answer.status, form).toBe(200)
      const served = width === 300 ? name : `${form}_${name}`
      expect(answer.headers.get('content-disposition')).toBe(`inline; filename=${served}`)
      expect(await sizeOf(answer), form).toEqual([width, height])
    }
  })

  it('cuts its thumb from the top, the bottom or the middle', async () => {
    const { fixture, prints } = await openGallery(open)
    const bands = await sharp({
      create: { width: 80, height: 120, channels: 3, background: '#0f0' },
    })
      .composite([
        { input: await band('#f00'), top: 0, left: 0 },
        { input: await band('#00f'), top: 80, left: 0 },
      ])
      .png()
      .toBuffer()
    const print = await prints.create({ photo: asFile(bands) })
    const colour = async (form: string) => {
      const answer = await get(fixture, fileUrl(print, String(print['photo']), `?thumb=${form}`))
      const picture = sharp(Buffer.from(await answer.arrayBuffer()))
      const { channels } = await picture.stats()
      return channels.slice(0, 3).map(({ mean }) => Math.round(mean / 255))
    }
    expect(await colour('80x40t')).toEqual([1, 0, 0])
    expect(await colour('80x40')).toEqual([0, 1, 0])
    expect(await colour('80x40b')).toEqual([0, 0, 1])
  })

  it('is never enlarged to fit, and has one thumb however many ask', async () => {
    const { fixture, prints, folder } = await openGallery(open)
    const print = await prints.create({ photo: asFile(await png(30, 20)) })
    const ask = () => get(fixture, fileUrl(print, String(print['photo']), '?thumb=100x50f'))
    for (const answer of await Promise.all([ask(), ask(), ask(), ask()]))
      expect(await sizeOf(answer)).toEqual([30, 20])
    expect(kept(folder)).toHaveLength(2)
  })

  it('whose thumb cannot be made is served itself', async () => {
    const { fixture, shown, path, folder } = await openExhibition(open)
    const key = `${shown.collectionId}/${shown.id}/${String(shown['photo'])}`
    writeFileSync(join(folder, key), 'damaged')
    const answer = await get(fixture, path(shown, '?thumb=100x50f'))
    expect([answer.status, await answer.text()]).toEqual([200, 'damaged'])
    fixture.errors.length = 0
  })

  it('has the extension of its content', async () => {
    const { prints } = await openGallery(open)
    const named = async (bytes: Uint8Array, name: string) =>
      String((await prints.create({ photo: asFile(bytes, name) }))['photo'])
    expect(await named(await png(), 'photo.html')).toMatch(/^photo_\w{10}\.png$/)
    expect(await named(await flat(9, 9).jpeg().toBuffer(), 'photo.png')).toMatch(/\.jpg$/)
    expect(await named(await flat(9, 9).jpeg().toBuffer(), 'photo.JPEG')).toMatch(/\.JPEG$/)
    expect(await named(await png(), 'noname')).toMatch(/^noname_\w{10}\.png$/)
  })

  it('R29: that is none, is broken or would be too much is refused', async () => {
    const { prints, folder } = await openGallery(open)
    for (const [name, make, code] of [
      ['bomb.png', bombOnce, 'validation_invalid_picture'],
      ['short.png', async () => (await png(90, 90)).subarray(0, 120), 'validation_invalid_picture'],
      [
        'short.jpg',
        async () => halfOf(await noise().jpeg().toBuffer()),
        'validation_invalid_picture',
      ],
      ['head.gif', async () => text('GIF89a not really a picture'), 'validation_invalid_picture'],
      [
        'page.png',
        async () => text('<html><script>1</script></html>'),
        'validation_invalid_mime_type',
      ],
      ['x.svg', async () => text('<html><svg></svg></html>'), 'validation_invalid_mime_type'],
      [
        'zip.png',
        async () => Buffer.from('504b0304140000000000', 'hex'),
        'validation_invalid_mime_type',
      ],
      ['empty.png', async () => new Uint8Array(), 'validation_invalid_mime_type'],
      ['tiff.png', () => flat(9, 9).tiff().toBuffer(), 'validation_invalid_mime_type'],
      ['short.gif', async () => halfOf(await manyFrames(4)), 'validation_invalid_picture'],
      ['frames.gif', () => manyFrames(101), 'validation_invalid_picture'],
    ] as const) {
      const upload = prints.create({ photo: asFile(await make(), name) })
      expect(await errorCodes(upload), name).toEqual({ photo: code })
    }
    expect(kept(folder)).toEqual([])
  })

  it('of 5 MB is taken, and one byte more is not', async () => {
    const { prints } = await openGallery(open)
    const bytes = await png()
    const padded = (size: number) => Buffer.concat([bytes, Buffer.alloc(size - bytes.length)])
    expect((await prints.create({ photo: asFile(padded(5_242_880)) }))['photo']).toMatch(/png$/)
    expect(await errorCodes(prints.create({ photo: asFile(padded(5_242_881)) }))).toEqual({
      photo: 'validation_file_size_limit',
    })
  })

  it('R29: drawn in SVG is kept as it is, and runs nothing', async () => {
    const { fixture, prints } = await openGallery(open)
    const svg =
      '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><!-- x -->\n<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'
    const print = await prints.create({ photo: asFile(text(svg), 'x.svg') })
    const answer = await get(fixture, fileUrl(print, String(print['photo']), '?thumb=100x50f'))
    expect(await answer.text()).toBe(svg)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-disposition': expect.stringMatching(/^attachment; filename=x\w+\.svg$/) as unknown,
      'content-security-policy':
        "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    })
  })
})

describeDatabases('the answer', (open) => {
  it('says how to keep a file: asked for anew each time, or not at all', async () => {
    const { fixture, ann, shown, secret, path } = await openExhibition(open)
    const by = { Authorization: ann.authStore.token }
    const headers = async (url: string, more = {}) =>
      Object.fromEntries((await get(fixture, url, more)).headers)
    const name = String(shown['photo'])
    expect(await headers(path(shown))).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `inline; filename=${name}`,
      'cache-control': 'public, no-cache',
      etag: `"${name}"`,
      'accept-ranges': 'bytes',
      vary: 'Origin',
      'x-xss-protection': '1; mode=block',
      'last-modified': expect.stringMatching(/ GMT$/) as unknown,
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': expect.stringContaining('sandbox') as unknown,
      'x-content-type-options': 'nosniff',
    })
    expect(await headers(path(shown), by)).toMatchObject({ 'cache-control': 'public, no-cache' })
    const thumb = await headers(path(shown, '?thumb=100x50f'))
    expect(thumb).toMatchObject({ etag: `"100x50f_${name}"`, 'content-type': 'image/png' })
    const private_ = await headers(path(secret), by)
    expect(private_).toMatchObject({
      'cache-control': 'private, no-store',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(private_).not.toHaveProperty('etag')
    const token = await ann.files.getToken()
    expect(await headers(path(secret, `?token=${token}`))).toMatchObject({
      'cache-control': 'private, no-store',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(await headers('/api/files/nothing/x/y')).toMatchObject({ 'cache-control': 'no-store' })
  })

  it('to a download is to be saved', async () => {
    const { fixture, shown, path } = await openExhibition(open)
    for (const [value, disposition] of [
      ['1', 'attachment'],
      ['true', 'attachment'],
      ['T', 'attachment'],
      ['0', 'inline'],
      ['yes', 'inline'],
    ] as const) {
      const { headers } = await get(fixture, path(shown, `?download=${value}`))
      expect(headers.get('content-disposition'), value).toMatch(new RegExp(`^${disposition}; `))
    }
  })

  it('to HEAD is that to GET without the file', async () => {
    const { fixture, shown, path } = await openExhibition(open)
    const [head, full] = await Promise.all(
      ['HEAD', 'GET'].map((method) => fixture.fetch(path(shown), { method })),
    )
    expect([...head!.headers]).toEqual([...full!.headers])
    expect(await head!.text()).toBe('')
    const bytes = await full!.arrayBuffer()
    expect(full!.headers.get('content-length')).toBe(String(bytes.byteLength))
  })

  it('is a part of the file where a part is asked for', async () => {
    const { fixture, prints } = await openGallery(open)
    const print = await prints.create({ scans: [asFile(text('0123456789'), 'digits.txt')] })
    const [name] = print['scans'] as string[]
    const ask = async (headers: Record<string, string>) => {
      const answer = await get(fixture, fileUrl(print, name!), headers)
      return [answer.status, await answer.text(), answer.headers.get('content-range')]
    }
    const all = [200, '0123456789', null]
    expect(await ask({})).toEqual(all)
    expect(await ask({ Range: 'bytes=0-3' })).toEqual([206, '0123', 'bytes 0-3/10'])
    expect(await ask({ Range: 'bytes=7-' })).toEqual([206, '789', 'bytes 7-9/10'])
    expect(await ask({ Range: 'bytes=-4' })).toEqual([206, '6789', 'bytes 6-9/10'])
    expect(await ask({ Range: 'bytes=2-99' })).toEqual([206, '23456789', 'bytes 2-9/10'])
    expect(await ask({ Range: 'bytes=-99' })).toEqual([206, '0123456789', 'bytes 0-9/10'])
    expect(await ask({ Range: 'bytes=0-1,3-4' })).toEqual(all)
    expect(await ask({ Range: 'lines=1-2' })).toEqual(all)
    for (const range of ['bytes=10-', 'bytes=5-3', 'bytes=-0', 'bytes=x', 'bytes='])
      expect(await ask({ Range: range }), range).toEqual([416, '', 'bytes */10'])
    const full = await get(fixture, fileUrl(print, name!))
    const [etag, modified] = ['etag', 'last-modified'].map((key) => full.headers.get(key) ?? '')
    const part = [206, '01', 'bytes 0-1/10']
    expect(await ask({ Range: 'bytes=0-1', 'If-Range': etag! })).toEqual(part)
    expect(await ask({ Range: 'bytes=0-1', 'If-Range': modified! })).toEqual(part)
    expect(await ask({ Range: 'bytes=0-1', 'If-Range': '"other"' })).toEqual(all)
    expect(await ask({ Range: 'bytes=0-1', 'If-Range': old })).toEqual(all)
    expect(full.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(full.headers.get('content-disposition')).toMatch(/^attachment; /)
  })

  it('is none where the client has the file, or has another one in mind', async () => {
    const { fixture, ann, shown, secret, path } = await openExhibition(open)
    const { headers } = await get(fixture, path(shown))
    const [etag, modified] = ['etag', 'last-modified'].map((key) => headers.get(key) ?? '')
    const ask = async (more: Record<string, string>) =>
      (await get(fixture, path(shown), more)).status
    expect(await ask({ 'If-None-Match': etag! })).toBe(304)
    expect(await ask({ 'If-None-Match': `"a", W/${etag}` })).toBe(304)
    expect(await ask({ 'If-None-Match': '*' })).toBe(304)
    expect(await ask({ 'If-None-Match': '"other"' })).toBe(200)
    expect(await ask({ 'If-None-Match': '"other"', 'If-Modified-Since': modified! })).toBe(200)
    expect(await ask({ 'If-Modified-Since': modified! })).toBe(304)
    expect(await ask({ 'If-Modified-Since': old })).toBe(200)
    expect(await ask({ 'If-Modified-Since': 'nonsense' })).toBe(200)
    expect(await ask({ 'If-Unmodified-Since': modified! })).toBe(200)
    expect(await ask({ 'If-Unmodified-Since': old })).toBe(412)
    expect(await ask({ 'If-Match': etag! })).toBe(200)
    expect(await ask({ 'If-Match': '"other"' })).toBe(412)
    const kept = await get(fixture, path(shown), { 'If-None-Match': etag! })
    expect([kept.headers.get('etag'), kept.headers.get('cache-control')]).toEqual([
      etag,
      'public, no-cache',
    ])
    const by = { Authorization: ann.authStore.token, 'If-Modified-Since': modified! }
    expect((await get(fixture, path(secret), by)).status).toBe(304)
    expect((await get(fixture, path(secret), { 'If-None-Match': '*' })).status).toBe(404)
  })
})

describeDatabases('a batch', (open) => {
  it.each([
    ['the newest client', PocketBase],
    ['the client of 0.26', OldPocketBase],
  ])('brings files with %s, also to records of its own making', async (_, Client) => {
    const { fixture, ann, prints, folder } = await openGallery(open)
    const client = inProcess(fixture.app, appUrl, Client as ClientClass)
    client.authStore.save(ann.authStore.token)
    const print = await prints.create({ scans: [asFile(text('a'), 'a.txt')] })
    const id = 'anewprintbyme00'
    const batch = client.createBatch()
    batch.collection('prints').create({ id, photo: asFile(await png()) })
    batch.collection('banners').create({ print: id, cloth: asFile(await png()) })
    batch
      .collection('prints')
      .update(print.id, { title: 'two', 'scans+': asFile(text('b'), 'b.txt') })
    batch.collection('prints').upsert({ id, scans: [asFile(text('c'), 'c.txt')] })
    const results = await batch.send()
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const [first] = print['scans'] as string[]
    expect(results[2]?.body).toMatchObject({
      title: 'two',
      scans: [first, expect.stringMatching(/^b/)],
    })
    const upserted = (results[3]?.body ?? {}) as RecordModel
    for (const name of [String(upserted['photo']), String((upserted['scans'] as string[])[0])])
      expect((await get(fixture, fileUrl(upserted, name))).status).toBe(200)
    expect(kept(folder)).toHaveLength(5)
  })

  it('that the database has run again keeps its files, once', async () => {
    let runs = 0
    // Two in the trial, and two in each run.
    const applied = () => {
      if (++runs === 4) throw Object.assign(new Error('a deadlock'), { code: '40P01' })
    }
    const { fixture, ann, folder } = await openGallery(open, { hooks: { prints: { applied } } })
    const batch = ann.createBatch()
    const photo = asFile(await png())
    batch.collection('prints').create({ photo })
    batch.collection('prints').upsert({ photo })
    const results = await batch.send()
    expect(runs).toBe(6)
    for (const { body } of results) {
      const print = body as RecordModel
      expect((await get(fixture, fileUrl(print, String(print['photo'])))).status).toBe(200)
    }
    expect(kept(folder)).toHaveLength(2)
  })

  it('that fails leaves no file, and tells the first that is wrong', async () => {
    const { fixture, ann, prints, folder } = await openGallery(open)
    const batch = ann.createBatch()
    batch.collection('prints').create({ photo: asFile(await png()) })
    batch.collection('prints').create({ photo: asFile(text('x'), 'x.png') })
    batch.collection('prints').create({ title: 'x'.repeat(30) })
    const error = await rejection(batch.send())
    expect(error.response['data']).toMatchObject({
      requests: {
        1: { response: { status: 400, data: { photo: { code: 'validation_invalid_mime_type' } } } },
      },
    })
    expect(kept(folder)).toEqual([])
    expect((await prints.getList()).totalItems).toBe(0)
    expect(await fixture.database.query('SELECT * FROM _files')).toEqual([])
  })
})

describeDatabases('a bucket', (open) => {
  it('keeps files as a folder does', async () => {
    const bucket = await openBucket()
    onTestFinished(() => bucket.close())
    const storage = s3Storage(bucket.options)
    const { fixture, prints } = await openGallery(open, { files: storage })
    const keys = async () => (await Array.fromAsync(storage.list(''))).map(({ key }) => key)

    const print = await prints.create({
      photo: asFile(await png(300, 200)),
      scans: [asFile(text('0123456789'), 'digits.txt')],
    })
    const [scan] = print['scans'] as string[]
    const thumb = await get(fixture, fileUrl(print, String(print['photo']), '?thumb=100x50f'))
    expect(await sizeOf(thumb)).toEqual([75, 50])
    const again = await get(fixture, fileUrl(print, String(print['photo']), '?thumb=100x50f'))
    expect(await sizeOf(again)).toEqual([75, 50])
    const part = await get(fixture, fileUrl(print, scan!), { Range: 'bytes=3-5' })
    expect([part.status, await part.text()]).toEqual([206, '345'])
    expect(await keys()).toHaveLength(3)

    await prints.update(print.id, { photo: null })
    await expect.poll(keys).toEqual([`${print.collectionId}/${print.id}/${scan}`])
    await prints.delete(print.id)
    await expect.poll(keys).toEqual([])
  })

  it('that cannot be reached takes nothing, and says so', async () => {
    const bucket = await openBucket()
    const { fixture, prints } = await openGallery(open, { files: s3Storage(bucket.options) })
    const print = await prints.create({ title: 'one', photo: asFile(await png()) })
    await bucket.close()
    const error = await rejection(prints.create({ title: 'two', photo: asFile(await png()) }))
    expect(error.status).toBe(500)
    const titles = (await prints.getFullList()).map((one) => one['title'] as unknown)
    expect(titles).toEqual(['one'])
    expect((await get(fixture, fileUrl(print, String(print['photo'])))).status).toBe(500)
    expect(fixture.errors).not.toEqual([])
  })
})
