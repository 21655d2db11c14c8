import type { RecordModel } from 'pocketbase'
import { beforeAll, describe, expect, test } from 'vitest'
import { startOctavo, type Octavo } from '#tests/octavo.ts'
import { cookieOf, ownRecord, signedIn, signUp } from '#tests/signed-in.ts'
import { openMailServer } from '#tests/smtp.ts'

/** Every text of what is hidden holds it; an ISBN is its own. */
const canary = /canary|9780141439471/i

let octavo: Octavo
/** The cookies of a reader whose profile is open, one whose is not, and one who looks on. */
let cookies: Record<'visitor' | 'other' | 'owner' | 'hidden', string>
let owner: RecordModel
let hidden: RecordModel
let shelves: Record<'open' | 'closed' | 'hidden' | 'hiddenClosed', string>

beforeAll(async () => {
  const post = await openMailServer()
  octavo = await startOctavo({ SMTP_URL: post.url })
  const [ownerToken, hiddenToken, otherToken] = [
    await signUp(octavo, post, 'owner'),
    await signUp(octavo, post, 'hidden'),
    await signUp(octavo, post, 'other'),
  ]
  cookies = {
    visitor: '',
    other: await cookieOf(octavo, otherToken),
    owner: await cookieOf(octavo, ownerToken),
    hidden: await cookieOf(octavo, hiddenToken),
  }
  owner = await furnish(ownerToken, 'open-owner', 'Owen')
  hidden = await furnish(hiddenToken, 'canary-name', 'canary Name')
  const client = signedIn(octavo, hiddenToken)
  const [settings] = await client.collection('settings').getFullList()
  await client.collection('settings').update(settings!.id, { isPrivate: true })
  shelves = {
    open: await shelf(ownerToken, 'Open shelf', 'public', 'Seen by all'),
    closed: await shelf(ownerToken, 'canary closed', 'private', 'canary one'),
    hidden: await shelf(hiddenToken, 'canary open', 'public', 'canary two'),
    hiddenClosed: await shelf(hiddenToken, 'canary all', 'private', 'canary three'),
  }
  return async () => {
    await octavo.stop()
    await post.close()
  }
})

async function furnish(token: string, username: string, name: string): Promise<RecordModel> {
  const client = signedIn(octavo, token)
  const record = await ownRecord(client)
  return client.collection('users').update(record.id, { username, name })
}

async function shelf(token: string, name: string, visibility: string, title: string) {
  const client = signedIn(octavo, token)
  const { id } = await client.collection('bookshelves').create({ name, visibility })
  const book = { shelf: id, title, authors: [title], status: 'completed', rating: 7, progress: 9 }
  await client.collection('user_books').create({ ...book, page_count: 9 })
  if (canary.test(title))
    await client
      .collection('user_books')
      .create({ ...book, title: `${title} more`, isbn: '9780141439471', page_count: 9 })
  return id
}

async function open(path: string, who: keyof typeof cookies) {
  const answer = await fetch(octavo.url + path, {
    headers: cookies[who] ? { Cookie: cookies[who] } : {},
    redirect: 'manual',
  })
  const nonce = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1]
  // Two words are another at every answer: which scripts may run, and when it was.
  const plain = (text: string) =>
    text
      .replaceAll(nonce ?? 'no nonce', 'NONCE')
      .replaceAll(/\b1[789]\d{11}\b|\b\d+ (?:second|minute)s?(?=(?:<!-- -->)? ago)/g, 'TIME')
  const headers = [...answer.headers].filter(([name]) => name !== 'date')
  return {
    status: answer.status,
    headers: headers.map(([name, value]) => [name, plain(value)]),
    html: plain(await answer.text()),
  }
}

test('R49: a page is drawn for the one live session among several cookies, and for nobody with two', async () => {
  const look = async (cookie: string) => {
    const answer = await fetch(`${octavo.url}/shelf/${shelves.hidden}`, {
      headers: { Cookie: cookie },
    })
    expect(answer.headers.get('cache-control')).toContain('no-store')
    return answer.status
  }
  expect(await look(`pb_auth=planted; ${cookies.hidden}; theme=dark`)).toBe(200)
  expect(await look(`${cookies.hidden}; ${cookies.hidden}`)).toBe(200)
  for (const both of [`${cookies.hidden}; ${cookies.other}`, `${cookies.other}; ${cookies.hidden}`])
    expect(await look(both)).toBe(404)
})

describe('a stranger', () => {
  test('is told to keep nothing, or to ask again', async () => {
    const cache = async (path: string, who: keyof typeof cookies) =>
      Object.fromEntries((await open(path, who)).headers)['cache-control']
    expect(await cache('/u/open-owner', 'visitor')).toBe('public, no-cache')
    for (const who of ['other', 'owner', 'hidden'] as const)
      expect(await cache('/u/open-owner', who)).toBe('private, no-store')
  })
})

test('a page asks for its scripts, which do not hold it up', async () => {
  const { html } = await open('/explore', 'visitor')
  expect(html.match(/<link rel="modulepreload" href="[^"]+\.js"/g)?.length).toBeGreaterThan(3)
  expect(html.match(/<script nonce="[^"]+" type="module" async="">/g)).toHaveLength(1)
  expect(html).not.toMatch(/<script[^>]* src/)
  expect(html).toMatch(/<link [^>]*rel="stylesheet"/)
})

const long = 'x'.repeat(5000)

test.each([
  '/u/%00',
  '/u/open-owner%00',
  '/u/open%2Fowner',
  '/u/%22%20%7C%7C%201%20=%201',
  `/u/${long}`,
  `/u/${long}/books`,
  `/u/${encodeURIComponent('é'.repeat(1000))}/shelves`,
  '/shelf/%00',
  `/shelf/${long}`,
  '/book/%00',
  `/book/${long}`,
  '/series/%00/x',
  `/series/${long}/x`,
  '/series/canary/harry-potter',
  '/author/%00/x',
  `/author/${long}/x`,
  '/author/canary/jane-austen',
])('%s is nothing that there is', async (path) => {
  for (const who of ['visitor', 'owner'] as const) {
    const { status, html } = await open(path, who)
    expect([status, /<h1[^>]*>404/.test(html)]).toEqual([404, true])
  }
})

test('a page of an author by another name leads to the page by the usual one', async () => {
  const other = encodeURIComponent('джейн-остин')
  const response = await fetch(`${octavo.url}/author/${other}/x?page=2`, { redirect: 'manual' })
  expect(response.status).toBe(301)
  expect(response.headers.get('location')).toBe('/author/jane-austen/jane-austen?page=2')
})

test('the owner sees it all', async () => {
  const pages: [string, keyof typeof cookies][] = [
    [`/shelf/${shelves.closed}`, 'owner'],
    ['/u/open-owner/shelves', 'owner'],
    ['/u/canary-name', 'hidden'],
    ['/u/canary-name/books', 'hidden'],
  ]
  for (const [path, who] of pages) {
    const { status, html } = await open(path, who)
    expect([path, status]).toEqual([path, 200])
    expect(html).toMatch(canary)
  }
  expect(owner.id).not.toBe(hidden.id)
})

test('no page of one reader is served to another under parallel requests', async () => {
  const paths = ['/u/open-owner', '/u/open-owner/books', '/u/canary-name', `/shelf/${shelves.open}`]
  const who = ['visitor', 'hidden', 'other', 'owner'] as const
  const asked = Array.from(
    { length: 200 },
    (_, i) => [paths[Math.floor(i / 4) % 4]!, who[i % 4]!] as const,
  )
  const alone = new Map<string, string>()
  const key = (path: string, by: string) => `${by} ${path}`
  for (const path of paths)
    for (const by of who) alone.set(key(path, by), (await open(path, by)).html)
  const answers = await Promise.all(asked.map(([path, by]) => open(path, by)))
  for (const [i, { html }] of answers.entries()) expect(html).toBe(alone.get(key(...asked[i]!)))
  const toStrangers = [...alone].filter(([name]) => /^(?:visitor|other)/.test(name))
  for (const [name, html] of toStrangers)
    expect(html.replaceAll('canary-name', '').match(canary), name).toBeNull()
})
