import { useSuspenseQuery } from '@tanstack/react-query'
import { ClientResponseError } from 'pocketbase'
import { data, useParams } from 'react-router'
import { readBookSlug } from '#shared/book.ts'
import { parseIsbn } from '#shared/isbn.ts'
import { similarQuery, sourcesQuery } from '#web/api/book-info.ts'
import { bookQuery } from '#web/api/catalogue.ts'
import { useApi } from '#web/api/context.ts'
import { isNotFound } from '#web/api/errors.ts'
import { copiesQuery } from '#web/api/library.ts'
import { browserLoader, serverLoader, type Load, type LoadInput } from '#web/api/load.ts'
import { sessionQuery } from '#web/api/session.ts'
import { BookDetails } from '#web/features/catalogue/book-details.tsx'
import { BookHead } from '#web/features/catalogue/book-head.tsx'
import { BookOffers } from '#web/features/catalogue/book-offers.tsx'
import { SimilarBooks } from '#web/features/catalogue/similar-books.tsx'
import { useCopies } from '#web/features/library/add-to-shelf-book.ts'
import { AddToShelfButton } from '#web/features/library/add-to-shelf.tsx'
import { BookCopies } from '#web/features/library/book-copies.tsx'
import { Container } from '#web/ui/page-shell.tsx'

const load: Load = async (input) => {
  const { api, fetch, params } = input
  const [book, session] = await Promise.all([
    fetch(bookQuery(api, isbnIn(params['slug']) ?? notFound())).catch(fail),
    fetch(sessionQuery(api)),
  ])
  const isbn = book.isbns.ISBN_13 ?? book.isbns.ISBN_10
  // Links below the facts: the page is worth showing without them.
  await Promise.all([
    fetch(sourcesQuery(api, book)).catch(() => undefined),
    fetch(similarQuery(api, book.id)).catch(() => undefined),
  ])
  if (session && isbn) await loadCopies(input, session.user.id, isbn)
}

/** The page is worth showing without them; it asks again by itself. */
async function loadCopies({ api, fetch }: LoadInput, user: string, isbn: string): Promise<void> {
  await fetch(copiesQuery(api, user, isbn)).catch(() => undefined)
}

function isbnIn(slug = ''): string | null {
  return parseIsbn(readBookSlug(slug).isbn)
}

function notFound(): never {
  throw data({ message: "Sorry! we cannot find the book you're looking for." }, { status: 404 })
}

function fail(error: unknown): never {
  if (isNotFound(error)) notFound()
  if (!(error instanceof ClientResponseError)) throw error
  const sentence = 'Failed to retrieve book details.'
  throw data({ sentence }, { status: error.status || 500 })
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

/** The book's own are made with it: {@link BookHead}. */
export const meta = () => []

export default function BookScreen() {
  const isbn = isbnIn(useParams()['slug']) ?? ''
  const { data: book } = useSuspenseQuery(bookQuery(useApi(), isbn))
  const { data: copies } = useCopies(book)
  const isThere = copies !== undefined && copies.length > 0
  return (
    <Container>
      <BookHead book={book} />
      <BookDetails
        book={book}
        copies={<BookCopies book={book} />}
        actions={
          <>
            <AddToShelfButton
              book={book}
              variant={isThere ? 'secondary' : 'primary'}
              size="lg"
              className="max-sm:w-full"
            >
              {isThere ? 'Add to another shelf' : 'Add to shelf'}
            </AddToShelfButton>
            <BookOffers book={book} />
          </>
        }
      />
      <SimilarBooks key={book.id} book={book} />
    </Container>
  )
}
