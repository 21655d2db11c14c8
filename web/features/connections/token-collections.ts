import { t } from '#web/i18n/connections.ts'

/** The collections that a token can be limited to here. A program can name others, too. */
export const tokenCollections = [
  'user_books',
  'bookshelves',
  'readings',
  'progress_log',
  'quotes',
  'goals',
  'activities',
] as const

/** @returns what readers call a collection; its own name if they can't choose it here */
export function collectionLabel(name: string): string {
  const known = tokenCollections.find((one) => one === name)
  return known ? t(`token.${known}`) : name
}
