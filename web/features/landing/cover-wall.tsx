import { Link } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import { Container } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/landing.ts'
import type { LandingBook } from './landing-books.ts'
import { CoverLink } from './cover-link.tsx'

/** Fifteen covers laid like bricks, eight over seven; a row to swipe on a phone. */
export function CoverWall({ books }: { books: readonly LandingBook[] }) {
  if (books.length === 0) return null
  return (
    <section aria-labelledby="wall" className="border-y border-line bg-sunken py-12 md:py-16">
      <Container className="grid gap-8">
        <header className="flex flex-wrap items-end justify-between gap-4">
          <div className="grid gap-1">
            <h2 id="wall" className="text-2xl md:text-3xl">
              {t('classicsAndMangaToStart')}
            </h2>
            <p className="text-ink-soft">{t('classicsAndMangaText')}</p>
          </div>
          <Button asChild>
            <Link to="/explore">{t('browseAllBooks')}</Link>
          </Button>
        </header>
      </Container>
      <ul className="mx-auto mt-8 flex max-w-page snap-x scroll-px-4 gap-4 overflow-x-auto scrollbar-none px-4 pt-1 pb-4 md:flex-wrap md:justify-center md:gap-5 md:overflow-visible md:px-6">
        {books.map((book) => (
          <li
            key={book.href}
            className="w-32 shrink-0 snap-start md:w-[calc((100%-5*1.25rem)/6)] lg:w-[calc((100%-7*1.25rem)/8)]"
          >
            <CoverLink
              book={book}
              className="transition-transform duration-200 hover:-translate-y-1"
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
