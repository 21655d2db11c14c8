import type { OwnStore } from './offer.ts'

/** Digits of the mailed code, and its life in seconds. */
export const otp = { digits: 6, life: 180, tries: 5 } as const

/** How long a browser that a reader trusts is asked for no code. */
export const trust = { days: 30 } as const

/** A user as the API shows it; e-mail and verified only to the user. */
export interface User {
  id: string
  collectionId: string
  collectionName: string
  username: string
  name: string
  avatar: string
  email?: string
  verified?: boolean
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

/** A reader's subscription as the API shows it, to them alone. */
export interface Subscription {
  id: string
  user: string
  /** `active` is premium; anything else says why it is not. */
  status: string
  /** When it ends, if it was cancelled; else ''. */
  ends: string
  /** When at the latest a payment that failed must be made; else ''. */
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
  /** Where books are bought, two letters; empty: not chosen. */
  country: string
  /** Stores of the reader's own. */
  stores: OwnStore[] | null
  /** One of `accents`; '' is the first. Shown with premium alone. */
  accent: string
  /** One of `languages`; '' is the browser's. */
  language: string
  /** One of `ratingScales`; '' is the first. */
  rating_scale: string
}
