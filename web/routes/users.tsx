import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { minCommonBooks } from '#shared/directory.ts'
import { useApi } from '#web/api/context.ts'
import { browserLoader, serverLoader, type Load, noMeta } from '#web/api/load.ts'
import { readersQuery } from '#web/api/directory.ts'
import { sessionQuery, useSession } from '#web/api/session.ts'
import { ListStates } from '#web/features/library/book-list/list-states.tsx'
import { readDirectory } from '#web/features/directory/directory-address.ts'
import { DirectoryControls } from '#web/features/directory/directory-controls.tsx'
import {
  ReaderCard,
  ReaderCardSkeleton,
  readersGridClass,
} from '#web/features/directory/reader-card.tsx'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Container, PageHeader } from '#web/ui/page-shell.tsx'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'
import { t } from '#web/i18n/directory.ts'

const load: Load = async ({ api, fetch, startPages, url }) => {
  const session = await fetch(sessionQuery(api))
  await startPages(readersQuery(api, readDirectory(url.searchParams, session !== null)))
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = noMeta

export default function UsersScreen() {
  const [search] = useSearchParams()
  const isReader = useSession() !== null
  const address = readDirectory(search, isReader)
  const list = readersQuery(useApi(), address)
  const query = useInfiniteQuery(list)
  return (
    <Container>
      <PageMeta title={t('users')} description={t('readersWhoShareWhatThey')} path="/users" />
      <PageHeader title={t('discoverUsersWithSimilarTaste')} />
      <DirectoryControls address={address} isReader={isReader} />
      {/* Keeps the footer below the fold while the list grows. */}
      <div className="min-h-[70dvh]">
        <ListStates
          queryKey={list.queryKey}
          query={query}
          status={(count, total) => t('shownOfReaders', { count, total })}
          skeleton={
            <SkeletonGroup
              count={6}
              of={ReaderCardSkeleton}
              label={t('loadingReaders')}
              className={readersGridClass}
            />
          }
          empty={<Nobody sort={address.sort} isSearch={address.q !== ''} isReader={isReader} />}
        >
          {(readers) => (
            <ul className={readersGridClass}>
              {readers.map((reader, place) => (
                <ReaderCard key={reader.id} reader={reader} priority={place < 3} />
              ))}
            </ul>
          )}
        </ListStates>
      </div>
    </Container>
  )
}

/** Says why the list is empty. For similar taste the reader may have rated too few books. */
function Nobody(props: { sort: string; isSearch: boolean; isReader: boolean }) {
  const { sort, isSearch, isReader } = props
  if (isSearch)
    return (
      <EmptyState
        action={
          <Button asChild>
            <Link to="/users">{t('showAllReaders')}</Link>
          </Button>
        }
      >
        {t('noReadersFound')}
      </EmptyState>
    )
  if (sort !== 'similar')
    return (
      <EmptyState title={isReader ? t('youreTheFirstOneHere') : t('noReadersYet')}>
        {t('readersWithAPublicProfile')}
      </EmptyState>
    )
  return (
    <EmptyState
      title={t('notEnoughToCompareYet')}
      action={
        <Button asChild variant="primary">
          <Link to="/explore">{t('findABook')}</Link>
        </Button>
      }
    >
      {t('noSimilarReaders', { count: minCommonBooks })}
    </EmptyState>
  )
}
