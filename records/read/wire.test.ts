import { expect, test } from 'vitest'
import { schema } from '../fixture.ts'
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

test('keys are in alphabetical order, what never leaves is not even selected', () => {
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

test('what is for the record itself is for nobody else, expand is there when asked for', () => {
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

test('what is for the record itself may come first', () => {
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
])('%j is written %s', (values, text) => {
  expect(form.write(row({ id: 'x', ...values }), false)).toContain(text)
})

test('a form is made once', () => {
  const notes = schema.get('notes')
  expect(wireForm(notes)).toBe(wireForm(notes))
  expect(wireForm(notes).position('hint')).toBeUndefined()
  expect(wireForm(notes).columns[wireForm(notes).position('title')!]!.name).toBe('title')
})

test('what HTML would take for its own is escaped', () => {
  const text = '<script>&amp;\u2028\u2029'
  const json = safeJson(JSON.stringify({ text }))
  expect(json).toBe('{"text":"\\u003cscript\\u003e\\u0026amp;\\u2028\\u2029"}')
  expect(JSON.parse(json)).toEqual({ text })
  expect(safeJson('{"text":"plain"}')).toBe('{"text":"plain"}')
})
