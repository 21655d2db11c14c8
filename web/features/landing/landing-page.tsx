import type { SampleLibrary } from '#shared/sample-library.ts'
import { Suspense } from 'react'
import { useSite } from '#web/api/site.ts'
import { lazy } from '#web/ui/lazy.ts'
import { BringLibrary } from './bring-library.tsx'
import { Community } from './community.tsx'
import { CoverWall } from './cover-wall.tsx'
import { Hero } from './hero.tsx'
import type { LandingBook } from './landing-books.ts'
import { SampleYear } from './sample-year.tsx'
import { SellingPoints } from './selling-points.tsx'
import { SignUpCall } from './sign-up-call.tsx'
import { Demos } from './demos.tsx'
import { Yours } from './yours.tsx'

/** Few sites have some. */
const Testimonials = lazy(() => import('./testimonials.tsx'))

/** The start page for visitors. */
export function LandingPage(props: {
  hero: LandingBook | undefined
  books: readonly LandingBook[]
  found: LandingBook | null
  sample: SampleLibrary | null
}) {
  const { hero, books, found, sample } = props
  const { testimonials } = useSite()
  return (
    <>
      <Hero hero={hero} books={books} />
      <SellingPoints />
      {sample ? (
        <>
          <BringLibrary sample={sample} />
          <SampleYear sample={sample} />
        </>
      ) : null}
      <CoverWall books={books} />
      {testimonials ? (
        <Suspense>
          <Testimonials testimonials={testimonials} />
        </Suspense>
      ) : (
        <Demos books={books} found={found} />
      )}
      <Yours />
      <Community />
      <SignUpCall />
    </>
  )
}
