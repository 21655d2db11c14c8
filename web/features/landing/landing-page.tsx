import { Community } from './community.tsx'
import { CoverWall } from './cover-wall.tsx'
import { Hero } from './hero.tsx'
import type { LandingBook } from './landing-books.ts'
import { SellingPoints } from './selling-points.tsx'
import { SignUpCall } from './sign-up-call.tsx'
import { Testimonials } from './testimonials.tsx'

/** What a visitor reads first. */
export default function LandingPage({ books }: { books: readonly LandingBook[] }) {
  return (
    <>
      <Hero books={books} />
      <SellingPoints />
      <CoverWall books={books} />
      <Testimonials />
      <Community />
      <SignUpCall />
    </>
  )
}
