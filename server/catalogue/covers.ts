import { Hono, type Context } from 'hono'
import { coverFormats, drawCover, type CoverFormat, type Covers } from '#catalogue/index.ts'
import { ApiError } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { cutText } from '#shared/text.ts'
import { urlDigest, coverWidths, externalCover, type CoverWidth } from '#shared/cover.ts'
import type { UserBook } from '#shared/user-book.ts'
import { isKnownVersion } from '#server/http/known-version.ts'

/** For 30 days: the covers of another catalogue rarely change. */
const keptLong = 'public, max-age=2592000'
/** Revalidated each time, so that a book that becomes private disappears at once. */
const keptByViewer = 'private, no-cache'
/** Short, as the picture may be available later. */
const keptShortly = 'public, max-age=600'

/**
 * `/covers/{source}/{id}/{width}?title&author`: a cover of another catalogue, so that readers'
 * browsers don't connect to it. A cover that can't be fetched is drawn from title and author. The
 * answer is the same for every caller.
 */
export function coverRoutes(covers: Covers): Hono {
  return new Hono().get('/:source/:id/:width', async (c) => {
    const { source, id } = c.req.param()
    const cover = externalCover(source, id)
    const width = widthOf(c.req.param('width'))
    if (!cover || !width) throw new ApiError(404)
    const format = acceptedFormat(c)
    const picture = await covers.get(cover, width, format)
    const headers = { Vary: 'Accept' }
    if (!picture) return drawn(c, { ...headers, 'Cache-Control': keptShortly })
    const type = `image/${format}`
    return answer(c, picture, { ...headers, 'Cache-Control': keptLong, 'Content-Type': type })
  })
}

/**
 * `/covers/linked/{book}/{digest}?width&title&author`: the picture at an address that a reader
 * entered for a book, for those who may see the book; and
 * `/covers/linked/typed?address&width&title&author`, only for signed-in readers, before it is
 * saved. So nobody can make this server fetch arbitrary addresses for others.
 *
 * @param deps.fetch calls the server in process, to read the book with the caller's rights
 */
export function linkedCoverRoutes(deps: {
  covers: Covers
  records: Pick<LibraryRecords, 'authenticate'>
  fetch: (request: Request) => Promise<Response>
}): Hono {
  const { covers, records, fetch } = deps

  async function send(c: Context, address: string | undefined, reader: string): Promise<Response> {
    const width = widthOf(c.req.query('width') ?? '350')
    if (!width) throw new ApiError(404)
    const format = acceptedFormat(c)
    const etag = `"${urlDigest(address ?? '')}-${width}-${format}"`
    const isKept = address && isKnownVersion(c.req.header('if-none-match'), etag)
    const headers = { 'Cache-Control': keptByViewer, Vary: 'Accept, Cookie' }
    if (isKept) return c.body(null, 304, { ...headers, ETag: etag })
    const picture = address && (await covers.getLinked({ address, reader }, width, format))
    if (!picture) return drawn(c, headers)
    return answer(c, picture, { ...headers, ETag: etag, 'Content-Type': `image/${format}` })
  }

  return new Hono()
    .get('/typed', async (c) => {
      const viewer = await records.authenticate(c.req.raw)
      if (!viewer) throw new ApiError(401)
      const address = c.req.query('address') ?? ''
      const isAddress = /^https?:/i.test(address) && URL.canParse(address)
      return send(c, isAddress ? address : undefined, viewer.id)
    })
    .get('/:book/:digest', async (c) => {
      const { book, digest } = c.req.param()
      const { images, user } = await linkedBy(c.req.raw, book)
      return send(
        c,
        images.find((address) => urlDigest(address) === digest),
        user,
      )
    })

  /** @returns a book's addresses and its reader; no addresses if the viewer can't see the book */
  async function linkedBy(request: Request, book: string): Promise<Linked> {
    const none = { images: [], user: '' }
    if (!/^[a-z0-9]{15}$/.test(book)) return none
    const path = `/api/collections/user_books/records/${book}?fields=images,user`
    const url = new URL(path, request.url)
    const headers = new Headers()
    for (const name of ['cookie', 'authorization']) {
      const value = request.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    const response = await fetch(new Request(url, { headers }))
    return response.ok ? ((await response.json()) as Linked) : none
  }
}

type Linked = Pick<UserBook, 'images' | 'user'>

/** @throws ApiError 404 without a title to draw the cover from */
function drawn(c: Context, headers: Record<string, string>): Response {
  const title = cutText(c.req.query('title') ?? '', 200)
  if (!title) throw new ApiError(404)
  const cover = drawCover(title, cutText(c.req.query('author') ?? '', 100))
  return answer(c, cover, { ...headers, 'Content-Type': 'image/svg+xml' })
}

function widthOf(text: string | undefined): CoverWidth | undefined {
  return coverWidths.find((one) => String(one) === text)
}

function answer(c: Context, body: Uint8Array | string, headers: Record<string, string>): Response {
  return c.body(typeof body === 'string' ? body : new Uint8Array(body), 200, headers)
}

function acceptedFormat(c: Context): CoverFormat {
  const accepted = c.req.header('accept') ?? ''
  return coverFormats.find((format) => accepted.includes(`image/${format}`)) ?? 'jpeg'
}
