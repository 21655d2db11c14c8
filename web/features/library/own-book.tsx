import { useQuery } from '@tanstack/react-query'
import { bookImages } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { copiesQuery } from '#web/api/library.ts'
import { useSession } from '#web/api/session.ts'
import { rich, t } from '#web/i18n/books.ts'
import { genreName } from '#web/i18n/genres.ts'
import { Cover } from '#web/ui/cover.tsx'
import { CopyList } from './book-copies.tsx'
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
    <article className="grid gap-8 sm:grid-cols-[12rem_minmax(0,1fr)] md:grid-cols-[15rem_minmax(0,1fr)] md:gap-x-10">
      <title>{`${title} | Octavo`}</title>
      <div className="mx-auto w-52 sm:mx-0 sm:w-full">
        <Cover
          title={title}
          author={withCommas(authors)}
          src={bookImages(book)}
          width={500}
          priority
        />
      </div>
      <div className="grid min-w-0 content-start gap-6">
        <header className="grid gap-2 max-sm:text-center">
          <h1 dir="auto" className="text-2xl wrap-anywhere md:text-4xl">
            {title}
          </h1>
          <p dir="auto" className="text-lg text-ink-soft empty:hidden">
            {withCommas(authors)}
          </p>
          <p dir="auto" className="text-ink-soft empty:hidden">
            {withCommas(genres.map(genreName))}
          </p>
        </header>
        <CopyList copies={copies} />
        <p className="text-sm text-ink-soft">
          {rich('ownBookFacts', {
            isbn: book.isbn,
            pages: page_count,
            number: (isbn) => (
              <span key="isbn" className="tabular-nums">
                {isbn}
              </span>
            ),
          })}
        </p>
      </div>
    </article>
  )
}
