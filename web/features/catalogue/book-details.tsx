import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Book } from '#shared/book.ts'
import { Chip } from '#web/ui/chip.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { t } from '#web/i18n/catalogue.ts'
import { genreName } from '#web/i18n/genres.ts'
import { coverTransition } from './book-card.tsx'
import { bookFacts } from './book-facts.ts'
import { BookEditions } from './book-editions.tsx'
import { BookSources, ImageCredit } from './book-sources.tsx'
import { Description } from './description.tsx'
import { blankFilters, writeSearch, type Filters } from './search-address.ts'
import { comma, withCommas } from '#web/i18n/format.ts'

/** All the catalogue knows of a book; `actions` and `copies` are what a reader does with it. */
export function BookDetails(props: { book: Book; actions: ReactNode; copies: ReactNode }) {
  const { book, actions, copies } = props
  return (
    <article className="grid gap-x-8 gap-y-8 sm:grid-cols-[12rem_minmax(0,1fr)] md:grid-cols-[15rem_minmax(0,1fr)] md:gap-x-10 lg:grid-cols-[20rem_minmax(0,1fr)] lg:gap-x-14">
      <div className="mx-auto w-52 sm:mx-0 sm:w-full">
        <Cover
          title={book.title}
          author={withCommas(book.authors)}
          src={book.image_links}
          width={500}
          priority
          transitionName={coverTransition}
        />
        <ImageCredit book={book} />
      </div>
      <div className="min-w-0">
        <Heading book={book} />
        {/* Where the reader is comes before where else it could stand. */}
        <div className="mt-6 max-w-prose empty:hidden">{copies}</div>
        <div className="mt-6 flex flex-wrap gap-3">{actions}</div>
        <section className="mt-8">
          <h2 className="mb-2 text-xl">{t('description')}</h2>
          <Description key={book.id} text={book.description} />
        </section>
        <section className="mt-4">
          <h2 className="mb-2 text-xl">{t('moreDetails')}</h2>
          <Facts book={book} />
          <BookSources book={book} />
        </section>
        <BookEditions key={book.id} book={book} />
      </div>
    </article>
  )
}

function Heading({ book }: { book: Book }) {
  return (
    <header className="grid gap-2 max-sm:text-center">
      <h1 dir="auto" className="text-match-parent text-2xl wrap-anywhere md:text-4xl">
        {book.title}
      </h1>
      {book.subtitle ? (
        <p dir="auto" className="text-match-parent font-serif text-lg text-ink-soft">
          {book.subtitle}
        </p>
      ) : null}
      {book.authors.length > 0 ? (
        <p dir="auto" className="text-match-parent text-lg text-ink-soft">
          {book.authors.map((author, place) => (
            <span key={author}>
              {place > 0 ? comma() : null}
              <Link
                to={`/explore?${filterQuery({ author })}`}
                className="rounded-cover underline-offset-4 hover:text-ink hover:underline"
              >
                <bdi>{author}</bdi>
              </Link>
            </span>
          ))}
        </p>
      ) : null}
      {book.genres.length > 0 ? (
        <ul aria-label={t('genres')} className="mt-2 flex flex-wrap gap-2 max-sm:justify-center">
          {book.genres.map((genre) => (
            <li key={genre}>
              <Chip asChild>
                <Link to={`/explore?${filterQuery({ genre })}`}>{genreName(genre)}</Link>
              </Chip>
            </li>
          ))}
        </ul>
      ) : null}
    </header>
  )
}

function Facts({ book }: { book: Book }) {
  return (
    <dl className="max-w-prose border-t border-line">
      {bookFacts(book).map(({ label, text }) => (
        <div
          key={label}
          className="grid grid-cols-[7rem_minmax(0,1fr)] gap-4 border-b border-line py-3 text-sm md:text-base"
        >
          <dt className="text-ink-soft">{label}</dt>
          <dd dir="auto" className="text-match-parent wrap-anywhere tabular-nums">
            {text}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Explore, asked for one thing alone. */
function filterQuery(filter: Partial<Filters>): string {
  const filters = { ...blankFilters, ...filter }
  return writeSearch({
    q: '',
    filters,
    advancedOnly: true,
    by: '1',
    order: 'relevance',
    mode: 'auto',
    page: 1,
  })
}
