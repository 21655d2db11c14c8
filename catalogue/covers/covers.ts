import { join } from 'node:path'
import { guarded, type SourceLog } from '#catalogue/sources/guard.ts'
import { openOutside, SourceFailure } from '#catalogue/sources/http.ts'
import type { OutsideSource } from '#shared/book.ts'
import type { CoverWidth, OutsideCover } from '#shared/cover.ts'
import { openCoverStore } from './cover-store.ts'
import { drawPicture, isPicture, type CoverFormat } from './picture.ts'

/** "There is none" is asked about again after a day. */
const noneFor = 24 * 3_600_000
/** Google's "image not available", told by its size. */
const placeholders: ReadonlySet<number> = new Set([15_666, 16_641, 2690])
/** Where the two send their pictures from; nothing else is fetched. */
const pictureHosts = /(?:^|\.)(?:archive\.org|google\.com|googleusercontent\.com)$/
/** Open Library allows 400 a minute. */
const pace = { burst: 60, perSecond: 5, atOnce: 6, waiting: 200 }

export interface CoversOptions {
  /** The data folder; pictures are kept under `covers`. */
  folder: string
  mostBytes: number
  sources: readonly OutsideSource[]
  openLibraryCoversUrl: string
  googleBooksUrl: string
  userAgent: string
  log: SourceLog
}

/** Covers of other catalogues, in our sizes and formats. */
export interface Covers {
  /** @returns the picture, or null when there is none or it cannot be had now. Never throws. */
  get(cover: OutsideCover, width: CoverWidth, format: CoverFormat): Promise<Uint8Array | null>
  close(): Promise<void>
}

/**
 * @param options which hosts are asked; every address is put together here, none comes from a
 * reader
 */
export function openCovers(options: CoversOptions): Covers {
  const google = googleCoversUrl(options.googleBooksUrl)
  const store = openCoverStore(join(options.folder, 'covers'), options.mostBytes)
  const outside = openOutside({
    bases: [options.openLibraryCoversUrl, google],
    hosts: pictureHosts,
    userAgent: options.userAgent,
  })
  const addresses: Record<OutsideSource, (id: string) => string> = {
    openlibrary: (id) =>
      `${options.openLibraryCoversUrl}/b/${id.replace('-', '/')}-L.jpg?default=false`,
    google: (id) =>
      `${google}/books/content?id=${id}&printsec=frontcover&img=1&zoom=1&source=gbs_api&fife=w1000`,
  }
  const guards = new Map(
    options.sources.map((name) => [name, guarded({ name }, options.log, { pace, of: 'covers' })]),
  )
  const underWay = new Map<string, Promise<Uint8Array | null>>()

  /** The picture as the catalogue has it; asked for once however many wait. */
  function original(cover: OutsideCover): Promise<Uint8Array | null> {
    const key = `${cover.source} ${cover.id}`
    const running = underWay.get(key)
    if (running) return running
    const fetching = readOriginal(key, cover)
      .catch(() => null)
      .finally(() => underWay.delete(key))
    underWay.set(key, fetching)
    return fetching
  }

  async function readOriginal(key: string, { source, id }: OutsideCover) {
    const kept = await store.read(key)
    if (kept && (kept.bytes.length > 0 || Date.now() - kept.kept < noneFor))
      return kept.bytes.length > 0 ? kept.bytes : null
    const guard = guards.get(source)
    if (!guard) return null
    const bytes = await guard.ask(async () => {
      const answer = await outside.get(addresses[source](id), 'image/*')
      if (answer.status === 200) return answer.bytes
      if (answer.status === 404) return null
      throw new SourceFailure(`answered ${answer.status}`)
    })
    const isThere =
      bytes !== null &&
      !(source === 'google' && placeholders.has(bytes.length)) &&
      (await isPicture(bytes))
    await store.write(key, isThere ? bytes : new Uint8Array())
    return isThere ? bytes : null
  }

  return {
    async get(cover, width, format) {
      const key = `${cover.source} ${cover.id} ${width} ${format}`
      const made = await store.read(key)
      if (made) return made.bytes
      const bytes = await original(cover)
      if (!bytes) return null
      try {
        const picture = await drawPicture(bytes, width, format)
        await store.write(key, picture)
        return picture
      } catch {
        return null
      }
    },
    close: () => outside.close(),
  }
}

/** Google's covers stand beside its books; who points those elsewhere has both there. */
function googleCoversUrl(booksUrl: string): string {
  const { hostname, origin } = new URL(booksUrl)
  return hostname.endsWith('.googleapis.com') ? 'https://books.google.com' : origin
}
