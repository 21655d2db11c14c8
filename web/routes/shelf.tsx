import { useSuspenseQuery } from '@tanstack/react-query'
import { Eye, ListChecks, Pencil, Trash2 } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import {
  useLoaderData,
  useLocation,
  useNavigate,
  useParams,
  useSearchParams,
  type LoaderFunctionArgs,
} from 'react-router'
import { parseBookSort, type BookSort } from '#shared/book-filter.ts'
import type { Bookshelf } from '#shared/bookshelf.ts'
import type { UserBook } from '#shared/user-book.ts'
import { visitorViewSearch } from '#shared/visitor-view.ts'
import { useApi } from '#web/api/context.ts'
import { isNotFound } from '#web/api/errors.ts'
import { shelfQuery } from '#web/api/shelf.ts'
import { shelfBooks } from '#web/api/library-lists.ts'
import { browserLoader, serverLoader, type Load, noMeta } from '#web/api/load.ts'
import { useLiveReader } from '#web/api/realtime.ts'
import { useSession } from '#web/api/session.ts'
import { fetchAllBooks } from '#web/api/fetch-all.ts'
import { BookEditorHost } from '#web/features/library/book-editor/book-editor-host.tsx'
import { useSelection } from '#web/features/library/bulk-edit/selection.tsx'
import { bookAction } from '#web/features/library/reading/book-action.ts'
import { ShelfBooks } from '#web/features/library/shelves/shelf-books.tsx'
import { EmptyShelf, ShelfHeader } from '#web/features/library/shelves/shelf-header.tsx'
import { readShelfView, useShelfView } from '#web/features/library/shelves/shelf-view.tsx'
import {
  useDeleteShelfDialog,
  useShelfDialog,
} from '#web/features/library/shelves/use-shelf-dialog.ts'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { AddBook } from '#web/features/scan/add-book.tsx'
import { ErrorPage } from '#web/features/shell/error-page.tsx'
import { t } from '#web/i18n/books.ts'
import { Container } from '#web/ui/page-shell.tsx'

const BulkBar = lazy(() => import('#web/features/library/bulk-edit/bulk-bar.tsx'))

/** The default order of a shelf. */
const shelfSort: BookSort = 'title'

const load: Load = async ({ api, fetch, start, params, url }) => {
  const id = params['shelfId'] ?? ''
  await fetch(shelfQuery(api, id))
  await start(shelfBooks(api, id, parseBookSort(url.searchParams, shelfSort)).page(1))
}

const loadShelf = serverLoader(load)

export const loader = async (args: LoaderFunctionArgs) => ({
  ...(await loadShelf(args)),
  view: readShelfView(args.request.headers.get('cookie') ?? ''),
})
export const clientLoader = browserLoader(load)

export const action = bookAction

export const meta = noMeta

export default function ShelfScreen() {
  const { shelfId = '' } = useParams()
  const { data: shelf, error } = useSuspenseQuery(shelfQuery(useApi(), shelfId))
  if (isNotFound(error)) return <ErrorPage error={error} />
  // Reset the selection when the shelf changes.
  return <ShelfPage key={shelf.id} shelf={shelf} />
}

function ShelfPage({ shelf }: { shelf: Bookshelf }) {
  const api = useApi()
  const { selection, begin, end } = useSelection<UserBook>()
  const isOwner = useSession()?.user.id === shelf.user
  const [view, setView] = useShelfView(useLoaderData<typeof loader | null>()?.view)
  const [search, setSearch] = useSearchParams()
  const sort = parseBookSort(search, shelfSort)
  const edit = useShelfDialog()
  const question = useDeleteShelfDialog()
  const [deleting, setDeleting] = useState(false)
  const navigate = useNavigate()
  useLiveReader(deleting ? undefined : shelf.user)

  const owner = shelf.expand?.user?.username ?? ''
  useOwnerInAddress(owner)
  const fetchBooks = (ids?: readonly string[]) =>
    fetchAllBooks(api, api.filter('shelf = {:id}', { id: shelf.id }), ids)
  const leave = () => navigate(`/u/${owner}/shelves`)
  return (
    <Container>
      <PageMeta
        title={shelf.name}
        description={t('shelfDescription', { name: shelf.name, owner })}
        path={`/shelf/${shelf.id}`}
        feed={shelf.visibility === 'public' ? `/shelf/${shelf.id}/feed.atom` : undefined}
      />
      <ShelfHeader
        shelf={shelf}
        view={view}
        onViewChange={setView}
        sort={sort}
        onSortChange={(next) =>
          setSearch(
            { username: owner, ...(next !== shelfSort && { sort: next }) },
            { replace: true, preventScrollReset: true },
          )
        }
        entries={
          isOwner
            ? [
                {
                  label: t('bulkEdit'),
                  icon: <ListChecks aria-hidden />,
                  disabled: shelf.book_count === 0,
                  action: selection ? end : begin,
                },
                {
                  label: t('editShelf'),
                  icon: <Pencil aria-hidden />,
                  action: edit.button.onClick,
                },
                {
                  label: t('viewAsVisitor'),
                  icon: <Eye aria-hidden />,
                  action: visitorViewSearch,
                },
                {
                  label: t('deleteShelf'),
                  icon: <Trash2 aria-hidden />,
                  tone: 'danger',
                  action: question.button.onClick,
                },
              ]
            : undefined
        }
        add={
          isOwner ? (
            <AddBook shelf={shelf.id} variant={shelf.book_count > 0 ? 'primary' : 'secondary'} />
          ) : undefined
        }
      />
      <h2 className="sr-only">{t('books')}</h2>
      {/* Keeps the footer below the fold while the list grows. */}
      <div className="min-h-[70dvh]">
        {/* The last book takes its shelf's page with it. */}
        <BookEditorHost onRemoved={shelf.book_count > 1 ? undefined : leave}>
          <ShelfBooks
            // A spine has no room for a tick.
            view={selection && view === 'spines' ? 'list' : view}
            // Another order begins at its top.
            key={sort}
            source={shelfBooks(api, shelf.id, sort)}
            isOwner={isOwner}
            selection={selection}
            empty={<EmptyShelf isOwner={isOwner} />}
          />
        </BookEditorHost>
        {selection ? (
          <Suspense>
            <BulkBar
              user={shelf.user}
              target={{ kind: 'books', chosen: selection.chosen, fetch: fetchBooks }}
              total={shelf.book_count}
              onSelectAll={async () => selection.set(await fetchBooks())}
              onKeep={selection.keep}
              onEnd={end}
              onEmptied={leave}
            />
          </Suspense>
        ) : null}
      </div>
      {edit.Dialog ? <edit.Dialog key={edit.round} shelf={shelf} {...edit.state} /> : null}
      {question.Dialog ? (
        <question.Dialog
          key={question.round}
          shelf={shelf}
          {...question.state}
          onDeleting={setDeleting}
          onDeleted={leave}
        />
      ) : null}
    </Container>
  )
}

/**
 * The path of a shelf doesn't name its owner, so the query does. Past the router, which would render
 * the page again, parts of which may not be live yet.
 */
function useOwnerInAddress(owner: string): void {
  const { pathname, search, hash } = useLocation()
  useEffect(() => {
    const query = new URLSearchParams(search)
    if (!owner || query.get('username') === owner) return
    query.set('username', owner)
    history.replaceState(history.state, '', `${pathname}?${query.toString()}${hash}`)
  }, [owner, pathname, search, hash])
}
