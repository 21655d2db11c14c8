import { describe, expect, test } from 'vitest'
import { asList, asNumber, asText } from './input.ts'

describe('a value of a request', () => {
  test.each<[unknown, string | null]>([
    [null, null],
    [undefined, null],
    ['', ''],
    ['a', 'a'],
    [5, '5'],
    [false, 'false'],
    [['a'], '["a"]'],
    ['a\0b\0', 'a\u{FFFD}b\u{FFFD}'],
    ['\uD800', '\u{FFFD}'],
    [['\0', '\uD83D', '\uDFFF'], '["\u{FFFD}","\u{FFFD}","\u{FFFD}"]'],
    [['\u{1F4D6}'], '["\u{1F4D6}"]'],
    // A text that looks like an escape isn't one.
    [['\\u0000', '"\\ud800'], String.raw`["\\u0000","\"\\ud800"]`],
  ])('%j is the text %j', (value, text) => expect(asText(value)).toBe(text))

  test.each<[unknown, string]>([
    [['a', '\0'], '["a","\u{FFFD}"]'],
    [[], '[]'],
    ['a', '[]'],
    [null, '[]'],
    [{ length: 1 }, '[]'],
  ])('%j is the list %s', (value, list) => expect(asList(value)).toBe(list))

  test.each<[unknown, number | null]>([
    [null, null],
    [undefined, null],
    ['', null],
    [5, 5],
    [true, 1],
    [false, 0],
    ['5', 5],
    [' -12.25\t', -12.25],
    ['007.50', 7.5],
    ['5 apples', Infinity],
    ['about 5', Infinity],
    ['x5', Infinity],
    ['5x', Infinity],
    ['1e3', Infinity],
    ['0x10', Infinity],
    ['.5', Infinity],
    ['5.', Infinity],
    ['1.2.3', Infinity],
    ['+5', Infinity],
    ['Infinity', Infinity],
    [[5], Infinity],
  ])('%j is the number %d', (value, number) => expect(asNumber(value)).toBe(number))
})
