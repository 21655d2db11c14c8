import type { ExternalSource } from './book.ts'

/** Widths in pixels in which covers are made: cards, the book page, and both for dense screens. */
export const coverWidths = [350, 500, 700, 1000] as const
export type CoverWidth = (typeof coverWidths)[number]

/** A cover of another catalogue: what it is called there. */
export interface ExternalCover {
  source: ExternalSource
  /** Of Open Library kind and value, such as "id-258027"; of Google the volume. */
  id: string
}

/**
 * @param link address of a picture, as a book or a reader's record has it
 * @returns which cover of which catalogue it is; null for any other picture
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

/** @returns the cover, or null when its id is none */
export function externalCover(source: string, id: string): ExternalCover | null {
  if (source === 'openlibrary' && /^(?:id-[1-9]\d{0,9}|isbn-[\dX]{10,13}|olid-OL\d+M)$/.test(id))
    return { source, id }
  return source === 'google' && /^[\w-]{8,64}$/.test(id) ? { source, id } : null
}

/** Below it stand covers that readers linked at any address. */
const linkedCovers = '/covers/linked/'

/**
 * @param book id of the reader's book whose record has the address
 * @returns where this server hands out the picture, to whoever may see the book
 */
export function linkedCoverPath(book: string, address: string): string {
  return `${linkedCovers}${book}/${urlDigest(address)}`
}

/** @returns what tells one address of a book from another: 32 bits in hex */
export function urlDigest(address: string): string {
  let digest = 0
  for (const letter of address) digest = (Math.imul(digest, 31) + letter.codePointAt(0)!) | 0
  return (digest >>> 0).toString(16)
}

/**
 * Where this server hands out a book's cover: a reader's browser asks no other site for one.
 *
 * @param links addresses of covers, best first; those of this site stay as they are
 * @param book what the cover is drawn from when the picture cannot be had
 * @returns a path, or undefined: the cover is then drawn by the page
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
    const words = new URLSearchParams({ title: book.title.slice(0, 200).toWellFormed() })
    if (book.author) words.set('author', book.author.slice(0, 100).toWellFormed())
    if (cover) return `/covers/${cover.source}/${cover.id}/${width}?${words}`
    return `${link}${link.includes('?') ? '&' : '?'}width=${width}&${words}`
  }
  return undefined
}
