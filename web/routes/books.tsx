import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { LibraryBig, List, ListChecks } from 'lucide-react'
import { Suspense } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { useLoaderData, useSearchParams, type LoaderFunctionArgs } from 'react-router'
import { activeFilters, parseBookFilter } from '#shared/book-filter.ts'
import { canRemember } from '#shared/suggestion.ts'
import type { UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { bookFilter, readerBooks, statusCountsQuery } from '#web/api/library-lists.ts'
import { browserLoader, serverLoader, type Load, type LoadInput, noMeta } from '#web/api/load.ts'
import { profileQuery, useProfile } from '#web/api/profile.ts'
import { ownRecordsQuery } from '#web/api/reading.ts'
import { ownSeriesQuery } from '#web/api/series.ts'
import { sessionQuery } from '#web/api/session.ts'
import { fetchAllBooks } from '#web/api/fetch-all.ts'
import { inGroups, ownRecordsOf } from '#web/features/library/add-to-shelf/add-to-shelf-owned.tsx'
import { BookEditorHost } from '#web/features/library/book-editor/book-editor-host.tsx'
import {
  BookFilterControls,
  ResetFilters,
} from '#web/features/library/my-books/book-filter-controls.tsx'
import { BookList } from '#web/features/library/book-list/book-list.tsx'
import { ListSearch } from '#web/features/library/book-list/list-search.tsx'
import { NoBooks } from '#web/features/library/book-list/no-books.tsx'
import { useSelection } from '#web/features/library/bulk-edit/selection.tsx'
import { bookAction } from '#web/features/library/reading/book-action.ts'
import { readShelfView, useShelfView } from '#web/features/library/shelves/shelf-view.tsx'
import { ScreenMenu } from '#web/features/profile/screen-menu.tsx'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { AddBook } from '#web/features/scan/add-book.tsx'
import { t } from '#web/i18n/books.ts'
import { formatNumber } from '#web/i18n/format.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Container, HeaderCount, ListHeader } from '#web/ui/page-shell.tsx'

/** Loaded only for the grid and spine views; the server renders them with the page. */
const ShelfBooks = lazy(async () => ({
  default: (await import('#web/features/library/shelves/shelf-books.tsx')).ShelfBooks,
}))
const OwnSeries = lazy(() => import('#web/features/catalogue/own-series.tsx'))
const RememberedBooks = lazy(() => import('#web/features/library/my-books/remembered-books.tsx'))
const BulkBar = lazy(() => import('#web/features/library/bulk-edit/bulk-bar.tsx'))

const isBySeries = (search: URLSearchParams) => search.get('group') === 'series'

const load: Load = async (input) => {
  const { api, fetch, start, params, url } = input
  const profile = await fetch(profileQuery(api, params['username'] ?? ''))
  const session = await fetch(sessionQuery(api))
  const isOwner = session?.user.id === profile.id
  await Promise.all([
    start(readerBooks(api, profile.id, parseBookFilter(url.searchParams)).page(1)),
    isOwner ? start(statusCountsQuery(api, profile.id)) : null,
    isOwner && isBySeries(url.searchParams) ? startSeries(input, profile.id) : null,
  ])
}

/** Starts the reader's series with what they have of each. */
async function startSeries({ api, start, startPages }: LoadInput, user: string): Promise<void> {
  const pages = (await startPages(ownSeriesQuery(api, user)))?.pages ?? []
  const records = pages.flatMap(({ series }) => series).map((found) => ownRecordsOf(found))
  const groups = records.flatMap((ids) => inGroups([...new Set(ids.values())]))
  await Promise.all(groups.map((ids) => start(ownRecordsQuery(api, user, ids))))
}

const loadBooks = serverLoader(load)

export const loader = async (args: LoaderFunctionArgs) => ({
  ...(await loadBooks(args)),
  view: readShelfView(args.request.headers.get('cookie') ?? '', 'books'),
})
export const clientLoader = browserLoader(load)

export const action = bookAction

export const meta = noMeta

export default function BooksScreen() {
  const api = useApi()
  const { profile, isOwner, name } = useProfile()
  const [search] = useSearchParams()
  const q = search.get('q') ?? ''
  const isSearch = isOwner && canRemember(q)
  const isGrouped = isOwner && !isSearch && isBySeries(search)
  const filter = parseBookFilter(search)
  const [view, setView] = useShelfView(useLoaderData<typeof loader | null>()?.view, 'books')
  const source = readerBooks(api, profile.id, filter)
  // While another list is on its way the last one's number stays, and nothing moves.
  const first = useQuery({ ...source.page(1), placeholderData: keepPreviousData })
  const total = first.data?.totalItems
  const { selection, begin, end } = useSelection<UserBook>(JSON.stringify({ ...filter, sort: '' }))
  const fetchBooks = (ids?: readonly string[]) =>
    fetchAllBooks(api, bookFilter(api, profile.id, filter), ids)
  const isEmpty = total === 0 && activeFilters(filter) === 0 && !first.isPlaceholderData
  const listKey = JSON.stringify([profile.id, filter])
  const empty =
    activeFilters(filter) > 0 ? (
      <ErrorState
        tone="empty"
        title={t('noResultsFound')}
        message={t('noBooksMatch')}
        action={<ResetFilters />}
      />
    ) : (
      <NoBooks isOwner={isOwner}>{t('addBooksToBuild')}</NoBooks>
    )
  const list = { source, isOwner, selection, empty }
  const path = `/u/${profile.username}/books`
  const title = isOwner ? t('myBooks') : t('booksOf', { name })
  return (
    <Container>
      <PageMeta
        title={title}
        description={t('booksDescription', { username: profile.username })}
        path={path}
      />
      <ListHeader
        title={title}
        badge={total === undefined ? null : <HeaderCount>{formatNumber(total)}</HeaderCount>}
        search={
          isOwner && !isEmpty ? (
            <ListSearch
              name="q"
              label={t('searchMyBooks')}
              placeholder={t('searchMyBooksHint')}
              maxLength={255}
            />
          ) : null
        }
        actions={
          isOwner ? (
            <>
              <AddBook variant={isEmpty ? 'secondary' : 'primary'} />
              <ScreenMenu
                profile={profile}
                entries={
                  isEmpty || isSearch
                    ? []
                    : [
                        {
                          label: t('bulkEdit'),
                          icon: <ListChecks aria-hidden />,
                          disabled: !total || isGrouped,
                          action: selection ? end : begin,
                        },
                        isGrouped
                          ? { label: t('showAllBooks'), icon: <List aria-hidden />, action: path }
                          : {
                              label: t('groupBySeries'),
                              icon: <LibraryBig aria-hidden />,
                              action: `${path}?group=series`,
                            },
                      ]
                }
              />
            </>
          ) : null
        }
      />
      {isEmpty || isSearch || isGrouped ? null : (
        <BookFilterControls
          user={profile.id}
          isOwner={isOwner}
          view={view}
          onViewChange={setView}
        />
      )}
      <h2 className="sr-only">{t('books')}</h2>
      {/* Keeps the footer below the fold while the list grows. */}
      <div className="min-h-[70dvh]">
        <BookEditorHost>
          {/* Another list begins at its top; a spine has no room for a tick. */}
          {isSearch ? (
            <Suspense>
              <RememberedBooks user={profile.id} text={q} />
            </Suspense>
          ) : isGrouped ? (
            <Suspense>
              <OwnSeries user={profile.id} />
            </Suspense>
          ) : view === 'list' || (selection && view === 'spines') ? (
            <BookList key={listKey} {...list} />
          ) : (
            <Suspense>
              <ShelfBooks key={listKey} view={view} {...list} showShelf />
            </Suspense>
          )}
        </BookEditorHost>
        {selection && total !== undefined && !isSearch ? (
          <Suspense>
            <BulkBar
              user={profile.id}
              target={{ kind: 'books', chosen: selection.chosen, fetch: fetchBooks }}
              total={total}
              onSelectAll={async () => selection.set(await fetchBooks())}
              onKeep={selection.keep}
              onEnd={end}
            />
          </Suspense>
        ) : null}
      </div>
    </Container>
  )
}
