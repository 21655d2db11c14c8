import type { TrashItem } from '#shared/trash.ts'
import { rich, t } from '#web/i18n/library.ts'
import { readingDates } from '../journal/reading-dates.ts'

/** When a removed reading was, as far as it is known, or which book a removed quote is from. */
export default function TrashItemDetails({ item }: { item: TrashItem }) {
  if (item.collection === 'readings') return t('removedReading', { dates: readingDates(item) })
  return rich('removedQuote', { title: <bdi key="title">{item.quoted}</bdi> })
}
