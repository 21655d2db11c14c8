import type { Viewer } from '../filter/request.ts'
import type { Core } from '../write/core.ts'
import { ApiError } from '../errors.ts'
import { evaluateConditions, type ConditionalResult } from '../files/conditional-request.ts'
import { isInline, servedType } from '../files/content-type.ts'
import { findFile, type FoundFile } from '../read/find-file.ts'
import { fileKey } from '../files/names.ts'
import type { ByteRange, Content } from '../files/storage.ts'
import type { FileTokens } from '../auth/file-token.ts'
import { trueWords } from '../schema/coerce.ts'
import { pickedResponse, toJson } from './response.ts'
import { requestInfo, type Handler } from './request-info.ts'

/** A file or thumb to send. */
interface Sendable {
  name: string
  size: number
  read(range?: ByteRange): Promise<Content | null>
}

/** `POST /files/token`: a token for the files the account may see, valid for two minutes */
export function fileTokenRoute(tokens: FileTokens): Handler {
  return async (c) => {
    const viewer = c.get('viewer')
    if (!viewer) throw new ApiError(401, 'The request requires valid record authorization token.')
    return pickedResponse(c, toJson({ token: await tokens.sign(viewer) }))
  }
}

/** `GET|HEAD /files/:collection/:id/:name`: a file, for anyone who may view its record */
export function fileRoute(core: Core, tokens: FileTokens): Handler {
  return async (c) => {
    const { collection: key = '', id = '', name = '' } = c.req.param()
    const collection = core.schema.find(key)
    if (!core.files || !collection) throw new ApiError(404)
    const { thumb = '', token = '', download = '' } = c.req.query()
    const guest = token ? await tokens.viewer(token) : null
    const request = { ...requestInfo(c, 'protectedFile'), method: 'GET' }
    const viewer: Viewer | null = guest ?? request.viewer
    const asked = { ...request, viewer }
    const file = await findFile(core.database, core.schema, collection, id, name, asked)
    if (!file) throw new ApiError(404)
    const sendable = await choose(core, file, thumb)
    const headers = fileHeaders(file, sendable, trueWords.includes(download), guest !== null)
    return send(c.req.raw, file, sendable, headers)
  }
}

async function choose(core: Core, { row, field }: FoundFile, form: string): Promise<Sendable> {
  const { storage, thumbs } = core.files!
  const thumb = form && (await thumbs.get(row, field, form))
  if (!thumb) {
    const key = fileKey(row.collection, row.record, row.name)
    return { name: row.name, size: row.size, read: (range) => storage.read(key, range) }
  }
  const { name, bytes } = thumb
  const read = async (range?: ByteRange) =>
    range ? bytes.slice(range.start, range.end + 1) : bytes
  return { name, size: bytes.length, read }
}

/**
 * Headers that keep a file from running anything: types safe to display are shown, the rest is
 * downloaded.
 */
function fileHeaders(
  { row, isPublic }: FoundFile,
  { name }: Sendable,
  isDownload: boolean,
  isByToken: boolean,
): Headers {
  const type = servedType(row.name, row.mime)
  const disposition = isInline(type) && !isDownload ? 'inline' : 'attachment'
  const headers = new Headers({
    'Content-Type': type,
    'Content-Disposition': `${disposition}; filename=${name}`,
    'Content-Security-Policy':
      "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
    'Referrer-Policy': 'same-origin',
    Vary: 'Origin',
    'X-Content-Type-Options': 'nosniff',
    'X-XSS-Protection': '1; mode=block',
    // Other sites may embed files that are public or requested with a token.
    'Cross-Origin-Resource-Policy': isPublic || isByToken ? 'cross-origin' : 'same-origin',
    // Caches must revalidate every time, as a public file may become private.
    'Cache-Control': isPublic ? 'public, no-cache' : 'private, no-store',
    'Last-Modified': new Date(row.created).toUTCString(),
    'Accept-Ranges': 'bytes',
  })
  // A name's content never changes.
  if (isPublic) headers.set('ETag', `"${name}"`)
  return headers
}

async function send(
  request: Request,
  { row }: FoundFile,
  file: Sendable,
  headers: Headers,
): Promise<Response> {
  const { size } = file
  const etag = headers.get('etag') ?? undefined
  const verdict = evaluateConditions(request.headers, { size, modified: row.created, etag })
  if (verdict.status === 304 || verdict.status === 412 || verdict.status === 416) {
    for (const name of ['Content-Type', 'Content-Disposition']) headers.delete(name)
    if (verdict.status === 416) headers.set('Content-Range', `bytes */${size}`)
    return new Response(null, { status: verdict.status, headers })
  }
  headers.set('Content-Length', String(lengthOf(verdict, size)))
  const range = verdict.status === 206 ? verdict.range : undefined
  if (range) headers.set('Content-Range', `bytes ${range.start}-${range.end}/${size}`)
  const { status } = verdict
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const content = await file.read(range)
  if (!content) throw new ApiError(404)
  return new Response(content, { status, headers })
}

function lengthOf(verdict: ConditionalResult, size: number): number {
  return verdict.status === 206 ? verdict.range.end - verdict.range.start + 1 : size
}
