import type PocketBase from 'pocketbase'
import { recordedFacts, type Book } from '#shared/book.ts'
import { isPartialDate } from '#shared/partial-date.ts'
import type { UserBook } from '#shared/user-book.ts'
import { apiError } from './errors.ts'
import { editParameters } from './library.ts'

/** What a record has of its edition, and where its reader is in it. */
const editionFields = [
  ...(['title', 'authors', 'isbn', 'images', 'page_count', 'language', 'published'] as const),
  ...(['progress', 'progress_percent', 'progress_minutes'] as const),
]

/**
 * Changes the edition of a reader's copies of a book. The share that was read stays the same.
 *
 * @returns a function that undoes the change
 */
export async function changeEdition(
  api: PocketBase,
  copies: readonly UserBook[],
  edition: Book,
): Promise<() => Promise<void>> {
  const [first, ...others] = copies.map((copy) => ({
    id: copy.id,
    fields: Object.fromEntries(editionFields.map((name) => [name, copy[name]])),
  }))
  if (!first) throw apiError(404, {})
  const query = { edition: true }
  await api.collection('user_books').update(first.id, factsOfEdition(edition), { query })
  // All copies become what the first one was again, and those that were different what they were.
  const own = others.filter(({ fields }) => JSON.stringify(fields) !== JSON.stringify(first.fields))
  return async () => {
    const batch = api.createBatch()
    const books = batch.collection('user_books')
    books.update(first.id, first.fields, {
      query: { ...query, ...editParameters({ isUndo: true }) },
    })
    for (const { id, fields } of own)
      books.update(id, fields, { query: editParameters({ isUndo: true }) })
    await batch.send()
  }
}

/** Without a picture, authors or a length of its own an edition has those of the one before. */
function factsOfEdition(edition: Book) {
  const { title, authors, images, isbn, page_count } = recordedFacts(edition)
  return {
    title,
    isbn,
    ...(authors.length > 0 && { authors }),
    ...(images.length > 0 && { images }),
    ...(page_count > 0 && { page_count }),
    language: edition.language.slice(0, 10),
    published: isPartialDate(edition.published_date) ? edition.published_date : '',
  }
}
