import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type PocketBase from 'pocketbase'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database } from '#records/index.ts'
import { createApp, type App } from '#server/app.ts'
import { createSchema } from '#server/collections/schema.ts'
import { readConfig } from '#server/settings/config.ts'
import { migrate } from '#server/migrations/migrate.ts'
import { builtWeb } from '#server/pages/web-build.ts'
import { describeDatabases } from '#tests/databases.ts'
import { inProcess } from '#tests/in-process.ts'
import { longestTurn } from '#tests/longest-turn.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'
import { password } from '#tests/reader.ts'
import { openMailServer } from '#tests/smtp.ts'
import { book, books, escaped, worstInputs, type RawRequest } from './worst-inputs.ts'

/** Milliseconds that no request may occupy the main thread without a pause. */
const most = 100
/** Milliseconds that are too few for any bound here, so that there is no need to measure again. */
const little = 15
const origin = 'http://localhost:3000'

const catalogue = await openFederatedStarter()
const web = await builtWeb()
const post = await openMailServer()
afterAll(() => post.close())

describeDatabases('the main thread', (open, dialect) => {
  let app: App
  let client: PocketBase
  let database: Database

  beforeAll(async () => {
    database = await open()
    await migrate(database)
    const folder = mkdtempSync(join(tmpdir(), 'octavo-thread-'))
    const config = readConfig({
      DATA_DIR: folder,
      APP_URL: origin,
      SMTP_URL: post.url,
      RATE_LIMITS: 'off',
    })
    const log = pino({ level: 'silent' })
    const secret = 'a secret for tests that is long enough'
    app = createApp({ config, secret, database, catalogue, web, log })
    afterAll(async () => {
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    })
    client = inProcess({ request: (input, init) => app.fetch(new Request(input, init)) }, origin)
    const email = `${dialect}@example.org`
    await client.collection('users').create({ email, password, passwordConfirm: password })
    const refusal = await client
      .collection('users')
      .authWithPassword(email, password)
      .catch((error: unknown) => error)
    const { mfaId } = (refusal as { response: { mfaId: string } }).response
    const { otpId } = await client.collection('users').requestOTP(email)
    const { text = '' } = await post.nextMail(email)
    const code = /\b\d{6}\b/.exec(text)?.[0] ?? ''
    await client.collection('users').authWithOTP(otpId, code, { mfaId })
    await fillLibrary()
  })

  /** Two thousand books on one shelf, copies of one. */
  async function fillLibrary(): Promise<void> {
    const user = client.authStore.record!.id
    const shelf = await client
      .collection('bookshelves')
      .create({ user, name: 'All of them', visibility: 'public' })
    const authors = Array.from({ length: 20 }, (_, i) => `An author with a long name ${i}`)
    await client.collection('user_books').create({ ...book, user, shelf: shelf.id, authors })
    const names = createSchema('free')
      .get('user_books')
      .fields.map(({ name }) => name)
    const columns = names.map((name) => `"${name}"`).join(', ')
    const values = names.map((name) =>
      name === 'id' ? `'book' || (10000000000 + n.i)` : `b."${name}"`,
    )
    await database.transaction((tx) =>
      tx.query(
        `INSERT INTO user_books (${columns})
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        SELECT ${values.join(', ')} FROM n, user_books b`,
      ),
    )
  }

  it.each([
    [
      'a page of a list',
      `${books}?perPage=1000&expand=shelf,user&fields=*,expand.*,title:excerpt(80,true)`,
    ],
    [
      'a page by an order',
      `${books}?perPage=1000&sort=-title,shelf.name&filter=${escaped('title~"big"')}`,
    ],
    ['the export', '/api/v1/account/export'],
    ['the table of books', '/api/v1/account/export.csv'],
    ['a search', '/api/v1/library/search?q=a%20big%20book%20by%20an%20author'],
    ['a shelf by its reader', '/api/collections/bookshelves/records?expand=user_books_via_shelf'],
    [
      'the same books included by several records',
      `${books}?perPage=4&expand=shelf.user_books_via_shelf`,
    ],
    [
      'the same books included by a long page',
      `${books}?perPage=60&filter=${escaped('id<"book10000000004"')}&expand=shelf.user_books_via_shelf`,
    ],
  ])('R41: is not held up by %s of the largest library', async (_, path) => {
    const { least, status } = await measure({ path, method: 'GET' }, 'reader')
    const told = `${least.toFixed(1)} ms`
    expect([told, status, least < most]).toEqual([told, 200, true])
  })

  it.each([
    [
      'ranges',
      'Range',
      (n: number) => `bytes=${Array.from({ length: n }, (_, i) => `${i}-${i}`).join()}`,
    ],
    ['entity tags', 'If-None-Match', (n: number) => Array(n).fill('W/"a"').join(', ')],
    ['accepted encodings', 'Accept-Encoding', (n: number) => Array(n).fill('br;q=0.1').join(', ')],
  ])('R41: is not held up by %s for a picture', async (_, header, value) => {
    const path = `/api/files/users/${client.authStore.record!.id}/${await avatar()}`
    const took = []
    for (const scale of [0.5, 1, 2])
      took.push(await measure({ path, method: 'GET', headers: { [header]: value(scale * 1500) } }))
    expect([took, isBounded(took)]).toEqual([took, true])
    for (const { status } of took) expect(status).toBeLessThan(500)
  })

  it('R41: is not held up by pictures that are drawn', async () => {
    const { id, username } = client.authStore.record!
    const thumb = `/api/files/users/${id}/${await avatar()}?thumb=`
    for (const path of [
      `${thumb}100x100`,
      `${thumb}512x512`,
      `/previews/reader/${String(username)}.jpg`,
    ]) {
      const took = await longestTurn(async () => {
        const answer = await app.fetch(new Request(origin + path))
        await answer.arrayBuffer()
        expect([path, answer.status]).toEqual([path, 200])
      })
      expect([path, took, took < most]).toEqual([path, took, true])
    }
  })

  let uploaded: Promise<string> | undefined

  /** @returns the file name of the largest picture that is taken */
  function avatar(): Promise<string> {
    return (uploaded ??= uploadAvatar())
  }

  async function uploadAvatar(): Promise<string> {
    const { id } = client.authStore.record!
    const side = 1300
    const raw = { width: side, height: side, channels: 3 as const }
    const noise = sharp(randomBytes(side * side * 3), { raw })
    const form = new FormData()
    form.set('avatar', new File([new Uint8Array(await noise.png().toBuffer())], 'noise.png'))
    return String((await client.collection('users').update(id, form))['avatar'])
  }

  it('R41: is not held up by an event that many hear', async () => {
    const listeners = 500
    const ends = new AbortController()
    const readers = await Promise.all(Array.from({ length: listeners }, () => listen(ends.signal)))
    const [{ shelf } = { shelf: '' }] = (await client.collection('user_books').getList(1, 1)).items
    const user = client.authStore.record!.id
    const { id } = await client
      .collection('user_books')
      .create({ ...book, title: 'One of a kind', user, shelf })
    const took = await longestTurn(async () => {
      await client.collection('user_books').update(id, { progress: 1 })
      await Promise.all(readers.map((hears) => hears(id)))
    })
    ends.abort()
    expect([took, took < most]).toEqual([took, true])
  })

  it('R41: is not held up by a change of two thousand copies', async () => {
    const [{ id } = { id: '' }] = (await client.collection('user_books').getList(1, 1)).items
    const took = await longestTurn(() =>
      client.collection('user_books').update(id, { progress: 2 }),
    )
    expect([took, took < most]).toEqual([took, true])
  })

  /** Listens to all books. @returns what waits for an event with that text */
  async function listen(signal: AbortSignal): Promise<(text: string) => Promise<void>> {
    const answer = await app.fetch(new Request(`${origin}/api/realtime`, { signal }))
    const stream = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    const next = async () => {
      const { done, value } = await stream.read()
      if (done) throw new Error('the stream of events ended')
      return value
    }
    const { clientId } = JSON.parse(/^data:(.*)$/m.exec(await next())![1]!) as { clientId: string }
    const subscribed = await app.fetch(
      new Request(`${origin}/api/realtime`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ clientId, subscriptions: ['user_books/*'] }),
      }),
    )
    expect(subscribed.status).toBe(204)
    return async (text) => {
      while (!(await next()).includes(text));
    }
  }

  /** Sends it some times; the least of what they took, and the last status. */
  async function measure(
    { path, method = 'POST', headers = {}, body }: RawRequest,
    who?: 'reader',
    times = 3,
  ) {
    const by = who ? { Authorization: client.authStore.token } : {}
    let least = Infinity
    let status = 0
    for (let run = 0; run < times; run++) {
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
      const init = {
        method,
        headers: { ...by, ...headers, ...length },
        ...(body !== undefined && { body }),
      }
      const request = new Request(origin + path, init as RequestInit)
      const took = await longestTurn(async () => {
        const answer = await app.fetch(request)
        status = answer.status
        await answer.arrayBuffer()
      })
      least = Math.min(least, took)
    }
    return { least, status }
  }

  it.each(worstInputs)('R41: is not held up by %s', async (_, make, path, who) => {
    const requests = [0.5, 1, 2].map((scale) => ({ path, ...make(scale) }))
    const measureAll = async (times?: number) => {
      const took = []
      for (const request of requests) took.push(await measure(request, who, times))
      return took
    }
    let took = await measureAll(1)
    if (took.some(({ least }) => least >= little)) took = await measureAll()
    // A machine that slows down for a moment stretches processor time, too.
    for (let again = 0; again < 2 && !isBounded(took); again++) took = await measureAll()
    const told = took.map(({ least, status }) => `${least.toFixed(1)} ms (${status})`)
    expect([told, isBounded(took)]).toEqual([told, true])
    for (const { status } of took) expect(status).toBeLessThan(500)
  })
})

/** Whether it takes less than the bound, and grows no faster than what is sent. */
function isBounded(took: readonly { least: number }[]): boolean {
  const [half = 0, whole = 0, twice = 0] = took.map(({ least }) => least)
  return whole < most && whole < 3 * half + little && twice < 3 * whole + little
}
