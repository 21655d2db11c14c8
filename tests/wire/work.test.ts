import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { meter } from '#records/index.ts'
import { describeDatabases } from '#tests/databases.ts'
import { appUrl, openFixture, schema, type OpenDatabase } from './fixture.ts'

const records = '/api/collections/pictures/records'
const pictures = 1000
const sentence = 'These requests take too much time. Please try again in a moment.'

const generous = { points: 1_000_000, seconds: 10 }

type Limits = Parameters<typeof openFixture>[1]

/** A member with an album of very many pictures, which everybody may see. */
async function openAlbum(open: OpenDatabase, more: Limits = {}) {
  const fixture = await openFixture(open, more)
  const ann = await fixture.member('ann')
  const album = await ann.collection('albums').create({ owner: ann.me.id, name: 'All of them' })
  const picture = { album: album.id, title: 'A picture', stars: 7 }
  const first = await ann.collection('pictures').create(picture)
  const names = schema.get('pictures').fields.map(({ name }) => name)
  const made: Record<string, string> = { id: `'picture' || CAST(10000000 + i AS TEXT)`, stars: '0' }
  const values = names.map((name) => made[name] ?? `"${name}"`)
  await fixture.database.transaction((tx) =>
    tx.query(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${pictures})
      INSERT INTO pictures (${names.map((name) => `"${name}"`).join()})
      SELECT ${values.join()} FROM pictures, n`),
  )
  const token = ann.authStore.token
  const get = (path: string, from: string, token = '') =>
    fixture.fetch(path, { headers: { 'X-Address': from, Authorization: token } })
  const cheap = `${records}/${first.id}`
  return { fixture, ann, token, album, get, cheap, dear: dearPath(album.id) }
}

/** Holds each of the pictures against 150 titles that none of them has, and finds the first. */
function dearPath(album: string): string {
  const titles = Array.from({ length: 150 }, (_, n) => `title:lower="${n}"`).join('||')
  const filter = `album = "${album}" && (stars = 7 || ${titles})`
  return `${records}?${new URLSearchParams({ filter, skipTotal: '1' }).toString()}`
}

async function inTens<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const found: T[] = []
  for (let n = 0; n < count; n += 10)
    found.push(...(await Promise.all(Array.from({ length: 10 }, (_, i) => work(n + i)))))
  return found
}

const among = (answers: readonly Response[], status: number) =>
  answers.filter((answer) => answer.status === status)

async function expectBroke(answer: Response | undefined, seconds: number): Promise<void> {
  expect(answer?.status).toBe(429)
  expect(await answer?.json()).toEqual({ data: {}, message: sentence, status: 429 })
  const wait = Number(answer?.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(seconds)
}

describeDatabases('R43: what requests cost', (open) => {
  it('is not noticed by clients with many small requests', async () => {
    const { get, cheap, fixture, token } = await openAlbum(open)
    expect(among(await inTens(150, () => get(cheap, '192.0.2.1')), 200)).toHaveLength(150)
    expect(among(await inTens(140, () => get(cheap, '192.0.2.1', token)), 200)).toHaveLength(140)
    const page = await get(`${records}?perPage=1000`, '192.0.2.1')
    expect(((await page.json()) as { items: unknown[] }).items).toHaveLength(1000)
    expect(fixture.errors).toEqual([])
  })

  it('is held against a network, while its neighbours are answered, until it has waited', async () => {
    const limits = { work: { points: 100, seconds: 10 } }
    const { fixture, get, cheap, dear } = await openAlbum(open, { limits })
    const neighbours: Response[] = []
    const answers = await inTens(290, async (n) => {
      if (n % 10 === 0) neighbours.push(await get(cheap, `198.51.100.${n / 10}`))
      return get(dear, '192.0.2.1')
    })
    const refused = among(answers, 429)
    expect(refused.length).toBeGreaterThan(200)
    expect(among(answers, 200).length + refused.length).toBe(290)
    await expectBroke(refused.at(-1), 21)
    await expectBroke(await get(cheap, '192.0.2.1'), 21)
    expect(among(neighbours, 200)).toHaveLength(29)
    expect((await get(dear, '198.51.100.200')).status).toBe(200)
    fixture.wait(25)
    expect((await get(cheap, '192.0.2.1')).status).toBe(200)
  })

  it('is held against an account, wherever it asks from', async () => {
    const limits = { work: generous, accountWork: { points: 100, seconds: 10 } }
    const { fixture, get, cheap, dear, token } = await openAlbum(open, { limits })
    const ben = await fixture.member('ben')
    const answers = await inTens(100, (n) => get(dear, `192.0.2.${n}`, token))
    const refused = among(answers, 429)
    expect(refused.length).toBeGreaterThan(50)
    await expectBroke(refused.at(-1), 21)
    await expectBroke(await get(cheap, '203.0.113.1', token), 21)
    expect((await get(cheap, '192.0.2.1', ben.authStore.token)).status).toBe(200)
    expect((await get(cheap, '192.0.2.1')).status).toBe(200)
    fixture.wait(25)
    expect((await get(cheap, '192.0.2.1', token)).status).toBe(200)
  })

  it('counts for writes, and a refused write changes nothing', async () => {
    const limits = { work: { points: 5, seconds: 3600 }, create: { points: 999, seconds: 5 } }
    const { ann, album, token, fixture } = await openAlbum(open, { limits })
    const body = JSON.stringify({ album: album.id, title: 'Another' })
    const headers = {
      'X-Address': '192.0.2.1',
      'Content-Type': 'application/json',
      Authorization: token,
    }
    const answers: Response[] = []
    while (answers.length < 900 && answers.at(-1)?.status !== 429)
      answers.push(await fixture.fetch(records, { method: 'POST', headers, body }))
    await expectBroke(answers.at(-1), 7200)
    const filter = `album = "${album.id}" && title = "Another"`
    const { totalItems } = await ann.collection('pictures').getList(1, 1, { filter })
    expect(totalItems).toBe(answers.length - 1)
  })

  it('counts for what is read while it is sent', async () => {
    const limits = { work: { points: 5, seconds: 3600 } }
    const { get, cheap } = await openAlbum(open, { limits })
    const answers: Response[] = []
    while (answers.length < 100 && answers.at(-1)?.status !== 429) {
      const answer = await get(`${records}?perPage=1000&skipTotal=1`, '192.0.2.1')
      if (answer.ok) await answer.text()
      answers.push(answer)
    }
    expect(answers.length).toBeGreaterThan(1)
    await expectBroke(answers.at(-1), 7200)
    await expectBroke(await get(cheap, '192.0.2.1'), 7200)
  })

  it('is paid for a page by its visitor, and by nobody for the process itself', async () => {
    const limits = { work: { points: 100, seconds: 10 } }
    const { fixture, get, dear } = await openAlbum(open, { limits })
    const inside = () => fixture.fetch(dear)
    const pages = new Hono().use(fixture.records.chargeRequests).get('/page', inside)
    pages.onError(() => new Response(null, { status: 429 }))
    const visit = async (from: string) =>
      pages.request(`${appUrl}/page`, { headers: { 'X-Address': from } })
    const visits = await inTens(50, () => visit('192.0.2.1'))
    expect(among(visits, 429).length).toBeGreaterThan(10)
    await expectBroke(await get(dear, '192.0.2.1'), 21)
    expect((await visit('192.0.2.2')).status).toBe(200)
    expect(among(await inTens(20, inside), 200)).toHaveLength(20)
  })

  it.each([
    ['192.0.2.1', {}, 'pays'],
    ['127.0.0.1', {}, 'pays'],
    ['', {}, 'is free'],
    ['192.0.2.1', { limits: false as const }, 'is free'],
  ])('is what %s with %o %s', async (address, more, expected) => {
    const { records } = await openFixture(open, more)
    const headers = { 'X-Address': address }
    for (const middleware of [records.chargeRequests, records.limitRequests]) {
      const app = new Hono().use(middleware)
      app.get('/', (c) => c.text(meter() ? 'pays' : 'is free'))
      expect(await (await app.request('/', { headers })).text()).toBe(expected)
    }
  })
})
