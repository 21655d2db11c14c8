import * as z from 'zod'
import { refusal, rule } from './rule.ts'
import { displayWidth, isVisible } from './text.ts'

export const visibilities = ['public', 'private'] as const
export type Visibility = (typeof visibilities)[number]

/** The kinds of shelf that the product makes; a reader has one of each at most. */
export const shelfKinds = ['want'] as const
export type ShelfKind = (typeof shelfKinds)[number]

/** The length of a shelf's name, as counted by {@link displayWidth}. */
export const shelfName = { min: 4, max: 100 } as const

/** @returns whether a shelf can have this name */
export function isShelfName(text: string): boolean {
  const width = displayWidth(text.trim())
  return isVisible(text) && width >= shelfName.min && width <= shelfName.max
}

const name = z
  .string()
  .trim()
  .refine(
    (value) => isVisible(value) && displayWidth(value) >= shelfName.min,
    refusal('charactersAtLeast', { min: shelfName.min }),
  )
  .refine(
    (value) => displayWidth(value) <= shelfName.max,
    refusal('charactersAtMost', { max: shelfName.max }),
  )

const visibility = z.enum(visibilities, rule('visibility'))

export const shelfForm = z.object({ name, visibility })
export type ShelfForm = z.infer<typeof shelfForm>

export interface Bookshelf {
  id: string
  collectionId: string
  collectionName: string
  user: string
  name: string
  visibility: Visibility
  /**
   * `want` for the shelf that "Want to read" makes, whatever its name; '' for any other. Set on
   * create, and only its owner sees it.
   */
  kind: ShelfKind | ''
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
