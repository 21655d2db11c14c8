import type { ExternalSource } from './book.ts'
import { cutText } from './text.ts'

/** The widths of covers in pixels: cards, the book page, and both for dense screens. */
export const coverWidths = [350, 500, 700, 1000] as const
export type CoverWidth = (typeof coverWidths)[number]

/** A cover's id in another catalogue. */
export interface ExternalCover {
  source: ExternalSource
  /** For Open Library the kind and value, such as "id-258027"; for Google the volume. */
  id: string
}

/**
 * @param link a picture's address, from a book or a reader's record
 * @returns the catalogue's cover; null for any other picture
 */
export function parseCoverLink(link: string): ExternalCover | null {
  const url = URL.canParse(link) ? new URL(link) : null
  if (!url || !/^https?:$/.test(url.protocol)) return null
  if (url.hostname === 'covers.openlibrary.org') {
    const [, kind = '', value = ''] =
      /^\/b\/(id|isbn|olid)\/([\dA-Za-z][\dA-Za-z-]{0,19}?)(?:-[SML])?\.jpg$/.exec(url.pathname) ??
      []
    return externalCover('openlibrary', `${kind}-${value.replaceAll('-', '')}`)
  }
  if (/^books\.google\.(?:com|[a-z]{2,3}|com?\.[a-z]{2})$/.test(url.hostname)) {
    const front = /^\/books\/publisher\/content\/images\/frontcover\/([^/]+)$/.exec(
      url.pathname,
    )?.[1]
    const id = url.pathname === '/books/content' ? url.searchParams.get('id') : front
    return externalCover('google', id ?? '')
  }
  return null
}

/** @returns the cover, or null if the id is invalid */
export function externalCover(source: string, id: string): ExternalCover | null {
  if (source === 'openlibrary' && /^(?:id-[1-9]\d{0,9}|isbn-[\dX]{10,13}|olid-OL\d+M)$/.test(id))
    return { source, id }
  return source === 'google' && /^[\w-]{8,64}$/.test(id) ? { source, id } : null
}

/** The path of covers at addresses that readers entered. */
const linkedCovers = '/covers/linked/'

/**
 * @param book id of the reader's book whose record has the address
 * @returns this server's path for the picture, for everyone who may see the book
 */
export function linkedCoverPath(book: string, address: string): string {
  return `${linkedCovers}${book}/${urlDigest(address)}`
}

/** @returns a 32-bit hash in hex that distinguishes a book's addresses */
export function urlDigest(address: string): string {
  let digest = 0
  for (const letter of address) digest = (Math.imul(digest, 31) + letter.codePointAt(0)!) | 0
  return (digest >>> 0).toString(16)
}

/**
 * This server's path for a book's cover, so that browsers connect to no other site.
 *
 * @param links addresses of covers, best first; this site's own stay unchanged
 * @param book the data for a drawn cover if the picture can't be fetched
 * @returns a path, or undefined if the page draws the cover itself
 */
export function coverPath(
  links: readonly string[],
  book: { title: string; author?: string | undefined },
  width: CoverWidth = 350,
): string | undefined {
  for (const link of links) {
    const isLinked = link.startsWith(linkedCovers)
    if (!isLinked && /^(?:\/(?!\/)|blob:)/.test(link)) return link
    const cover = isLinked ? null : parseCoverLink(link)
    if (!cover && !isLinked) continue
    const words = new URLSearchParams({ title: cutText(book.title, 200).toWellFormed() })
    if (book.author) words.set('author', cutText(book.author, 100).toWellFormed())
    if (cover) return `/covers/${cover.source}/${cover.id}/${width}?${words}`
    return `${link}${link.includes('?') ? '&' : '?'}width=${width}&${words}`
  }
  return undefined
}
