import * as z from 'zod'
import { isAfter, isPartialDate } from './partial-date.ts'
import { formats, goalKinds, outcomes, progressUnits, readingSources } from './reading.ts'
import { cleanTags, maxTagLength, maxTags } from './tags.ts'
import { fitsLength } from './text.ts'

const maxLongText = 20_000

const longText = (name: string) =>
  z
    .string(`${name} must be text.`)
    .refine(
      (text) => fitsLength(text, maxLongText),
      `${name} must be at most 20,000 characters long.`,
    )
    .default('')
const number = (name: string, most: number) =>
  z
    .number(`${name} must be a number.`)
    .min(0, `${name} must be greater than or equal to 0.`)
    .max(most, `${name} must be at most ${most}.`)
    .default(0)
const format = z.enum([...formats, ''], 'Format must be one of: print, ebook, or audio.')
const source = z.enum(readingSources, 'Source must be one of: app, import, or device.')
const partialDate = z
  .string('Enter a date such as 2009, 2009-05 or 2009-05-23.')
  .refine(isPartialDate, 'Enter a date such as 2009, 2009-05 or 2009-05-23.')
  .default('')

const maxMinutes = 100_000

/** A reader's data about a book beyond the specification's form. */
export const personalForm = z
  .object({
    tags: z
      .array(z.string('Tags must be text.'), 'Tags must be a list.')
      .transform(cleanTags)
      .refine((tags) => tags.length <= maxTags, `Use at most ${maxTags} tags.`)
      .refine(
        (tags) => tags.every((tag) => fitsLength(tag, maxTagLength)),
        `A tag can have at most ${maxTagLength} characters.`,
      ),
    notes: longText('The note'),
    review: longText('The review'),
    review_spoilers: z.boolean().default(false),
    format: format.default(''),
    duration: number('Duration', maxMinutes),
    progress_minutes: number('Minutes', maxMinutes),
    isPrivate: z.boolean().default(false),
    position: z.number('Position must be a number.').default(0),
  })
  .refine(({ duration, progress_minutes }) => !duration || progress_minutes <= duration, {
    path: ['progress_minutes'],
    message: 'Minutes cannot exceed the duration.',
  })

/** One time through a book. */
export const readingForm = z
  .object({
    started: partialDate,
    finished: partialDate,
    outcome: z.enum(outcomes, 'Outcome must be one of: reading, finished, or dropped.'),
    format: format.default(''),
    pages: number('Pages', 100_000),
    minutes: number('Minutes', maxMinutes),
    rating: number('Rating', 10),
    source: source.default('app'),
  })
  .refine(({ started, finished }) => !isAfter(started, finished), {
    path: ['finished'],
    message: 'The end is before the start.',
  })
  .refine(({ finished, outcome }) => outcome !== 'reading' || finished === '', {
    path: ['finished'],
    message: 'A book you’re still reading can’t have an end date.',
  })

/** A reader's progress on one day. */
export const progressLogForm = z.object({
  day: partialDate.refine((day) => day.length === 10, 'Enter a day such as 2009-05-23.'),
  unit: z.enum(progressUnits, 'Unit must be one of: pages, percent, or minutes.'),
  from: number('From', 100_000),
  to: number('To', 100_000),
  minutes: number('Minutes', maxMinutes),
  source: source.default('app'),
})

export const quoteForm = z.object({
  text: z
    .string('Enter the quote.')
    .trim()
    .min(1, 'Enter the quote.')
    .refine((text) => fitsLength(text, 5000), 'A quote can have at most 5,000 characters.'),
  note: z
    .string()
    .refine((text) => fitsLength(text, 5000), 'The note can have at most 5,000 characters.')
    .default(''),
  page: number('Page', 100_000),
  percent: number('Percent', 100),
  isPrivate: z.boolean().default(true),
})

export const goalForm = z.object({
  year: z
    .number('Enter a year.')
    .int('Enter a year.')
    .min(1900, 'Enter a year from 1900 to 2999.')
    .max(2999, 'Enter a year from 1900 to 2999.'),
  kind: z.enum(goalKinds, 'Kind must be one of: books, pages, or minutes.'),
  target: z
    .number('Target must be a number.')
    .int('Target must be a whole number.')
    .min(1, 'Target must be at least 1.')
    .max(10_000_000, 'Target must be at most 10000000.'),
  isPrivate: z.boolean().default(false),
})
