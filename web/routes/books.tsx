import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Library } from 'lucide-react'
import { Link, useParams, useSearchParams } from 'react-router'
import { useApi } from '#web/api/context.ts'
import { booksQuery, bookSorts, type BookSort } from '#web/api/library.ts'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { profileQuery } from '#web/api/profile.ts'
import { useSession } from '#web/api/session.ts'
import { BookRow, BookRowSkeleton } from '#web/features/library/book-row.tsx'
import { ListFaces, totalOf } from '#web/features/library/list-faces.tsx'
import { PageHead } from '#web/features/profile/page-head.tsx'
import { AddBook } from '#web/features/scan/add-book.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Container, PageHeader } from '#web/ui/page-shell.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'

const load: Load = async ({ api, fetch, startPages, params, url }) => {
  const profile = await fetch(profileQuery(api, params['username'] ?? ''))
  await startPages(booksQuery(api, profile.id, readSort(url.searchParams)))
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

/** The reader's own are made with the page: {@link PageHead}. */
export const meta = () => []

function readSort(search: URLSearchParams): BookSort {
  const sort = search.get('sort') ?? ''
  return Object.hasOwn(bookSorts, sort) ? (sort as BookSort) : '-rating'
}

export default function BooksScreen() {
  const api = useApi()
  const { username = '' } = useParams()
  const [search, setSearch] = useSearchParams()
  const { data: profile } = useSuspenseQuery(profileQuery(api, username))
  const sort = readSort(search)
  const query = useInfiniteQuery(booksQuery(api, profile.id, sort))
  const isOwner = useSession()?.user.id === profile.id
  const title = isOwner ? 'My Books' : `${profile.username}'s Books`
  return (
    <Container>
      <PageHead
        title={title}
        description={`The books of ${profile.username}, with progress and ratings.`}
        path={`/u/${profile.username}/books`}
      />
      <PageHeader
        title={title}
        badge={query.data ? <Badge>{totalOf(query.data)}</Badge> : null}
        actions={
          <>
            {isOwner ? <AddBook /> : null}
            <SelectField
              label="Sort"
              hideLabel
              value={sort}
              options={Object.entries(bookSorts).map(([value, label]) => ({ value, label }))}
              onChange={(event) =>
                setSearch({ sort: event.currentTarget.value }, { preventScrollReset: true })
              }
            />
          </>
        }
      />
      <h2 className="sr-only">Books</h2>
      <ListFaces
        query={query}
        noun="books"
        skeleton={<SkeletonGroup count={6} of={BookRowSkeleton} label="Loading books…" />}
        empty={
          <EmptyState
            icon={<Library />}
            action={
              isOwner ? (
                <Button asChild variant="primary">
                  <Link to="/explore">Find a book</Link>
                </Button>
              ) : undefined
            }
          >
            Add books to build your list.
          </EmptyState>
        }
      >
        {(books) => (
          <ul className="border-t border-line">
            {books.map((book, place) => (
              <BookRow key={book.id} book={book} isOwner={isOwner} priority={place < 6} />
            ))}
          </ul>
        )}
      </ListFaces>
    </Container>
  )
}
