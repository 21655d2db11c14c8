import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type PocketBase from 'pocketbase'
import type { RecordModel } from 'pocketbase'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskStorage } from '#records/index.ts'
import { linkedCoverRoutes } from '#server/catalogue/covers.ts'
import { linkedCoverPath } from '#shared/cover.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { addShelf, ask, openFixture, path, type Reader, type Fixture } from './fixture.ts'

async function picture(width: number, height: number, name = 'Picture.jpg'): Promise<File> {
  const drawn = sharp({ create: { width, height, channels: 3, background: '#936' } })
  return new File([new Uint8Array(await drawn.jpeg().toBuffer())], name)
}

/** Addresses of a reader's pictures, by what they show. */
type Album = Record<
  'avatar' | 'profileAvatar' | 'background' | 'settings' | 'open' | 'closed',
  string
>

const seen = { avatar: 200, profileAvatar: 200, background: 200, open: 200 }
const unseen = { settings: 404, closed: 404 }
const hidden = { avatar: 404, profileAvatar: 404, background: 404, open: 404, ...unseen }
const all = { ...seen, settings: 200, closed: 200 }

describeMigratedDatabases('pictures', (open) => {
  let fixture: Fixture
  let folder: string
  let owner: Reader
  let other: Reader
  let album: Album
  let settingsId: string
  let openShelf: string
  let closedShelf: string

  /** Saves a profile as its screen does: everything in one batch. */
  async function saveProfile(reader: Reader): Promise<RecordModel[]> {
    const batch = reader.client.createBatch()
    batch
      .collection('settings')
      .update(settingsId, { isPrivate: false, background: await picture(1400, 700) })
    batch
      .collection('users')
      .update(reader.id, { name: 'O', avatar: await picture(200, 300, 'me.jpg') })
    const results = await batch.send()
    expect(results.map(({ status }) => status)).toEqual([200, 200])
    return results.map(({ body }) => body as RecordModel)
  }

  async function addCover(shelf: string): Promise<RecordModel> {
    const image = await picture(400, 600, 'cover.jpg')
    const book = { title: 'A book', status: 'reading', shelf, image }
    return owner.client.collection('user_books').create(book)
  }

  const urlOf = (record: RecordModel, field: string) =>
    new URL(owner.client.files.getURL(record, String(record[field]))).pathname

  async function look(by: PocketBase | null, query = ''): Promise<Record<string, number>> {
    const headers = by ? { Authorization: by.authStore.token } : undefined
    const found = Object.entries(album).map(async ([name, url]) => {
      const answer = await fixture.fetch(url + query, headers && { headers })
      return [name, answer.status] as const
    })
    return Object.fromEntries(await Promise.all(found))
  }

  const setPrivate = (isPrivate: boolean) =>
    owner.client.collection('settings').update(settingsId, { isPrivate })

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'octavo-pictures-'))
    fixture = await openFixture(await open(), undefined, diskStorage(folder))
    owner = await fixture.reader('owner')
    other = await fixture.reader('other')
    const { client } = owner
    const settings = await client.collection('settings').getFirstListItem(`user = "${owner.id}"`)
    settingsId = settings.id
    const [saved, user] = await saveProfile(owner)
    openShelf = (await addShelf(owner, 'Open shelf')).id
    closedShelf = (await addShelf(owner, 'Closed shelf', 'private')).id
    const profile = await client.collection('profile').getOne(owner.id)
    album = {
      avatar: urlOf(user!, 'avatar'),
      profileAvatar: urlOf(profile, 'avatar'),
      background: urlOf(profile, 'background'),
      settings: urlOf(saved!, 'background'),
      open: urlOf(await addCover(openShelf), 'image'),
      closed: urlOf(await addCover(closedShelf), 'image'),
    }
  })
  afterAll(async () => {
    await fixture.close()
    rmSync(folder, { recursive: true, force: true })
  })

  describe.each(['', '?thumb=100x100', '?thumb=100x50f', '?thumb=1287x480', '?download=1'])(
    'asked for with %j',
    (query) => {
      test('of a public reader are seen as the records are', async () => {
        await setPrivate(false)
        expect(await look(null, query)).toEqual({ ...seen, ...unseen })
        expect(await look(other.client, query)).toEqual({ ...seen, ...unseen })
        expect(await look(owner.client, query)).toEqual(all)
      })

      test('of a private reader are seen by nobody else, from the next request on', async () => {
        await setPrivate(false)
        expect(await look(null, query)).toEqual({ ...seen, ...unseen })
        await setPrivate(true)
        expect(await look(null, query)).toEqual(hidden)
        expect(await look(other.client, query)).toEqual(hidden)
        expect(await look(owner.client, query)).toEqual(all)
      })
    },
  )

  test('by token are seen as by whom the token is', async () => {
    await setPrivate(true)
    const mine = await owner.client.files.getToken()
    expect(await look(null, `?token=${mine}`)).toEqual(all)
    const theirs = await other.client.files.getToken()
    expect(await look(null, `?token=${theirs}`)).toEqual(hidden)
    expect(await look(null, `?token=${owner.client.authStore.token}`)).toEqual(hidden)
  })

  test('have the sizes that the screens ask for', async () => {
    await setPrivate(false)
    for (const [url, thumb, size] of [
      [album.profileAvatar, '100x50f', [33, 50]],
      [album.background, '1287x480', [1287, 480]],
      [album.open, '350x0', [350, 525]],
    ] as const) {
      const answer = await fixture.fetch(`${url}?thumb=${thumb}`)
      const { width, height } = await sharp(await answer.arrayBuffer()).metadata()
      expect([width, height], thumb).toEqual(size)
    }
  })

  test('follow their book to another shelf', async () => {
    await setPrivate(false)
    const book = album.open.split('/').at(-2)!
    const books = owner.client.collection('user_books')
    await books.update(book, { shelf: closedShelf })
    expect((await fixture.fetch(album.open)).status).toBe(404)
    await books.update(book, { shelf: openShelf })
    expect((await fixture.fetch(album.open)).status).toBe(200)
    await owner.client.collection('bookshelves').update(openShelf, { visibility: 'private' })
    expect((await fixture.fetch(album.open)).status).toBe(404)
    await owner.client.collection('bookshelves').update(openShelf, { visibility: 'public' })
  })

  test('that are linked are fetched for those who see the book, and for nobody else', async () => {
    await setPrivate(false)
    const asked: string[] = []
    const covers = {
      get: async () => null,
      getLinked: async ({ address }: { address: string }) => {
        asked.push(address)
        return new Uint8Array([1])
      },
      close: async () => undefined,
    }
    const routes = linkedCoverRoutes({
      covers,
      records: fixture.records,
      fetch: async (request) => fixture.fetch(new URL(request.url).pathname, request),
    })
    const link = 'https://pictures.example.org/a.jpg'
    const add = async (shelf: string) => {
      const form = { title: 'Linked', status: 'reading', shelf, images: [link] }
      const { id } = await owner.client.collection('user_books').create(form)
      return linkedCoverPath(id, link)
    }
    const [open, closed] = [await add(openShelf), await add(closedShelf)]
    const none = linkedCoverPath('abcdefghijklmno', link)
    const look = async (client: PocketBase | null, of: string) => {
      asked.length = 0
      const url = `http://localhost:3000${of.replace('/covers/linked', '')}?title=X`
      const headers = { Authorization: client?.authStore.token ?? '' }
      const answer = await routes.request(url, { headers })
      return [asked.length, answer.headers.get('content-type'), await answer.text()] as const
    }
    const nothing = await look(owner.client, none)
    expect(nothing).toMatchObject([0, 'image/svg+xml', expect.any(String)])
    for (const viewer of [null, other.client]) {
      expect((await look(viewer, open))[0]).toBe(1)
      expect(await look(viewer, closed)).toEqual(nothing)
    }
    expect((await look(owner.client, closed))[0]).toBe(1)
    await setPrivate(true)
    for (const viewer of [null, other.client]) expect(await look(viewer, open)).toEqual(nothing)
    expect((await look(owner.client, open))[0]).toBe(1)
  })

  test('are nobody’s to change but their owner’s', async () => {
    const image = await picture(9, 9)
    const change = (collection: string, id: string, body: object) =>
      ask(other.client, 'PATCH', path(collection, id), body)
    expect(await change('users', owner.id, { avatar: image })).toMatchObject({ status: 404 })
    expect(await change('settings', settingsId, { background: image })).toMatchObject({
      status: 404,
    })
    expect(await look(owner.client)).toEqual(all)
  })

  test('are gone with the account', async () => {
    await owner.client.collection('settings').update(settingsId, { background: null })
    expect((await fixture.fetch(album.background)).status).toBe(404)
    await owner.client.collection('users').delete(owner.id)
    expect(await look(null)).toEqual(hidden)
    const files = () => readdirSync(folder, { recursive: true, withFileTypes: true })
    await expect.poll(() => files().filter((one) => one.isFile())).toEqual([])
  })
})
