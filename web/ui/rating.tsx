import { useId } from 'react'
import { classNames } from './class-names.ts'
import { useRatingScale } from './rating-scale.ts'
import { formatRating, ratingText, type RatingScale } from './rating-steps.ts'
import { t } from '#web/i18n/shell.ts'

/** One path for all five: a long list has thousands of stars. */
const stars = [12, 36, 60, 84, 108]
  .map(
    (x) => `M${x} 2.6l2.9 5.9 6.5.95-4.7 4.6 1.1 6.45-5.8-3.05-5.8 3.05 1.1-6.45-4.7-4.6 6.5-.95z`,
  )
  .join('')

/**
 * Five stars, filled from where lines begin up to the last whole half point of ten: never further
 * than the rating. The number beside them says the rest.
 */
export function Stars({ value, className }: { value: number; className: string }) {
  const id = useId()
  return (
    <svg
      viewBox="0 0 120 24"
      aria-hidden
      className={classNames('block rtl:-scale-x-100', className)}
    >
      <defs>
        <clipPath id={id}>
          <rect width={Math.floor(value * 2) * 6} height="24" />
        </clipPath>
      </defs>
      <path d={stars} className="fill-line stroke-line-strong" strokeWidth="0.9" />
      {value > 0 ? (
        <path
          d={stars}
          clipPath={`url(#${id})`}
          className="fill-rubric stroke-rubric"
          strokeWidth="0.9"
        />
      ) : null}
    </svg>
  )
}

/** Name the scale only if it isn't five stars. */
export function RatingOf({ scale }: { scale: RatingScale }) {
  return scale === 10 ? <span className="text-[0.8em] text-ink-soft">/10</span> : null
}

type RatingProps = {
  /** 0 to 10; 0 is "not rated". */
  value: number
  /** In a narrow column: the stars in one line with the number alone. */
  isCompact?: boolean | undefined
  className?: string | undefined
}

/** Five stars for a value of ten, and the number on the viewer's scale, to be read. */
export function Rating({ value, isCompact = false, className }: RatingProps) {
  const scale = useRatingScale()
  return (
    <span
      className={classNames(
        'inline-flex max-w-full items-center',
        isCompact ? 'min-w-0 gap-x-1.5' : 'flex-wrap gap-x-2',
        className,
      )}
    >
      <span className="sr-only">
        {value > 0 ? t('rated', { rating: ratingText(value, scale) }) : t('notRated')}
      </span>
      <Stars value={value} className="h-[1.15em] w-[5.75em] min-w-0" />
      {value > 0 ? (
        <span aria-hidden className="font-serif whitespace-nowrap tabular-nums">
          {formatRating(value, scale)}
          {isCompact ? null : <RatingOf scale={scale} />}
        </span>
      ) : null}
    </span>
  )
}
