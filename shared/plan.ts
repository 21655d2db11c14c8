/** The billing periods; the first is preselected on the pricing page. */
export const periods = ['monthly', 'yearly'] as const
export type Period = (typeof periods)[number]

/** The saving of the yearly period, as in the specification. */
export const yearlySaving = 0.2

/**
 * The two plans: prices in whole US dollars, limits, and the texts of the pricing page. A leading
 * slash marks a feature that the plan lacks.
 */
export const plans = {
  free: {
    name: 'Free Forever',
    description: 'Everything you need to keep track of what you read.',
    monthly: 0,
    yearly: 0,
    shelves: 5,
    activities: 100,
    hasAccent: false,
    features: [
      '5 bookshelves',
      '100 activity logs',
      'Unlimited books',
      'Scanning, search and wishlist',
      '/Custom theme',
    ],
    isPopular: false,
  },
  premium: {
    name: 'Premium Scholar',
    description: 'For growing shelves, and to keep Octavo going.',
    monthly: 5,
    yearly: 49,
    shelves: Number.POSITIVE_INFINITY,
    activities: Number.POSITIVE_INFINITY,
    hasAccent: true,
    features: [
      'Unlimited bookshelves',
      'Unlimited activity logs',
      'Unlimited books',
      'Scanning, search and wishlist',
      'Custom theme',
    ],
    isPopular: true,
  },
} as const

export type Plan = keyof typeof plans

/** The message on sites without payments whose default is the free plan. */
export const freeForAllMessage = `This site doesn’t take payments: everyone has Free Forever, with ${plans.free.shelves} bookshelves and the newest ${plans.free.activities} entries of their timeline.`

/** The message on sites that give everyone Premium Scholar. */
export const premiumForAllMessage =
  'Everyone on this site has Premium Scholar, with unlimited bookshelves and an unlimited timeline.'

/** The message at the sixth shelf on the free plan. */
export const shelfLimitMessage = `The Free Forever plan has room for ${plans.free.shelves} bookshelves. Premium Scholar has no limit.`

/** Splits a feature into its words and whether the plan has it. */
export function parseFeature(feature: string): { words: string; included: boolean } {
  return feature.startsWith('/')
    ? { words: feature.slice(1), included: false }
    : { words: feature, included: true }
}
