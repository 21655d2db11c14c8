import { t } from '#web/i18n/books.ts'

const places = {
  title: '',
  tags: 'inTags',
  notes: 'inNotes',
  review: 'inReview',
  quote: 'inQuote',
  description: 'inDescription',
} as const

/** @returns where the words stand that a book was found by, in a word; '' for its title */
export function foundPlace(where: keyof typeof places): string {
  const place = places[where]
  return place && t(place)
}
