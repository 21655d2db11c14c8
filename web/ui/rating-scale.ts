import { createContext, use } from 'react'
import type { RatingScale } from './rating-steps.ts'

/** The viewer's scale; out of 5 unless they have chosen the other. */
export const RatingScaleContext = createContext<RatingScale>(5)

/** @returns what ratings are shown out of */
export function useRatingScale(): RatingScale {
  return use(RatingScaleContext)
}
