import type { Taste } from '#shared/directory.ts'
import { t } from '#web/i18n/directory.ts'
import { ratingText, type RatingScale } from '#web/ui/rating-steps.ts'

/** Ratings out of ten that have words in stars; from 8 on, taste is compared. */
const inStars = [8, 8.5, 9, 9.5, 10] as const

/**
 * @param scale the viewer's rating scale
 * @returns "14 books in common, you both gave Emma five stars", or "9 out of 10"
 */
export function tasteReason({ in_common, both_gave }: Taste, scale: RatingScale): string {
  const common = t('tasteInCommon', { count: in_common })
  if (!both_gave) return common
  const { title, rating } = both_gave
  const stars = scale === 5 ? inStars.find((one) => one === rating) : undefined
  const words = stars ? t(`stars.${stars}`) : ratingText(rating, scale)
  return t('tasteBothGave', { common, title, rating: words })
}
