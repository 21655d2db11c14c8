/** What a reader can have ratings shown out of; the first is everybody's. They are kept out of 10. */
export const ratingScales = ['10', '5'] as const
