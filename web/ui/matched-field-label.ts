import { t } from '#web/i18n/books.ts'

const labels = {
  title: '',
  tags: 'inTags',
  notes: 'inNotes',
  review: 'inReview',
  quote: 'inQuote',
  description: 'inDescription',
} as const

/** @returns where the words stand that a book was found by, in a word; '' for its title */
export function matchedFieldLabel(where: keyof typeof labels): string {
  const place = labels[where]
  return place && t(place)
}
