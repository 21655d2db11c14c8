import type { Migration } from './migration.ts'
import { foldAnew } from './rekey.ts'

const journal = [
  ...['readings', 'progress_log', 'quotes', 'device_books', 'device_quotes'].map(
    (name) => `${name}.book_key`,
  ),
  'device_books.proposal',
  'device_books.timed_key',
]

/**
 * Keys in which invisible characters don't count, nor which of its forms a letter or a digit has: Đ
 * and D, σ and ς, the ی of Persian keyboards and the ي of Arabic ones.
 */
export const otherLetters: Migration = {
  name: 'other-letters',
  statements: () => [],
  fill: foldAnew(journal),
}
