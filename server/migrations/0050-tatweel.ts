import type { Migration } from './migration.ts'
import { foldAnew } from './rekey.ts'

const journal = [
  ...['readings', 'progress_log', 'quotes', 'device_books'].map((name) => `${name}.book_key`),
  'device_books.timed_key',
]

/** Keys in which the Arabic tatweel, which only stretches a word, doesn't count. */
export const tatweel: Migration = {
  name: 'tatweel',
  statements: () => [],
  fill: foldAnew(journal),
}
