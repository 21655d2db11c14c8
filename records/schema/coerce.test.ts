import { expect, it } from 'vitest'
import { applyBody, coerce, emptyRecord, formatDate } from './coerce.ts'
import type { Field } from './field.ts'

const text: Field = { name: 't', type: 'text' }
const number: Field = { name: 'n', type: 'number' }
const bool: Field = { name: 'b', type: 'bool' }
const strict: Field = { name: 'b', type: 'bool', strict: true }
const date: Field = { name: 'd', type: 'date' }
const one: Field = { name: 'o', type: 'select', values: ['a', 'b'] }
const many: Field = { name: 'm', type: 'relation', collection: 'x', maxSelect: 9 }
const json: Field = { name: 'j', type: 'json' }

const jan = '2024-01-02 03:04:05.006Z'

const cases: [Field, unknown, unknown][] = [
  [text, 'x', 'x'],
  [text, 9_780_141_439_471, '9780141439471'],
  [text, true, 'true'],
  [text, null, ''],
  [text, { a: 1 }, ''],
  [number, '12.5', 12.5],
  [number, '1e3', 1000],
  [number, true, 1],
  [number, '12 pages', 0],
  [number, '0x10', 0],
  [number, '', 0],
  [number, null, 0],
  [number, -0, 0],
  [number, 'Infinity', Number.NaN],
  [bool, 'true', true],
  [bool, 'T', true],
  [bool, 'yes', false],
  [bool, 1, true],
  [bool, {}, false],
  [strict, 'true', true],
  [strict, 0, false],
  [strict, 'False', false],
  // Left for `validate` to refuse.
  [strict, 'yes', 'yes'],
  [strict, null, null],
  [date, jan, jan],
  [date, '2024-01-02T03:04:05.006Z', jan],
  [date, '2024-01-02T05:04:05.006+02:00', jan],
  [date, '2024-01-01T22:34:05.006-0430', jan],
  [date, '2024-01-02 03:04:05.006789Z', jan],
  [date, '2024-01-02', '2024-01-02 00:00:00.000Z'],
  [date, '2024-01-02 03:04', '2024-01-02 03:04:00.000Z'],
  [date, 'Tue, 02 Jan 2024 03:04:05 GMT', '2024-01-02 03:04:05.000Z'],
  [date, 1_704_164_645, '2024-01-02 03:04:05.000Z'],
  [date, '2024-02-30', ''],
  [date, '2024-13-01', ''],
  [date, '2024-01-02 25:00', ''],
  [date, '2024-01-02 03:04 CET', ''],
  [date, 'tomorrow', ''],
  [date, '', ''],
  [one, ['a', 'b'], 'b'],
  [one, '["a","b"]', 'b'],
  [one, '[broken', '[broken'],
  [one, null, ''],
  [many, 'x', ['x']],
  [many, ['x', '', 'y', 'x'], ['x', 'y']],
  [many, '["x","y"]', ['x', 'y']],
  [many, '', []],
  [many, null, []],
  [json, { a: [1] }, { a: [1] }],
  [json, '', ''],
  [json, 'null', null],
  [json, '1.5', 1.5],
  [json, '01', '01'],
  [json, '["a"]', ['a']],
  [json, '{"a":1}', { a: 1 }],
  [json, '{broken}', '{broken}'],
  [json, 'plain', 'plain'],
  [json, '{"__proto__":{}}', '{"__proto__":{}}'],
  [json, undefined, null],
  [
    { name: 'g', type: 'geoPoint' },
    { lon: 1.5, lat: '-2', more: 3 },
    { lon: 1.5, lat: -2 },
  ],
  [{ name: 'g', type: 'geoPoint' }, '{"lon":1}', { lon: 1, lat: 0 }],
  [{ name: 'g', type: 'geoPoint' }, 'here', { lon: 0, lat: 0 }],
  [{ name: 'g', type: 'geoPoint' }, null, { lon: 0, lat: 0 }],
  [one, ['', 'a', ''], 'a'],
  [one, [null, {}], ''],
  [one, 5, '5'],
  [many, [['x'], { y: 1 }, 3, true], ['3', 'true']],
  [many, '{"x":1}', ['{"x":1}']],
  [{ name: 'w', type: 'editor' }, { a: 1 }, ''],
  [{ name: 'u', type: 'url' }, true, 'true'],
  [{ name: 'e', type: 'email' }, ['a@b.cd'], ''],
  [{ name: 'w', type: 'editor' }, 5, '5'],
  [{ name: 'u', type: 'url' }, ['a'], ''],
  [{ name: 'e', type: 'email' }, 'Ann.Ä@Example.ORG', 'Ann.Ä@Example.ORG'],
  [{ name: 'e', type: 'email', ignoresCase: true }, 'Ann.Ä@Example.ORG', 'ann.Ä@example.org'],
]

it.each(cases)('%o converts %o to %o', (field, value, expected) => {
  expect(coerce(field, value)).toEqual(expected)
})

it('applies modifiers in order of their lengths, and keeps unknown keys', () => {
  const fields = [text, number, many]
  const base = { ...emptyRecord(fields), n: 5, m: ['a', 'b'] }
  const { record, body } = applyBody(base, fields, {
    'm-': ['a'],
    '+m': ['z'],
    'm+': 'c',
    'n+': '2',
    't+': 'no',
    other: 1,
  })
  expect(record).toEqual({ id: '', t: '', n: 7, m: ['z', 'b', 'c'] })
  expect(body).toEqual({ n: 7, m: ['z', 'b', 'c'], 't+': 'no', other: 1 })
  expect(base.m).toEqual(['a', 'b'])
})

it('appends random characters to a sent prefix', () => {
  const field: Field = { ...text, autogenerate: 8 }
  const of = (body: object) => applyBody(emptyRecord([field, number]), [field, number], { ...body })
  expect(of({ 't:autogenerate': 'a-' }).record['t']).toMatch(/^a-[a-z0-9]{8}$/)
  expect(of({ 't:autogenerate': '' }).body['t']).toMatch(/^[a-z0-9]{8}$/)
  expect(of({ 'n:autogenerate': 5 }).record['n']).toBe(0)
  const plain = applyBody(emptyRecord([text]), [text], { 't:autogenerate': 'a-' })
  expect(plain.record['t']).toBe('a-')
})

it('formats dates as on the wire', () => {
  expect(formatDate(new Date(0))).toBe('1970-01-01 00:00:00.000Z')
  expect(formatDate(Number.NaN)).toBe('')
  expect(formatDate(Date.UTC(12_000, 0))).toBe('')
})
