import { ratingMax, ratingStep, ratingText } from './rating-steps.ts'
import { useRatingScale } from './rating-scale.ts'
import { Select } from './select.tsx'
import { t } from '#web/i18n/shell.ts'

/** A rating as a list to choose from, for a form that is sent without scripts. */
export function RatingSelect({ label, value }: { label: string; value: number }) {
  const scale = useRatingScale()
  const step = ratingStep(scale)
  const steps = Array.from({ length: ratingMax / step }, (_, down) => ratingMax - down * step)
  // One that was given on the finer scale stays.
  const ratings = value > 0 ? [...new Set([...steps, value])].toSorted((a, b) => b - a) : steps
  return (
    <Select name="rating" aria-label={label} defaultValue={value}>
      <option value={0}>{t('notRated')}</option>
      {ratings.map((rating) => (
        <option key={rating} value={rating}>
          {ratingText(rating, scale)}
        </option>
      ))}
    </Select>
  )
}
