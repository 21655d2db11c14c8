import { Link } from 'react-router'
import { absentVolumes, isVolume, nextOf, type SeriesBooks } from '#shared/series.ts'
import { BeginBook } from '#web/features/library/add-to-shelf/begin-book.tsx'
import { useOwnedBooks } from '#web/features/library/add-to-shelf/add-to-shelf-owned.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { PageHeader } from '#web/ui/page-shell.tsx'
import { statusLabel } from '#web/ui/status-badge.tsx'
import { rich, t } from '#web/i18n/catalogue.ts'
import { AuthorLinks } from './author-links.tsx'
import { bookPath } from './book-card.tsx'

/** A series' name, authors and length, and the reader's next volume. */
export function SeriesHead({ found }: { found: SeriesBooks }) {
  const { name, authors } = found.series
  const facts = seriesFacts(found).filter(Boolean).join(' · ')
  const by =
    authors.length > 0
      ? rich('seriesBy', { authors: <AuthorLinks authors={authors} ids={authorIds(found)} /> })
      : null
  return (
    <PageHeader
      title={name}
      description={
        by ? (
          <>
            {by}
            {facts && ` · ${facts}`}
          </>
        ) : (
          facts
        )
      }
      actions={<NextCard found={found} />}
    />
  )
}

/** @returns the ids of the series' authors, by place, as its books have them */
function authorIds({ series, entries }: SeriesBooks): string[] {
  const known = new Map(
    entries.flatMap(({ book: { authors, author_ids: ids = [] } }) =>
      authors.map((author, place) => [author, ids[place] ?? ''] as const),
    ),
  )
  return series.authors.map((author) => known.get(author) ?? '')
}

/** @returns "3 books" and, if all of their lengths are known, "1,155 pages" */
function seriesFacts(found: SeriesBooks): string[] {
  const volumes = found.entries.filter(({ position }) => isVolume(position)).map(({ book }) => book)
  if (volumes.length < 2) return []
  const pages = volumes.reduce((sum, { page_count }) => sum + page_count, 0)
  const absent = absentVolumes(found).length
  const isLengthKnown = absent === 0 && volumes.every(({ page_count }) => page_count > 0)
  return [
    t('bookCount', { count: volumes.length + absent }),
    isLengthKnown ? t('pageCount', { count: pages }) : '',
  ]
}

/** The volume that its reader reads next, with the step that begins it. */
function NextCard({ found }: { found: SeriesBooks }) {
  const ownOf = useOwnedBooks()
  const isBegun = found.entries.some(({ book }) => ownOf(book))
  const next = nextOf(found, (book) => ownOf(book)?.status === 'completed')
  const path = next && bookPath(next.book)
  if (!isBegun || !next || !path) return null
  const { book, position } = next
  const own = ownOf(book)
  const place = [
    t('bookNumber', { position }),
    book.page_count > 0 ? t('pageCount', { count: book.page_count }) : '',
  ]
  return (
    <section
      aria-label={t('next')}
      className="flex w-full items-center gap-3 rounded-md border border-line bg-surface p-3 sm:w-96 dark:border-transparent"
    >
      <span className="w-12 shrink-0">
        <Cover title={book.title} author={book.authors[0]} src={book.image_links} alt="" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="text-xs text-rubric">
          {own?.status === 'reading' ? statusLabel('reading') : t(own ? 'nextOnYourShelf' : 'next')}
        </p>
        <h2 className="line-clamp-2 font-serif text-base leading-5 wrap-anywhere">
          <Link to={path} className="rounded-cover hover:underline">
            <bdi>{book.title}</bdi>
          </Link>
        </h2>
        <p className="text-xs text-ink-soft">{place.filter(Boolean).join(' · ')}</p>
      </div>
      <BeginBook book={book} own={own} />
    </section>
  )
}
