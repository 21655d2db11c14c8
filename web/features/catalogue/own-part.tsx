import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Book } from '#shared/book.ts'
import {
  absentVolumes,
  comparePlaces,
  inRanges,
  isVolume,
  nextOf,
  type SeriesBooks,
} from '#shared/series.ts'
import { useSession } from '#web/api/session.ts'
import { useOwnedBooks } from '#web/features/library/add-to-shelf/add-to-shelf-owned.tsx'
import { t } from '#web/i18n/catalogue.ts'
import { formatNumber, withCommas } from '#web/i18n/format.ts'
import { bookPath } from './book-card.tsx'

/**
 * Says which books of a series the reader has, wants or lacks. Books that the catalogue lacks count
 * as well.
 *
 * @param props.end renders the end of the line from the missing books; by default a link to the next
 */
export function OwnPart(props: {
  found: SeriesBooks
  end?: (missing: readonly Book[]) => ReactNode
}) {
  const { found, end } = props
  const ownOf = useOwnedBooks()
  const isReader = useSession() !== null
  const volumes = found.entries.filter(({ position }) => isVolume(position))
  if (!isReader || volumes.length < 2) return null
  const missing = volumes.filter(({ book }) => !ownOf(book))
  if (missing.length === volumes.length) return null
  const wanted = volumes.filter(({ book }) => ownOf(book)?.status === 'planning')
  const owned = formatNumber(volumes.length - missing.length - wanted.length)
  const absent = absentVolumes(found)
  const positions = [...missing.map(({ position }) => position), ...absent].toSorted(comparePlaces)
  const count = formatNumber(volumes.length + absent.length)
  return (
    <div className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-2">
      <span>{t('seriesOwned', { owned, count })}</span>
      {wanted.length > 0 ? (
        <span className="text-ink-soft">
          {t('seriesWanted', { positions: placesOf(wanted.map(({ position }) => position)) })}
        </span>
      ) : null}
      {positions.length > 0 ? (
        <span className="text-ink-soft">
          {t('seriesMissing', { positions: placesOf(positions) })}
        </span>
      ) : null}
      {end ? end(missing.map(({ book }) => book)) : <NextLink found={found} />}
    </div>
  )
}

const placesOf = (positions: readonly string[]) => withCommas(inRanges(positions))

function NextLink({ found }: { found: SeriesBooks }) {
  const ownOf = useOwnedBooks()
  const next = nextOf(found, (book) => ownOf(book)?.status === 'completed')
  const path = next && bookPath(next.book)
  if (!path) return null
  return (
    <Link to={path} className="rounded-cover font-medium underline underline-offset-4">
      {t('nextInSeries', { title: next.book.title })}
    </Link>
  )
}
