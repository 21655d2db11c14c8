/** The billing periods; the first is preselected on the pricing page. */
export const periods = ['monthly', 'yearly'] as const
export type Period = (typeof periods)[number]

/** The saving of the yearly period as the specification labels it; see {@link trueYearlySaving}. */
export const yearlySaving = 0.2

/**
 * The two plans: prices in whole US dollars, limits, and what the pricing page lists, by the key of
 * its message.
 */
export const plans = {
  free: {
    name: 'Free Forever',
    monthly: 0,
    yearly: 0,
    shelves: 5,
    activities: 100,
    hasAccent: false,
    features: ['shelves', 'activities', 'unlimitedBooks', 'finding'],
    lacks: ['theme', 'benefits'],
    isPopular: false,
  },
  premium: {
    name: 'Premium Scholar',
    monthly: 5,
    yearly: 49,
    shelves: Number.POSITIVE_INFINITY,
    activities: Number.POSITIVE_INFINITY,
    hasAccent: true,
    features: [
      'unlimitedShelves',
      'unlimitedActivities',
      'unlimitedBooks',
      'finding',
      'theme',
      'benefits',
    ],
    lacks: [],
    isPopular: true,
  },
} as const

export type Plan = keyof typeof plans

/** The share of twelve monthly payments that a yearly one saves. */
export const trueYearlySaving = 1 - plans.premium.yearly / (12 * plans.premium.monthly)
