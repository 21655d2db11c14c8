import { expect, it } from 'vitest'
import { collection } from './collection.ts'
import type { Field } from './field.ts'
import { storableErrors } from './storable.ts'

const rules = { list: null, view: null, create: null, update: null, delete: null }

it('refuses values that not every database can store', () => {
  const fields: Field[] = [
    { name: 't', type: 'text' },
    { name: 'j', type: 'json' },
    { name: 's', type: 'select', values: ['a'], maxSelect: 2 },
  ]
  const all = collection({ name: 'all', fields, rules })
  const check = (record: object) => storableErrors(all, { id: '', ...record })
  const format = { code: 'validation_invalid_format' }
  const json = { code: 'validation_invalid_json' }
  expect(check({ t: 'a📖', j: { a: ['\u{1F4D6}', null, 1] }, s: ['a'] })).toEqual({})
  expect(check({ t: 'a\0', s: ['\uD800'] })).toMatchObject({ t: format, s: format })
  for (const value of ['\uDC00', ['\0'], { 'a\uD800': 1 }, { a: [{ b: '\0' }] }])
    expect(check({ j: value })).toMatchObject({ j: json })
  let deep: unknown = 1
  for (let i = 0; i < 100_000; i++) deep = [deep]
  expect(check({ j: deep })).toMatchObject({ j: json })
})
