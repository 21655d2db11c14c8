import { join } from 'node:path'
import { guardSource, type SourceLog } from '#catalogue/sources/guard.ts'
import { openExternalClient, SourceFailure, type ExternalClient } from '#catalogue/sources/http.ts'
import type { ExternalSource } from '#shared/book.ts'
import type { CoverWidth, ExternalCover } from '#shared/cover.ts'
import { openCoverStore } from './cover-store.ts'
import { FairSlots } from './fair-slots.ts'
import { drawPicture, isPicture, type CoverFormat } from './picture.ts'

/** Milliseconds for which "there is none" is cached: a day, or an hour for a reader's address. */
const noneFor = 24 * 3_600_000
const noneLinkedFor = 3_600_000
/** The sizes of Google's "image not available" pictures. */
const placeholders: ReadonlySet<number> = new Set([15_666, 16_641, 2690])
/** The picture hosts of both catalogues; no other host is requested. */
const pictureHosts = /(?:^|\.)(?:archive\.org|google\.com|googleusercontent\.com)$/
/** Pictures at readers' addresses that are fetched at a time, of all readers and of one. */
const linkedSlots = { concurrency: 24, ofOne: 4, waiting: 100 }
/** Open Library allows 400 a minute. */
const limit = { burst: 60, perSecond: 5, concurrency: 6, waiting: 200 }

export interface CoversOptions {
  /** The data folder; pictures are stored under `covers`. */
  folder: string
  maxBytes: number
  sources: readonly ExternalSource[]
  /** Whether to fetch pictures from addresses that readers enter. */
  isLinking?: boolean
  openLibraryCoversUrl: string
  googleBooksUrl: string
  userAgent: string
  log: SourceLog
}

/** Fetches covers of other catalogues and converts them to our sizes and formats. */
export interface Covers {
  /** @returns the picture, or null if there is none or it can't be fetched now. Never throws. */
  get(cover: ExternalCover, width: CoverWidth, format: CoverFormat): Promise<Uint8Array | null>
  /** The same for a picture at an address that a reader entered, so that none waits for another's. */
  getLinked(
    linked: { address: string; reader: string },
    width: CoverWidth,
    format: CoverFormat,
  ): Promise<Uint8Array | null>
  close(): Promise<void>
}

/**
 * @param options the allowed hosts. The addresses of catalogues' covers are built here; readers'
 *   addresses are fetched as they are, but only on the public internet.
 */
export function openCovers(options: CoversOptions): Covers {
  const google = googleCoversUrl(options.googleBooksUrl)
  const store = openCoverStore(join(options.folder, 'covers'), options.maxBytes)
  const client = openExternalClient({
    bases: [options.openLibraryCoversUrl, google],
    hosts: pictureHosts,
    userAgent: options.userAgent,
  })
  const linked = openExternalClient({
    bases: [options.openLibraryCoversUrl],
    isOpen: true,
    userAgent: options.userAgent,
  })
  const slots = new FairSlots(linkedSlots)
  const addresses: Record<ExternalSource, (id: string) => string> = {
    openlibrary: (id) =>
      `${options.openLibraryCoversUrl}/b/${id.replace('-', '/')}-L.jpg?default=false`,
    google: (id) =>
      `${google}/books/content?id=${id}&printsec=frontcover&img=1&zoom=1&source=gbs_api&fife=w1000`,
  }
  const guards = new Map(
    options.sources.map((name) => [
      name,
      guardSource({ name }, options.log, { limit, of: 'covers' }),
    ]),
  )
  const underWay = new Map<string, Promise<Uint8Array | null>>()

  /** The original picture; concurrent callers share one request. */
  function original(
    key: string,
    read: () => Promise<Uint8Array | null>,
  ): Promise<Uint8Array | null> {
    return underWay.getOrInsertComputed(key, () =>
      read()
        .catch(() => null)
        .finally(() => underWay.delete(key)),
    )
  }

  /** @returns the cached picture; undefined if it must be fetched */
  async function kept(key: string, none: number): Promise<Uint8Array | null | undefined> {
    const found = await store.read(key)
    if (found && found.bytes.length > 0) return found.bytes
    if (!found) return undefined
    // One from the future was kept while the clock was ahead.
    const age = Date.now() - found.kept
    return age >= 0 && age < none ? null : undefined
  }

  async function readCover(key: string, { source, id }: ExternalCover) {
    const known = await kept(key, noneFor)
    const guard = guards.get(source)
    if (known !== undefined || !guard) return known ?? null
    const bytes = await guard.ask(() => ask(client, addresses[source](id)))
    const isThere =
      bytes !== null &&
      !(source === 'google' && placeholders.has(bytes.length)) &&
      (await isPicture(bytes))
    await store.write(key, isThere ? bytes : new Uint8Array())
    return isThere ? bytes : null
  }

  async function readLinked(key: string, address: string, reader: string) {
    const known = await kept(key, noneLinkedFor)
    if (known !== undefined || !options.isLinking) return known ?? null
    return slots.run(reader, async () => {
      const bytes = await ask(linked, address).catch(() => null)
      const isThere = bytes !== null && (await isPicture(bytes))
      // Cache failures as well, or every view of a page would wait for the site.
      await store.write(key, isThere ? bytes : new Uint8Array())
      return isThere ? bytes : null
    })
  }

  async function made(key: string, { width, format, read }: Making): Promise<Uint8Array | null> {
    const sized = `${key} ${width} ${format}`
    const ready = await store.read(sized)
    if (ready) return ready.bytes
    const bytes = await original(key, read)
    if (!bytes) return null
    try {
      const picture = await drawPicture(bytes, width, format)
      await store.write(sized, picture)
      return picture
    } catch {
      return null
    }
  }

  return {
    get(cover, width, format) {
      const key = `${cover.source} ${cover.id}`
      return made(key, { width, format, read: () => readCover(key, cover) })
    },
    getLinked({ address, reader }, width, format) {
      const key = `linked ${address}`
      return made(key, { width, format, read: () => readLinked(key, address, reader) })
    },
    async close() {
      await Promise.all([client.close(), linked.close()])
    },
  }
}

interface Making {
  width: CoverWidth
  format: CoverFormat
  read: () => Promise<Uint8Array | null>
}

/** @returns null if there is none. @throws SourceFailure */
async function ask(site: ExternalClient, address: string): Promise<Uint8Array | null> {
  const answer = await site.get(address, 'image/*')
  if (answer.status === 200) return answer.bytes
  if (answer.status === 404) return null
  throw new SourceFailure(`answered ${answer.status}`)
}

/** Google's covers are on another host; a configured address serves both. */
function googleCoversUrl(booksUrl: string): string {
  const { hostname, origin } = new URL(booksUrl)
  return hostname.endsWith('.googleapis.com') ? 'https://books.google.com' : origin
}
