import { createContext, use } from 'react'
import type { RatingScale } from './rating-steps.ts'

/** The scale of whoever looks at the page; everybody else's is out of 10. */
export const RatingScaleContext = createContext<RatingScale>(10)

/** @returns what ratings are shown out of */
export function useRatingScale(): RatingScale {
  return use(RatingScaleContext)
}
