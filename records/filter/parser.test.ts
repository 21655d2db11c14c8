import { describe, expect, test } from 'vitest'
import { lex } from './lexer.ts'
import { parse } from './parser.ts'
import { likePattern } from './compare.ts'
import { FilterError } from './tree.ts'

const parsed = (text: string) => parse(lex(text).tokens)
const only = (text: string) => lex(text).literals[0]

describe('quoted text', () => {
  test.each([
    [`a = "te'st"`, "te'st"],
    [`a = 'te\\'st'`, "te'st"],
    [`a = 'te"st'`, 'te"st'],
    [String.raw`a = "te\"st"`, 'te"st'],
    [String.raw`a = "a\\b"`, 'a\\b'],
    [String.raw`a = 'a\b'`, 'a\\b'],
    [String.raw`a = "ab\%c"`, 'ab\\%c'],
    [String.raw`a = "line\nend\u00e9"`, 'line\nendé'],
    [String.raw`a = "\n1234\u00E9\u12"`, '\n1234é\\u12'],
    [String.raw`a = "\/\b\f\r\t\\"`, '/\b\f\r\t\\'],
    [`a = ""`, ''],
    [`a = "\u{1F4D6}"`, '\u{1F4D6}'],
    ['a = "\uD800"', '\u{FFFD}'],
  ])('%s', (text, value) => expect(only(text)).toBe(value))
})

test('numbers, names and comments', () => {
  expect(lex('a >= -1.5 // rest\n').literals).toEqual([-1.5])
  expect(parsed('owner.name:lower ?!~ @now')).toEqual({
    type: 'comparison',
    left: { type: 'name', name: 'owner.name:lower' },
    operator: '!~',
    any: true,
    right: { type: 'name', name: '@now' },
  })
  expect(parsed('a=1//x\n&&b=2')).toMatchObject({ type: 'and' })
  expect(parsed(' a\t=\r\n1 ')).toEqual(parsed('a=1'))
  expect(parsed('aAzZ_09 = 1')).toMatchObject({ left: { type: 'name', name: 'aAzZ_09' } })
})

test('&& binds tighter than ||, parentheses tighter still', () => {
  expect(parsed('a=1 || b=2 && c=3')).toMatchObject({
    type: 'or',
    nodes: [{ type: 'comparison' }, { type: 'and' }],
  })
  expect(parsed('(a=1 || b=2) && c=3')).toMatchObject({
    type: 'and',
    nodes: [{ type: 'or' }, { type: 'comparison' }],
  })
})

test('a call may have arguments, including nested calls up to three deep', () => {
  const one = { type: 'number', index: 0, empty: false, text: undefined }
  expect(parsed('f(1, b) = g()')).toMatchObject({
    left: { type: 'call', name: 'f', args: [one, { type: 'name', name: 'b' }] },
    right: { type: 'call', name: 'g', args: [] },
  })
  expect(() => parsed('f(g(h(1))) < f(g(h(1)))')).not.toThrow()
  expect(() => parsed(`f(${Array(10).fill(1).join()}) < 5`)).not.toThrow()
})

test('filters that differ only in their values have the same shape', () => {
  expect(lex('a = "x" && b > 1').shape).toBe(lex("a='y'&&b>20").shape)
  expect(lex('a = ""').shape).not.toBe(lex('a = "x"').shape)
  expect(lex('a = 1').shape).not.toBe(lex('a = "1"').shape)
  expect(lex('a = b').shape).not.toBe(lex('a != b').shape)
  expect(lex('(a = 1)').shape).not.toBe(lex('a = 1').shape)
  expect(lex('(a = f("x")) && b = "y"').shape).toBe(lex('(a = f("x")) && b = "z"').shape)
})

test('filters that need different statements have different shapes', () => {
  const texts = [
    'a = 1',
    'a = ""',
    'a = "x"',
    'a = b',
    'a = bc',
    'a ?= b',
    'a = 1 && b = 1',
    'a = 1 || b = 1',
    'a = 1 || b = 1 && c = 1',
    '(a = 1 || b = 1) && c = 1',
    'a = 1 || (b = 1 && c = 1)',
    'f(a) = 1',
    'g(a) = 1',
    'f(a, b) = 1',
    'f("x") = 1',
    'f("y") = 1',
    'f("") = 1',
    'f(1) = 1',
    'f = 1',
    'f("", a) = 1',
    '(a = 1) && f("x") = 1',
    '(a = 1) && f("y") = 1',
    'f(1, a) = 1',
    'f(g("x"), "y") = 1',
    'f(g("x"), "z") = 1',
  ]
  expect(new Set(texts.map((text) => lex(text).shape)).size).toBe(texts.length)
})

test.each([
  '',
  '   ',
  '// only a comment',
  'a',
  'a =',
  '= 1',
  'a = 1 &&',
  'a = 1 b = 2',
  'a = 1 & b = 2',
  'a == 1',
  'a ?? 1',
  'a = 1 / rest',
  'a = 1 /',
  'a = "x',
  "a = 'x",
  'a = 1.',
  'a = .5',
  'a = 1.2.3',
  'a = -',
  'a = 1e3',
  'a. = 1',
  'a: = 1',
  '()',
  '(a = 1',
  'a = 1)',
  '!a',
  'a = "\0"',
  String.raw`a = "\u0000"`,
  `a = ${'9'.repeat(400)}`,
  'f(1, 2 < 5',
  'f(',
  'f(1',
  'f(1 2) < 5',
  'f(1 a < 5',
  'a < f(g(h(i(1))))',
  'a = -.5',
  'f(1,) < 5',
  'f(,1) < 5',
  'f (1) < 5',
  'a, b < 5',
  'f(g(h(i(1)))) < 5',
  `f(${Array(11).fill(1).join()}) < 5`,
])('%j is an invalid filter', (text) => expect(() => parsed(text)).toThrow(FilterError))

test('a filter has at most 200 comparisons, nested up to 32 deep', () => {
  const many = (n: number) => Array.from({ length: n }, () => 'a=1').join('||')
  const deep = (n: number) => `${'('.repeat(n)}a=1${')'.repeat(n)}`
  expect(() => parsed(many(200))).not.toThrow()
  expect(() => parsed(many(201))).toThrow(FilterError)
  expect(() => parsed(deep(32))).not.toThrow()
  expect(() => parsed(deep(33))).toThrow(FilterError)
  expect(() => parsed('('.repeat(3500))).toThrow(FilterError)
})

test.each([
  ['abc', '%abc%'],
  ['ab%c', 'ab%c'],
  ['ab\\%c', '%ab\\%c%'],
  ['ab_c', '%ab\\_c%'],
  ['%ab_c', '%ab_c'],
  ['a%b\\%', 'a%b\\%'],
  ['\\%%', '\\%%'],
  ['ab\\c', '%ab\\\\c%'],
  ['%ab\\', '%ab\\\\'],
  ['%ab\\\\', '%ab\\\\'],
  ['', '%%'],
])('~ %j is LIKE %j', (text, pattern) => expect(likePattern(text)).toBe(pattern))
