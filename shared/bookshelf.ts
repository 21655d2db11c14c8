import * as z from 'zod'
import { displayWidth } from './text.ts'

export const visibilities = ['public', 'private'] as const
export type Visibility = (typeof visibilities)[number]

/** The length of a shelf's name, as counted by {@link displayWidth}. */
export const shelfName = { min: 4, max: 100 } as const

const name = z
  .string()
  .trim()
  .refine(
    (value) => displayWidth(value) >= shelfName.min,
    'Name must be at least 4 characters long.',
  )
  .refine((value) => displayWidth(value) <= shelfName.max, 'Name cannot exceed 100 characters.')

const visibility = z.enum(visibilities, "Visibility must be either 'public' or 'private'.")

export const shelfForm = z.object({ name, visibility })
export type ShelfForm = z.infer<typeof shelfForm>

export interface Bookshelf {
  id: string
  collectionId: string
  collectionName: string
  user: string
  name: string
  visibility: Visibility
  /** Kept by the server. */
  book_count: number
  /** Up to four cover addresses, newest book first; kept by the server. */
  covers: string[]
  /** The newest books, including those without a picture, to draw covers; kept by the server. */
  latest: { title: string; author: string; cover: string }[]
  created: string
  updated: string
  expand?: { user?: { id: string; username: string } }
}
