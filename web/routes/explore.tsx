import { useSuspenseQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { curatedQuery, searchQuery } from '#web/api/catalogue.ts'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { ActiveFilters } from '#web/features/catalogue/active-filters.tsx'
import { AdvancedSearch } from '#web/features/catalogue/advanced-search.tsx'
import { CuratedSections, shownAtFirst } from '#web/features/catalogue/curated-sections.tsx'
import { readSearch } from '#web/features/catalogue/search-address.ts'
import { SearchBox } from '#web/features/catalogue/search-box.tsx'
import { SearchResults } from '#web/features/catalogue/search-results.tsx'
import { askedQuery } from '#web/features/catalogue/use-search.ts'
import { PageHead } from '#web/features/shell/page-head.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Container, PageHeader } from '#web/ui/page-shell.tsx'

const load: Load = async ({ api, fetch, startPages, url }) => {
  const search = readSearch(url.searchParams)
  const asked = await fetch(askedQuery(search))
  if (asked.state === 'search')
    await startPages({ ...searchQuery(api, asked.form), pages: search.page })
  // The screen says what went wrong, and offers another try.
  if (asked.state === 'nothing') await fetch(curatedQuery(api, shownAtFirst)).catch(() => undefined)
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

/** Made with the page: {@link PageHead}. */
export const meta = () => []

const description = 'Search and filter books around the world.'

export default function ExploreScreen() {
  const [params] = useSearchParams()
  const { data: asked } = useSuspenseQuery(askedQuery(readSearch(params)))
  return (
    <Container>
      <PageHead title="Explore" description={description} path="/explore" />
      <PageHeader title="Explore" description={description} />
      <div className="mb-6 flex items-start gap-2 md:mb-8">
        <SearchBox />
        <AdvancedSearch />
      </div>
      {asked.state === 'nothing' ? <CuratedSections /> : <ActiveFilters />}
      {asked.state === 'search' ? <SearchResults form={asked.form} /> : null}
      {asked.state === 'wrong' ? (
        <ErrorState title="Input Error" messages={Object.values(asked.messages)} />
      ) : null}
    </Container>
  )
}
