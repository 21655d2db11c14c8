import * as z from 'zod'
import { isbnMessage, parseIsbn } from './isbn.ts'
import { fillTemplate, templateWords } from './store-link.ts'

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
  name: 'google' | 'openlibrary'
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

const text = z.string().trim().max(500).default('')

/** The book that offers and sources are asked for: by its ISBN, or by its title. */
export const offerForm = z
  .object({
    title: text,
    author: text,
    isbn: z
      .string()
      .trim()
      .refine((v) => v === '' || parseIsbn(v) !== null, isbnMessage)
      .default(''),
    country: z.string().max(2).default('US'),
  })
  .refine((form) => form.title || form.isbn, {
    path: ['title'],
    message: 'Title is required and cannot be empty.',
  })
export type OfferForm = z.infer<typeof offerForm>

/** Stores that a reader may add. */
export const mostOwnStores = 20

const templateMessage = `Use an https:// address with at least one of ${templateWords.map((word) => `{${word}}`).join(', ')}.`

/** A store of a reader's own: where it sells a book in one format. */
export const ownStore = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Name is required and cannot be empty.')
    .max(60, 'Name cannot exceed 60 characters.'),
  format: z.enum(offerFormats),
  template: z
    .string()
    .trim()
    .max(500, 'The address cannot exceed 500 characters.')
    .refine(isTemplate, templateMessage),
})
export type OwnStore = z.infer<typeof ownStore>

/** All stores of a reader's own, in the order they were added. */
export const ownStores = z
  .array(ownStore)
  .max(mostOwnStores, `You can add up to ${mostOwnStores} stores.`)

/** An address of the web that names something of a book, and nothing else in braces. */
function isTemplate(template: string): boolean {
  const words = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, word]) => word ?? '')
  const known: readonly string[] = templateWords
  if (words.length === 0 || !words.every((word) => known.includes(word))) return false
  const link = fillTemplate(template, Object.fromEntries(known.map((word) => [word, '1'])))
  const url = link && URL.canParse(link) ? new URL(link) : null
  // The host is the reader's choice, never a part of the book.
  return url?.protocol === 'https:' && !/^https:\/\/[^/]*\{/.test(template) && !url.username
}
