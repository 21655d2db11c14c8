import { Link } from 'react-router'
import { Spine } from '#web/ui/spine.tsx'
import { t } from '#web/i18n/landing.ts'
import type { LandingBook } from './landing-books.ts'
import { CoverLink } from './cover-link.tsx'

/** @returns what the spine of a book shows */
export function spineOf({ title, author, pages, href }: LandingBook) {
  return { title, author, pages, link: <Link to={href} /> }
}

/** One of this many books shows its front cover. */
const faceEvery = 4

/** One board from edge to edge of the window; what does not fit is reached by swiping along it. */
export function OpenShelf({ books }: { books: readonly LandingBook[] }) {
  if (books.length === 0) return null
  return (
    <div className="overflow-x-auto pt-8 scrollbar-none">
      <ul
        aria-label={t('aShelfOfBooks')}
        className="flex w-max min-w-full items-end border-b-6 border-line px-4 pt-2 md:px-6 xl:px-[calc((100%-75rem)/2+1.5rem)]"
      >
        {books.map((book, place) =>
          place % faceEvery === 1 ? (
            <li key={book.href} className="w-36 shrink-0 px-2">
              <CoverLink
                book={book}
                priority
                className="transition-transform hover:-translate-y-1.5 focus-visible:-translate-y-1.5"
              />
            </li>
          ) : (
            <Spine key={book.href} {...spineOf(book)} />
          ),
        )}
      </ul>
    </div>
  )
}
