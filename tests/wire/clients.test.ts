import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type PocketBase from 'pocketbase'
import { describe, expect, it, onTestFinished } from 'vitest'
import { diskStorage } from '#records/index.ts'
import { describeDatabases } from '#tests/databases.ts'
import { clients, collectEvents, serveFixture, realtimeClient } from './realtime-client.ts'
import {
  nextMail,
  openFixture,
  password,
  rejection,
  signIn,
  type Fixture,
  type OpenDatabase,
} from './fixture.ts'

const email = 'ann@example.org'
const first = 'abcdeabcdeabcde'

describe.each(Object.entries(clients))('the official client (%s)', (_, Client) => {
  /** Ann, signed in with that client, where files are kept. */
  async function openAlbum(open: OpenDatabase) {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-clients-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const fixture = await openFixture(open, { files: diskStorage(folder) })
    const ann = fixture.client(Client)
    const { id } = await ann
      .collection('members')
      .create({ email, password, passwordConfirm: password, name: 'Ann' })
    await signIn(fixture, ann, email)
    const album = await ann.collection('albums').create({ name: 'Album', secret: true })
    return { fixture, ann, id, album }
  }

  /** What is at an address that the client made. */
  async function read(fixture: Fixture, address: string): Promise<[number, string]> {
    const { pathname, search } = new URL(address)
    const answer = await fixture.fetch(pathname + search)
    return [answer.status, answer.status === 200 ? await answer.text() : '']
  }

  describeDatabases('with everything that it has', (open) => {
    it('writes several records at once, files with them', async () => {
      const { fixture, ann, album } = await openAlbum(open)
      const batch = ann.createBatch()
      const pictures = batch.collection('pictures')
      pictures.create({
        id: first,
        album: album.id,
        title: 'One',
        file: new File(['one'], 'a.txt'),
      })
      pictures.update(first, { 'stars+': 2 })
      pictures.upsert({ id: first, title: 'Two' })
      pictures.upsert({ album: album.id, title: 'Three' })
      batch.collection('labels').create({ name: 'gone', id: first })
      batch.collection('labels').delete(first)
      const results = await batch.send()
      expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 204])
      const made = await ann.collection('pictures').getFullList({ sort: 'title' })
      expect(made).toMatchObject([{ title: 'Three' }, { id: first, title: 'Two', stars: 2 }])
      const token = await ann.files.getToken()
      const address = ann.files.getURL(made[1]!, String(made[1]!['file']), { token })
      expect(await read(fixture, address)).toEqual([200, 'one'])

      const failing = ann.createBatch()
      failing.collection('labels').create({ name: 'never' })
      failing.collection('labels').create({ name: '' })
      const error = await rejection(failing.send())
      expect(error.response['data']).toMatchObject({
        requests: { 1: { response: { data: { name: { code: 'validation_required' } } } } },
      })
      expect(await ann.collection('labels').getFullList()).toEqual([])
    })

    it('keeps, shows, replaces and removes files', async () => {
      const { fixture, ann, album } = await openAlbum(open)
      const pictures = ann.collection('pictures')
      const form = new FormData()
      form.set('album', album.id)
      form.set('file', new File(['first'], 'a.txt'))
      const made = await pictures.create(form)
      const token = await ann.files.getToken()
      const show = (name: unknown, query: object) =>
        read(fixture, ann.files.getURL(made, String(name), query))
      expect(await show(made['file'], { token })).toEqual([200, 'first'])
      expect(await show(made['file'], { token, download: true })).toEqual([200, 'first'])
      expect((await show(made['file'], {}))[0]).toBe(404)
      const next = await pictures.update(made.id, { file: new File(['next'], 'b.txt') })
      expect((await show(made['file'], { token }))[0]).toBe(404)
      expect(await show(next['file'], { token })).toEqual([200, 'next'])
      expect(await pictures.update(made.id, { file: null })).toMatchObject({ file: '' })
      expect((await show(next['file'], { token }))[0]).toBe(404)
    })

    it('proves an address, takes a new one and a new password', async () => {
      const { fixture, ann, id } = await openAlbum(open)
      await fixture.records.write((tx) => tx.update('members', id, { verified: false }))
      const members = ann.collection('members')
      await members.requestVerification(email)
      expect(
        await members.confirmVerification((await nextMail(fixture, 'verification')).token),
      ).toBe(true)
      await members.authRefresh()
      expect(ann.authStore.record).toMatchObject({ id, verified: true })

      await members.requestEmailChange('anna@example.org')
      const change = (await nextMail(fixture, 'emailChange')).token
      expect(await members.confirmEmailChange(change, password)).toBe(true)
      expect((await rejection(members.authRefresh())).status).toBe(401)

      await members.requestPasswordReset('anna@example.org')
      const reset = (await nextMail(fixture, 'passwordReset')).token
      expect(await members.confirmPasswordReset(reset, 'next horse', 'next horse')).toBe(true)
      await signIn(fixture, ann, 'anna@example.org', 'next horse')
      expect(ann.authStore.record).toMatchObject({ id, email: 'anna@example.org' })
      expect(await members.delete(id)).toBe(true)
      expect(ann.authStore.isValid).toBe(false)
    })

    it('carries its session in a cookie', async () => {
      const { fixture, ann, album } = await openAlbum(open)
      const other = fixture.client(Client)
      other.authStore.loadFromCookie(ann.authStore.exportToCookie())
      expect(await other.collection('albums').getOne(album.id)).toMatchObject({ name: 'Album' })
      other.authStore.clear()
      const gone = other.collection('albums').getOne(album.id)
      expect((await rejection(gone)).status).toBe(404)
    })

    it('hears what it asks to hear, and no longer than it wants', async () => {
      const { fixture, ann, album } = await openAlbum(open)
      const url = await serveFixture(fixture)
      const subscriber = realtimeClient(url, ann, Client)
      const all = await collectEvents(subscriber, 'labels', '*', {
        filter: 'name != "quiet"',
        fields: 'id,name',
      })
      const one = await collectEvents(subscriber, 'albums', album.id, { expand: 'owner' })
      const labels = ann.collection('labels')
      await labels.create({ name: 'quiet' })
      await labels.create({ name: 'loud' })
      expect(await all.next()).toBe('create loud')
      expect(Object.keys(all.records[0]!).toSorted()).toEqual(['id', 'name'])
      await ann.collection('albums').update(album.id, { name: 'Renamed' })
      expect(await one.next()).toBe('update Renamed')
      expect(one.records[0]!['expand']).toMatchObject({ owner: { email } })

      await subscriber.collection('labels').unsubscribe('*')
      await labels.create({ name: 'unheard' })
      await ann.collection('albums').delete(album.id)
      expect(await one.next()).toBe('delete Renamed')
      expect(all.events).toEqual(['create loud'])
      await subscriber.collection('albums').unsubscribe()
      expect(subscriber.realtime.isConnected).toBe(false)
    })

    it('is told in its own words what is wrong', async () => {
      const { ann } = await openAlbum(open)
      const wrong = async (call: (pb: PocketBase) => Promise<unknown>) => {
        const { status, response, isAbort } = await rejection(call(ann))
        return [status, response['message'], isAbort]
      }
      expect(await wrong((pb) => pb.collection('albums').getOne(first))).toEqual([
        404,
        "The requested resource wasn't found.",
        false,
      ])
      expect(await wrong((pb) => pb.collection('nothing').getList())).toEqual([
        404,
        'Missing collection context.',
        false,
      ])
      expect(await wrong((pb) => pb.collection('locked').create({}))).toEqual([
        403,
        'Only superusers can perform this action.',
        false,
      ])
      expect(await wrong((pb) => pb.send('/api/nothing', {}))).toEqual([
        404,
        "The requested resource wasn't found.",
        false,
      ])
      expect(await ann.health.check()).toMatchObject({ code: 200 })
    })
  })
})
