import { expect, test } from 'vitest'
import { collection } from '#records/index.ts'
import { textIn, withLife } from './life.ts'

const loans = collection({
  name: 'loans',
  fields: [
    { name: 'book_key', type: 'text' },
    { name: 'borrower', type: 'text' },
  ],
  rules: { list: null, view: null, create: null, update: null, delete: null },
})
const title = () => ''

test('a name that the collection doesn’t declare doesn’t compile', () => {
  const life = { title, identity: ['book_key', 'borrower'] as const }
  expect(withLife(loans, { bookKeys: ['book_key'], imported: life }).life.imported).toBe(life)
  // @ts-expect-error
  withLife(loans, { bookKeys: ['bok_key'] })
  // @ts-expect-error
  withLife(loans, { imported: { title, identity: ['borower'] } })
  // @ts-expect-error
  withLife(loans, { imported: { title: (values) => textIn(values, 'borower'), identity: [] } })
  // @ts-expect-error
  withLife(loans, { imported: { title, identity: ({ borower }) => [borower] } })
})
