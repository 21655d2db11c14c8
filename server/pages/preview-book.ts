import type { PreviewBook } from '#catalogue/index.ts'
import { coverPath, type CoverWidth } from '#shared/cover.ts'

/** What a drawn picture needs to know of a book. */
export interface BookOfPicture {
  title: string
  authors: readonly string[]
  images: readonly string[]
}

/**
 * Reads the cover of a book for a drawn picture.
 *
 * @param deps.fetch calls the server in process
 * @param headers of whoever may see the book; a visitor's if absent
 */
export async function previewBook(
  deps: { fetch: (request: Request) => Promise<Response>; origin: string },
  { title, authors, images }: BookOfPicture,
  width: CoverWidth,
  headers: Readonly<Record<string, string>> = {},
): Promise<PreviewBook> {
  const path = coverPath(images, { title }, width)?.split('?')[0]
  const init = { headers: { ...headers, accept: 'image/jpeg' } }
  const answer = path && (await deps.fetch(new Request(new URL(path, deps.origin), init)))
  const picture = answer && answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null
  return { title, author: authors[0] ?? '', picture }
}
