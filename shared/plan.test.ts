import { expect, test } from 'vitest'
import { plans } from './plan.ts'
import answers from './sentences/answers.json' with { type: 'json' }

test('a plan lacks what only the other has', () => {
  expect(plans.premium.features).toEqual(expect.arrayContaining([...plans.free.lacks]))
  expect(plans.free.features).not.toEqual(expect.arrayContaining([...plans.free.lacks]))
})

test('the answer at the sixth shelf says the limit that is enforced', () => {
  expect(answers.shelfLimit).toContain(` ${plans.free.shelves} bookshelves`)
})
