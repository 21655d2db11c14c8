import { useState } from 'react'
import { numberOf } from '#shared/digits.ts'
import { Cover } from '#web/ui/cover.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { RatingInput } from '#web/ui/rating-input.tsx'
import { Rating } from '#web/ui/rating.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { t } from '#web/i18n/landing.ts'
import type { LandingBook } from './landing-books.ts'

/** A sample rating of five stars. */
const sampleRating = 4.2

/** A book as a reader has it, to be tried without an account. Nothing of it is kept. */
export function TryIt({ book }: { book: LandingBook }) {
  const [page, setPage] = useState(57)
  const [rating, setRating] = useState(0)
  const { title, author, cover, pages } = book
  const finished = page >= pages
  return (
    <section
      aria-label={t('tryIt')}
      className="grid grid-cols-1 gap-5 rounded-md border border-line bg-surface p-5 shadow-lift"
    >
      <div className="flex flex-wrap gap-5">
        <Cover title={title} author={author} src={cover} alt="" priority className="max-w-24" />
        <div className="grid min-w-0 flex-1 basis-32 content-start justify-items-start gap-1.5">
          <StatusBadge status={finished ? 'completed' : 'reading'} />
          <h2 dir="auto" className="line-clamp-2 text-lg leading-6">
            {title}
          </h2>
          <p dir="auto" className="line-clamp-1 text-sm text-ink-soft">
            {author}
          </p>
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
            <Rating value={sampleRating * 2} />
            <span>{t('sampleRating')}</span>
          </p>
        </div>
      </div>
      <div className="grid grid-cols-1 items-center gap-x-5 sm:grid-cols-[11.5rem_minmax(0,1fr)] lg:grid-cols-1">
        <NumberField
          label={t('yourPage')}
          min={0}
          max={pages}
          value={page}
          onChange={({ currentTarget: { value } }) =>
            setPage(Math.min(pages, Math.max(0, Math.floor(numberOf(value) || 0))))
          }
        />
        <ProgressBar
          percent={(page / pages) * 100}
          label={t('readingProgressOf', { title })}
          text={t('pageOfPages', { page, pages })}
          showText
          tone={finished ? 'completed' : 'rubric'}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-4">
        <span aria-hidden className="text-sm font-medium">
          {t('yourRating')}
        </span>
        <RatingInput label={t('yourRating')} value={rating} onChange={setRating} />
      </div>
      <p className="text-sm text-ink-soft">{t('tryItHint')}</p>
    </section>
  )
}
