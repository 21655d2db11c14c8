import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOctavo, type Octavo } from '#tests/octavo.ts'
import { cookieOf, ownRecord, signedIn, signUp } from '#tests/signed-in.ts'
import { openMailServer, type MailServer } from '#tests/smtp.ts'

/** Of each kind of page; each further book is like the others. */
const maxOfAKind = 20

let octavo: Octavo
let post: MailServer
let reader: Record<string, string>

beforeAll(async () => {
  post = await openMailServer()
  octavo = await startOctavo({ SMTP_URL: post.url, PUBLIC_CONTACT_EMAIL: 'help@octavo.example' })
  const token = await signUp(octavo, post, 'crawler')
  const client = signedIn(octavo, token)
  const record = await ownRecord(client)
  await client.collection('users').update(record.id, { username: 'page-turner' })
  const winter = { name: 'Winter', visibility: 'public' }
  const { id } = await client.collection('bookshelves').create(winter)
  const book = { shelf: id, authors: ['Jane Austen'], status: 'planning', isbn: '9780141439518' }
  await client.collection('user_books').create({ ...book, title: 'Pride and Prejudice' })
  await client.collection('user_books').create({ ...book, title: '雪国 & 千羽鶴', isbn: '' })
  reader = { Cookie: await cookieOf(octavo, token) }
})
afterAll(async () => {
  await octavo.stop()
  await post.close()
})

/** The addresses on this site that a page names, links and files alike. */
function addresses(html: string): string[] {
  return [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)]
    .map(([, address = '']) => address.replaceAll('&amp;', '&').replaceAll('&#x27;', "'"))
    .map((address) => address.replace(octavo.url, '').replace(/#.*$/, ''))
    .filter((address) => /^\/(?!\/)/.test(address))
}

/** Follows all links from the page on. @returns those that do not answer 200, and how many were seen */
async function crawl(headers: Record<string, string>, left: string[]) {
  const seen = new Set(left)
  const broken: string[] = []
  const kinds = new Map<string, number>()
  for (let path = left.shift(); path !== undefined; path = left.shift()) {
    const answer = await fetch(octavo.url + path, { headers })
    if (answer.status !== 200) broken.push(`${answer.status} ${path}`)
    const isPage = answer.headers.get('content-type')?.startsWith('text/html')
    const text = await answer.text()
    if (!isPage) continue
    for (const next of addresses(text)) {
      const kind = next.split(/[/?]/, 2).join('/')
      const count = kinds.get(kind) ?? 0
      if (seen.has(next) || count === maxOfAKind) continue
      kinds.set(kind, count + 1)
      seen.add(next)
      left.push(next)
    }
  }
  return { broken, seen }
}

// 7 s: asks for hundreds of pages.
test('every link that a visitor can follow leads somewhere', async () => {
  const { broken, seen } = await crawl({}, ['/', '/u/page-turner', '/nothing-there'])
  expect(broken).toEqual(['404 /nothing-there'])
  for (const path of ['/explore', '/users', '/pricing', '/contact', '/privacy', '/terms', '/login'])
    expect(seen).toContain(path)
  expect(seen).toContain('/u/page-turner/shelves')
})

test('every link that a reader can follow leads somewhere', async () => {
  const { broken, seen } = await crawl(reader, ['/explore', '/account/settings'])
  expect(broken).toEqual([])
  for (const path of ['/u/page-turner/books', '/u/page-turner/wishlist', '/account/edit', '/users'])
    expect(seen).toContain(path)
  expect([...seen].filter((path) => path.startsWith('/login'))).toEqual([])
})
