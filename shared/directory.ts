import * as z from 'zod'
import { storedText } from './form-fields.ts'

/** Readers in one page of the directory. */
export const directoryPageSize = 15

/** Shorter texts find everybody; characters. */
export const searchMin = 2

/** The orders of the directory; the last is for signed-in readers. */
export const directorySorts = ['newest', 'a-z', 'similar'] as const
export type DirectorySort = (typeof directorySorts)[number]

/** Books two readers share at least before their taste is called similar. */
export const tasteMin = 2

/** What the directory may be asked for. A query of one character finds everybody. */
export const directoryForm = z.object({
  q: storedText(
    255,
    'Search text must be less than 255 characters.',
    'Search text must be text.',
  ).default(''),
  sort: z.enum(directorySorts, 'Sort must be newest, a-z or similar.').default('newest'),
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
  /** Why the reader is among those of similar taste; absent in the other orders. */
  taste?: Taste | undefined
}

/** What two readers share on public shelves. */
export interface Taste {
  /** Distinct books. */
  in_common: number
  /** The best book that both gave the same rating of at least 8; null where there is none. */
  both_gave: { title: string; rating: number } | null
}

/**
 * @param scale what the viewer has ratings shown out of
 * @returns "14 books in common, you both gave Emma five stars", or "9 out of 10"
 */
export function tasteReason({ in_common, both_gave }: Taste, scale: 5 | 10): string {
  const common = `${in_common} ${in_common === 1 ? 'book' : 'books'} in common`
  if (!both_gave) return common
  const { title, rating } = both_gave
  const gave = scale === 5 ? `${starWords[rating] ?? rating / 2} stars` : `${rating} out of 10`
  return `${common}, you both gave ${title} ${gave}`
}

/** A rating is half stars of ten. */
const starWords: Readonly<Record<number, string>> = {
  8: 'four',
  8.5: 'four and a quarter',
  9: 'four and a half',
  9.5: 'four and three quarter',
  10: 'five',
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
