import { useSite } from '#web/api/site.ts'
import { Community } from './community.tsx'
import { CoverWall } from './cover-wall.tsx'
import { Hero } from './hero.tsx'
import type { LandingBook } from './landing-books.ts'
import { SellingPoints } from './selling-points.tsx'
import { SignUpCall } from './sign-up-call.tsx'
import { Demos } from './demos.tsx'
import { Testimonials } from './testimonials.tsx'

/** The start page for visitors. */
export function LandingPage(props: { books: readonly LandingBook[]; found: LandingBook | null }) {
  const { books, found } = props
  const { testimonials } = useSite()
  return (
    <>
      <Hero books={books} />
      <SellingPoints />
      <CoverWall books={books} />
      {testimonials ? (
        <Testimonials testimonials={testimonials} />
      ) : (
        <Demos books={books} found={found} />
      )}
      <Community />
      <SignUpCall />
    </>
  )
}
