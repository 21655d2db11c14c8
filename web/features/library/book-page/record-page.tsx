import { Suspense, type ReactNode } from 'react'
import { bookImages, type UserBook } from '#shared/user-book.ts'
import { withCommas } from '#web/i18n/format.ts'
import { genreName } from '#web/i18n/genres.ts'
import { BookHeading, BookLayout } from '#web/ui/book-layout.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { lazy } from '#web/ui/lazy.ts'
import { BookPageMenu } from './book-page-menu.tsx'
import { CopiesPanel } from './copies-panel.tsx'
import { OwnJournal } from '../journal/own-journal.tsx'

/** Fetched for books with more than a title. */
const BookDescription = lazy(() => import('./book-description.tsx'))
const CoverSource = lazy(() => import('./cover-source.tsx'))
const BookJournal = lazy(() => import('../journal/book-journal.tsx'))
/** Fetched for somebody else's book. */
const StateOfReader = lazy(() => import('./state-of-reader.tsx'))

/**
 * A reader's record of a book as its page.
 *
 * @param props.copies the viewer's own records of it; empty for somebody else's book
 */
export function RecordPage(props: {
  book: UserBook
  copies: readonly UserBook[]
  facts: ReactNode
}) {
  const { book, copies, facts } = props
  const { title, authors, genres } = book
  const isOwner = copies.length > 0
  return (
    <BookLayout
      heading={
        <BookHeading
          title={title}
          authors={
            <p dir="auto" className="text-match-parent text-lg empty:hidden">
              {withCommas(authors)}
            </p>
          }
          facts={facts}
          menu={isOwner ? <BookPageMenu book={book} /> : null}
        />
      }
      cover={
        <>
          <Cover
            title={title}
            author={withCommas(authors)}
            src={bookImages(book)}
            width={500}
            priority
          />
          {book.completed?.images && !book.image ? (
            <Suspense>
              <CoverSource book={book} />
            </Suspense>
          ) : null}
        </>
      }
      panel={
        isOwner ? (
          <CopiesPanel copies={copies} />
        ) : (
          <Suspense>
            <StateOfReader book={book} />
          </Suspense>
        )
      }
    >
      <p dir="auto" className="text-match-parent text-sm text-ink-soft empty:hidden">
        {withCommas(genres.map(genreName))}
      </p>
      {book.series || book.published || book.language || book.description ? (
        <Suspense>
          <BookDescription book={book} />
        </Suspense>
      ) : null}
      {/* Room for what is fetched last, so that the footer doesn't move. */}
      <div className="mt-10 min-h-80">
        {isOwner ? (
          <OwnJournal book={book} />
        ) : (
          <Suspense>
            <BookJournal book={book} isOwner={false} />
          </Suspense>
        )}
      </div>
    </BookLayout>
  )
}
