import * as z from 'zod'
import { visibleText } from './form-fields.ts'
import { maxGoalFilter } from './goal.ts'
import { isAfter, isPartialDate } from './partial-date.ts'
import { formats, goalKinds, outcomes, progressUnits, readingSources } from './reading.ts'
import { refusal, rule } from './rule.ts'
import { unknownPart } from './statistics.ts'
import { cleanTags, maxTagLength, maxTags } from './tags.ts'
import { fitsLength, isVisible } from './text.ts'

const maxLongText = 20_000

const longText = z
  .string(rule('notText'))
  .refine((text) => fitsLength(text, maxLongText), refusal('longText', { max: maxLongText }))
  .default('')
const number = (most: number) =>
  z
    .number(rule('notANumber'))
    .min(0, rule('notNegative'))
    .max(most, rule('numberAtMost'))
    .default(0)
const format = z.enum([...formats, ''], rule('format'))
const source = z.enum(readingSources, rule('readingSource'))
const partialDate = z.string(rule('date')).refine(isPartialDate, rule('date')).default('')

const day = partialDate.refine((date) => date.length === 10, rule('day'))

export const maxMinutes = 100_000

/** A reader's data about a book beyond the specification's form. */
export const personalForm = z
  .object({
    tags: z
      .array(z.string(rule('notText')), rule('notAList'))
      .transform(cleanTags)
      .refine((tags) => tags.length <= maxTags, refusal('tooManyTags', { max: maxTags }))
      .refine(
        (tags) => tags.every((tag) => fitsLength(tag, maxTagLength)),
        refusal('tagTooLong', { max: maxTagLength }),
      )
      .default([]),
    notes: longText,
    review: longText,
    review_spoilers: z.boolean().default(false),
    format: format.default(''),
    duration: number(maxMinutes),
    progress_minutes: number(maxMinutes),
    isPrivate: z.boolean().default(false),
    position: z.number(rule('notANumber')).default(0),
  })
  .refine(({ duration, progress_minutes }) => !duration || progress_minutes <= duration, {
    path: ['progress_minutes'],
    ...refusal('minutesBeyondDuration'),
  })

/** Facts about a book beyond the specification's form. */
export const factsForm = z.object({
  language: z
    .string(rule('notText'))
    .trim()
    // Statistics say so of books without one.
    .overwrite((code) => (code === unknownPart ? '' : code))
    .max(10, rule('charactersAtMost'))
    .default(''),
  published: partialDate,
  series: z
    .string(rule('notText'))
    .trim()
    .overwrite((name) => (isVisible(name) ? name : ''))
    .max(500, rule('charactersAtMost'))
    .default(''),
  series_position: z.string(rule('notText')).trim().max(20, rule('charactersAtMost')).default(''),
  description: longText,
})

/** What a reading takes from its book, where its form says what is valid. */
export const readingFactsForm = factsForm.pick({ language: true, published: true, series: true })

/** One time through a book. */
export const readingForm = z
  .object({
    started: partialDate,
    finished: partialDate,
    outcome: z.enum(outcomes, rule('outcome')),
    format: format.default(''),
    pages: number(100_000),
    minutes: number(maxMinutes),
    rating: number(10),
    source: source.default('app'),
    uncounted: z.boolean().default(false),
  })
  .refine(({ started, finished }) => !isAfter(started, finished), {
    path: ['finished'],
    ...refusal('endBeforeStart'),
  })
  .refine(({ finished, outcome }) => outcome !== 'reading' || finished === '', {
    path: ['finished'],
    ...refusal('endWhileReading'),
  })

/** A reader's progress on one day. */
export const progressLogForm = z.object({
  day,
  unit: z.enum(progressUnits, rule('progressUnit')),
  from: number(100_000),
  to: number(100_000),
  minutes: number(maxMinutes),
  source: source.default('app'),
})

/** The longest quote, and the longest note on one, in characters. */
export const maxQuote = 5000

export const quoteForm = z.object({
  text: visibleText('quoteRequired').refine(
    (text) => fitsLength(text, maxQuote),
    refusal('quoteTooLong', { max: maxQuote }),
  ),
  note: z
    .string()
    .refine((text) => fitsLength(text, maxQuote), refusal('noteTooLong', { max: maxQuote }))
    .default(''),
  page: number(100_000),
  percent: number(100),
  isPrivate: z.boolean().default(true),
})

/** What a goal counts, and by when. */
export const goalForm = z
  .object({
    from: day,
    to: day,
    filter: z.string(rule('goalFilter')).max(maxGoalFilter, rule('goalFilter')).default(''),
    kind: z.enum(goalKinds, rule('goalKind')),
    target: z
      .number(rule('notANumber'))
      .int(rule('notWhole'))
      .min(1, rule('numberAtLeast'))
      .max(10_000_000, rule('numberAtMost')),
    isPrivate: z.boolean().default(false),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], ...refusal('endBeforeStart') })

/** The year of a goal that is for one. */
export const goalYearForm = z.object({
  year: z
    .number(rule('year'))
    .int(rule('year'))
    .min(1900, rule('yearRange'))
    .max(2999, rule('yearRange')),
})
