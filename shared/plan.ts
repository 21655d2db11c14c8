/** The two plans: what they cost (whole US dollars) and where the free one ends. */
export const plans = {
  free: { name: 'Free Forever', monthly: 0, yearly: 0, shelves: 5, activities: 100 },
  premium: {
    name: 'Premium Scholar',
    monthly: 5,
    yearly: 49,
    shelves: Number.POSITIVE_INFINITY,
    activities: Number.POSITIVE_INFINITY,
  },
} as const

export type Plan = keyof typeof plans

/** What the reader of the free plan is told at the sixth shelf. */
export const shelfLimitMessage = `The Free Forever plan has room for ${plans.free.shelves} bookshelves. Premium Scholar has no limit.`

/** What the reader of the free plan is told at the end of a timeline that has more. */
export const activityLimitNote = `The Free Forever plan shows your newest ${plans.free.activities} entries. Older ones are kept, and return with Premium Scholar.`
