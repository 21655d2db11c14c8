import { useQuery } from '@tanstack/react-query'
import { bookImages } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { copiesQuery } from '#web/api/library.ts'
import { useSession } from '#web/api/session.ts'
import { rich, t } from '#web/i18n/books.ts'
import { genreName } from '#web/i18n/genres.ts'
import { BookHeading, BookLayout } from '#web/ui/book-layout.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { BookPageMenu } from './book-page-menu.tsx'
import { CopiesPanel } from './book-panel.tsx'
import { OwnJournal } from './own-journal.tsx'
import { withCommas } from '#web/i18n/format.ts'

/**
 * A book that the catalogue does not know, as its reader wrote it down. When the last copy is taken
 * away nothing is left of it to show.
 *
 * @param isbn of a book that the signed-in reader has
 */
export function OwnBook({ isbn }: { isbn: string }) {
  const { data: copies = [] } = useQuery(copiesQuery(useApi(), useSession()?.user.id ?? '', isbn))
  const [book] = copies
  if (!book) return <p className="text-ink-soft">{t('noLongerOnYourShelves')}</p>
  const { title, authors, genres, page_count } = book
  return (
    <>
      <title>{`${title} | Octavo`}</title>
      <BookLayout
        heading={
          <BookHeading
            title={title}
            authors={
              <p dir="auto" className="text-match-parent text-lg empty:hidden">
                {withCommas(authors)}
              </p>
            }
            facts={rich('ownBookFacts', {
              isbn: book.isbn,
              pages: page_count,
              number: (isbn) => (
                <span key="isbn" className="tabular-nums">
                  {isbn}
                </span>
              ),
            })}
            menu={<BookPageMenu book={book} />}
          />
        }
        cover={
          <Cover
            title={title}
            author={withCommas(authors)}
            src={bookImages(book)}
            width={500}
            priority
          />
        }
        panel={<CopiesPanel copies={copies} />}
      >
        <p dir="auto" className="text-match-parent text-sm text-ink-soft empty:hidden">
          {withCommas(genres.map(genreName))}
        </p>
        <div className="mt-10">
          <OwnJournal book={book} />
        </div>
      </BookLayout>
    </>
  )
}
