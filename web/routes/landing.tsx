import { useQuery } from '@tanstack/react-query'
import { redirect } from 'react-router'
import { useApi } from '#web/api/context.ts'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { sampleLibraryQuery } from '#web/api/sample-library.ts'
import { sessionQuery } from '#web/api/session.ts'
import { useHasPlans, useSite } from '#web/api/site.ts'
import { foundQuery, landingBooksQuery } from '#web/features/landing/landing-books.ts'
import { LandingPage } from '#web/features/landing/landing-page.tsx'
import { StructuredData } from '#web/features/landing/structured-data.tsx'
import { t } from '#web/i18n/landing.ts'
import { PageAddress } from '#web/i18n/page-address.tsx'

const load: Load = async ({ api, fetch }) => {
  if (await fetch(sessionQuery(api))) throw redirect('/explore')
  // Without a catalogue the page still says what Octavo is.
  await Promise.all([
    fetch(landingBooksQuery(api)).catch(() => undefined),
    fetch(foundQuery(api)).catch(() => undefined),
    fetch(sampleLibraryQuery(api)).catch(() => undefined),
  ])
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = () => [
  { title: 'Octavo' },
  { property: 'og:type', content: 'website' },
  { property: 'og:site_name', content: 'Octavo' },
  // In a link preview the name alone says too little.
  { property: 'og:title', content: t('linkTitle') },
  { name: 'twitter:card', content: 'summary_large_image' },
]

const nothing = { hero: undefined, books: [] }

export default function LandingScreen() {
  const api = useApi()
  const { data: { hero, books } = nothing } = useQuery(landingBooksQuery(api))
  const { data: found = null } = useQuery({ ...foundQuery(api), enabled: false })
  const { data: sample = null } = useQuery(sampleLibraryQuery(api))
  const { url } = useSite()
  const description = t('pageDescription', { hasPlans: String(useHasPlans()) })
  return (
    <>
      <meta name="description" content={description} />
      <meta property="og:description" content={description} />
      <PageAddress url={`${url}/`} />
      <meta property="og:url" content={`${url}/`} />
      <meta property="og:image" content={`${url}/previews/octavo.jpg`} />
      <StructuredData />
      <LandingPage hero={hero} books={books} found={found} sample={sample} />
    </>
  )
}
