import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { pino } from 'pino'
import sharp from 'sharp'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openCovers } from '#catalogue/index.ts'
import type { Viewer } from '#records/index.ts'
import { dataHeaders } from '#server/http/headers.ts'
import { errorHandler } from '#server/http/errors.ts'
import { openCatalogues, type Habit, type StandIn } from '#tests/catalogues.ts'
import { urlDigest } from '#shared/cover.ts'
import { coverRoutes, linkedCoverRoutes } from './covers.ts'

let sites: StandIn
let folder: string
beforeEach(async () => {
  sites = await openCatalogues()
  folder = mkdtempSync(join(tmpdir(), 'octavo-covers-'))
  onTestFinished(async () => {
    await sites.close()
    rmSync(folder, { recursive: true, force: true })
  })
})

interface Served {
  sources?: ('openlibrary' | 'google')[]
  maxBytes?: number
  isLinking?: boolean
}

/** The book of which all below see the pictures. */
const book = 'abcdefghijklmno'

function serve(options: Served = {}, images: string[] = []) {
  const covers = openCovers({
    folder,
    maxBytes: options.maxBytes ?? 10_000_000,
    sources: options.sources ?? ['openlibrary', 'google'],
    isLinking: options.isLinking ?? true,
    openLibraryCoversUrl: sites.openLibraryUrl,
    googleBooksUrl: sites.googleBooksUrl,
    userAgent: 'Octavo/1 (test@example.org)',
    log: { info: () => undefined, warn: () => undefined },
  })
  onTestFinished(() => covers.close())
  const app = new Hono().use(dataHeaders())
  const linked = linkedCoverRoutes({
    covers,
    records: {
      authenticate: async ({ headers }) =>
        headers.has('authorization') ? ({ id: 'a' } as Viewer) : null,
    },
    fetch: async ({ url }) =>
      url.endsWith(`/api/collections/user_books/records/${book}?fields=images,user`)
        ? Response.json({ images, user: 'reader' })
        : new Response(null, { status: 404 }),
  })
  app.route('/covers/linked', linked).route('/covers', coverRoutes(covers))
  app.onError(errorHandler(pino({ level: 'silent' })))
  return async (path: string, accept = 'image/avif,image/webp,*/*', more = {}) => {
    const headers = { Accept: accept, ...more }
    const response = await app.request(`/covers/${path}`, { headers })
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, bytes }
  }
}

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#a33' } })
    .png()
    .toBuffer()

describe('a cover', () => {
  test.each([
    ['image/avif,image/webp,*/*', 'image/avif', /^....ftypavif/s],
    ['image/webp,*/*', 'image/webp', /^RIFF....WEBP/s],
    ['*/*', 'image/jpeg', /^\u00FF\u00D8/],
  ])('for a browser that takes %s is %s', async (accept, type, signature) => {
    const { status, headers, bytes } = await serve()('openlibrary/id-777/350?title=X', accept)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('vary')).toBe('Accept')
    expect(headers.get('cache-control')).toContain('max-age=2592000')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(new TextDecoder('latin1').decode(bytes.slice(0, 12))).toMatch(signature)
  })

  test('is not made larger than it is', async () => {
    const { bytes } = await serve()('openlibrary/id-777/500', '*/*')
    expect((await sharp(bytes).metadata()).width).toBe(330)
  })

  test('is brought to the width that was asked for', async () => {
    sites.answer('/b/id/9-L.jpg', await picture(1200, 1800), 'image/png')
    const get = serve()
    for (const width of [350, 500, 700, 1000]) {
      const { bytes } = await get(`openlibrary/id-9/${width}`, 'image/webp')
      expect((await sharp(bytes).metadata()).width).toBe(width)
    }
    // One look at the source serves them all.
    expect(sites.asked).toEqual(['/b/id/9-L.jpg?default=false'])
  })

  test('of Google is asked for with a size and without its curl', async () => {
    const { status } = await serve()('google/NightFerryGB/500')
    expect(status).toBe(200)
    expect(sites.asked).toEqual([
      '/books/content?id=NightFerryGB&printsec=frontcover&img=1&zoom=1&source=gbs_api&fife=w1000',
    ])
  })

  test('is fetched once for all who ask at the same time, and kept over a restart', async () => {
    const get = serve()
    const all = await Promise.all([1, 2, 3, 4].map(() => get('openlibrary/id-777/350')))
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await serve()('openlibrary/id-777/350')).status).toBe(200)
    expect((await serve({ sources: [] })('openlibrary/id-777/500')).status).toBe(200)
    expect(sites.asked).toHaveLength(1)
  })
})

describe('where there is none', () => {
  const drawn = async (path: string) => {
    const { status, headers, bytes } = await serve()(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(headers.get('cache-control')).toContain('max-age=600')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    return new TextDecoder().decode(bytes)
  }

  test('it is drawn from title and author, which cannot become markup', async () => {
    const title = encodeURIComponent('Tom & <script>alert(1)</script> "Jerry"')
    const svg = await drawn(`openlibrary/id-404/350?title=${title}&author=A.%20Writer`)
    expect(svg).toMatch(/^<svg .*<\/svg>$/)
    expect(svg).toContain('Tom &amp;')
    expect(svg).not.toContain('<script')
  })

  // 5 s where the host hangs: it is given up then.
  test.each<Habit>(['hangs', 'quota', 'html', 'cut', 'bomb', 'astray', 'around'])(
    'or its host misbehaves (%s), it is drawn as well',
    async (habit) => {
      sites.behave('openlibrary', habit)
      expect(await drawn('openlibrary/id-777/350?title=Emma')).toContain('Emma')
    },
    15_000,
  )

  test('a picture of one pixel and a damaged one count as none', async () => {
    sites.answer('/b/id/1-L.jpg', await picture(1, 1), 'image/png')
    sites.answer('/b/id/2-L.jpg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/jpeg')
    expect(await drawn('openlibrary/id-1/350?title=One')).toContain('One')
    expect(await drawn('openlibrary/id-2/350?title=Two')).toContain('Two')
  })

  test('and no title either, it is not found', async () => {
    expect((await serve()('openlibrary/id-404/350')).status).toBe(404)
  })

  test('a source that is switched off is not asked', async () => {
    const { status } = await serve({ sources: [] })('openlibrary/id-777/350')
    expect(status).toBe(404)
    expect(sites.asked).toEqual([])
  })
})

test.each([
  'elsewhere/id-777/350',
  'openlibrary/777/350',
  'openlibrary/id-0/350',
  'openlibrary/id-777/351',
  'openlibrary/id-..%2F..%2Fx/350',
  'google/a%2Fb/350',
  'google/http:%2F%2F169.254.169.254%2F/350',
])('nothing else is fetched: %s', async (path) => {
  expect((await serve()(`${path}?title=X`)).status).toBe(404)
  expect(sites.asked).toEqual([])
})

describe('a picture that a reader linked', () => {
  const address = () => `${sites.openLibraryUrl}/harbour.png`
  const linked = (link: string) => `linked/${book}/${urlDigest(link)}?width=350&title=Harbour`
  const isDrawn = ({ headers }: { headers: Headers }) =>
    headers.get('content-type') === 'image/svg+xml'
  beforeEach(async () => sites.answer('/harbour.png', await picture(900, 1350), 'image/png'))

  test('is handed out in our sizes, asked for once, and anew by who looks', async () => {
    const get = serve({}, ['https://elsewhere.example/x.jpg', address()])
    const first = await get(linked(address()), 'image/webp')
    expect((await sharp(first.bytes).metadata()).width).toBe(350)
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    expect(first.headers.get('vary')).toBe('Accept, Cookie')
    const etag = first.headers.get('etag') ?? ''
    expect((await get(linked(address()), 'image/webp', { 'If-None-Match': etag })).status).toBe(304)
    const wide = await get(linked(address()).replace('width=350', 'width=700'), 'image/webp')
    expect((await sharp(wide.bytes).metadata()).width).toBe(700)
    expect(sites.asked).toEqual(['/harbour.png'])
  })

  test('is drawn where there is none, and the site is left alone', async () => {
    const missing = `${sites.openLibraryUrl}/none.png`
    const get = serve({}, [missing, 'http://127.0.0.1:1/x.png', 'http://192.168.0.1/x.png'])
    for (const link of [missing, missing, 'http://127.0.0.1:1/x.png', 'http://192.168.0.1/x.png'])
      expect(isDrawn(await get(linked(link))), link).toBe(true)
    expect(sites.asked).toEqual(['/none.png'])
  })

  test('is not fetched for a book or an address that is not there, or where that is off', async () => {
    for (const [get, path] of [
      [serve({}, []), linked(address())],
      [serve({}, [address()]), linked(address()).replace(book, 'onmlkjihgfedcba')],
      [serve({}, [address()]), linked(address()).replace(book, '..%2F..%2Fusers')],
      [serve({ isLinking: false }, [address()]), linked(address())],
    ] as const) {
      const answer = await get(path)
      expect([answer.status, isDrawn(answer)]).toEqual([200, true])
      expect((await get(path.replace('&title=Harbour', ''))).status).toBe(404)
    }
    expect(
      (await serve({}, [address()])(linked(address()).replace('width=350', 'width=351'))).status,
    ).toBe(404)
    expect(sites.asked).toEqual([])
  })

  test('is seen by a reader as soon as its address is typed, and by no visitor', async () => {
    const get = serve()
    const typed = `linked/typed?address=${encodeURIComponent(address())}&width=350&title=Harbour`
    expect((await get(typed)).status).toBe(401)
    expect(sites.asked).toEqual([])
    const reader = { Authorization: 'a token' }
    const { headers } = await get(typed, 'image/webp', reader)
    expect(headers.get('content-type')).toBe('image/webp')
    for (const wrong of ['', 'harbour.png', 'file:///etc/passwd', 'javascript:1'])
      expect(
        isDrawn(await get(typed.replace(/address=[^&]+/, `address=${wrong}`), '*/*', reader)),
      ).toBe(true)
  })
})

test('the oldest pictures go when the disk has its share', async () => {
  const maxBytes = 30_000
  const get = serve({ maxBytes })
  for (let id = 1; id <= 12; id++) {
    const noise = Buffer.from(Array.from({ length: 60 * 90 * 3 }, (_, i) => (i * 7919 * id) % 251))
    const raw = { width: 60, height: 90, channels: 3 } as const
    sites.answer(`/b/id/${id}-L.jpg`, await sharp(noise, { raw }).png().toBuffer(), 'image/png')
    expect((await get(`openlibrary/id-${id}/350`, '*/*')).status).toBe(200)
  }
  const files = readdirSync(join(folder, 'covers'), { recursive: true, withFileTypes: true })
  const sizes = files
    .filter((file) => file.isFile())
    .map((file) => statSync(join(file.parentPath, file.name)).size)
  expect(sizes.length).toBeLessThan(24)
  expect(sizes.reduce((all, size) => all + size, 0)).toBeLessThanOrEqual(maxBytes)
})
