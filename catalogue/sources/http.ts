import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { lazyFetch, readBytes } from '../lazy-fetch.ts'

/** Bytes of an answer once it is unpacked. */
const maxBytes = 2 * 1024 * 1024
const connectTimeout = 2000
const totalTimeout = 5000
const maxHops = 3
/** No catalogue nests deeper; a parser of ours never has to. */
const maxDepth = 32

/** Another site that was asked and did not give what it should. The message is for the log. */
export class SourceFailure extends Error {
  override name = 'SourceFailure'
}

/** Something fetched from another site: whole, unpacked and within its limits. */
export interface FetchedFile {
  status: number
  type: string
  bytes: Uint8Array
}

interface ExternalClientOptions {
  /** Addresses the operator configured; their hosts alone are asked, whatever network they are in. */
  bases: readonly string[]
  /** Other hosts, asked over https and only where they are on the open internet. */
  hosts?: RegExp
  /** Any other host as well, over http too, where it is on the open internet. */
  isOpen?: boolean
  /** Sent as `User-Agent`; holds a contact, as Open Library asks for. */
  userAgent: string
}

/** Asks a few other sites and no more. Nothing of a reader is sent: no cookie, no referrer. */
export interface ExternalClient {
  /** @throws SourceFailure for whatever goes wrong but a status, which the caller judges */
  get(url: string, accept: string): Promise<FetchedFile>
  /** @returns parsed JSON, or null for a 404. @throws SourceFailure */
  json(url: string): Promise<unknown>
  close(): Promise<void>
}

/**
 * @returns requests that connect within 2 s, end within 5 s, bring at most 2 MB after unpacking and
 * follow at most 3 redirects, each to a site that may be asked
 */
export function openExternalClient(options: ExternalClientOptions): ExternalClient {
  const origins = new Set(options.bases.map((base) => new URL(base).origin))
  const configured = new Set(options.bases.map((base) => new URL(base).hostname))
  const client = lazyFetch({
    connect: { timeout: connectTimeout, lookup: publicLookup(configured) },
    headersTimeout: totalTimeout,
    bodyTimeout: totalTimeout,
    connections: 8,
    keepAliveTimeout: 10_000,
  })
  const closing = new AbortController()

  function mayAsk(url: URL): boolean {
    if (url.username || url.password) return false
    if (origins.has(url.origin)) return true
    if (options.isOpen) return /^https?:$/.test(url.protocol) && mayBeOnInternet(url.hostname)
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

/** A name that leads into a private network is not followed, whoever answers for it. */
function publicLookup(configured: ReadonlySet<string>): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '')
      const open = configured.has(hostname)
        ? addresses
        : addresses.filter(({ address }) => isOnInternet(address))
      const [first] = open
      if (!first) return callback(new SourceFailure(`${hostname} is on no public network`), '')
      if (options.all) return callback(null, open)
      return callback(null, first.address, first.family)
    })
  }
}

/** A number is connected to without being looked up, so it is judged here; a name when it is found. */
function mayBeOnInternet(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  return !ipaddr.isValid(address) || isOnInternet(address)
}

/** @returns whether an address, v4 or v6, mapped ones too, is one that everybody can reach */
export function isOnInternet(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (error.name === 'TimeoutError') return 'took too long'
  return code || (cause instanceof Error ? cause.message : error.message)
}

/** The text in its declared encoding; where the declaration is wrong, as Western Europe wrote it. */
function decodeText(bytes: Uint8Array, type: string): string {
  const declared = /charset="?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8'
  for (const encoding of [declared, 'utf-8'])
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes)
    } catch {
      // Another encoding, or one that nobody knows.
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
      // Brackets inside of a string do not count.
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++
    } else if (character === '{' || character === '[') {
      if (++depth > maxDepth) return true
    } else if (character === '}' || character === ']') depth--
  }
  return false
}
