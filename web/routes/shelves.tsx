import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronDown, Plus, Settings2 } from 'lucide-react'
import { Suspense, type ReactNode } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { useSearchParams } from 'react-router'
import type { Bookshelf } from '#shared/bookshelf.ts'
import { useApi } from '#web/api/context.ts'
import { shelvesQuery } from '#web/api/library-lists.ts'
import { browserLoader, serverLoader, type Load, noMeta } from '#web/api/load.ts'
import { profileQuery, useProfile } from '#web/api/profile.ts'
import { fetchAllShelves } from '#web/api/fetch-all.ts'
import { ListStates, totalOf } from '#web/features/library/book-list/list-states.tsx'
import { useSelection } from '#web/features/library/bulk-edit/selection.tsx'
import { ShelfCard, ShelfCardSkeleton } from '#web/features/library/shelves/shelf-card.tsx'
import { ListSearch } from '#web/features/library/book-list/list-search.tsx'
import { useShelfDialog } from '#web/features/library/shelves/use-shelf-dialog.ts'
import { ScreenMenu } from '#web/features/profile/screen-menu.tsx'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { t } from '#web/i18n/books.ts'
import { formatNumber } from '#web/i18n/format.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { OnDemand } from '#web/ui/on-demand.tsx'
import { Container, HeaderCount, ListHeader } from '#web/ui/page-shell.tsx'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'

const load: Load = async ({ api, fetch, startPages, params, url }) => {
  const profile = await fetch(profileQuery(api, params['username'] ?? ''))
  await startPages(shelvesQuery(api, profile.id, url.searchParams.get('name') ?? ''))
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = noMeta

const gridClass = 'grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3'

const fetchMenu = () => import('#web/features/library/shelves/shelves-menu.tsx')
const ShelvesMenu = lazy(fetchMenu)
const BulkBar = lazy(() => import('#web/features/library/bulk-edit/bulk-bar.tsx'))

const manageButton = () => (
  <Button icon={<Settings2 />} className="sign-on-phone pe-3">
    <span className="max-md:sr-only">{t('manage')}</span>
    <ChevronDown aria-hidden className="size-4 max-md:hidden" />
  </Button>
)

export default function ShelvesScreen() {
  const api = useApi()
  const { profile, isOwner, name: reader } = useProfile()
  const [search] = useSearchParams()
  const name = search.get('name') ?? ''
  const list = shelvesQuery(api, profile.id, name)
  const query = useInfiniteQuery(list)
  const title = isOwner ? t('myShelves') : t('shelvesOf', { name: reader })
  const total = totalOf(query.data)
  const { selection, begin, end } = useSelection<Bookshelf>(name)
  const fetchShelves = () => fetchAllShelves(api, profile.id, name)
  const { Dialog, round, state, button } = useShelfDialog()
  const isSearch = name !== ''
  return (
    <Container>
      <PageMeta
        title={title}
        description={t('shelvesDescription', { username: profile.username })}
        path={`/u/${profile.username}/shelves`}
      />
      <ListHeader
        title={title}
        badge={query.data ? <HeaderCount>{formatNumber(total)}</HeaderCount> : null}
        search={
          total > 0 || isSearch ? (
            <ListSearch name="name" label={t('searchShelvesByName')} maxLength={100} />
          ) : null
        }
        actions={
          isOwner ? (
            <>
              <OnDemand button={manageButton()} preload={fetchMenu}>
                {(trigger) => (
                  <ShelvesMenu
                    trigger={trigger}
                    onNew={button.onClick}
                    onBulkEdit={total > 0 ? begin : undefined}
                  />
                )}
              </OnDemand>
              <ScreenMenu profile={profile} />
            </>
          ) : null
        }
      />
      {/* Keeps the footer below the fold while the list grows. */}
      <div className="min-h-[70dvh] pt-2">
        <ListStates
          queryKey={list.queryKey}
          query={query}
          status={(count, total) => t('shownOfShelves', { count, total })}
          skeleton={
            <SkeletonGroup
              count={6}
              of={ShelfCardSkeleton}
              label={t('loadingShelves')}
              className={gridClass}
            />
          }
          empty={
            isSearch ? (
              <ErrorState
                tone="empty"
                title={t('noShelvesFound')}
                message={t('noShelfNameMatches')}
              />
            ) : (
              <NoShelves
                newShelf={
                  isOwner ? (
                    <Button variant="primary" icon={<Plus />} {...button}>
                      {t('newShelf')}
                    </Button>
                  ) : null
                }
              />
            )
          }
        >
          {(shelves) => (
            <ul className={gridClass}>
              {shelves.map((shelf) => (
                <ShelfCard key={shelf.id} shelf={shelf} selection={selection} />
              ))}
            </ul>
          )}
        </ListStates>
        {selection && total > 0 ? (
          <Suspense>
            <BulkBar
              user={profile.id}
              target={{ kind: 'shelves', chosen: selection.chosen, fetch: fetchShelves }}
              total={total}
              onSelectAll={async () => selection.set(await fetchShelves())}
              onKeep={selection.keep}
              onEnd={end}
            />
          </Suspense>
        ) : null}
      </div>
      {Dialog ? <Dialog key={round} {...state} /> : null}
    </Container>
  )
}

function NoShelves({ newShelf }: { newShelf: ReactNode }) {
  return (
    <EmptyState title={t('noShelvesFound')} action={newShelf}>
      {newShelf ? t('createAShelf') : t('noShelvesHereYet')}
    </EmptyState>
  )
}
