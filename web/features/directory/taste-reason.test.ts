import { expect, test } from 'vitest'
import { tasteReason } from './taste-reason.ts'

test('the reason is a sentence', () => {
  expect(tasteReason({ in_common: 14, both_gave: { title: 'Emma', rating: 10 } }, 5)).toBe(
    '14 books in common, you both gave Emma five stars',
  )
  expect(tasteReason({ in_common: 1, both_gave: { title: 'Emma', rating: 9 } }, 10)).toBe(
    '1 book in common, you both gave Emma 9 out of 10',
  )
  expect(tasteReason({ in_common: 3, both_gave: { title: 'Emma', rating: 8.25 } }, 5)).toBe(
    '3 books in common, you both gave Emma 4.13 out of 5',
  )
  expect(tasteReason({ in_common: 2, both_gave: null }, 5)).toBe('2 books in common')
})
