import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { CuratedSections as CuratedBooks } from '#shared/book.ts'
import { becauseLikedQuery } from '#web/api/because-liked.ts'
import { curatedQuery } from '#web/api/catalogue.ts'
import { diaryQuery } from '#web/api/diary.ts'
import { goalsQuery } from '#web/api/goals.ts'
import { nextVolumesQuery } from '#web/api/next-volumes.ts'
import { searchQuery } from '#web/api/search.ts'
import { useApi } from '#web/api/context.ts'
import { browserLoader, serverLoader, type Load, type LoadInput, noMeta } from '#web/api/load.ts'
import {
  ownedQuery,
  readingNowQuery,
  unknownDeviceBookQuery,
  upNextQuery,
} from '#web/api/reading.ts'
import { useLiveReader } from '#web/api/realtime.ts'
import { sessionQuery, useSession, type Session } from '#web/api/session.ts'
import { ActiveFilters } from '#web/features/catalogue/active-filters.tsx'
import { AdvancedSearch } from '#web/features/catalogue/advanced-search.tsx'
import { CuratedSections, shownAtFirst } from '#web/features/catalogue/curated-sections.tsx'
import { readSearch } from '#web/features/catalogue/search-address.ts'
import { SearchBox } from '#web/features/catalogue/search-box.tsx'
import { SearchResults } from '#web/features/catalogue/search-results.tsx'
import { askedQuery } from '#web/features/catalogue/use-search.ts'
import { inGroups, keyed } from '#web/features/library/add-to-shelf/add-to-shelf-owned.tsx'
import { BookEditorHost } from '#web/features/library/book-editor/book-editor-host.tsx'
import { bookAction } from '#web/features/library/reading/book-action.ts'
import { DeviceQuestion } from '#web/features/library/reading/device-question.tsx'
import { ReadingStrip, UpNext } from '#web/features/library/reading/reading-strip.tsx'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Container, PageHeader } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/catalogue.ts'
import { lazy } from '#web/ui/lazy.ts'

const fetchHomeYear = () => import('#web/features/profile/home-year.tsx')
/** Visitors have no year. */
const HomeYear = lazy(fetchHomeYear)

const load: Load = async (input) => {
  const { api, fetch, startPages, url } = input
  const search = readSearch(url.searchParams)
  const asked = await fetch(askedQuery(api, search))
  const reading = asked.state === 'nothing' ? loadReading(input) : undefined
  if (asked.state === 'search')
    await startPages({ ...searchQuery(api, asked.form), pages: search.page })
  // The screen says what went wrong, and offers another try.
  if (asked.state === 'nothing') {
    const curated = await fetch(curatedQuery(api, shownAtFirst)).catch(() => undefined)
    const user = (await reading)?.user.id
    if (curated && user) await loadOwned(input, user, curated)
  }
}

/** Loads the reader's own records of the curated books. If that fails, the page tries again. */
async function loadOwned(
  { api, fetch }: LoadInput,
  user: string,
  { classics, manga }: CuratedBooks,
): Promise<void> {
  const groups = [classics, manga].flatMap((books) => inGroups(keyed(books)))
  await Promise.all(
    groups.map((group) => fetch(ownedQuery(api, user, group)).catch(() => undefined)),
  )
}

/** The page is worth showing without them. */
async function loadReading({ api, fetch, startPages }: LoadInput): Promise<Session | null> {
  const session = await fetch(sessionQuery(api)).catch(() => null)
  if (!session) return null
  const { id, username } = session.user
  const books = [readingNowQuery(api, id), upNextQuery(api, id)].map((query) => fetch(query))
  const all = [
    ...books,
    fetch(unknownDeviceBookQuery(api, id)),
    fetch(goalsQuery(api, username)),
    startPages(diaryQuery(api, username)),
    fetch(nextVolumesQuery(api, id)),
    fetch(becauseLikedQuery(api, id)),
    fetchHomeYear(),
  ]
  await Promise.all(all.map((one) => one.catch(() => undefined)))
  return session
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const action = bookAction

export const meta = noMeta

export default function ExploreScreen() {
  const description = t('exploreDescription')
  const [params] = useSearchParams()
  const { data: asked } = useSuspenseQuery(askedQuery(useApi(), readSearch(params)))
  const reader = useSession()?.user
  const user = reader?.id
  useLiveReader(user)
  // The box that is typed into stays where it is while results come.
  const [isHome] = useState(asked.state === 'nothing')
  const hasStrip = user !== undefined && (isHome || asked.state === 'nothing')
  return (
    // Keeps the footer out of sight, so that it doesn't jump while results change.
    <Container className="min-h-svh">
      <PageMeta title={t('explore')} description={description} path="/explore" />
      <BookEditorHost>
        <PageHeader title={t('explore')} description={description} />
        {hasStrip ? <DeviceQuestion user={user} /> : null}
        {hasStrip ? (
          <ReadingStrip user={user} isSteady={asked.state !== 'nothing'} className="mb-8" />
        ) : null}
        <div className="mb-6 flex items-start gap-2 md:mb-8">
          <SearchBox />
          <AdvancedSearch />
        </div>
        {asked.state === 'nothing' && reader ? (
          <>
            <UpNext user={reader.id} className="mb-8" />
            <Suspense>
              <HomeYear user={reader} />
            </Suspense>
          </>
        ) : null}
        {asked.state === 'nothing' ? <CuratedSections /> : <ActiveFilters />}
        {asked.state === 'search' ? <SearchResults form={asked.form} /> : null}
        {asked.state === 'wrong' ? (
          <ErrorState title={t('inputError')} messages={Object.values(asked.messages)} />
        ) : null}
      </BookEditorHost>
    </Container>
  )
}
