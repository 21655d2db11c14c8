import { expect, test } from 'vitest'
import { collection } from '../schema/collection.ts'
import { lexFilter } from './lexer.ts'
import { allowsOwner, isIndexLookup, isNarrow, isLimitedToOwner } from './narrow.ts'
import { parse } from './parser.ts'

const notes = collection({
  name: 'notes',
  fields: [
    { name: 'title', type: 'text' },
    { name: 'slug', type: 'text' },
    { name: 'stars', type: 'number' },
    { name: 'data', type: 'json' },
    { name: 'place', type: 'geoPoint' },
    { name: 'owner', type: 'relation', collection: 'people', fill: 'viewer' },
    { name: 'tags', type: 'relation', collection: 'tags', maxSelect: 9 },
  ],
  unique: [['slug'], ['title', 'owner']],
  rules: { list: '', view: '', create: '', update: '', delete: '' },
})

const judge = (filter: string, sort = '') =>
  isNarrow(notes, filter === '' ? null : parse(lexFilter(filter).tokens), sort)

test.each([
  'owner = "a"',
  'owner = @request.auth.id',
  'id = "a"',
  'slug = "a"',
  'slug:lower = "a"',
  'owner = "a" && title != "b" && stars > 3',
  '(owner = "a" || owner = "b") && stars > 3',
  'stars > 3 && (title = "c" && owner = "a")',
  'owner = "a" && (title > "b" || slug:lower = "c")',
])('%s is narrow', (filter) => {
  expect(judge(filter)).toBe(true)
  expect(judge(filter, '-stars,title')).toBe(true)
})

test.each([
  '',
  'owner = "a" && title ~ "b"',
  'owner = "a" && "b" !~ title',
  'owner = "a" && (stars > 3 || title ?~ "b")',
  'owner = "a" && data = "b"',
  'owner = "a" && data:lower = "b"',
  'owner = "a" && place = "b"',
  'owner = "a" && tags ?= "c"',
  'title = "a"',
  'stars = 3',
  'owner != "a"',
  'owner ~ "a"',
  'owner = ""',
  'owner = title',
  '"owner" = "a"',
  'owner = 5',
  'tags = "a"',
  'owner = "a" || stars > 3',
  'owner = "a" && owner.name ~ "b"',
  'owner = "a" && owner.notes_via_owner.title ?~ "b"',
  'owner = "a" && @collection.notes.title ?~ "b"',
  'owner = "a" && strftime("%Y", title) = "2026"',
])('"%s" is broad', (filter) => {
  expect(judge(filter)).toBe(false)
})

const either = (side: string, many: number) =>
  Array.from({ length: many }, (_, i) => `${side} = "${i}"`).join(' || ')

test('R43: a narrow filter has few comparisons, not counting index lookups', () => {
  expect(judge(`owner = "a" && (${either('title:lower', 19)})`)).toBe(true)
  expect(judge(`owner = "a" && (${either('title:lower', 20)})`)).toBe(false)
  expect(judge(either('id', 150))).toBe(true)
  expect(judge(either('owner', 150))).toBe(false)
})

test('R43: a row of a view may be computed from many', () => {
  const view = { ...notes, type: 'view' as const }
  const judgeView = (filter: string) => isNarrow(view, parse(lexFilter(filter).tokens), '')
  expect(judgeView(either('slug', 20))).toBe(true)
  expect(judgeView(either('slug', 21))).toBe(false)
})

test.each([
  ['owner = "a"', true],
  ['owner = "a" || slug = "b"', true],
  ['owner = "a" && stars > 3', false],
  ['stars > 3', false],
])('whether indexes alone answer %s: %s', (filter, expected) => {
  expect(isIndexLookup(notes, parse(lexFilter(filter).tokens))).toBe(expected)
})

test('a sort by a related value is broad', () => {
  expect(judge('owner = "a"', 'owner.name')).toBe(false)
})

test.each([
  ['owner = "me"', true],
  ['stars > 3 && (owner = "me" && title ~ "a")', true],
  ['owner = "you"', false],
  ['owner = "me" || stars > 3', false],
  ['owner != "me"', false],
  ['owner ~ "me"', false],
  ['title = "me" && owner = "you"', false],
  ['owner.name = "me"', false],
])('whether %s only selects the viewer’s records: %s', (filter, expected) => {
  expect(isLimitedToOwner(notes, lexFilter(filter), 'me')).toBe(expected)
  expect(isLimitedToOwner(notes, lexFilter(filter), undefined)).toBe(false)
})

test.each([
  ['owner = @request.auth.id', true],
  ['stars > 3 || (title = "a" || owner = @request.auth.id)', true],
  ['owner = @request.auth.id && stars > 3', false],
  ['owner != @request.auth.id || stars > 3', false],
  ['id = @request.auth.id', false],
  ['', false],
])('whether the rule %s always allows the owner: %s', (rule, expected) => {
  expect(allowsOwner(notes, rule)).toBe(expected)
})
