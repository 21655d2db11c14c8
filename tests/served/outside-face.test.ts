import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { newMigratedUrl } from '#tests/databases.ts'
import { startOctavo, type Octavo } from '#tests/octavo.ts'
import { cookieOf, ownRecord, signedIn, signUp } from '#tests/signed-in.ts'
import { openMailServer } from '#tests/smtp.ts'

/** What stands on pages for other sites: search engines, and those that show a link with a picture. */
describe.each(['SQLite', 'PostgreSQL'])('the face for other sites (%s)', (engine) => {
  let octavo: Octavo
  const tokens = { open: '', closed: '' }

  beforeAll(async () => {
    const endings: (() => Promise<void> | void)[] = []
    const post = await openMailServer()
    octavo = await startOctavo({
      SMTP_URL: post.url,
      DATABASE_URL: engine === 'SQLite' ? '' : await newMigratedUrl((end) => endings.push(end)),
    })
    for (const name of ['open', 'closed'] as const) {
      tokens[name] = await signUp(octavo, post, name)
      const client = signedIn(octavo, tokens[name])
      const record = await ownRecord(client)
      await client.collection('users').update(record.id, { username: `${name}-reader` })
      const shelf = { name: 'Winter', visibility: 'public' }
      const { id } = await client.collection('bookshelves').create(shelf)
      await addBook(name, id, 'Emma')
    }
    await setPrivate('closed', true)
    return async () => {
      await octavo.stop()
      await post.close()
      for (const end of endings) await end()
    }
  })

  async function addBook(name: keyof typeof tokens, shelf: string, title: string) {
    const book = { shelf, title, authors: ['Jane Austen'], status: 'reading' }
    await signedIn(octavo, tokens[name]).collection('user_books').create(book)
  }

  async function setPrivate(name: keyof typeof tokens, isPrivate: boolean) {
    const settings = signedIn(octavo, tokens[name]).collection('settings')
    const [own] = await settings.getFullList()
    await settings.update(own!.id, { isPrivate })
  }

  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(octavo.url + path, { headers })
  const cookie = async (name: keyof typeof tokens) => ({
    Cookie: await cookieOf(octavo, tokens[name]),
  })
  const picture = (name: string) => `/previews/reader/${name}.jpg`

  test('robots learn what is not for them, and where the sitemap is', async () => {
    const answer = await ask('/robots.txt')
    expect(answer.headers.get('content-type')).toContain('text/plain')
    const text = await answer.text()
    expect(text).toContain('Disallow: /account/\n')
    expect(text).toContain(`Sitemap: ${octavo.url}/sitemap.xml\n`)
  })

  test('the sitemap names screens, books and public readers, nobody who is private', async () => {
    const answer = await ask('/sitemap.xml')
    expect(answer.headers.get('content-type')).toContain('xml')
    const text = await answer.text()
    const addresses = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address ?? '')
    expect(addresses).toContain(`${octavo.url}/pricing`)
    expect(addresses.filter((one) => one.includes('/book/')).length).toBeGreaterThan(100)
    expect(addresses).toContain(`${octavo.url}/u/open-reader`)
    expect(text).not.toContain('closed-reader')
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  test.each(['/previews/octavo.jpg', '/previews/book/9780141439518.jpg', picture('Open-Reader')])(
    '%s is a picture of the size that is asked for',
    async (path) => {
      const answer = await ask(path)
      expect(answer.status).toBe(200)
      const metadata = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
      expect(metadata).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
      const etag = answer.headers.get('etag') ?? ''
      expect((await ask(path, { 'If-None-Match': etag })).status).toBe(304)
    },
  )

  test('a private reader has none, like an unknown one, not even asked for by themselves', async () => {
    const unknown = await ask(picture('nobody-at-all'))
    expect(unknown.status).toBe(404)
    const body = await unknown.text()
    for (const headers of [{}, await cookie('open'), await cookie('closed')]) {
      const answer = await ask(picture('closed-reader'), headers)
      expect([answer.status, await answer.text()]).toEqual([404, body])
    }
    expect((await ask('/previews/book/9780000000002.jpg')).status).toBe(404)
  })

  test('a book on a private shelf changes nothing in the picture, one on a public shelf does', async () => {
    const owner = await cookie('open')
    const etag = async () => (await ask(picture('open-reader'), owner)).headers.get('etag')
    const before = await etag()
    const shelves = signedIn(octavo, tokens.open).collection('bookshelves')
    const secret = await shelves.create({ name: 'Secret', visibility: 'private' })
    await addBook('open', secret.id, 'Persuasion')
    expect(await etag()).toBe(before)
    await shelves.update(secret.id, { visibility: 'public' })
    expect(await etag()).not.toBe(before)
  })

  test('who turns private is gone from both at once', async () => {
    await setPrivate('open', true)
    expect((await ask(picture('open-reader'))).status).toBe(404)
    expect(await (await ask('/sitemap.xml')).text()).not.toContain('open-reader')
    await setPrivate('open', false)
    expect((await ask(picture('open-reader'))).status).toBe(200)
  })

  describe("a reader's year as a picture", () => {
    const year = (name: string, rest = '2024.png') => `/api/v1/users/${name}-reader/year/${rest}`
    const etag = async (path: string, headers = {}) =>
      (await ask(path, headers)).headers.get('etag')

    async function finish(title: string, finished: string) {
      const client = signedIn(octavo, tokens.open)
      const [shelf] = await client
        .collection('bookshelves')
        .getFullList({ filter: "name = 'Winter'" })
      const book = { shelf: shelf!.id, title, authors: ['Jane Austen'], status: 'completed' }
      const { id } = await client.collection('user_books').create({ ...book, page_count: 300 })
      const [reading] = await client
        .collection('readings')
        .getFullList({ filter: client.filter('title = {:title}', { title }) })
      await client.collection('readings').update(reading!.id, { finished, pages: 300 })
      return id
    }

    test.each([
      ['', 1200, 630],
      ['?size=tall', 1080, 1920],
    ])('is as large as asked for (%s), and known by its version', async (size, width, height) => {
      const path = year('open') + size
      const answer = await ask(path)
      expect(answer.headers.get('content-type')).toBe('image/png')
      expect(answer.headers.get('cache-control')).toBe('private, no-cache')
      const metadata = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
      expect(metadata).toMatchObject({ format: 'png', width, height })
      const version = answer.headers.get('etag') ?? ''
      expect((await ask(path, { 'If-None-Match': version })).status).toBe(304)
    })

    test('shows what the caller can see, in the language of the reader', async () => {
      const path = year('open')
      const owner = await cookie('open')
      const empty = await etag(path)
      const book = await finish('Sanditon', '2024-03-05')
      const shown = await etag(path)
      expect(shown).not.toBe(empty)
      expect(await etag(path, owner)).toBe(shown)
      expect(await etag(year('open', '2024-03.png'))).not.toBe(shown)

      const client = signedIn(octavo, tokens.open)
      await client.collection('user_books').update(book, { isPrivate: true })
      expect(await etag(path)).toBe(empty)
      expect(await etag(path, await cookie('closed'))).toBe(empty)
      expect(await etag(path, owner)).toBe(shown)
      await client.collection('user_books').update(book, { isPrivate: false })

      const [settings] = await client.collection('settings').getFullList()
      await client.collection('settings').update(settings!.id, { language: 'ar' })
      expect(await etag(path, { 'Accept-Language': 'ja' })).not.toBe(shown)
      await client.collection('settings').update(settings!.id, { language: 'en' })
      expect(await etag(path, { 'Accept-Language': 'ja' })).toBe(shown)
    })

    test('is there for nobody but the reader if the profile is private', async () => {
      const unknown = await ask(year('no'))
      const body = await unknown.text()
      expect(unknown.status).toBe(404)
      for (const headers of [{}, await cookie('open')]) {
        const answer = await ask(year('closed'), headers)
        expect([answer.status, await answer.text()]).toEqual([404, body])
      }
      expect((await ask(year('closed'), await cookie('closed'))).status).toBe(200)
      for (const file of ['2024-13.png', '2024', 'x.png', '2024.jpg'])
        expect((await ask(year('open', file))).status).toBe(404)
      expect((await ask(`${year('open')}?size=huge`)).status).toBe(400)
    })

    test('is the picture of the page of the year, if that has a book', async () => {
      const page = await (await ask('/u/open-reader/2024')).text()
      expect(page).toContain(`content="${octavo.url}${year('open')}"`)
      const none = await (await ask('/u/open-reader/1999')).text()
      expect(none).toContain(`content="${octavo.url}/previews/octavo.jpg"`)
      const robots = await (await ask('/robots.txt')).text()
      expect(robots).toContain('Allow: /api/v1/users/*/year/\n')
    })
  })

  test('pages name their picture and their own address', async () => {
    const book = await (await ask('/book/whatever-9780141439518')).text()
    expect(book).toContain(`content="${octavo.url}/previews/book/9780141439518.jpg"`)
    const profile = await (await ask('/u/open-reader')).text()
    expect(profile).toContain(`content="${octavo.url}${picture('open-reader')}"`)
    expect(profile).toMatch(
      new RegExp(`<link [^>]*rel="canonical"[^>]* href="${octavo.url}/u/open-reader"`),
    )
  })

  test.each([
    ['/', 'Octavo'],
    ['/explore', 'Explore | Octavo'],
    ['/users', 'Users | Octavo'],
    ['/pricing', 'Pricing | Octavo'],
    ['/contact', 'Contact | Octavo'],
    ['/privacy', 'Privacy Policy | Octavo'],
    ['/terms', 'Terms of Service | Octavo'],
    ['/login', 'Login | Octavo'],
    ['/signup', 'Sign Up | Octavo'],
  ])('%s says once what it is, where, and with which picture', async (path, title) => {
    const html = await (await ask(`${path}?utm_source=elsewhere`)).text()
    const tags = html.match(/<(?:title|meta|link)\b[^>]*>[^<]*/g) ?? []
    const only = (part: string) => {
      const found = tags.filter((tag) => tag.includes(part))
      expect(found, part).toHaveLength(1)
      return found[0]!
    }
    expect(only('<title')).toBe(`<title>${title}`)
    expect(only('name="description"')).toMatch(/content="[^"]{20,160}"/)
    expect(only('rel="canonical"')).toContain(`href="${octavo.url}${path}"`)
    expect(only('"og:url"')).toContain(`content="${octavo.url}${path}"`)
    expect(only('"og:title"')).toContain(title.replace(' | Octavo', ''))
    expect(only('"twitter:card"')).toContain('summary_large_image')
    const address = /content="([^"]+)"/.exec(only('"og:image"'))?.[1] ?? ''
    const image = await sharp(await (await fetch(address)).arrayBuffer()).metadata()
    expect([image.width, image.height]).toEqual([1200, 630])
  })

  test('what is said to search engines can be read by them', async () => {
    const said = async (path: string) => {
      const html = await (await ask(path)).text()
      const all = html.matchAll(/<script type="application\/ld\+json"[^>]*>([^]*?)<\/script>/g)
      return [...all].map(([, text = '']) => JSON.parse(text) as Record<string, unknown>)
    }
    expect(await said('/')).toMatchObject([
      {
        '@context': 'https://schema.org',
        '@graph': [
          { '@type': 'WebApplication', offers: { price: '0', priceCurrency: 'USD' } },
          { '@type': 'WebSite', potentialAction: { '@type': 'SearchAction' } },
        ],
      },
    ])
    expect(await said('/book/whatever-9780141439518')).toMatchObject([
      {
        '@context': 'https://schema.org',
        '@type': 'Book',
        name: 'Pride and Prejudice',
        author: [{ '@type': 'Person', name: 'Jane Austen' }],
        isbn: '9780141439518',
      },
    ])
  })
})
