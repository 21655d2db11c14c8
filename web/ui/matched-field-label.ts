import { t } from '#web/i18n/books.ts'

const labels = {
  title: '',
  tags: 'inTags',
  notes: 'inNotes',
  review: 'inReview',
  quote: 'inQuote',
  description: 'inDescription',
} as const

/** @returns the name of the field that matched the search; '' for the title */
export function matchedFieldLabel(where: keyof typeof labels): string {
  const place = labels[where]
  return place && t(place)
}
