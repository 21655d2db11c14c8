import { FilterError, type Operator } from './tree.ts'

export type Token =
  | { type: 'text' | 'number'; index: number; empty: boolean; text?: string | undefined }
  | { type: 'name'; name: string }
  /** A name followed by an opening parenthesis. */
  | { type: 'call'; name: string }
  | { type: 'operator'; operator: Operator; any: boolean }
  | { type: 'join'; join: 'and' | 'or' }
  | { type: '(' | ')' | ',' }

export interface LexedFilter {
  tokens: Token[]
  /** The values of the text and number tokens, by their index. */
  literals: (string | number)[]
  /** Equal for all filters that compile to the same statement. */
  shape: string
}

/** The length limit for clients' filters, in bytes. */
export const maxFilterBytes = 3500

const operators = new Set<string>(['=', '!=', '>', '>=', '<', '<=', '~', '!~'])
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/**
 * Splits a filter into tokens, in one pass without backtracking.
 *
 * @throws FilterError for an invalid token
 */
export function lex(text: string): LexedFilter {
  const tokens: Token[] = []
  const literals: (string | number)[] = []
  let shape = ''
  let at = 0
  /** Open calls. Arguments can't contain groups, so every `)` inside a call closes one. */
  let calls = 0

  while (at < text.length) {
    const char = text[at]!
    if (char === ' ' || char === '\t' || char === '\n' || char === '\r') at++
    else if (char === '/' && text[at + 1] === '/') at = endOfLine(text, at)
    else if (char === '(' || char === ')' || char === ',') {
      tokens.push({ type: char })
      if (char === ')' && calls > 0) calls--
      shape += char
      at++
    } else if (char === '"' || char === "'") {
      const { value, end } = char === '"' ? doubleQuoted(text, at) : singleQuoted(text, at)
      literal('text', value)
      at = end
    } else if (isDigit(char) || char === '-') {
      const end = numberEnd(text, at)
      literal('number', toNumber(text.slice(at, end)))
      at = end
    } else if (isNameStart(char)) {
      const start = at++
      while (at < text.length && isNamePart(text[at]!)) at++
      const name = text.slice(start, at)
      if (name.endsWith('.') || name.endsWith(':')) throw new FilterError(`invalid name ${name}`)
      const isCall = text[at] === '('
      tokens.push({ type: isCall ? 'call' : 'name', name })
      shape += isCall ? ` ${name}(` : ` ${name}`
      if (isCall) {
        calls++
        at++
      }
    } else {
      const start = at
      while (at < text.length && '=!<>~?&|'.includes(text[at]!)) at++
      const sign = text.slice(start, at)
      tokens.push(signToken(sign))
      shape += ` ${sign}`
    }
  }
  return { tokens, literals, shape }

  function literal(type: 'text' | 'number', value: string | number): void {
    const empty = value === ''
    const literalText = typeof value === 'string' && calls > 0 ? value : undefined
    tokens.push({ type, index: literals.length, empty, text: literalText })
    literals.push(value)
    if (literalText !== undefined) shape += ` ${JSON.stringify(literalText)}`
    else shape += type === 'number' ? ' 0' : empty ? ' ""' : ' "t"'
  }
}

/**
 * Lexes a client's filter, whose length is limited.
 *
 * @throws FilterError for an invalid token or a filter that is too long
 */
export function lexFilter(text: string): LexedFilter {
  if (Buffer.byteLength(text) > maxFilterBytes) throw new FilterError('filter too long')
  return lex(text)
}

function signToken(sign: string): Token {
  if (sign === '&&') return { type: 'join', join: 'and' }
  if (sign === '||') return { type: 'join', join: 'or' }
  const any = sign.startsWith('?')
  const operator = any ? sign.slice(1) : sign
  if (!operators.has(operator)) throw new FilterError(`unknown operator ${JSON.stringify(sign)}`)
  return { type: 'operator', operator: operator as Operator, any }
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** Only `\'` is an escape. Older clients escape nothing else, so any other backslash is literal. */
function singleQuoted(text: string, start: number): { value: string; end: number } {
  let value = ''
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "'") return { value: storable(value), end: at + 1 }
    if (text[at] === '\\' && text[at + 1] === "'") at++
    value += text[at]
  }
  throw new FilterError('unterminated text')
}

/** JSON's escapes apply; any other backslash is literal. */
function doubleQuoted(text: string, start: number): { value: string; end: number } {
  let value = ''
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]!
    if (char === '"') return { value: storable(value), end: at + 1 }
    if (char !== '\\') {
      value += char
      continue
    }
    const next = text[at + 1] ?? ''
    const hex = next === 'u' ? text.slice(at + 2, at + 6) : ''
    if (/^[0-9a-f]{4}$/i.test(hex)) {
      value += String.fromCharCode(parseInt(hex, 16))
      at += 5
    } else if (Object.hasOwn(escapes, next)) {
      value += escapes[next]
      at++
    } else value += char
  }
  throw new FilterError('unterminated text')
}

/** PostgreSQL can't store NUL, so no stored text could match it. */
function storable(value: string): string {
  if (value.includes('\0')) throw new FilterError('text with NUL')
  return value.toWellFormed()
}

function numberEnd(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && (isDigit(text[end]!) || text[end] === '.')) end++
  return end
}

function toNumber(text: string): number {
  const value = Number(text)
  if (!/^-?\d+(?:\.\d+)?$/.test(text) || !Number.isFinite(value))
    throw new FilterError(`invalid number ${text.slice(0, 40)}`)
  return value
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9'
}

function isNameStart(char: string): boolean {
  return (
    (char >= 'a' && char <= 'z') ||
    (char >= 'A' && char <= 'Z') ||
    char === '_' ||
    char === '@' ||
    char === '#'
  )
}

function isNamePart(char: string): boolean {
  return (isNameStart(char) && char !== '@' && char !== '#') || isDigit(char) || '.:'.includes(char)
}
