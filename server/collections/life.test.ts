import { expect, expectTypeOf, test } from 'vitest'
import { collection } from '#records/index.ts'
import { withLife, type Life } from './life.ts'

const loans = collection({
  name: 'loans',
  fields: [
    { name: 'book_key', type: 'text' },
    { name: 'borrower', type: 'text' },
  ],
  rules: { list: null, view: null, create: null, update: null, delete: null },
})
type LoanLife = Parameters<
  typeof withLife<typeof loans, Life<(typeof loans)['fields'][number]['name']>>
>[1]
type Identity = NonNullable<LoanLife['imported']>['identity']

test('a name that the collection doesn’t declare doesn’t compile', () => {
  const { life } = withLife(loans, { bookKeys: ['book_key'] })
  expect(life.bookKeys).toEqual(['book_key'])
  expectTypeOf(life).toExtend<LoanLife>()
  expectTypeOf<{ bookKeys: ['bok_key'] }>().not.toExtend<LoanLife>()
  expectTypeOf<['book_key', 'borrower']>().toExtend<Identity>()
  expectTypeOf<['book_key', 'borower']>().not.toExtend<Identity>()
})
