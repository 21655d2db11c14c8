import * as z from 'zod'
import { formats } from './reading.ts'
import { rule } from './rule.ts'

/** What a figure's value counts. Only a `count` has a list of as many records. */
export const figureUnits = ['count', 'pages', 'minutes', 'days', 'rating'] as const

/** A number about a reader's readings, with the parts it consists of. */
export interface Figure {
  id: FigureId
  value: number
  unit: (typeof figureUnits)[number]
  /** The collection that is counted; '' for what no list shows, such as an average. */
  of: 'readings' | 'user_books' | ''
  /** Selects the counted records, in the record API's filter language. */
  filter: string
  parts: { key: string; value: number; filter: string }[]
}

export const figureIds = [
  'books',
  'different_books',
  'pages',
  'minutes',
  'average_pages',
  'average_rating',
  'rereads',
  'dropped',
  'new_authors',
  'by_year',
  'by_month',
  'by_rating',
  'by_genre',
  'by_author',
  'by_length',
  'by_format',
  'by_language',
  'by_published',
  'by_status',
  'dropped_pages',
  'days_read',
  'pages_logged',
  'minutes_logged',
  'by_hour',
  'longest_streak',
  'current_streak',
] as const
export type FigureId = (typeof figureIds)[number]

export interface Statistics {
  figures: Figure[]
}

/** The key of the part whose month, rating, length or other fact isn't known. */
export const unknownPart = 'unknown'

/** What finished readings can be listed by. */
export const readingParts = [
  'period',
  'rating',
  'genre',
  'author',
  'length',
  'format',
  'language',
  'published',
  'reread',
  'dropped',
] as const
export type ReadingPart = (typeof readingParts)[number]

/** Ranges of pages: from, up to and without the next one's. */
export const lengths = [1, 150, 250, 350, 500, 800] as const

const year = z.string().regex(/^\d{4}$/, rule('year'))

/** A text without NUL, which PostgreSQL refuses; as in `form-fields.ts`, which screens don't load. */
const text = (max: number) =>
  z
    .string()
    .max(max, rule('charactersAtMost'))
    .refine((value) => !value.includes('\0'), rule('notText'))
    .meta({ pattern: '^[^\\u0000]*$' })

/** What the counted books can have in common. */
export const narrowings = ['format', 'genre', 'tag', 'shelf'] as const

const narrowing = {
  format: z.enum([...formats, unknownPart]).optional(),
  genre: text(500).optional(),
  tag: text(500).optional(),
  /** The id of a shelf that a book is on now. */
  shelf: text(100).optional(),
} satisfies Record<(typeof narrowings)[number], z.ZodType>

/** A query of a reader's statistics: of one year, or of all time. */
export const statisticsForm = z.object({ year: year.optional(), ...narrowing })
export type StatisticsForm = z.infer<typeof statisticsForm>

/** Which of a reader's readings to list: those behind one bar of the statistics. */
export const readingPartForm = z.object({
  ...statisticsForm.shape,
  by: z.enum(readingParts).optional(),
  key: text(500).default(''),
})
export type ReadingPartForm = z.infer<typeof readingPartForm>
