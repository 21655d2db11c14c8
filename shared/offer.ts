import type { ExternalSource } from './book.ts'

export type { OfferForm, OwnStore } from './offer-form.ts'

/** The formats in which stores sell books, in display order. */
export const offerFormats = ['physical', 'ebook', 'audio_book'] as const
export type OfferFormat = (typeof offerFormats)[number]

/** Whether a place gives books away, lends or sells them. */
export const offerKinds = ['free', 'library', 'store'] as const
export type OfferKind = (typeof offerKinds)[number]

/** A store's links to a book, one per format. */
export interface StoreOffer {
  store: string
  kind: OfferKind
  links: Partial<Record<OfferFormat, string>>
}

/** A link to a book in another catalogue. */
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

/** The most stores a reader can add. */
export const maxOwnStores = 20
