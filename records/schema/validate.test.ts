import { expect, it } from 'vitest'
import { isEmail } from './email-url.ts'
import { collection } from './collection.ts'
import type { Field } from './field.ts'
import { unknownFiles, validate } from './validate.ts'

const rules = { list: null, view: null, create: null, update: null, delete: null }

function errorOf(field: Field, value: unknown, plain?: string) {
  const one = collection({ name: 'one', fields: [field], rules })
  const errors = validate(one, { id: '', [field.name]: value }, new Set([field.name]), plain)
  const error = errors[field.name] as { code: string; message: string; params?: object } | undefined
  return error && [error.code.replace('validation_', ''), error.message, error.params]
}

const f = { name: 'f' } as const
const password = { ...f, type: 'password', min: 8, max: 71 } as const
const people = { ...f, type: 'relation', collection: 'one', maxSelect: 3 } as const
const year = (number: number) => `${number}-01-01 00:00:00.000Z`
const files = { ...f, type: 'file', maxSelect: 2 } as const

it.each<[Field, unknown, unknown]>([
  [{ ...f, type: 'text', required: true }, '', ['required', 'Cannot be blank.', undefined]],
  [{ ...f, type: 'number', required: true }, 0, ['required', 'Cannot be blank.', undefined]],
  [{ ...f, type: 'bool', required: true }, false, ['required', 'Cannot be blank.', undefined]],
  [
    { ...f, type: 'bool', strict: true },
    'yes',
    ['invalid_value', 'Must be true or false.', undefined],
  ],
  [{ ...f, type: 'bool', strict: true }, false, undefined],
  [{ ...f, type: 'json', required: true }, [], ['required', 'Cannot be blank.', undefined]],
  [
    { ...f, type: 'text', min: 3 },
    'ab',
    ['min_text_constraint', 'Must be at least 3 character(s).', { min: 3 }],
  ],
  [{ ...f, type: 'text', min: 3 }, '', undefined],
  [
    { ...f, type: 'text', max: 3 },
    'abcd',
    ['max_text_constraint', 'Must be no more than 3 character(s).', { max: 3 }],
  ],
  // Lengths count code points, not UTF-16 units.
  [{ ...f, type: 'text', max: 3 }, '𝒜𝒜𝒜', undefined],
  [
    { ...f, type: 'text' },
    'x'.repeat(5001),
    ['max_text_constraint', 'Must be no more than 5000 character(s).', { max: 5000 }],
  ],
  [
    { ...f, type: 'text', pattern: /^a+$/ },
    'b',
    ['invalid_format', 'Invalid value format.', undefined],
  ],
  [{ ...f, type: 'email' }, 'x', ['is_email', 'Must be a valid email address.', undefined]],
  [{ ...f, type: 'email', onlyDomains: ['a.test'] }, 'x@a.test', undefined],
  [{ ...f, type: 'email', onlyDomains: ['a.test'] }, '', undefined],
  [
    { ...f, type: 'email', onlyDomains: ['a.test'] },
    'x@b.a.test',
    ['email_domain_not_allowed', 'Email domain is not allowed.', undefined],
  ],
  [
    { ...f, type: 'email', exceptDomains: ['a.test'] },
    'x@a.test',
    ['email_domain_not_allowed', 'Email domain is not allowed.', undefined],
  ],
  [{ ...f, type: 'date', min: year(2020), max: year(2021) }, year(2020), undefined],
  [{ ...f, type: 'date', min: year(2020) }, '', undefined],
  [
    { ...f, type: 'date', min: year(2020) },
    '2019-12-31 23:59:59.999Z',
    [
      'min_greater_equal_than_required',
      'Must be no less than 2020-01-01 00:00:00 +0000 UTC.',
      { threshold: '2020-01-01 00:00:00 +0000 UTC' },
    ],
  ],
  [
    { ...f, type: 'date', max: '2020-06-07 08:09:10.120Z' },
    year(2021),
    [
      'max_less_equal_than_required',
      'Must be no greater than 2020-06-07 08:09:10.12 +0000 UTC.',
      { threshold: '2020-06-07 08:09:10.12 +0000 UTC' },
    ],
  ],
  [{ ...people, minSelect: 2 }, [], undefined],
  [{ ...people, minSelect: 2 }, ['a', 'b'], undefined],
  [
    { ...people, minSelect: 2 },
    ['a'],
    ['not_enough_values', 'Select at least 2.', { minSelect: 2 }],
  ],
  [
    { ...f, type: 'number' },
    Number.NaN,
    ['not_a_number', 'The submitted number is not properly formatted.', undefined],
  ],
  [
    { ...f, type: 'number', onlyInt: true },
    1.5,
    ['only_int_constraint', 'Decimal numbers are not allowed.', undefined],
  ],
  [
    { ...f, type: 'number', min: 1 },
    0,
    ['min_number_constraint', 'Must be greater or equal than 1.', { min: 1 }],
  ],
  [
    { ...f, type: 'number', max: 10 },
    10.5,
    ['max_number_constraint', 'Must be less or equal than 10.', { max: 10 }],
  ],
  [
    { ...f, type: 'select', values: ['a'] },
    'b',
    ['invalid_value', 'Invalid value b.', { value: 'b' }],
  ],
  [
    { ...f, type: 'select', values: ['a', 'b', 'c'], maxSelect: 2 },
    ['a', 'b', 'c'],
    ['too_many_values', 'Select no more than 2.', { maxSelect: 2 }],
  ],
  [
    { ...f, type: 'editor', maxSize: 3 },
    'ää',
    ['content_size_limit', 'The maximum allowed content size is 3 bytes.', { maxSize: 3 }],
  ],
  [{ ...f, type: 'editor' }, '<p>any</p>', undefined],
  [{ ...f, type: 'url' }, 'https://example.org/a?b#c', undefined],
  [{ ...f, type: 'url' }, '', undefined],
  [
    { ...f, type: 'url' },
    'javascript:alert(1)',
    ['invalid_url', 'Must be a valid url.', undefined],
  ],
  [{ ...f, type: 'url' }, 'https://', ['invalid_url', 'Must be a valid url.', undefined]],
  [
    { ...f, type: 'url', onlyDomains: ['example.org'] },
    'https://example.com',
    ['url_domain_not_allowed', 'Url domain is not allowed.', undefined],
  ],
  [
    { ...f, type: 'url', exceptDomains: ['example.org'] },
    'https://example.org',
    ['url_domain_not_allowed', 'Url domain is not allowed.', undefined],
  ],
  [{ ...f, type: 'geoPoint' }, { lon: 180, lat: -90 }, undefined],
  [
    { ...f, type: 'geoPoint' },
    { lon: 0, lat: 90.5 },
    ['invalid_latitude', 'Latitude must be between -90 and 90 degrees.', undefined],
  ],
  [
    { ...f, type: 'geoPoint' },
    { lon: Number.NaN, lat: 0 },
    ['invalid_longitude', 'Longitude must be between -180 and 180 degrees.', undefined],
  ],
  [
    { ...f, type: 'geoPoint', required: true },
    { lon: 0, lat: 0 },
    ['required', 'Cannot be blank.', undefined],
  ],
  [
    { ...f, type: 'json', maxSize: 3 },
    'ä!',
    ['json_size_limit', 'The maximum allowed JSON size is 3 bytes.', { maxSize: 3 }],
  ],
])('%o validates %o: %o', (field, value, expected) => {
  expect(errorOf(field, value)).toEqual(expected)
})

it('measures a password as typed', () => {
  expect(errorOf(password, '', 'ü'.repeat(7))).toEqual([
    'min_text_constraint',
    'Must be at least 8 character(s).',
    { min: 8 },
  ])
  expect(errorOf(password, '', 'x'.repeat(72))).toEqual([
    'max_text_constraint',
    'Must be less than 71 character(s).',
    { max: 71 },
  ])
  expect(errorOf(password, 'hash')).toBeUndefined()
})

it('recognises email addresses', () => {
  for (const yes of ['a@b.cd', 'a.b+c@d-e.example', "o'x@example.org", 'ü@exämple.org'])
    expect(isEmail(yes), yes).toBe(true)
  for (const no of ['', 'a', '@b.cd', 'a@', 'a@b', 'a b@c.de', 'a@b..cd', '.a@b.cd', 'a@-b.cd'])
    expect(isEmail(no), no).toBe(false)
  expect(isEmail(`${'a'.repeat(65)}@b.cd`)).toBe(false)
  expect(isEmail(`a@${'b'.repeat(63)}.`.padEnd(260, 'c'))).toBe(false)
})

it('lets a client drop files but not name new ones', () => {
  const one = collection({ name: 'one', fields: [files], rules })
  const check = (after: string[]) =>
    unknownFiles(one, { id: '', f: ['a', 'b'] }, { id: '', f: after }, new Set(['f']))
  expect(check(['b'])).toEqual({})
  expect(check([])).toEqual({})
  expect(check(['a', 'x'])).toMatchObject({ f: { code: 'validation_invalid_file' } })
})
