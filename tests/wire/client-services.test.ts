import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type PocketBase from 'pocketbase'
import { describe, expect, it, onTestFinished } from 'vitest'
import { diskStorage } from '#records/index.ts'
import { describeDatabases } from '#tests/databases.ts'
import type { ClientClass } from '#tests/in-process.ts'
import { clients, serveFixture, realtimeClient } from './realtime-client.ts'
import { openFixture, rejection, signIn, password, type OpenDatabase } from './fixture.ts'

const email = 'ann@example.org'
const versions = Object.entries(clients)
const stored = '2026-05-06 07:08:09.123Z'
const moment = new Date(stored)

/** Ann with an album, signed in with clients that speak to a real port. */
async function openAlbum(open: OpenDatabase) {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-services-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const fixture = await openFixture(open, { files: diskStorage(folder) })
  const ann = fixture.client()
  await ann.collection('members').create({ email, password, passwordConfirm: password })
  await signIn(fixture, ann, email)
  const album = await ann.collection('albums').create({ name: 'Album', secret: true })
  const url = await serveFixture(fixture)
  const client = (Client?: ClientClass) => realtimeClient(url, ann, Client)
  return { client, album: album.id }
}

describe.each(versions)('the official client (%s)', (_, Client) => {
  describeDatabases('over a connection', (open) => {
    it('gives up what is asked for again, or by its key', async () => {
      const { client } = await openAlbum(open)
      const pb = client(Client)
      pb.autoCancellation(true)
      const labels = pb.collection('labels')
      const aborted = expect.objectContaining({ isAbort: true, status: 0 }) as unknown
      const list = (requestKey?: string | null) =>
        labels.getList(1, 1, requestKey === undefined ? {} : { requestKey }).then(
          (found) => found.totalItems,
          (error: unknown) => error,
        )
      expect(await Promise.all([list(), list()])).toEqual([aborted, 0])
      expect(await Promise.all([list(null), list(null)])).toEqual([0, 0])
      const kept = list('kept')
      const dropped = list('dropped')
      pb.cancelRequest('dropped')
      expect(await Promise.all([kept, dropped])).toEqual([0, aborted])
      const all = [list('a'), list('b')]
      pb.cancelAllRequests()
      expect(await Promise.all(all)).toEqual([aborted, aborted])
    })

    it('sends what it has no call for, and sees every answer', async () => {
      const { client } = await openAlbum(open)
      const pb = client(Client)
      const seen: [number, unknown][] = []
      pb.afterSend = (response, data: unknown) => {
        seen.push([response.status, data])
        return data
      }
      const path = '/api/collections/labels/records'
      const made = await pb.send<{ name: string }>(path, { method: 'POST', body: { name: 'sent' } })
      const form = new FormData()
      form.set('name', '42')
      await pb.send(path, { method: 'POST', body: form })
      const query = {
        sort: '-name',
        fields: 'name',
        perPage: 1,
        filter: pb.filter('name ~ {:n}', { n: 'e' }),
      }
      expect(await pb.send<unknown>(path, { query })).toEqual({
        items: [{ name: 'sent' }],
        page: 1,
        perPage: 1,
        totalItems: 1,
        totalPages: 1,
      })
      const head = { method: 'DELETE' }
      expect((await rejection(pb.send(`${path}/none`, head))).status).toBe(404)
      expect(seen.map(([status]) => status)).toEqual([200, 200, 200, 404])
      expect(seen[0]![1]).toEqual(made)
    })

    it('finds nothing that is a superuser’s', async () => {
      const { client } = await openAlbum(open)
      const pb = client(Client)
      const members = pb.collection('members')
      const { id = '' } = pb.authStore.record ?? {}
      for (const call of [
        () => pb.collections.getList(),
        () => pb.collections.getOne('members'),
        () => pb.settings.getAll(),
        () => pb.logs.getList(),
        () => pb.backups.getFullList(),
        () => pb.crons.getFullList(),
        () => pb.collection('_superusers').authWithPassword(email, password),
        () => pb.collection('_externalAuths').getList(),
        () => members.impersonate(id, 60),
        () => members.listExternalAuths(id),
        () => members.unlinkExternalAuth(id, 'google'),
      ]) {
        const { status, response } = await rejection(call())
        expect([status, response['data']], String(call)).toEqual([404, {}])
      }
      expect(pb.authStore.isSuperuser).toBe(false)
    })

    it('listens with several subscribers, and stops with one, some or all of them', async () => {
      const { client, album } = await openAlbum(open)
      const pb = client(Client)
      const labels = pb.collection('labels')
      const heard: string[] = []
      const subscriber = (name: string) => (event: { action: string; record: { name: string } }) =>
        void heard.push(`${name} ${event.action} ${event.record.name}`)
      const left: string[][] = []
      pb.realtime.onDisconnect = (topics) => void left.push(topics)
      const stop = await labels.subscribe('*', subscriber('first'))
      await labels.subscribe('*', subscriber('second'), { fields: 'name' })
      await pb
        .collection('albums')
        .subscribe(album, subscriber('album'), { headers: { 'X-Key': 'k' } })
      const change = async (...lines: string[]) => {
        heard.length = 0
        const { id } = await labels.create({ name: 'one' })
        await expect.poll(() => heard.toSorted()).toEqual(lines)
        await labels.delete(id)
        const gone = lines.map((line) => line.replace('create', 'delete'))
        await expect.poll(() => heard.toSorted()).toEqual([...lines, ...gone].toSorted())
      }
      await change('first create one', 'second create one')
      await stop()
      await change('second create one')
      heard.length = 0
      await labels.unsubscribe()
      await labels.create({ name: 'unheard' })
      await pb.collection('albums').update(album, { name: 'Renamed' })
      await expect.poll(() => heard).toEqual(['album update Renamed'])
      expect(left).toEqual([])
      await pb.realtime.unsubscribeByPrefix('albums')
      expect(pb.realtime.isConnected).toBe(false)
    })
  })
})

/** What both get for the same calls; ids, tokens and moments are each one's own. */
async function transcript(pb: PocketBase, album: string): Promise<string> {
  const told: unknown[] = []
  const tell = async (call: Promise<unknown>) => {
    const result = await call.catch((error: unknown) => {
      const { status, response, isAbort } = error as {
        status: number
        response: unknown
        isAbort: boolean
      }
      return { status, response, isAbort }
    })
    told.push(result)
    return result as { id: string; file: string }
  }
  const pictures = pb.collection('pictures')
  const file = new File(['text'], 'first.txt')
  const made = await tell(
    pictures.create({
      album,
      title: '0042',
      stars: 5,
      isPrint: true,
      taken: moment,
      kinds: ['a', 'b'],
      data: { a: [1, null], b: 'true' },
      mood: null,
      next: undefined,
      file,
    }),
  )
  await tell(pictures.update(made.id, { 'stars+': 2, 'kinds-': 'a', '+kinds': ['c'] }))
  await tell(pictures.update(made.id, { title: 'x<', stars: 1.5, kinds: ['z'] }))
  await tell(pictures.create({ album: 'none' }))
  for (const [filter, values] of [
    ['taken = {:x}', { x: moment }],
    ['mood = {:x}', { x: null }],
    ['isPrint = {:x} && stars = {:y}', { x: true, y: 7 }],
    ['kinds = {:x}', { x: ['c', 'b'] }],
    ['title = {:x}', { x: '0042' }],
    ['title = {:x}', { x: `' || 1=1 || '` }],
  ] as const)
    await tell(pictures.getFirstListItem(pb.filter(filter, values), { fields: 'title,stars' }))
  for (let i = 0; i < 5; i++) await pictures.create({ album, title: `p${i}` })
  await tell(pictures.getFullList({ batch: 2, sort: 'title', fields: 'title' }))
  await tell(
    pictures.getList(2, 4, { sort: '-title', fields: 'title,expand.album.name', expand: 'album' }),
  )
  await tell(
    pictures.getOne(made.id, {
      expand: 'album.owner',
      fields: '*,expand.album.expand.owner.email',
    }),
  )
  await tell(pictures.getOne(''))
  const batch = pb.createBatch()
  batch
    .collection('pictures')
    .upsert({ id: made.id, title: 'batched', file: new File(['next'], 'other.txt') })
  batch.collection('pictures').upsert({ album, title: 'new', kinds: ['b'] })
  batch.collection('pictures').update(made.id, { data: null, 'stars-': 1 })
  await tell(batch.send({ fields: 'status,body' }))
  const failing = pb.createBatch()
  failing.collection('pictures').create({ album, stars: 900 })
  await tell(failing.send())
  await tell(pb.collection('members').authRefresh())
  await tell(pb.collection('members').listAuthMethods())
  await tell(pb.health.check())
  const now = await pictures.getOne(made.id)
  const address = pb.files.getURL(now, String(now['file']), {
    token: await pb.files.getToken(),
    download: true,
  })
  const answer = await fetch(address)
  told.push([answer.status, await answer.text(), answer.headers.get('content-disposition')])
  await tell(pictures.delete(made.id))
  await tell(pictures.delete(made.id))
  for (const { id } of await pictures.getFullList()) await pictures.delete(id)
  return JSON.stringify(told, null, 1)
    .replaceAll(/[\w-]+\.[\w-]+\.[\w-]+(?=")/g, '…token')
    .replaceAll(/_[a-z0-9]{10}\.txt/g, '….txt')
    .replaceAll(/"(id|clientId)": "[a-z0-9]+"/gi, '"$1": "…"')
    .replaceAll(/"20(?!26-05-06)[\d :.-]+Z"/g, '"…moment"')
}

describeDatabases('both official clients', (open) => {
  it('get the same for the same calls', async () => {
    const { client, album } = await openAlbum(open)
    const [newest, older] = [
      await transcript(client(clients['newest']), album),
      await transcript(client(clients['0.26']), album),
    ]
    expect(older).toBe(newest)
    const picture = { title: '0042', stars: 7, kinds: ['c', 'b'], taken: stored, isPrint: true }
    const found = { title: '0042', stars: 7 }
    const refused = (status: number, data: object) => ({ status, response: { data } })
    const wrong = (code: string) => ({ code: `validation_${code}` })
    expect(JSON.parse(newest)).toMatchObject([
      { ...picture, stars: 5, kinds: ['a', 'b'], data: { a: [1, null], b: 'true' }, mood: '' },
      picture,
      refused(400, {
        kinds: wrong('invalid_value'),
        stars: wrong('only_int_constraint'),
        title: wrong('invalid_format'),
      }),
      refused(400, {}),
      ...Array.from({ length: 5 }, () => found),
      refused(404, {}),
      ['0042', 'p0', 'p1', 'p2', 'p3', 'p4'].map((title) => ({ title })),
      { items: [{ title: 'p0' }, { title: '0042' }], page: 2, perPage: 4, totalItems: 6 },
      { ...picture, expand: { album: { expand: { owner: { email } } } } },
      refused(404, {}),
      [
        { status: 200, body: { ...picture, title: 'batched' } },
        { status: 200, body: { title: 'new', kinds: ['b'], file: '' } },
        { status: 200, body: { ...picture, title: 'batched', stars: 6, data: null } },
      ],
      refused(400, {
        requests: { 0: { code: 'batch_request_failed' } },
      }),
      { record: { email, verified: true }, token: '…token' },
      { mfa: { enabled: true }, oauth2: { enabled: false }, otp: {}, password: {} },
      { code: 200 },
      [200, 'next', 'attachment; filename=other….txt'],
      true,
      refused(404, {}),
    ])
  })
})
