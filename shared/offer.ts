import * as z from 'zod'
import { isbnMessage, parseIsbn } from './isbn.ts'

/** The forms in which stores sell a book, in the order they are shown. */
export const offerFormats = ['physical', 'ebook', 'audio_book'] as const
export type OfferFormat = (typeof offerFormats)[number]

/** Where one store has a book: a link for each format it sells. */
export interface StoreOffer {
  store: string
  links: Partial<Record<OfferFormat, string>>
}

/** What another catalogue says about a book. */
export interface BookSource {
  name: 'google' | 'openlibrary'
  link: string
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
  })
  .refine((form) => form.title || form.isbn, {
    path: ['title'],
    message: 'Title is required and cannot be empty.',
  })
export type OfferForm = z.infer<typeof offerForm>
