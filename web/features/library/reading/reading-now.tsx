import type { UserBook } from '#shared/user-book.ts'
import { SideScroller } from '#web/ui/side-scroller.tsx'
import { BookProgress } from './book-progress.tsx'
import { BookTitle } from '../book-list/book-title.tsx'
import { withCommas } from '#web/i18n/format.ts'
import { UserBookCover } from '../book-list/user-book-cover.tsx'

/** The books a reader is in the middle of: in a row to swipe on a phone, in a column beside the rest. */
export function ReadingNow({ books }: { books: readonly UserBook[] }) {
  return (
    <SideScroller
      outerClassName="-mx-4 md:-mx-6 lg:mx-0"
      className="scroll-px-4 px-4 pb-2 scrollbar-none md:scroll-px-6 md:px-6 lg:overflow-visible lg:p-0"
    >
      <ul className="flex w-max gap-3 lg:grid lg:w-auto lg:grid-cols-1 lg:gap-4">
        {books.map((book) => (
          <li
            key={book.id}
            className="relative grid w-64 shrink-0 snap-start grid-cols-[--spacing(14)_minmax(0,1fr)] items-center gap-4 rounded-md border border-line bg-surface p-3 transition-colors hover:border-line-strong has-focus-visible:border-line-strong lg:w-auto"
          >
            <UserBookCover book={book} priority />
            <div className="grid grid-cols-1 gap-1">
              <h3 className="line-clamp-2 text-base leading-5 font-medium wrap-anywhere">
                <BookTitle book={book} />
              </h3>
              <p
                className="truncate text-sm text-ink-soft empty:hidden"
                title={withCommas(book.authors)}
              >
                <bdi>{withCommas(book.authors)}</bdi>
              </p>
              <BookProgress book={book} />
            </div>
          </li>
        ))}
      </ul>
    </SideScroller>
  )
}
