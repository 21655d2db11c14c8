import { Link } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import { Container } from '#web/ui/page-shell.tsx'
import { Spine, SpineShelf } from '#web/ui/spine.tsx'
import type { LandingBook } from './landing-books.ts'
import { TryIt } from './try-it.tsx'

export function Hero({ books }: { books: readonly LandingBook[] }) {
  const sample = books.find(({ pages }) => pages >= 100)
  return (
    <Container className="grid items-center gap-12 py-4 lg:grid-cols-[minmax(0,1fr)_27rem] lg:gap-16 lg:py-10">
      <div className="grid gap-6">
        <h1 className="text-3xl md:text-4xl lg:text-[4rem] lg:leading-[1.04]">
          Every book you have read, and the page you are on.
        </h1>
        <p className="max-w-prose text-lg text-ink-soft">
          Octavo keeps your shelves, your progress and your ratings in one quiet place. Find a book,
          put it on a shelf, and pick up where you stopped.
        </p>
        <div className="flex flex-wrap gap-3">
          <Button variant="primary" size="lg" asChild>
            <Link to="/signup">Start your first shelf</Link>
          </Button>
          <Button size="lg" asChild>
            <Link to="/explore">Look around first</Link>
          </Button>
        </div>
        <p className="text-sm text-ink-soft">Free to start. No card, no advertising.</p>
      </div>
      {sample ? (
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-8">
          {/* One board; what does not fit is reached by swiping along it. */}
          <div className="-mb-3 overflow-x-auto pt-2 pb-3 [scrollbar-width:none] [&>ul]:w-max [&>ul]:flex-nowrap">
            <SpineShelf label="A shelf of books">
              {books.map(({ title, author, pages, href }) => (
                <Spine
                  key={href}
                  title={title}
                  author={author}
                  pages={pages}
                  link={<Link to={href} />}
                />
              ))}
            </SpineShelf>
          </div>
          <TryIt book={sample} />
        </div>
      ) : null}
    </Container>
  )
}
