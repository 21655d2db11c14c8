import { westernDigits } from '#shared/digits.ts'
import { formatNumber } from '#web/i18n/format.ts'
import { currentDirection } from '#web/i18n/language.ts'
import { t } from '#web/i18n/shell.ts'

/** The scale on which ratings are shown. They are stored out of 10. */
export type RatingScale = 5 | 10

export const ratingMax = 10

/** @returns the smallest step of a kept rating: half a point of the scale that is shown */
export const ratingStep = (scale: RatingScale): number => 5 / scale

function bounded(value: number): number {
  return Math.min(ratingMax, Math.max(0, value))
}

/** Keys by what they mean where the stars begin at the right. */
const mirrored: Record<string, string> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }

/** @returns the rating after a key press, or null if the key does nothing */
export function ratingAfterKey(key: string, value: number, scale: RatingScale): number | null {
  const step = ratingStep(scale)
  const pressed = westernDigits(key)
  switch (currentDirection() === 'rtl' ? (mirrored[key] ?? pressed) : pressed) {
    case 'ArrowRight':
    case 'ArrowUp':
      return bounded((Math.floor(value / step) + 1) * step)
    case 'ArrowLeft':
    case 'ArrowDown':
      return bounded((Math.ceil(value / step) - 1) * step)
    case 'PageUp':
      return bounded(value + 2)
    case 'PageDown':
      return bounded(value - 2)
    case 'Home':
    case 'Delete':
    case 'Backspace':
    case '0':
      return 0
    case 'End':
      return ratingMax
    default:
      return /^[1-9]$/.test(pressed) && Number(pressed) <= scale ? Number(pressed) * step * 2 : null
  }
}

/** @returns '7.5' of a kept 7.5 on the scale of ten, '3.75' on the scale of five */
export function formatRating(value: number, scale: RatingScale): string {
  return formatNumber(Math.round(value * scale * 10) / 100)
}

/** @returns '7.5 out of 10' */
export function ratingText(value: number, scale: RatingScale): string {
  return t('ratingOutOf', { rating: formatRating(value, scale), scale })
}
