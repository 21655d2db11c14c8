import * as z from 'zod'
import { quoteWith, timestampOf } from '#server/import/highlights.ts'
import type { ImportedQuote } from '#shared/import.ts'
import { maxQuote } from '#shared/reading-form.ts'
import { cutText, withoutZeros } from '#shared/text.ts'

/** Text without the zero character, which PostgreSQL can't store. */
export const cleanText = z.string().transform(withoutZeros)

/** A highlight as Readwise's API has it, to and fro. */
export const highlight = z.object({
  text: cleanText,
  note: cleanText.nullish(),
  location: z.number().nullish(),
  location_type: z.string().nullish(),
  highlighted_at: z.string().nullish(),
})

/** @returns the quote that a highlight becomes */
export function toQuote(one: z.infer<typeof highlight>): ImportedQuote {
  return quoteWith({
    text: cutText(one.text.trim(), maxQuote),
    note: cutText(one.note?.trim() ?? '', maxQuote),
    page: one.location_type === 'page' ? pageOf(one.location ?? 0) : 0,
    at: timestampOf(Date.parse(one.highlighted_at ?? '')),
  })
}

const pageOf = (location: number) =>
  Number.isInteger(location) && location > 0 && location <= 100_000 ? location : 0
