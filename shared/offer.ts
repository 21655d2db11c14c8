import type { ExternalSource } from './book.ts'

export type { OfferForm, OwnStore } from './offer-form.ts'

/** The forms in which stores sell a book, in the order they are shown. */
export const offerFormats = ['physical', 'ebook', 'audio_book'] as const
export type OfferFormat = (typeof offerFormats)[number]

export const offerFormatLabels: Record<OfferFormat, string> = {
  physical: 'Hard Cover',
  ebook: 'eBooks',
  audio_book: 'Audiobooks',
}

/** Whether a book is sold there, lent, or given away. */
export const offerKinds = ['free', 'library', 'store'] as const
export type OfferKind = (typeof offerKinds)[number]

/** Where one store has a book: a link for each format it has. */
export interface StoreOffer {
  store: string
  kind: OfferKind
  links: Partial<Record<OfferFormat, string>>
}

/** What another catalogue says about a book. */
export interface BookSource {
  name: ExternalSource
  link: string
}

/** Countries with stores of their own; readers elsewhere see those of the United States. */
export const storeCountries = {
  US: 'United States',
  GB: 'United Kingdom',
  CA: 'Canada',
  AU: 'Australia',
  DE: 'Germany',
  FR: 'France',
  ES: 'Spain',
  IT: 'Italy',
  NL: 'Netherlands',
  BR: 'Brazil',
  IN: 'India',
  JP: 'Japan',
} as const
export type StoreCountry = keyof typeof storeCountries

/** @returns the country, or the United States for one without stores of its own */
export function storeCountry(code: string | undefined): StoreCountry {
  const country = code?.toUpperCase() ?? ''
  return Object.hasOwn(storeCountries, country) ? (country as StoreCountry) : 'US'
}

/** Stores that a reader may add. */
export const maxOwnStores = 20
