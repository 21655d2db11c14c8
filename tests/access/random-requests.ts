/** Random questions to the lists, each with what the oracle says to it. */

import fc from 'fast-check'
import { expands, probes, sorts, type Predicate, type Key } from './oracle.ts'
import { words, type CollectionName } from './random-library.ts'

/** Ways on from what a first step leads to; nothing hidden may lie on them. */
const further = [
  '',
  '.user',
  '.bookshelves_via_user',
  '.user.user_books_via_user.shelf',
  '.shelf.activities_via_shelf',
  '.user.settings_via_user',
]

export interface ListQuery {
  collection: CollectionName
  filter: string
  holds: Predicate
  sort: string
  /** Undefined: the order is not said, or random. */
  key: Key | undefined
  descending: boolean
  expand: string[]
  query: URLSearchParams
  page: number
  perPage: number
  skipTotal: boolean
}

function probe(collection: CollectionName) {
  return fc
    .tuple(
      fc.constantFrom(...probes[collection]),
      fc.constantFrom(...words),
      fc.integer({ min: 0, max: 8 }),
    )
    .map(([[text, meaning], w, n]) => ({
      text: text.replaceAll('$w', w).replaceAll('$n', String(n)),
      holds: meaning(w, n),
    }))
}

const everything: { text: string; holds: Predicate } = { text: '', holds: () => true }

function filterOf(collection: CollectionName) {
  const joined = fc
    .tuple(probe(collection), fc.boolean(), probe(collection))
    .map(([a, wanted, b]) => {
      // Joined by "and", two conditions on the same back-relation are about one and the same record.
      const both = wanted && !(a.text.includes('_via_') && b.text.includes('_via_'))
      const holds: Predicate = (item, s) =>
        both ? a.holds(item, s) && b.holds(item, s) : a.holds(item, s) || b.holds(item, s)
      return { text: `(${a.text}) ${both ? '&&' : '||'} (${b.text})`, holds }
    })
  return fc.oneof(fc.constant(everything), probe(collection), probe(collection), joined)
}

/** A question to a list. */
export const listQuery: fc.Arbitrary<ListQuery> = fc
  .constantFrom<CollectionName>(
    'users',
    'profile',
    'settings',
    'subscriptions',
    ...(['bookshelves', 'user_books', 'activities'] as const).flatMap((name) => [name, name]),
  )
  .chain((collection) =>
    fc
      .record({
        filter: filterOf(collection),
        sort: fc.constantFrom('', '', '@random', ...Object.keys(sorts[collection])),
        descending: fc.boolean(),
        expand: fc.subarray(Object.keys(expands[collection])),
        further: fc.constantFrom(...further),
        fields: fc.constantFrom(
          '',
          '',
          '',
          '*,expand.*',
          'id,email,password,tokenKey,book_key,expand',
        ),
        page: fc.constantFrom(1, 1, 2, 3, 1_000_000_000),
        perPage: fc.constantFrom(1, 2, 5, 1000),
        skipTotal: fc.boolean(),
      })
      .map(({ filter, sort, descending, expand, further, fields, ...paging }) => {
        const query = new URLSearchParams({
          page: String(paging.page),
          perPage: String(paging.perPage),
          skipTotal: String(paging.skipTotal),
        })
        const order = sort && (descending ? `-${sort}` : sort)
        if (filter.text) query.set('filter', filter.text)
        if (order) query.set('sort', order)
        if (expand.length) query.set('expand', expand.map((path) => path + further).join())
        if (fields) query.set('fields', fields)
        return {
          collection,
          filter: filter.text,
          holds: filter.holds,
          sort: order,
          key: sorts[collection][sort]?.(descending),
          descending,
          expand,
          query,
          ...paging,
        }
      }),
  )
