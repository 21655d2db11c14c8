import { sql } from 'kysely'
import type { Dialect } from '../database/database.ts'
import { asNumber, asText } from './input.ts'
import {
  numberPlaceholder,
  textPlaceholder,
  type Column,
  type ValueOperand,
  type Operand,
} from './operand.ts'
import type { Sql } from './scope.ts'
import { FilterError, type Operator } from './tree.ts'

/**
 * Characters in a search pattern; a longer one matches nothing. SQLite refuses patterns of more
 * than 50,000 bytes.
 */
const maxPattern = 12_000

/**
 * Compiles one comparison. NULL equals the empty text, except in JSON. Whether something is less or
 * greater than NULL is unknown, which counts as false.
 */
export function compare(
  dialect: Dialect,
  operator: Operator,
  left: Operand,
  right: Operand,
): Sql<boolean> {
  if (operator === '~' || operator === '!~') return search(dialect, operator, left, right)
  if (foldOf(left) || foldOf(right)) throw new FilterError(':folded only works with ~ and !~')
  switch (domain(left, right)) {
    case 'text':
      return compareTexts(dialect, operator, left, right)
    case 'number':
      return compareNumbers(dialect, operator, left, right)
    case 'json':
      return compareJson(dialect, operator, left, right)
  }
}

type Domain = 'text' | 'number' | 'json'

/**
 * Decides how two sides are compared. A column's type wins over a value's, and text wins over
 * numbers.
 */
function domain(left: Operand, right: Operand): Domain {
  if (left.type === 'json' || right.type === 'json') return 'json'
  if (left.type === 'free' && right.type === 'free') {
    const literals = [left.literal, right.literal]
    return literals.includes('number') && !literals.includes('text') ? 'number' : 'text'
  }
  if (left.type === 'free') return right.type as Domain
  if (right.type === 'free') return left.type
  return left.type === 'number' && right.type === 'number' ? 'number' : 'text'
}

function compareTexts(
  dialect: Dialect,
  operator: Operator,
  left: Operand,
  right: Operand,
): Sql<boolean> {
  if (operator === '=' || operator === '!=') {
    const [a, b] = [filledText(dialect, left), filledText(dialect, right)]
    return operator === '=' ? sql`${a} = ${b}` : sql`${a} <> ${b}`
  }
  const a = text(dialect, left)
  const sorted = isBytewise(left) || isBytewise(right) ? a : dialect.bytewise(a)
  return sql`${sorted} ${sql.raw(operator)} ${text(dialect, right)}`
}

function isBytewise(operand: Operand): boolean {
  return operand.type !== 'free' && operand.bytewise
}

/** The operand's text, with NULL as the empty text. */
function filledText(dialect: Dialect, operand: Operand): Sql {
  if (operand.type === 'free')
    return textPlaceholder(dialect, operand.read, (value) => asText(value) ?? '')
  return operand.nullable ? sql`COALESCE(${operand.text}, '')` : operand.text
}

function text(dialect: Dialect, operand: Operand): Sql {
  return operand.type === 'free' ? textPlaceholder(dialect, operand.read) : operand.text
}

function number(dialect: Dialect, operand: Operand): Sql {
  return operand.type === 'free' ? numberPlaceholder(dialect, operand.read) : operand.number
}

function compareNumbers(
  dialect: Dialect,
  operator: Operator,
  left: Operand,
  right: Operand,
): Sql<boolean> {
  const [a, b] = [number(dialect, left), number(dialect, right)]
  const certain = isCertain(left) && isCertain(right)
  if (operator === '=') return certain ? sql`${a} = ${b}` : sql`${a} IS NOT DISTINCT FROM ${b}`
  if (operator === '!=') return certain ? sql`${a} <> ${b}` : sql`${a} IS DISTINCT FROM ${b}`
  return sql`${a} ${sql.raw(operator)} ${b}`
}

/** Whether the operand is never NULL. */
function isCertain(operand: Operand): boolean {
  return operand.type === 'free' ? operand.literal === 'number' : !operand.nullable
}

/** JSON values keep their types: a number never equals a text, and null isn't the empty text. */
function compareJson(
  dialect: Dialect,
  operator: Operator,
  left: Operand,
  right: Operand,
): Sql<boolean> {
  const faces = [faceNames(left), faceNames(right)]
  const texts = () =>
    faced(operator, strictText(dialect, left), strictText(dialect, right), (side) =>
      dialect.bytewise(side),
    )
  const numbers = () => faced(operator, strictNumber(dialect, left), strictNumber(dialect, right))
  if (faces.includes('text')) return texts()
  if (faces.includes('number')) return numbers()
  return operator === '=' ? sql`(${texts()} AND ${numbers()})` : sql`(${texts()} OR ${numbers()})`
}

/** Whether JSON is compared to the operand as text, as a number, or as both. */
function faceNames(operand: Operand): 'text' | 'number' | 'both' {
  if (operand.type === 'free')
    return operand.literal === 'text' || operand.literal === 'number' ? operand.literal : 'both'
  return operand.type === 'json' ? 'both' : operand.type
}

function faced(
  operator: Operator,
  a: Sql,
  b: Sql,
  sorted = (side: Sql): Sql => side,
): Sql<boolean> {
  if (operator === '=') return sql`${a} IS NOT DISTINCT FROM ${b}`
  if (operator === '!=') return sql`${a} IS DISTINCT FROM ${b}`
  return sql`${sorted(a)} ${sql.raw(operator)} ${b}`
}

function strictText(dialect: Dialect, operand: Operand): Sql {
  if (operand.type !== 'free') return operand.text
  return textPlaceholder(dialect, operand.read, (value) =>
    isNumeric(value) ? null : asText(value),
  )
}

function strictNumber(dialect: Dialect, operand: Operand): Sql {
  if (operand.type !== 'free') return operand.number
  return numberPlaceholder(dialect, operand.read, (value) =>
    isNumeric(value) ? asNumber(value) : null,
  )
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean'
}

/** `~`: LIKE, case-insensitive for ASCII letters. */
function search(
  dialect: Dialect,
  operator: '~' | '!~',
  left: Operand,
  right: Operand,
): Sql<boolean> {
  const subject = left.type === 'free' ? textPlaceholder(dialect, left.read) : left.print
  const found =
    right.type === 'free'
      ? like(dialect, subject, right, foldOf(left))
      : contains(dialect, subject, right)
  return operator === '~' ? found : sql`NOT (${found})`
}

const foldOf = (operand: Operand) => (operand.type === 'free' ? undefined : operand.fold)

function like(
  dialect: Dialect,
  subject: Sql,
  right: ValueOperand,
  fold: (text: string) => string = (text) => text,
): Sql<boolean> {
  const pattern = (value: unknown): string | null => {
    const text = asText(value)
    return text === null || text.length > maxPattern ? null : likePattern(fold(text))
  }
  return dialect.search(subject, textPlaceholder(dialect, right.read, pattern))
}

function contains(dialect: Dialect, subject: Sql, right: Column): Sql<boolean> {
  const pattern = sql`'%' || ${right.print} || '%'`
  return sql`CASE WHEN LENGTH(${right.print}) <= ${sql.lit(maxPattern)} THEN ${dialect.search(subject, pattern)} END`
}

/**
 * Converts the right side of `~` to a LIKE pattern with `\` as escape. Without a `%`, it matches
 * anywhere in the text; with one, it is used as the pattern itself.
 */
export function likePattern(text: string): string {
  return hasWildcard(text) ? closed(text) : `%${text.replace(/[\\%_]/g, escapeOne)}%`
}

function escapeOne(char: string, at: number, text: string): string {
  // An escaped percent sign stays literal.
  if (char === '\\' && text[at + 1] === '%') return char
  if (char === '%') return char
  return `\\${char}`
}

function hasWildcard(text: string): boolean {
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1))
    if (text[at - 1] !== '\\') return true
  return false
}

/** A pattern must not end inside an escape: PostgreSQL refuses it, and SQLite matches nothing. */
function closed(pattern: string): string {
  const slashes = /(?<!\\)\\*$/.exec(pattern)![0].length
  return slashes % 2 ? `${pattern}\\` : pattern
}
