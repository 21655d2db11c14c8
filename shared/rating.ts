/**
 * The scales on which ratings can be shown; the first is the default. They are stored out of 10.
 */
export const ratingScales = ['5', '10'] as const
