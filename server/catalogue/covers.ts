import { Hono, type Context } from 'hono'
import { coverFormats, drawnCover, type CoverFormat, type Covers } from '#catalogue/index.ts'
import { ApiError } from '#records/index.ts'
import { coverWidths, outsideCover } from '#shared/cover.ts'

/** What a number stands for in another catalogue changes seldom: thirty days. */
const keptLong = 'public, max-age=2592000'
/** The picture may be there the next time. */
const keptShortly = 'public, max-age=600'

/**
 * `/covers/{source}/{id}/{width}?title&author`: a cover of another catalogue, so that no reader's
 * browser has to ask there. What cannot be had is drawn from title and author. Nothing in it depends
 * on who asks.
 */
export function coverRoutes(covers: Covers): Hono {
  return new Hono().get('/:source/:id/:width', async (c) => {
    const { source, id } = c.req.param()
    const cover = outsideCover(source, id)
    const width = coverWidths.find((one) => String(one) === c.req.param('width'))
    if (!cover || !width) throw new ApiError(404)
    const format = acceptedFormat(c)
    const picture = await covers.get(cover, width, format)
    if (picture) return answer(c, picture, `image/${format}`, keptLong)
    const title = c.req.query('title')?.slice(0, 200)
    if (!title) throw new ApiError(404)
    const drawn = drawnCover(title, c.req.query('author')?.slice(0, 100))
    return answer(c, drawn, 'image/svg+xml', keptShortly)
  })
}

function answer(c: Context, body: Uint8Array | string, type: string, kept: string): Response {
  const bytes = typeof body === 'string' ? body : new Uint8Array(body)
  return c.body(bytes, 200, { 'Content-Type': type, 'Cache-Control': kept, Vary: 'Accept' })
}

function acceptedFormat(c: Context): CoverFormat {
  const accepted = c.req.header('accept') ?? ''
  return coverFormats.find((format) => accepted.includes(`image/${format}`)) ?? 'jpeg'
}
