import { expect, test } from 'vitest'
import { schema } from '../records.fixture.ts'
import { collection } from '../schema/collection.ts'
import { safeJson, wireForm } from './wire.ts'

const all = collection({
  name: 'all',
  type: 'auth',
  fields: [
    { name: 'zero', type: 'number' },
    { name: 'Upper', type: 'text' },
    { name: 'bool', type: 'bool' },
    { name: 'json', type: 'json' },
    { name: 'list', type: 'file', maxSelect: 2 },
    { name: 'own', type: 'text', readable: 'self' },
    { name: 'hidden', type: 'text', readable: 'nobody' },
  ],
  rules: { list: '', view: '', create: '', update: '', delete: '' },
})
const form = wireForm(all)
const row = (values: Record<string, string | number | boolean | null>) =>
  form.columns.map(({ name }) => values[name] ?? null)

test('keys are in alphabetical order, and fields that nobody may read aren’t selected', () => {
  expect(form.columns.map(({ name }) => name)).toEqual([
    'id',
    'email',
    'verified',
    'zero',
    'Upper',
    'bool',
    'json',
    'list',
    'own',
  ])
  expect(form.write(row({ id: 'x' }), true, '{}')).toBe(
    `{"Upper":"","bool":false,"collectionId":"${all.id}","collectionName":"all","email":"",` +
      '"expand":{},"id":"x","json":null,"list":[],"own":"","verified":false,"zero":0}',
  )
})

test('fields for the account itself are for nobody else, and expand is only there if requested', () => {
  const json = form.write(row({ id: 'x', email: 'a@b.c', own: 'secret' }), false)
  expect(Object.keys(JSON.parse(json) as object)).toEqual([
    'Upper',
    'bool',
    'collectionId',
    'collectionName',
    'id',
    'json',
    'list',
    'zero',
  ])
})

test('fields for the account itself may come first', () => {
  const early = collection({
    name: 'early',
    type: 'auth',
    fields: [
      { name: 'about', type: 'text', readable: 'self' },
      { name: 'birthday', type: 'text', readable: 'self' },
    ],
    rules: { list: '', view: '', create: '', update: '', delete: '' },
  })
  const made = wireForm(early)
  const keys = (self: boolean) => {
    const json = made.write(Array<null>(made.columns.length).fill(null), self)
    return Object.keys(JSON.parse(json) as object)
  }
  const names = ['collectionId', 'collectionName']
  expect(keys(false)).toEqual([...names, 'id'])
  expect(keys(true)).toEqual(['about', 'birthday', ...names, 'email', 'id', 'verified'])
})

test.each([
  [{ zero: 1.5 }, '"zero":1.5'],
  [{ zero: 1e21 }, '"zero":1e+21'],
  [{ zero: -0 }, '"zero":0'],
  [{ bool: 1 }, '"bool":true'],
  [{ bool: true }, '"bool":true'],
  [{ json: '{"b":1,"a":[]}' }, '"json":{"b":1,"a":[]}'],
  [{ list: '["a.png"]' }, '"list":["a.png"]'],
  [{ Upper: 'a"\\\n\u{1F4D6}' }, '"Upper":"a\\"\\\\\\n\u{1F4D6}"'],
])('%j is serialised as %s', (values, text) => {
  expect(form.write(row({ id: 'x', ...values }), false)).toContain(text)
})

test('a form is created once', () => {
  const notes = schema.get('notes')
  expect(wireForm(notes)).toBe(wireForm(notes))
  expect(wireForm(notes).position('hint')).toBeUndefined()
  expect(wireForm(notes).columns[wireForm(notes).position('title')!]!.name).toBe('title')
})

test('characters special in HTML are escaped', () => {
  const text = '<script>&amp;\u2028\u2029'
  const json = safeJson(JSON.stringify({ text }))
  expect(json).toBe('{"text":"\\u003cscript\\u003e\\u0026amp;\\u2028\\u2029"}')
  expect(JSON.parse(json)).toEqual({ text })
  expect(safeJson('{"text":"plain"}')).toBe('{"text":"plain"}')
})
