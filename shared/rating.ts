/**
 * The scales on which ratings can be shown; the first is the default. They are stored out of 10.
 */
export const ratingScales = ['10', '5'] as const
