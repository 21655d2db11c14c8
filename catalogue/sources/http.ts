import { lazyFetch, readBytes } from '../lazy-fetch.ts'
import { checkedLookup, isAddressRefused, isOnInternet } from '../public-network.ts'

/** The most bytes of a decompressed response. */
const maxBytes = 2 * 1024 * 1024
const connectTimeout = 2000
const totalTimeout = 5000
const maxHops = 3
/** The deepest JSON nesting; no catalogue needs more. */
const maxDepth = 32

/** A failed request to another site. The message is for the log. */
export class SourceFailure extends Error {
  override name = 'SourceFailure'
}

/** A complete, decompressed response within the limits. */
export interface FetchedFile {
  status: number
  type: string
  bytes: Uint8Array
}

interface ExternalClientOptions {
  /** The operator's configured addresses, whose hosts may be in any network. */
  bases: readonly string[]
  /** Other allowed hosts, only over https and on the public internet. */
  hosts?: RegExp
  /** Allows any host on the public internet, also over http. */
  isOpen?: boolean
  /** The `User-Agent`, with a contact, as Open Library requires. */
  userAgent: string
}

/**
 * An HTTP client for a few allowed sites that sends nothing about readers: no cookies, no referrer.
 */
export interface ExternalClient {
  /** @throws SourceFailure for any failure except an HTTP status, which the caller handles */
  get(url: string, accept: string): Promise<FetchedFile>
  /** @returns parsed JSON, or null for a 404. @throws SourceFailure */
  json(url: string): Promise<unknown>
  close(): Promise<void>
}

/**
 * @returns a client whose requests connect within 2 s, end within 5 s, return at most 2 MB
 *   decompressed and follow at most 3 redirects to allowed sites
 */
export function openExternalClient(options: ExternalClientOptions): ExternalClient {
  const origins = new Set(options.bases.map((base) => new URL(base).origin))
  const configured = new Set(options.bases.map((base) => new URL(base).hostname))
  const client = lazyFetch({
    connect: {
      timeout: connectTimeout,
      lookup: checkedLookup((address, host) => configured.has(host) || isOnInternet(address)),
    },
    headersTimeout: totalTimeout,
    bodyTimeout: totalTimeout,
    connections: 8,
    keepAliveTimeout: 10_000,
  })
  const closing = new AbortController()

  function mayAsk(url: URL): boolean {
    if (url.username || url.password) return false
    if (origins.has(url.origin)) return true
    if (options.isOpen)
      return /^https?:$/.test(url.protocol) && !isAddressRefused(url.hostname, isOnInternet)
    return (
      url.protocol === 'https:' && url.port === '' && Boolean(options.hosts?.test(url.hostname))
    )
  }

  async function follow(
    url: URL,
    accept: string,
    signal: AbortSignal,
    hops = 0,
  ): Promise<FetchedFile> {
    if (!mayAsk(url)) throw new SourceFailure(`${url.host} is not asked`)
    const answer = await client.fetch(url, {
      redirect: 'manual',
      referrerPolicy: 'no-referrer',
      headers: { Accept: accept, 'User-Agent': options.userAgent },
      signal,
    })
    const location = answer.headers.get('location')
    if (answer.status >= 300 && answer.status < 400 && location) {
      await answer.body?.cancel()
      if (hops === maxHops || !URL.canParse(location, url))
        throw new SourceFailure(`${url.host} redirects astray`)
      return follow(new URL(location, url), accept, signal, hops + 1)
    }
    const bytes = await readBytes(answer.body, maxBytes)
    return { status: answer.status, type: answer.headers.get('content-type') ?? '', bytes }
  }

  async function get(url: string, accept: string): Promise<FetchedFile> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(totalTimeout)])
    try {
      return await follow(new URL(url), accept, signal)
    } catch (error) {
      throw error instanceof SourceFailure
        ? error
        : new SourceFailure(reason(error), { cause: error })
    }
  }

  return {
    get,
    async json(url) {
      const { status, type, bytes } = await get(url, 'application/json')
      if (status === 404) return null
      if (status !== 200) throw new SourceFailure(`answered ${status}`)
      return parseJson(decodeText(bytes, type))
    },
    async close() {
      closing.abort()
      await client.close()
    },
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (error.name === 'TimeoutError') return 'took too long'
  return code || (cause instanceof Error ? cause.message : error.message)
}

/** Decodes the text in its declared encoding, or as Windows-1252 if that is wrong. */
function decodeText(bytes: Uint8Array, type: string): string {
  const declared = /charset="?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8'
  for (const encoding of [declared, 'utf-8'])
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes)
    } catch {
      // Another or unknown encoding.
    }
  return new TextDecoder('windows-1252').decode(bytes)
}

function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new SourceFailure('sent JSON that is nested too deeply')
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new SourceFailure(
      /^\s*</.test(text) ? 'answered with a page instead of JSON' : 'sent invalid JSON',
    )
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '"') {
      // Skip brackets in strings.
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++
    } else if (character === '{' || character === '[') {
      if (++depth > maxDepth) return true
    } else if (character === '}' || character === ']') depth--
  }
  return false
}
