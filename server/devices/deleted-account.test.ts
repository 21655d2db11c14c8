import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { diskStorage } from '#records/index.ts'
import { schema } from '#server/collections/schema.ts'
import { runAllJobs } from '#server/runtime/jobs.ts'
import type { NewConnection } from '#shared/connection.ts'
import { addBook, addShelf, openFixture, type Fixture, type Reader } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { KoreaderDevice, statisticsFile } from '#tests/koreader-device.ts'
import { storeListening } from './listening.ts'
import { authKey } from './password.ts'
import { sentFiles } from './read-files.ts'
import { pendingDocuments } from './runner.ts'

const now = () => new Date('2026-03-02T12:00:00Z')

describeMigratedDatabases('an account that is deleted while its devices send', (open) => {
  let fixture: Fixture
  let folder: string
  // A file whose reader has gone is left, and the log says so.
  const log = { warn: () => undefined }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'octavo-deleted-'))
    const arriving = join(folder, 'arriving')
    fixture = await openFixture(await open(), now, diskStorage(folder), arriving)
    return async () => {
      await fixture.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  /** What a reader's devices and services send, each as often as asked. */
  async function devicesOf(reader: Reader) {
    const connect = (kind: string) =>
      reader.client.collection('connections').create<NewConnection>({ name: 'Mine', kind })
    const kobo = await connect('koreader')
    const app = await connect('highlights')
    const json = { 'Content-Type': 'application/json' }
    const book = { md5: 'e'.repeat(32), title: 'Emma', authors: 'Jane Austen' }
    const device = new KoreaderDevice((path, init) => fixture.fetch(path, init), kobo, [book])
    const start = now().getTime() / 1000 - 3600
    const push = (n: number) =>
      fixture.fetch('/kosync/syncs/progress', {
        method: 'PUT',
        headers: {
          ...json,
          'x-auth-user': kobo.username,
          'x-auth-key': authKey(kobo.password),
        },
        body: JSON.stringify({
          document: `document${n % 3}`,
          progress: '1',
          percentage: n / 100,
          device: 'Kobo',
          metadata: { title: 'Emma', authors: 'Jane Austen' },
        }),
      })
    const mark = (n: number) =>
      fixture.fetch('/readwise/api/v2/highlights', {
        method: 'POST',
        headers: { ...json, Authorization: `Token ${app.username}:${app.password}` },
        body: JSON.stringify({
          highlights: [{ text: `Passage ${n}`, title: 'Emma', author: 'Jane Austen' }],
        }),
      })
    const keep = (n: number) => {
      const read = [{ md5: book.md5, page: n, start: start + n, seconds: 60, pages: 400 }]
      const file = new Uint8Array(statisticsFile([book], read))
      return device.request('PUT', `/${n % 2 ? 'statistics' : `folder/s${n}`}.sqlite3`, {}, file)
    }
    const sender = { user: reader.id, connection: kobo.id, name: 'Mine' }
    const listen = (n: number) =>
      fixture.records
        .write((tx) =>
          storeListening(
            tx,
            sender,
            {
              document: `audiobookshelf:${n % 3}`,
              title: 'Emma',
              authors: ['Jane Austen'],
              isbns: [],
              sessions: [
                { id: `${n}`, started: start * 1000, seconds: 60, from: 0, to: 60, length: 9000 },
              ],
              percentage: n / 100,
              changed: start * 1000,
              finished: 0,
              duration: 9000,
            },
            { now: now() },
          ),
        )
        // A poll asks first whether its connection is there.
        .then(
          () => null,
          (error: { status?: number }) => ({ status: error.status ?? 500 }),
        )
    return [push, mark, keep, listen]
  }

  /** @returns the collections in which rows of a reader are left */
  async function leftOf(user: string): Promise<string[]> {
    const found: string[] = []
    for (const { name, type, fields } of schema.collections) {
      const isOwned = fields.some((field) => field.name === 'user' && field.type === 'relation')
      if (!isOwned || type === 'view') continue
      const [row] = await fixture.database.query(
        `SELECT COUNT(*) FROM ${name} WHERE "user" = '${user}'`,
      )
      if (Number(row?.[0])) found.push(name)
    }
    return found
  }

  const filesIn = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())

  test('leaves nothing behind', async () => {
    for (let round = 0; round < 4; round++) {
      const reader = await fixture.reader(`leaving${round}`)
      const { id: shelf } = await addShelf(reader, 'Shelf')
      await addBook(reader, shelf, { title: 'Emma', authors: ['Jane Austen'], page_count: 400 })
      const sends = await devicesOf(reader)
      for (const send of sends) await send(1)
      expect(await leftOf(reader.id)).toEqual(
        expect.arrayContaining(['device_books', 'device_files', 'device_quotes', 'user_books']),
      )
      const apply = () => runAllJobs(pendingDocuments({ ...fixture, log }))
      const files = sentFiles({ ...fixture, storage: diskStorage(folder), folder, now, log })
      const sent = Array.from({ length: 24 }, (_, n) => sends[n % sends.length]!(n + 2))
      const jobs = [apply(), runAllJobs(files)]
      // Each round in the middle of something else.
      await Promise.race(sent.slice(4 * round))
      await reader.client.collection('users').delete(reader.id)
      const answers = await Promise.all(sent)
      for (const answer of answers) expect(answer?.status ?? 200).toBeLessThan(500)
      await Promise.all(jobs)
      await runAllJobs(files)
      await apply()
      expect(await leftOf(reader.id)).toEqual([])
      for (const send of sends.slice(0, 3)) expect(await send(99)).toMatchObject({ status: 401 })
      expect(await leftOf(reader.id)).toEqual([])
    }
    // What was being stored is swept once no write can be waiting for it.
    for (const { parentPath, name } of filesIn()) utimesSync(join(parentPath, name), 0, 0)
    await fixture.records.sweepFiles()
    expect(filesIn()).toEqual([])
  })
})
