import { describe, expect, test } from 'vitest'
import { excerpt } from './excerpt.ts'
import { parseFields, pickJson } from './pick.ts'

const record = {
  a: 1,
  b: { c: 2, d: { e: 3, f: 4 } },
  list: [{ x: 1, y: 2 }, { x: 3 }],
  text: '<p>Hello <b>there</b>, you</p>',
}
const picked = (fields: string) =>
  JSON.parse(pickJson(JSON.stringify(record), parseFields(fields))) as unknown

test.each([
  ['a', { a: 1 }],
  [' a , b.c ', { a: 1, b: { c: 2 } }],
  ['b.d.e,b.c', { b: { c: 2, d: { e: 3 } } }],
  ['b.*,b.d.f', { b: { c: 2, d: { f: 4 } } }],
  ['*,b.c', { a: 1, b: { c: 2 }, list: record.list, text: record.text }],
  ['list.x', { list: [{ x: 1 }, { x: 3 }] }],
  ['nothing,a.b', { a: 1 }],
  [',a,,', { a: 1 }],
  ['text:excerpt(5)', { text: 'Hello' }],
  ['text:excerpt(7, true),a', { a: 1, text: 'Hello t...' }],
  ['a:excerpt(1)', { a: 1 }],
  ['*:excerpt(1),b.c', { a: 1, b: { c: 2 }, list: record.list, text: 'H' }],
  ['b.*.e', { b: {} }],
  ['__proto__,constructor', {}],
  [`${'b.'.repeat(4000)}c`, { b: {} }],
])('%s', (fields, expected) => expect(picked(fields)).toEqual(expected))

test('no fields means all of them', () => {
  expect(parseFields('')).toBeUndefined()
  expect(parseFields(' ')).toBeUndefined()
  expect(parseFields(' ,,')).toBeUndefined()
  expect(parseFields(undefined)).toBeUndefined()
})

test.each([
  'a:excerpt(0)',
  'a:excerpt(-1)',
  'a:excerpt()',
  'a:excerpt(x)',
  'a:upper',
  '*:upper',
  'a:excerpt(1',
  'b.c:nothing(1)',
])('%s is refused', (fields) =>
  expect(() => parseFields(fields)).toThrow(expect.objectContaining({ status: 400 })),
)

describe('an excerpt', () => {
  test.each([
    ['plain  text\n', 'plain text'],
    ['<p>one</p><p>two</p>', 'one two'],
    ['one<br>two<hr/>three', 'one two three'],
    ['un<b>seen</b>, <A HREF="x">it</A>.', 'unseen, it.'],
    ['x<form><label>Name <input></label></form><head><title>no</title></head>y', 'x y'],
    ['a < b &amp; c &lt;d&gt; &#8212; &unknown;', 'a < b & c <d> \u2014 &unknown;'],
    ['<script>alert(1)</script>x<style>p{}</style>', 'x'],
    ['<SVG><text>no</text></SVG>yes', 'yes'],
    ['x<script>never closed', 'x'],
    ['x<b', 'x'],
    ['&#0;&#9999999;', '\u{FFFD}\u{FFFD}'],
  ])('of %j is %j', (html, text) => expect(excerpt(html, 100, false)).toBe(text))

  test('counts characters, not UTF-16 units', () => {
    expect(excerpt('\u{1F4D6}\u{1F4D6}\u{1F4D6}', 2, true)).toBe('\u{1F4D6}\u{1F4D6}...')
    expect(excerpt('ab', 2, true)).toBe('ab')
  })
})
