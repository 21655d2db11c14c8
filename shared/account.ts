import type { OwnStore } from './offer.ts'

/**
 * Digits of the mailed code, its life in seconds after the mail server took it, and the seconds that
 * may pass until then: a mail server that doesn't know us yet may refuse mail for five minutes.
 */
export const otp = { digits: 6, life: 180, delivery: 420, tries: 5 } as const

/** Seconds for which a right password waits for its code. */
export const secondStepLife = 600

/** How long a trusted browser needs no code. */
export const trust = { days: 30 } as const

/** A user in API responses; only the user sees `email`, `verified` and `isAdmin`. */
export interface User {
  id: string
  collectionId: string
  collectionName: string
  username: string
  name: string
  avatar: string
  email?: string
  verified?: boolean
  /** Whether the user administers this site; only a command sets it. */
  isAdmin?: boolean
}

/** A reader's public page. Numbers count each distinct book the viewer may see once. */
export interface Profile {
  id: string
  collectionId: string
  collectionName: string
  username: string
  name: string
  avatar: string
  background: string
  isPrivate: boolean
  /** Mean of the ratings above 0, 0 to 10; 0 when nothing is rated. */
  average_rating: number
  /** Distinct books on shelves. */
  books_count: number
  /** Distinct books finished; the "Books Read" of the statistics card. */
  books_read: number
  shelves_count: number
  pages_read: number
  created: string
}

/** A reader's subscription; only they see it. */
export interface Subscription {
  id: string
  user: string
  /** `active` is premium; anything else is the reason why not. */
  status: string
  /** When it ends, if it was cancelled; otherwise ''. */
  ends: string
  /** The deadline for a failed payment; otherwise ''. */
  pay_by: string
}

export interface Settings {
  id: string
  user: string
  background: string
  isPrivate: boolean
  /** Whether the operator hides the profile from everybody else. */
  isHidden: boolean
  default_add_status: string
  /** The country of stores, a two-letter code; empty if not chosen. */
  country: string
  /** The reader's own stores. */
  stores: OwnStore[] | null
  /** One of `accents`; '' is the first. Only shown with Premium Scholar. */
  accent: string
  /** One of `languages`; '' follows the browser. */
  language: string
  /** One of `ratingScales`; '' is the first. */
  rating_scale: string
  /** Whether missing covers and facts are looked up: `off`, or '' for on. */
  complete_books: string
  /** The hour at which the reader's day ends, one of `dayEnds`; '' is the first. */
  day_ends: string
  /** How many days off a week end no streak, one of `streakDaysOff`; '' is the first. */
  streak_days_off: string
}
