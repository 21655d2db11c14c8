import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookReaders as Readers } from '#shared/book-readers.ts'
import { readersOfBookQuery } from '#web/api/book-info.ts'
import { useApi } from '#web/api/context.ts'
import { useSession } from '#web/api/session.ts'
import { formatNumber } from '#web/i18n/format.ts'
import { t } from '#web/i18n/reviews.ts'
import { Button } from '#web/ui/button.tsx'
import { useRatingScale } from '#web/ui/rating-scale.ts'
import { formatRating } from '#web/ui/rating-steps.ts'
import { Rating } from '#web/ui/rating.tsx'
import { BookReview } from './book-review.tsx'

/** An average to one decimal. */
const shownAverage = (average: number) => Math.round(average * 10) / 10

/** The average rating on this site; hidden while there are only a few ratings. */
export function ReadersRating({ readers }: { readers: Readers }) {
  const { average, ratings } = readers
  if (average === null) return null
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <Rating value={shownAverage(average)} />
      <span>{t('ratingCount', { count: ratings })}</span>
    </span>
  )
}

/** The ratings and reviews of a book by readers here. */
export function BookReaders({ id, readers }: { id: string; readers: Readers }) {
  const api = useApi()
  const queries = useQueryClient()
  // On the way back those that were shown are still in the cache.
  const [pages, setPages] = useState(() => {
    let known = 1
    while (queries.getQueryData(readersOfBookQuery(api, id, known + 1).queryKey)) known++
    return known
  })
  return (
    <section aria-labelledby="readers">
      <h2 id="readers" className="mb-4 text-xl">
        {t('whatReadersSay')}
      </h2>
      <div className="grid grid-cols-1 gap-x-12 gap-y-6 lg:grid-cols-[13rem_minmax(0,1fr)]">
        {readers.average === null ? null : <Ratings readers={readers} average={readers.average} />}
        {readers.reviews.length > 0 ? (
          <div className="max-w-[42.5rem] lg:col-start-2 lg:only:col-span-2 lg:only:col-start-1">
            <ul className="grid grid-cols-1">
              {Array.from({ length: pages }, (_, at) => (
                <Reviews key={at} id={id} page={at + 1} />
              ))}
            </ul>
            <MoreReviews id={id} page={pages} onMore={() => setPages(pages + 1)} />
          </div>
        ) : null}
      </div>
    </section>
  )
}

/** The average, and a bar for each of ten steps. */
function Ratings({ readers, average }: { readers: Readers; average: number }) {
  const { ratings, distribution } = readers
  const scale = useRatingScale()
  const most = Math.max(...distribution)
  return (
    <div className="flex items-end justify-between gap-6 lg:flex-col lg:items-stretch lg:justify-start lg:gap-3">
      <p className="flex items-center gap-3 text-sm text-ink-soft">
        <span className="font-serif text-4xl text-ink tabular-nums">
          {formatRating(shownAverage(average), scale)}
        </span>
        <span className="grid">
          <span>{t('outOf', { scale })}</span>
          <span>{t('ratingCount', { count: ratings })}</span>
        </span>
      </p>
      <ol aria-label={t('ratingsByStep')} className="grid w-44 grid-cols-10 gap-1 lg:w-auto">
        {distribution.map((count, at) => (
          <li key={at} className="grid content-end">
            <span
              aria-hidden
              className="h-11 content-end lg:h-18 *:block *:rounded-t-cover *:bg-ink-faint"
            >
              <span style={{ height: `max(1px, ${(count / most) * 100}%)` }} />
            </span>
            <span
              aria-hidden
              className="h-4 border-t border-line-strong text-center text-xs text-ink-soft"
            >
              {at % 2 ? formatNumber(((at + 1) * scale) / 10) : null}
            </span>
            <span className="sr-only">
              {t('distributionOf', { rating: formatRating(at + 1, scale), count })}
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

function Reviews({ id, page }: { id: string; page: number }) {
  const { data } = useQuery(readersOfBookQuery(useApi(), id, page))
  const user = useSession()?.user.id
  return data?.reviews.map((review) => (
    <BookReview key={review.reader.id} review={review} isOwn={review.reader.id === user} />
  ))
}

function MoreReviews({ id, page, onMore }: { id: string; page: number; onMore: () => void }) {
  const { data, isPending } = useQuery(readersOfBookQuery(useApi(), id, page))
  if (!isPending && !data?.hasMore) return null
  return (
    <Button className="mt-2" pending={isPending} onClick={onMore}>
      {t('moreReviews')}
    </Button>
  )
}
