/** Values that servers have stumbled over. */

import fc from 'fast-check'

const deep = (levels: number, text: string) => text[0]!.repeat(levels) + text[1]!.repeat(levels)

/** Any of these is a text in JSON; the last few cannot be written in UTF-8. */
export const oddTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'true',
  'NaN',
  '-0',
  '1e999',
  '1e9',
  '9007199254740993',
  '-1',
  '0x10',
  '٣',
  '\u202Eevil\u202C',
  'שלום عالم',
  '👩‍👩‍👧‍👦'.repeat(40),
  '𝔸'.repeat(255),
  'é'.normalize('NFD').repeat(200),
  'x'.repeat(256),
  'x'.repeat(5000),
  '漢'.repeat(300),
  '\r\n\t\v\f\u0085\u2028',
  '\uFEFFbom',
  '%',
  '%00',
  '%zz',
  '../../etc/passwd',
  '..',
  "' OR 1=1 --",
  '"',
  '\\',
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  '*',
  '(',
  deep(60, '()'),
  deep(300, '[]'),
  'a;b=c',
  'a&b=c',
  'a+b c',
  '\uFFFD\uFFFE',
  '\uD800',
  'a\uDFFFb',
] as const

export const oddText = fc.oneof(
  fc.constantFrom<string>(...oddTexts),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
)

function nested(levels: number): unknown {
  let value: unknown = 'core'
  for (let i = 0; i < levels; i++) value = i % 2 ? [value] : { k: value }
  return value
}

/** What JSON can say. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom<unknown>(null, true, false, 0, -0, 1.5, -1, 1e308, 5e-324, 2 ** 53, 1e21),
  fc.constantFrom<unknown>([], {}, [[]], [null], { id: {} }, nested(31), nested(33), nested(200)),
  fc.constantFrom<unknown>({ constructor: { prototype: 1 } }, { length: 1e9 }, { toJSON: 'x' }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** JSON that no value stands for. */
export const oddJson = fc.constantFrom(
  '',
  '{',
  '{"a":1,"a":2,"title":"one","title":"two"}',
  '{"__proto__":{"admin":true},"title":"x"}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"page_count":1e999,"rating":-0}',
  '{"title":"\\ud800","name":"\\udfff"}',
  '{"title":"a\\u0000b","name":"\\u0000"}',
  '[]',
  'null',
  '"text"',
  '0',
  'NaN',
  '\uFEFF{}',
  '{"a":01}',
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  `{"data":${'{"k":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
  `{"title":"${'x'.repeat(900_000)}"}`,
  `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":${i}`).join()}}`,
)
