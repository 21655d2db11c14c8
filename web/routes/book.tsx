import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { data, redirect, useParams } from 'react-router'
import { recordPath } from '#shared/book-path.ts'
import { parseBookSlug, isbnOf, type Book } from '#shared/book.ts'
import { parseIsbn } from '#shared/isbn.ts'
import {
  publicRecordQuery,
  readersOfBookQuery,
  similarQuery,
  sourcesQuery,
} from '#web/api/book-info.ts'
import { bookQuery } from '#web/api/catalogue.ts'
import { useApi } from '#web/api/context.ts'
import { isApiError } from '#web/api/errors.ts'
import { copiesQuery } from '#web/api/library.ts'
import { browserLoader, serverLoader, type Load, type LoadInput, noMeta } from '#web/api/load.ts'
import { authorQuery, seriesQuery } from '#web/api/series.ts'
import { useLiveReader } from '#web/api/realtime.ts'
import { sessionQuery, useSession } from '#web/api/session.ts'
import { AuthorRow } from '#web/features/catalogue/author-row.tsx'
import { BookEditions } from '#web/features/catalogue/book-editions.tsx'
import { BookDetails } from '#web/features/catalogue/book-details.tsx'
import { BookHead } from '#web/features/catalogue/book-head.tsx'
import { useCopies } from '#web/features/library/add-to-shelf/add-to-shelf-book.ts'
import { BookEditorHost } from '#web/features/library/book-editor/book-editor-host.tsx'
import { SeriesRow } from '#web/features/catalogue/series-books.tsx'
import { SimilarBooks } from '#web/features/catalogue/similar-books.tsx'
import { BookPageMenu } from '#web/features/library/book-page/book-page-menu.tsx'
import { BookPanel } from '#web/features/library/book-page/book-panel.tsx'
import { OwnJournal } from '#web/features/library/journal/own-journal.tsx'
import { bookAction } from '#web/features/library/reading/book-action.ts'
import { lazy } from '#web/ui/lazy.ts'
import { Container } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/catalogue.ts'

/** Fetched for a book that the catalogue doesn't know; the server draws it with the page. */
const OwnBook = lazy(async () => ({
  default: (await import('#web/features/library/book-page/own-book.tsx')).OwnBook,
}))

/** Fetched where readers said something; the server draws it with the page. */
const loadReaders = () => import('#web/features/catalogue/book-readers.tsx')
const BookReaders = lazy(async () => ({ default: (await loadReaders()).BookReaders }))
const ReadersRating = lazy(async () => ({ default: (await loadReaders()).ReadersRating }))

const load: Load = async (input) => {
  const { api, fetch, params } = input
  const asked = isbnIn(params['slug']) ?? notFound()
  const [book, session] = await Promise.all([
    fetch(bookQuery(api, asked)).catch(fail),
    fetch(sessionQuery(api)),
  ])
  if (!book) {
    // The reader may still have it on a shelf.
    const copies = session ? await fetch(copiesQuery(api, session.user.id, asked)) : []
    if (copies.length > 0) return
    // So may another one, whose shelves lead here.
    const record = await fetch(publicRecordQuery(api, asked)).catch(() => null)
    if (record) throw redirect(recordPath(record.username, record.id))
    return notFound()
  }
  const isbn = isbnOf(book)
  // The page is worth showing without them.
  await Promise.all([
    fetch(sourcesQuery(api, book)).catch(() => undefined),
    fetch(similarQuery(api, book.id)).catch(() => undefined),
    fetch(readersOfBookQuery(api, book.id)).catch(() => undefined),
    ...(book.series ?? []).map(({ id }) => fetch(seriesQuery(api, id)).catch(() => undefined)),
    ...(book.author_ids ?? [])
      .slice(0, 1)
      .map((id) => fetch(authorQuery(api, id, 1)).catch(() => undefined)),
  ])
  if (session && isbn) await loadCopies(input, session.user.id, isbn)
}

/** The page is worth showing without them; it asks again by itself. */
async function loadCopies({ api, fetch }: LoadInput, user: string, isbn: string): Promise<void> {
  await fetch(copiesQuery(api, user, isbn)).catch(() => undefined)
}

function isbnIn(slug = ''): string | null {
  return parseIsbn(parseBookSlug(slug).isbn)
}

function notFound(): never {
  throw data({ message: t('sorryWeCannotFindThe') }, { status: 404 })
}

function fail(error: unknown): never {
  if (!isApiError(error)) throw error
  const sentence = t('failedToRetrieveBook')
  throw data({ sentence }, { status: error.status || 500 })
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const action = bookAction

export const meta = noMeta

export default function BookScreen() {
  const isbn = isbnIn(useParams()['slug']) ?? ''
  // The loader has asked, and the answer may be that there is none.
  const { data: book } = useQuery({ ...bookQuery(useApi(), isbn), enabled: false })
  useLiveReader(useSession()?.user.id)
  return (
    <Container>
      <BookEditorHost>
        {book ? (
          <CatalogueBook book={book} />
        ) : (
          <Suspense>
            <OwnBook isbn={isbn} />
          </Suspense>
        )}
      </BookEditorHost>
    </Container>
  )
}

function CatalogueBook({ book }: { book: Book }) {
  const { data: copies = [] } = useCopies(book)
  const { data: readers } = useQuery(readersOfBookQuery(useApi(), book.id))
  const user = useSession()?.user.id
  const isReviewShown = readers?.reviews.some(({ reader }) => reader.id === user) ?? false
  const [copy] = copies
  const isTold = readers && (readers.average !== null || readers.reviews.length > 0)
  return (
    <>
      <BookHead book={book} />
      <BookDetails
        book={book}
        menu={
          copy ? (
            <BookPageMenu book={{ title: book.title, authors: book.authors, isbn: isbnOf(book) }} />
          ) : null
        }
        panel={<BookPanel book={book} />}
        notes={copy ? <OwnJournal book={copy} isReviewShown={isReviewShown} /> : null}
        rating={
          isTold ? (
            <Suspense>
              <ReadersRating readers={readers} />
            </Suspense>
          ) : null
        }
        readers={
          isTold ? (
            <Suspense>
              <BookReaders key={book.id} id={book.id} readers={readers} />
            </Suspense>
          ) : null
        }
      />
      <SeriesRow key={book.series?.[0]?.id} book={book} />
      <AuthorRow key={`author ${book.id}`} book={book} />
      <SimilarBooks key={book.id} book={book} />
      <BookEditions key={`editions ${book.id}`} book={book} />
    </>
  )
}
