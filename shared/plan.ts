/** How often a subscriber pays; the first is what the pricing page opens with. */
export const periods = ['monthly', 'yearly'] as const
export type Period = (typeof periods)[number]

/** What the yearly period saves, as its label says; the specification's own figure. */
export const yearlySaving = 0.2

/**
 * The two plans: what they cost (whole US dollars), where the free one ends, and how the pricing
 * page tells it. A feature with a leading slash is one the plan does not have.
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

/** What everybody has where no payments are set up and the free plan is the default. */
export const freeForAllMessage = `This site doesn’t take payments: everyone has Free Forever, with ${plans.free.shelves} bookshelves and the newest ${plans.free.activities} entries of their timeline.`

/** What everybody has where the operator gives them premium. */
export const premiumForAllMessage =
  'Everyone on this site has Premium Scholar, with unlimited bookshelves and an unlimited timeline.'

/** What the reader of the free plan is told at the sixth shelf. */
export const shelfLimitMessage = `The Free Forever plan has room for ${plans.free.shelves} bookshelves. Premium Scholar has no limit.`

/** A feature as it is shown: its words, and whether the plan has it. */
export function parseFeature(feature: string): { words: string; included: boolean } {
  return feature.startsWith('/')
    ? { words: feature.slice(1), included: false }
    : { words: feature, included: true }
}
