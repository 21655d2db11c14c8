import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { MiddlewareHandler } from 'hono'
import { getMimeType } from 'hono/utils/mime'
import { isKnownVersion, versionOf } from './known-version.ts'

/**
 * A worker has its script's own policy, not its page's. Only the barcode reader may compile
 * WebAssembly, so no page has to allow it.
 */
const policies: readonly [file: RegExp, policy: string][] = [
  [
    /^\/assets\/barcode-worker-[^/]*\.js$/,
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
  ],
  // The service worker only fetches pages for offline use.
  [/^\/service-worker\.js$/, "default-src 'none'; connect-src 'self'"],
  // An SVG opened by itself is a document.
  [/./, "default-src 'none'; style-src 'unsafe-inline'"],
]

/** Types that are worth compressing. */
const compressible = /^(?:text\/|application\/(?!octet)|image\/svg)/

const encoders = {
  // 9 of 11: the last two levels take ten times as long for two percent.
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
}
type Encoding = keyof typeof encoders

interface StaticFile {
  bytes: Buffer
  headers: Readonly<Record<string, string>>
  etag: string
  /** Compressed at the first request and cached. */
  encoded: Map<Encoding, Promise<Buffer>>
}

/**
 * Serves a folder of built files from memory. Names under `assets/` have a content hash and are
 * cached for ever; others are revalidated by ETag.
 *
 * @param folder absolute path; it may be missing
 */
export function staticFiles(folder: string): MiddlewareHandler {
  const files = readFiles(folder)
  return async (c, next) => {
    const file = files.get(c.req.path)
    if (!file || (c.req.method !== 'GET' && c.req.method !== 'HEAD')) return next()
    const { etag } = file
    if (isKnownVersion(c.req.header('if-none-match'), etag))
      return new Response(null, { status: 304, headers: { ...file.headers, ETag: etag } })
    const encoding = chooseEncoding(file, c.req.header('accept-encoding') ?? '')
    const bytes = encoding ? await encode(file, encoding) : file.bytes
    return new Response(c.req.method === 'HEAD' ? null : new Uint8Array(bytes), {
      headers: {
        ...file.headers,
        ETag: etag,
        'Content-Length': String(bytes.length),
        ...(encoding ? { 'Content-Encoding': encoding } : {}),
      },
    })
  }
}

function readFiles(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  if (!existsSync(folder)) return files
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(folder, file).split(sep).map(encodeURIComponent).join('/')}`
    files.set(path, toFile(path, readFileSync(file)))
  }
  return files
}

function toFile(path: string, bytes: Buffer): StaticFile {
  const type = getMimeType(path) ?? 'application/octet-stream'
  const hash = versionOf(bytes)
  const forever = path.startsWith('/assets/')
  const [, policy] = policies.find(([file]) => file.test(path)) ?? []
  return {
    bytes,
    etag: `"${hash}"`,
    encoded: new Map(),
    headers: {
      'Content-Type': type,
      'Cache-Control': forever ? 'public, max-age=31536000, immutable' : 'public, no-cache',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'same-origin',
      'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
      ...(compressible.test(type) ? { Vary: 'Accept-Encoding' } : {}),
    },
  }
}

function chooseEncoding(file: StaticFile, accepted: string): Encoding | undefined {
  if (!compressible.test(file.headers['Content-Type'] ?? '') || file.bytes.length < 512) return
  const names = accepted.split(',').filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
  const offers = new Set(names.map((part) => part.split(';')[0]?.trim()))
  return (['br', 'gzip'] as const).find((encoding) => offers.has(encoding))
}

function encode(file: StaticFile, encoding: Encoding): Promise<Buffer> {
  return file.encoded.getOrInsertComputed(encoding, () => encoders[encoding](file.bytes))
}
