import { expect, test } from 'vitest'
import { plans, parseFeature } from './plan.ts'

test('a leading slash marks what a plan does not have', () => {
  expect(parseFeature('/Custom theme')).toEqual({ words: 'Custom theme', included: false })
  expect(parseFeature('Custom theme')).toEqual({ words: 'Custom theme', included: true })
})

test('the features say the limits that are enforced', () => {
  const { shelves, activities, features } = plans.free
  expect(features).toContain(`${shelves} bookshelves`)
  expect(features).toContain(`${activities} activity logs`)
})
