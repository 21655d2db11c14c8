import { readFileSync } from 'node:fs'
import { toIsbn13 } from '#shared/isbn.ts'
import * as z from 'zod'

/** The year of publication, or the whole date when the publisher states it. */
const publishedDate = z.string().regex(/^\d{4}(-\d{2}-\d{2})?$/)

const classic = z.strictObject({
  title: z.string().min(1).max(255),
  /** Under which it is also looked for: in its own language, or shorter. */
  other_titles: z.array(z.string().min(2).max(255)).min(1).optional(),
  authors: z.array(z.string().min(2)).min(1),
  isbn13: z
    .string()
    .refine((isbn) => toIsbn13(isbn) === isbn, 'The check digit of the ISBN-13 is wrong.'),
  pages: z.int().min(1).max(3000),
  published: publishedDate,
  /** The year the work first appeared; negative before the common era. */
  first_published: z.int().min(-3000).max(2100),
  publisher: z.string().min(2),
  /** MARC code (ISO 639-2/B) of the edition. */
  language: z.string().regex(/^[a-z]{3}$/),
  genres: z.array(z.string().min(2)).min(2).max(4),
  /** One sentence written for this catalogue, in the language of the edition. */
  description: z.string().min(40).max(240).endsWith('.'),
  /** How widely the book is read, 1 to 100; only the order matters. */
  popularity: z.int().min(1).max(100),
})

const mangaVolume = z.strictObject({
  ...classic.shape,
  series: z.string().min(2),
  volume: z.int().min(1).max(200),
})

/** A book of the starter catalogue; the volumes of a series also carry its name and their number. */
export type StarterBook =
  | (z.infer<typeof classic> & { list: 'classics' })
  | (z.infer<typeof mangaVolume> & { list: 'manga' })

/**
 * The books a new installation starts with: works of world literature, and manga with light
 * novels, one edition each, in the order of the two files beside this module.
 *
 * @returns every book with the curated list it belongs to
 * @throws z.ZodError when a file does not hold what the schema says
 */
export function starterBooks(): StarterBook[] {
  return [
    ...z
      .array(classic)
      .parse(readList('classics'))
      .map((book) => ({ ...book, list: 'classics' as const })),
    ...z
      .array(mangaVolume)
      .parse(readList('manga'))
      .map((book) => ({ ...book, list: 'manga' as const })),
  ]
}

function readList(list: StarterBook['list']): unknown {
  return JSON.parse(readFileSync(new URL(`${list}.json`, import.meta.url), 'utf8'))
}
