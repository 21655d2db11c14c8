import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Book } from '#shared/book.ts'
import { BookHeading, BookLayout } from '#web/ui/book-layout.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Cover } from '#web/ui/cover.tsx'
import { t } from '#web/i18n/catalogue.ts'
import { genreName } from '#web/i18n/genres.ts'
import { AuthorLinks } from './author-links.tsx'
import { coverTransition } from './book-card.tsx'
import { bookFacts, factsLine } from './book-facts.ts'
import { BookSources, ImageCredit } from './book-sources.tsx'
import { Description } from './description.tsx'
import { filterQuery } from './search-address.ts'
import { SeriesLine } from './series-books.tsx'
import { withCommas } from '#web/i18n/format.ts'

/**
 * All the catalogue knows of a book; `menu`, `panel` and `notes` are what a reader does with it,
 * `rating` and `readers` what others think of it.
 */
export function BookDetails(props: {
  book: Book
  menu: ReactNode
  panel: ReactNode
  notes: ReactNode
  rating: ReactNode
  /** Null if nobody said anything. */
  readers: ReactNode
}) {
  const { book, menu, panel, notes, rating, readers } = props
  return (
    <BookLayout
      heading={
        <BookHeading
          title={book.title}
          subtitle={book.subtitle}
          authors={
            <>
              <Authors book={book} />
              {book.series?.map((series) => (
                <SeriesLine key={series.id} series={series} />
              ))}
            </>
          }
          facts={factsLine(book)}
          rating={rating}
          menu={menu}
        />
      }
      cover={
        <>
          <Cover
            title={book.title}
            author={withCommas(book.authors)}
            src={book.image_links}
            width={500}
            priority
            transitionName={coverTransition}
          />
          <ImageCredit book={book} />
        </>
      }
      panel={panel}
    >
      <div className="grid grid-cols-1 gap-x-10 gap-y-4 @min-[47rem]:grid-cols-[minmax(0,33.5rem)_minmax(0,1fr)] @min-[47rem]:grid-rows-[auto_1fr]">
        <section>
          <h2 className="sr-only">{t('description')}</h2>
          <Description key={book.id} text={book.description} />
        </section>
        <section
          className={classNames(
            '@max-[47rem]:border-t @max-[47rem]:border-line @max-[47rem]:pt-5',
            !readers && '@min-[47rem]:row-span-2',
          )}
        >
          <h2 className="sr-only">{t('moreDetails')}</h2>
          <Facts book={book} />
          <BookSources book={book} />
        </section>
        <div
          className={classNames(
            'grid grid-cols-1 content-start gap-10 pt-6 empty:hidden',
            readers ? '@min-[47rem]:col-span-2' : null,
          )}
        >
          {readers}
          {notes}
        </div>
      </div>
    </BookLayout>
  )
}

function Authors({ book: { authors, author_ids: ids = [] } }: { book: Book }) {
  if (authors.length === 0) return null
  return (
    <p dir="auto" className="text-match-parent text-lg">
      <AuthorLinks authors={authors} ids={ids} />
    </p>
  )
}

function Facts({ book }: { book: Book }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 text-sm">
      {bookFacts(book).map(({ label, text, isLong }) => (
        <div key={label} className={isLong ? '@min-[47rem]:col-span-2' : undefined}>
          <dt className={labelClass}>{label}</dt>
          <dd dir="auto" className="text-match-parent wrap-anywhere tabular-nums">
            {text}
          </dd>
        </div>
      ))}
      <div className="col-span-2">
        <dt className={labelClass}>{t('genres')}</dt>
        <dd>
          {book.genres.length > 0 ? (
            <ul aria-label={t('genres')} className="mt-1 flex flex-wrap gap-2">
              {book.genres.map((genre) => (
                <li key={genre}>
                  <Chip asChild>
                    <Link to={`/explore?${filterQuery({ genre })}`}>{genreName(genre)}</Link>
                  </Chip>
                </li>
              ))}
            </ul>
          ) : (
            t('unknown')
          )}
        </dd>
      </div>
    </dl>
  )
}

const labelClass = 'text-xs text-ink-faint'
