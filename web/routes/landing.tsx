import { useQuery } from '@tanstack/react-query'
import { redirect } from 'react-router'
import { useApi } from '#web/api/context.ts'
import { browserLoader, serverLoader, type Load } from '#web/api/load.ts'
import { sessionQuery } from '#web/api/session.ts'
import { useSite } from '#web/api/site.ts'
import { Community } from '#web/features/landing/community.tsx'
import { CoverWall } from '#web/features/landing/cover-wall.tsx'
import { Hero } from '#web/features/landing/hero.tsx'
import { landingBooksQuery } from '#web/features/landing/landing-books.ts'
import { SellingPoints } from '#web/features/landing/selling-points.tsx'
import { SignUpCall } from '#web/features/landing/sign-up-call.tsx'
import { StructuredData } from '#web/features/landing/structured-data.tsx'
import { Testimonials } from '#web/features/landing/testimonials.tsx'

const load: Load = async ({ api, fetch }) => {
  if (await fetch(sessionQuery(api))) throw redirect('/explore')
  // Without a catalogue the page still says what Octavo is.
  await fetch(landingBooksQuery(api)).catch(() => undefined)
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

const title = 'Octavo: every book you have read, and the page you are on'
const description =
  'Track books, organize collections and connect with readers worldwide. Free to start.'

export const meta = () => [
  { title },
  { name: 'description', content: description },
  { property: 'og:type', content: 'website' },
  { property: 'og:site_name', content: 'Octavo' },
  { property: 'og:title', content: title },
  { property: 'og:description', content: description },
]

export default function LandingScreen() {
  const { data: books = [] } = useQuery(landingBooksQuery(useApi()))
  const { url } = useSite()
  return (
    <>
      <link rel="canonical" href={`${url}/`} />
      <StructuredData />
      <Hero books={books} />
      <SellingPoints />
      <CoverWall books={books} />
      <Testimonials />
      <Community />
      <SignUpCall />
    </>
  )
}
