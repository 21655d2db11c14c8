import * as z from 'zod'

/** Readers in one page of the directory. */
export const directoryPageSize = 15

/** What the directory may be asked for. A query of one character finds everybody. */
export const directoryForm = z.object({
  q: z
    .string()
    .trim()
    .max(255, 'Search text must be less than 255 characters.')
    // No database keeps a NUL, so no name has one.
    .refine((text) => !text.includes('\0'), 'Search text must be text.')
    .default(''),
  sort: z.enum(['newest', 'a-z'], 'Sort must be newest or a-z.').default('newest'),
  page: z.coerce.number('Page must be a number.').int().min(1).max(100_000).default(1),
})
export type DirectoryForm = z.infer<typeof directoryForm>

/** A reader in the directory; counts and books are those of public shelves. */
export interface DirectoryEntry {
  id: string
  collectionId: string
  username: string
  name: string
  avatar: string
  /** Distinct books. */
  books_count: number
  shelves_count: number
  /** Up to three, newest first. */
  books: DirectoryBook[]
}

export interface DirectoryBook {
  title: string
  authors: string[]
  /** Addresses of covers, best first. */
  images: string[]
  isbn: string
}

/** One page of a list of the product's own API. */
export interface Page<T> {
  items: T[]
  page: number
  perPage: number
  totalItems: number
  totalPages: number
}
