import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '#records/index.ts'
import { authKey } from '#server/devices/password.ts'
import { pendingDocuments } from '#server/devices/runner.ts'
import { runAllJobs } from '#server/runtime/jobs.ts'
import type { NewConnection } from '#shared/connection.ts'
import {
  maxLogged,
  maxWaiting,
  maxWebhooks,
  webhookEvents,
  type NewWebhook,
  type Webhook,
  type WebhookDelivery,
} from '#shared/webhook.ts'
import {
  addBook,
  addShelf,
  ask,
  openFixture,
  path,
  type Fixture,
  type Reader,
} from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { goodreads, useImports } from '#tests/imports.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'
import { cleanLog, dueDeliveries, runWebhooks } from './runner.ts'
import { openSender } from './send.ts'

interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** Somebody's server that takes webhooks. */
let receiver: Server
let received: Received[] = []
let answer: { status: number; headers?: Record<string, string>; body?: string } = { status: 204 }
const sender = openSender(['127.0.0.0/8'])

beforeAll(async () => {
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url ?? '', headers: request.headers, body })
      if (request.url?.startsWith('/silent/')) return
      response.writeHead(answer.status, answer.headers).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await sender.close()
  await new Promise<void>((resolve) => {
    receiver.closeAllConnections()
    receiver.close(() => resolve())
  })
})

const url = (at = '/hook') => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${at}`
const minute = 60_000
const hour = 60 * minute

/** Sets the clock forward. */
const pass = (milliseconds: number) => void vi.setSystemTime(Date.now() + milliseconds)

/** @throws if the library of Standard Webhooks doesn't accept it */
function verified({ headers, body }: Received, secret: string) {
  return new Verifier(secret).verify(body, headers as Record<string, string>) as {
    type: string
    timestamp: string
    data: Record<string, unknown>
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  received = []
  answer = { status: 204 }
})
afterEach(() => void vi.useRealTimers())

describeMigratedDatabases('webhooks', (open) => {
  let database: Database
  let fixture: Fixture
  let reader: Reader
  let shelf: string

  beforeEach(async () => {
    database = await open()
    fixture = await openFixture(database)
    reader = await fixture.reader('reader')
    shelf = (await addShelf(reader, 'Shelf')).id
    return () => fixture.close()
  })

  const jobs = () => dueDeliveries({ ...fixture, sender })
  const send = () => runAllJobs(jobs())
  const add = (title: string, more: object = {}) =>
    addBook(reader, shelf, { title, status: 'planning', page_count: 300, ...more })
  const edit = (id: string, change: object, query: object = {}) =>
    reader.client.collection('user_books').update(id, change, query)
  const hook = (values: object = {}, { client } = reader) =>
    client
      .collection('webhooks')
      .create<NewWebhook>({ url: url(), events: webhookEvents, ...values })
  const state = async ({ id }: Webhook) => (await fixture.records.find('webhooks', id))!
  const log = async () =>
    await reader.client
      .collection('webhook_deliveries')
      .getFullList<WebhookDelivery>({ sort: 'created' })
  const types = () => received.map(({ body }) => (JSON.parse(body) as { type: string }).type)

  test('tell of a reader’s own changes, signed as Standard Webhooks says', async () => {
    const { secret } = await hook()
    expect(secret).toMatch(/^whsec_[\w+/]{32}$/)
    const book = await add('Emma', { authors: ['Jane Austen'], isbn: '9780141439587' })
    await send()
    const [first] = received
    expect(first!.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': (await log())[0]!.id,
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    })
    expect(verified(first!, secret)).toEqual({
      type: 'book.added',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        id: book.id,
        book_key: '9780141439587',
        shelf,
        title: 'Emma',
        authors: ['Jane Austen'],
        isbn: '9780141439587',
        page_count: 300,
        duration: 0,
        format: '',
        isPrivate: false,
        status: 'planning',
        progress: 0,
        progress_average: 0,
        progress_percent: 0,
        progress_minutes: 0,
        rating: 0,
      },
    })
    await edit(book.id, { progress: 120, status: 'reading' })
    await edit(book.id, { status: 'completed' })
    await edit(book.id, { rating: 9 })
    await edit(book.id, { notes: 'Nobody else sees this' })
    const quote = { book_key: '9780141439587', text: 'It is such a happiness', page: 3 }
    await reader.client.collection('quotes').create(quote)
    await send()
    expect(types().toSorted()).toEqual(webhookEvents.toSorted())
    const dataOf = (type: string) =>
      received.map((one) => verified(one, secret)).find((one) => one.type === type)!.data
    expect(dataOf('book.progress')).toMatchObject({ progress: 120, progress_average: 40 })
    expect(dataOf('book.finished')).toMatchObject({ progress: 300, status: 'completed' })
    expect(dataOf('book.rated')).toMatchObject({ rating: 9 })
    expect(dataOf('quote.added')).toEqual({
      quote: expect.objectContaining({ text: quote.text, page: 3, isPrivate: true }),
      book: { book_key: quote.book_key, title: 'Emma', authors: ['Jane Austen'] },
    })
    expect(received.map(({ body }) => body).join()).not.toContain('Nobody else')
    expect(await log()).toHaveLength(5)
    for (const one of await log())
      expect(one).toMatchObject({ state: 'delivered', attempts: 1, status: 204, failure: '' })
  })

  test('tell of the events that were chosen, once for a book on several shelves', async () => {
    await hook({ events: ['book.added', 'book.rated'] })
    const book = await add('Emma', { isbn: '9780141439587' })
    const other = (await addShelf(reader, 'Another')).id
    await addBook(reader, other, { title: 'Emma', isbn: '9780141439587' })
    await edit(book.id, { progress: 5 })
    await edit(book.id, { rating: 8 })
    await edit(book.id, { rating: 0 })
    await send()
    expect(types().toSorted()).toEqual(['book.added', 'book.rated', 'book.rated'])
  })

  test('tell how far a device has come', async () => {
    const { secret } = await hook()
    const { client } = reader
    const { book_key } = await add('Emma', { status: 'reading' })
    const { username, password } = await client
      .collection('connections')
      .create<NewConnection>({ name: 'Kobo', kind: 'koreader' })
    await fixture.fetch('/kosync/syncs/progress', {
      method: 'PUT',
      headers: {
        'Content-Type': 'application/json',
        'x-auth-user': username,
        'x-auth-key': authKey(password),
      },
      body: JSON.stringify({ document: 'a1', percentage: 0.5, progress: '', device: 'Kobo' }),
    })
    const [device] = await client.collection('device_books').getFullList()
    await client.collection('device_books').update(device!.id, { book_key })
    await runAllJobs(pendingDocuments(fixture))
    await send()
    const [progress] = received
      .map((one) => verified(one, secret))
      .filter(({ type }) => type === 'book.progress')
    expect(progress!.data).toMatchObject({ title: 'Emma', progress: 150 })
  })

  test('tell where a book is after its finish was undone', async () => {
    const { secret } = await hook()
    const book = await add('Emma', { status: 'reading', progress: 120 })
    await edit(book.id, { status: 'completed' })
    await edit(book.id, { status: 'reading', progress: 120 }, { undo: true })
    await send()
    expect(types().toSorted()).toEqual(['book.added', 'book.finished', 'book.progress'])
    const [undone] = received
      .map((one) => verified(one, secret))
      .filter(({ type }) => type === 'book.progress')
    expect(undone!.data).toMatchObject({ status: 'reading', progress: 120 })
  })

  test('tell only their owner of a book, a private one too', async () => {
    const other = await fixture.reader('other')
    await hook({ url: url('/other') }, other)
    const { secret } = await hook({ url: url('/mine') })
    await add('Secret', { isPrivate: true })
    await send()
    expect(received.map((one) => one.path)).toEqual(['/mine'])
    expect(verified(received[0]!, secret).data).toMatchObject({ title: 'Secret', isPrivate: true })
    const ofOther = await other.client.collection('webhook_deliveries').getFullList()
    expect(ofOther).toEqual([])
  })

  test('tell nothing of a change that was taken back by its batch', async () => {
    await hook()
    const batch = reader.client.createBatch()
    batch.collection('user_books').create({ shelf, title: 'Emma', status: 'planning' })
    batch.collection('user_books').create({ shelf: 'no such shelf', title: 'Persuasion' })
    await expect(batch.send()).rejects.toThrow('Batch transaction failed.')
    await send()
    expect(received).toEqual([])
    expect(await log()).toEqual([])
  })

  test('without an answer they are tried for three days, then paused', async () => {
    answer = { status: 503, body: 'Closed\nfor lunch' }
    const webhook = await hook()
    const started = Date.now()
    const book = await add('Emma')
    const gaps: number[] = []
    for (let last = started; ;) {
      await send()
      const [one] = await log()
      if (one!.state !== 'waiting') break
      expect(one).toMatchObject({
        status: 503,
        answer: 'Closed for lunch',
        attempts: gaps.length + 1,
      })
      const due = Date.parse(one!.due)
      gaps.push(due - last)
      await send()
      expect(received).toHaveLength(gaps.length)
      last = due
      vi.setSystemTime(due)
    }
    const recommended = [5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440]
    for (const [at, minutes] of recommended.entries())
      expect(Math.abs(gaps[at]! / (minutes * minute) - 1)).toBeLessThanOrEqual(0.11)
    expect(gaps).toHaveLength(recommended.length)
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
    for (const one of received) expect(one.body).toBe(received[0]!.body)
    expect((await log())[0]).toMatchObject({ state: 'failed', attempts: 10 })
    expect(await state(webhook)).toMatchObject({ paused: true, pause_reason: 'failing' })

    // What happens meanwhile isn't told.
    await edit(book.id, { rating: 7 })
    expect(await log()).toHaveLength(1)
    await reader.client.collection('webhooks').update(webhook.id, { paused: false })
    expect(await state(webhook)).toMatchObject({ paused: false, pause_reason: '' })
    answer = { status: 200 }
    await edit(book.id, { rating: 8 })
    await send()
    expect((await log()).map((one) => one.state).toSorted()).toEqual(['delivered', 'failed'])
  })

  test('that fail now and then are not paused', async () => {
    const webhook = await hook()
    answer = { status: 500 }
    await add('Emma')
    await send()
    answer = { status: 204 }
    await add('Persuasion')
    await send()
    expect((await state(webhook)).delivered).not.toBe('')
    answer = { status: 500 }
    for (let days = 0; days < 20; days++) {
      pass(13 * hour)
      await send()
    }
    expect((await log()).map((one) => one.state).toSorted()).toEqual(['delivered', 'failed'])
    expect(await state(webhook)).toMatchObject({ paused: false })
  })

  test('wait as long as they are asked to', async () => {
    await hook()
    answer = { status: 429, headers: { 'Retry-After': '3600' } }
    await add('Emma')
    await send()
    expect(Date.parse((await log())[0]!.due) - Date.now()).toBe(hour)
  })

  test('whose address is gone are paused, and what waits is sent when they are resumed', async () => {
    const webhook = await hook()
    answer = { status: 500 }
    await add('Emma')
    await send()
    answer = { status: 410 }
    await add('Persuasion')
    await send()
    expect(await state(webhook)).toMatchObject({ paused: true, pause_reason: 'gone' })
    expect((await log()).map((one) => one.state).toSorted()).toEqual(['failed', 'held'])
    answer = { status: 204 }
    pass(hour)
    await send()
    expect(received).toHaveLength(2)
    await reader.client.collection('webhooks').update(webhook.id, { paused: false })
    await send()
    expect(received).toHaveLength(3)
    expect((await log()).map((one) => one.state).toSorted()).toEqual(['delivered', 'failed'])
  })

  test('are paused by their reader, too', async () => {
    const webhook = await hook()
    await add('Emma')
    await reader.client.collection('webhooks').update(webhook.id, { paused: true })
    await add('Persuasion')
    await send()
    expect(received).toEqual([])
    expect(await state(webhook)).toMatchObject({ paused: true, pause_reason: '' })
    await reader.client.collection('webhooks').update(webhook.id, { paused: false })
    await send()
    expect(received).toHaveLength(1)
    expect(received[0]!.body).toContain('Emma')
  })

  test('get another secret, and are signed with both for a day', async () => {
    const webhook = await hook()
    const { secret } = await reader.client
      .collection('webhooks')
      .update<NewWebhook>(webhook.id, {}, { rotate: true })
    expect(secret).not.toBe(webhook.secret)
    const shown = await reader.client.collection('webhooks').getOne(webhook.id)
    expect(JSON.stringify(shown)).not.toContain('whsec_')
    await add('Emma')
    await send()
    for (const one of [secret, webhook.secret])
      expect(verified(received[0]!, one)).toMatchObject({ type: 'book.added' })
    pass(25 * hour)
    await add('Persuasion')
    await send()
    expect(verified(received[1]!, secret)).toMatchObject({ type: 'book.added' })
    expect(() => verified(received[1]!, webhook.secret)).toThrow('No matching signature')
    const other = await fixture.reader('other')
    const rotate = `${path('webhooks', webhook.id)}?rotate=true`
    expect(await ask(other.client, 'PATCH', rotate, {})).toMatchObject({ status: 404 })
  })

  test('are sent again from the log, with the same id', async () => {
    await hook()
    await add('Emma')
    await send()
    const [sent] = await log()
    const again = (who: Reader, values: object) =>
      ask(who.client, 'PATCH', path('webhook_deliveries', sent!.id), values)
    expect(await again(reader, { state: 'delivered' })).toMatchObject({ status: 200 })
    expect(await again(reader, { state: 'failed' })).toMatchObject({
      status: 400,
      body: { data: { state: { params: { rule: 'deliveryState' } } } },
    })
    await send()
    expect(received).toHaveLength(1)
    const other = await fixture.reader('other')
    expect(await again(other, { state: 'waiting' })).toMatchObject({ status: 404 })
    expect(await again(reader, { state: 'waiting' })).toMatchObject({ status: 200 })
    await send()
    expect(received).toHaveLength(2)
    expect(received[1]!.body).toBe(received[0]!.body)
    expect(received[1]!.headers['webhook-id']).toBe(received[0]!.headers['webhook-id'])
  })

  test('are tried with a test, once, even while they are paused', async () => {
    const { id, secret } = await hook({ paused: true })
    answer = { status: 500 }
    const test = (who: Reader) =>
      ask(who.client, 'POST', path('webhook_deliveries'), { webhook: id, event: 'book.added' })
    expect(await test(reader)).toMatchObject({ status: 200, body: { event: 'webhook.test' } })
    await send()
    expect(verified(received[0]!, secret)).toMatchObject({
      type: 'webhook.test',
      data: { webhook: id },
    })
    expect((await log())[0]).toMatchObject({ state: 'failed', status: 500, attempts: 1 })
    const other = await fixture.reader('other')
    expect(await test(other)).toMatchObject({ status: 400 })
    expect(await log()).toHaveLength(1)
  })

  test('are tried with twenty tests at a time', async () => {
    const one = await hook()
    const other = await hook({ url: url('/other') })
    const test = async (webhook: Webhook) =>
      (await ask(reader.client, 'POST', path('webhook_deliveries'), { webhook: webhook.id })).status
    for (let made = 0; made < 20; made++) expect(await test(one)).toBe(200)
    expect(await test(one)).toBe(429)
    expect(await test(other)).toBe(200)
    await send()
    expect(received).toHaveLength(21)
    expect(await test(one)).toBe(200)
  })

  test('follow no redirect', async () => {
    await hook()
    answer = { status: 307, headers: { Location: url('/elsewhere') } }
    await add('Emma')
    await send()
    expect(received.map((one) => one.path)).toEqual(['/hook'])
    expect((await log())[0]).toMatchObject({ state: 'waiting', status: 307 })
  })

  test('are sent once, however many processes look for them', async () => {
    await hook()
    await Promise.all([
      hook({ url: url('/other') }, await fixture.reader('other')),
      ...['Emma', 'Persuasion', 'Sanditon'].map((title) => add(title)),
    ])
    await Promise.all([send(), send(), send()])
    expect(received).toHaveLength(3)
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
  })

  test('are sent by another process if one was killed', async () => {
    await hook()
    await add('Emma')
    expect(await jobs().next()).toBeDefined()
    await send()
    expect(received).toEqual([])
    pass(2 * minute)
    await send()
    expect(received).toHaveLength(1)
  })

  test('wait for no others whose addresses give no answer', async () => {
    const readers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
    for (const name of readers) {
      const other = await fixture.reader(name)
      await hook({ url: url(`/silent/${name}`) }, other)
      const their = await addShelf(other, 'Shelf')
      for (const title of ['Emma', 'Persuasion', 'Sanditon'])
        await addBook(other, their.id, { title, status: 'planning' })
    }
    pass(1000)
    await hook()
    await add('Lady Susan')
    const impatient = openSender(['127.0.0.0/8'], 200)
    await runAllJobs(dueDeliveries({ ...fixture, sender: impatient }))
    await impatient.close()
    const paths = received.map((one) => one.path)
    expect(paths).toContain('/hook')
    // The others have more waiting, which has been due for longer.
    expect(paths.indexOf('/hook')).toBeLessThanOrEqual(2 * readers.length)
  })

  test('are sent once the database is there again', async () => {
    await hook()
    await add('Emma')
    let isAway = true
    const flaky: Database = {
      ...database,
      transaction: (work) =>
        database.transaction(async (tx) => {
          const done = await work(tx)
          if (isAway) throw new Error('away')
          return done
        }),
    }
    const found = dueDeliveries({ ...fixture, database: flaky, sender })
    await expect(found.next()).rejects.toThrow('away')
    isAway = false
    await runAllJobs(found)
    expect(received).toHaveLength(1)
  })

  test.each([
    [{ url: 'ftp://example.org/' }, 'url', 'webhookAddress'],
    [{ url: 'https://me:secret@example.org/' }, 'url', 'webhookAddress'],
    [{ url: 'here' }, 'url', 'webhookAddress'],
    [{ url: `https://example.org/${'x'.repeat(2000)}` }, 'url', 'webhookAddress'],
    [{ events: [] }, 'events', 'webhookEvents'],
  ])('are refused with %j', async (values, field, rule) => {
    const made = { url: url(), events: webhookEvents, ...values }
    expect(await ask(reader.client, 'POST', path('webhooks'), made)).toMatchObject({
      status: 400,
      body: { data: { [field]: { params: { rule } } } },
    })
  })

  test('are sent after a clock that was days ahead was set right', async () => {
    await hook()
    answer = { status: 500 }
    pass(72 * hour)
    await add('Emma')
    await send()
    answer = { status: 204 }
    pass(-72 * hour)
    await send()
    expect(received).toHaveLength(2)
  })

  test('are ten at most', async () => {
    for (let count = 0; count < maxWebhooks; count++) await hook()
    await expect(hook()).rejects.toMatchObject({
      response: { data: { url: { message: 'You can have up to 10 webhooks.' } } },
    })
  })

  /** Deliveries of a webhook as they may have come about over time. */
  const fill = (count: number, { id }: Webhook, values: { state: string; created: string }) =>
    database.transaction(async (tx) => {
      for (let at = 0; at < count; at += 1000) {
        const rows = Array.from(
          { length: Math.min(1000, count - at) },
          (_, n) =>
            `('${values.state[0]}${String(at + n).padStart(14, '0')}', '${reader.id}', '${id}',
              'book.added', '{}', '${values.state}', '2099-01-01', '${values.created}')`,
        )
        await tx.query(`INSERT INTO webhook_deliveries
          (id, "user", webhook, event, body, state, due, created) VALUES ${rows.join()}`)
      }
    })
  const count = async (where: string) => {
    const [row] = await database.query(`SELECT COUNT(*) FROM webhook_deliveries WHERE ${where}`)
    return Number(row![0])
  }

  test('that too many deliveries wait for are paused', async () => {
    const webhook = await hook()
    await fill(maxWaiting - 1, webhook, { state: 'waiting', created: '2026-01-01' })
    await add('Emma')
    expect(await state(webhook)).toMatchObject({ paused: false })
    await add('Persuasion')
    expect(await state(webhook)).toMatchObject({ paused: true, pause_reason: 'behind' })
    expect(await count(`state = 'held'`)).toBe(maxWaiting)
  })

  test('are logged for thirty days, and the newest thousand of each', async () => {
    const webhook = await hook()
    const day = (ago: number) =>
      new Date(Date.now() - ago * 24 * hour).toISOString().replace('T', ' ')
    await fill(5, webhook, { state: 'failed', created: day(31) })
    await fill(3, webhook, { state: 'held', created: day(29) })
    await cleanLog(database)
    expect(await count(`state = 'failed'`)).toBe(0)
    await fill(2, webhook, { state: 'failed', created: day(2) })
    await fill(maxLogged, webhook, { state: 'delivered', created: day(1) })
    await cleanLog(database)
    expect(await count(`state = 'failed'`)).toBe(0)
    expect(await count(`state = 'delivered'`)).toBe(maxLogged)
    expect(await count(`state = 'held'`)).toBe(3)
  })

  test('are cleaned from the log again after a clock that was days ahead was set right', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    const webhook = await hook()
    const log = pino({ level: 'silent' })
    const runner = runWebhooks({ ...fixture, sender: openSender([]), log })
    for (const hours of [72, -72]) {
      pass(hours * hour)
      const created = new Date(Date.now() - 31 * 24 * hour).toISOString().replace('T', ' ')
      await fill(1, webhook, { state: 'failed', created })
      vi.advanceTimersByTime(hour)
      await expect.poll(() => count(`state = 'failed'`)).toBe(0)
    }
    await runner.close()
  })

  test('go with their account and out of its export without their secrets', async () => {
    const { secret } = await hook()
    await add('Emma')
    const token = reader.client.authStore.token
    const exported = await fixture.fetch('/api/v1/account/export', {
      headers: { Authorization: token },
    })
    const copy = await exported.text()
    expect(copy).toContain(url())
    expect(copy).not.toContain(secret)
    await reader.client.collection('users').delete(reader.id)
    expect(await count('TRUE')).toBe(0)
    await send()
    expect(received).toEqual([])
  })
})

describe('an import', async () => {
  const catalogue = await openFederatedStarter()

  describeMigratedDatabases('of many books', (open) => {
    const of = useImports(open, catalogue)

    test('and its undoing send nothing', async () => {
      const { client } = of.reader
      await client.collection('webhooks').create({ url: url(), events: webhookEvents })
      const read = await of.send(goodreads)
      expect(await of.step(read.id, { state: 'applying' })).toMatchObject({ applied: 3 })
      await of.step(read.id, { state: 'undone' })
      expect(await client.collection('webhook_deliveries').getFullList()).toEqual([])
    })
  })
})
