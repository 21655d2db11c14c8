import { readFileSync } from 'node:fs'
import { toIsbn13 } from '#shared/isbn.ts'
import * as z from 'zod'

/** The year of publication, or the whole date when the publisher states it. */
const publishedDate = z.string().regex(/^\d{4}(-\d{2}-\d{2})?$/)

const name = z.string().min(1).max(255)
const names = z.array(name).min(1)

/** What readers remember of a book; searched, but not shown. */
const reference = z.strictObject({
  /** The plot, in three to five sentences written for this catalogue. */
  plot: z.string().min(80).max(1500).endsWith('.').optional(),
  /** The main characters, by the names readers know. */
  characters: names.optional(),
  /** Where it takes place, from the house to the country. */
  places: names.optional(),
  /** When it takes place, such as "Victorian era, 1840s". */
  time: name.optional(),
  themes: names.optional(),
  /**
   * Its titles by ISO 639-1 code, with the script where there are several: "zh" and "zh-Hant". A
   * title in another script may be followed by its romanisation.
   */
  titles: z
    .record(z.string().regex(/^[a-z]{2}(-[A-Z][a-z]{3})?$/), z.union([name, names]))
    .optional(),
})

const classic = z.strictObject({
  ...reference.shape,
  title: z.string().min(1).max(255),
  /** Other titles that readers search for: in the original language, or shorter. */
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
  /** How widely the book is read, from 1 to 100; only the order matters. */
  popularity: z.int().min(1).max(100),
})

const mangaVolume = z.strictObject({
  ...classic.shape,
  series: z.string().min(2),
  volume: z.int().min(1).max(200),
})

/** A book of the starter catalogue; volumes of a series also have its name and their number. */
export type StarterBook = { author_names: string[] } & (
  | (z.infer<typeof classic> & { list: 'classics' })
  | (z.infer<typeof mangaVolume> & { list: 'manga' })
)

/** What all volumes of a series share; a volume's own entry adds to it. */
export type StarterReference = z.infer<typeof reference>

/**
 * The books a new installation starts with: works of world literature, and manga with light novels,
 * one edition each, in the order of the two files next to this module.
 *
 * @returns every book with its curated list and its authors' names in other languages and scripts
 * @throws z.ZodError if a file doesn't match the schema
 */
export function starterBooks(): StarterBook[] {
  const namesOf = starterAuthors()
  const withNames = <Entry extends { authors: string[] }>(book: Entry) => ({
    ...book,
    author_names: book.authors.flatMap((author) => namesOf[author] ?? []),
  })
  const classics = z.array(classic).parse(read('classics'))
  const manga = z.array(mangaVolume).parse(read('manga'))
  return [
    ...classics.map((book) => ({ ...withNames(book), list: 'classics' as const })),
    ...manga.map((book) => ({ ...withNames(book), list: 'manga' as const })),
  ]
}

/** @returns the shared data of each series, by its name in the manga list */
export function starterSeries(): Partial<Record<string, StarterReference>> {
  return z.record(z.string(), reference).parse(read('series'))
}

/** @returns authors' names in other languages and scripts, by the name in the lists */
export function starterAuthors(): Partial<Record<string, string[]>> {
  return z.record(z.string(), names).parse(read('authors'))
}

function read(file: 'classics' | 'manga' | 'series' | 'authors'): unknown {
  return JSON.parse(readFileSync(new URL(`${file}.json`, import.meta.url), 'utf8'))
}
