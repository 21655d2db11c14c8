import type { Row } from '../database/database.ts'
import { memo } from '../memo.ts'
import type { Collection } from '../schema/collection.ts'
import { holdsJson, type Field } from '../schema/field.ts'
import { encode, zeroValue, type StoredRecord } from '../schema/values.ts'

/** Serialises the rows of one collection. Created once per collection; see {@link wireForm}. */
interface WireForm {
  /** The columns to select, in the order `write` reads them. */
  readonly columns: readonly Field[]
  /** The position of a column; undefined if it never leaves the server. */
  position(name: string): number | undefined
  /**
   * @param own whether the viewer is this account or owns the record, and so sees the fields only
   *   they may read
   * @param expand the expanded relations as JSON text; undefined if there are none
   * @returns the record as JSON text, keys in alphabetical order
   */
  write(row: Row, own: boolean, expand?: string): string
}

/** @returns the collection's wire form */
export const wireForm = memo(makeForm)

/** @returns a stored record as a row for `write` */
export function wireRow(collection: Collection, record: StoredRecord): Row {
  return wireForm(collection).columns.map(
    (field) => encode(field, record[field.name]) as Row[number],
  )
}

/**
 * A key and how to write its value; `at` is the column's position, -1 for the expanded relations.
 */
interface Entry {
  name: string
  at: number
  own: boolean
  /** The value, if all records have the same. */
  constant?: string
  text: (value: Row[number]) => string
}

function makeForm(collection: Collection): WireForm {
  const columns = collection.fields.filter((field) => field.readable !== 'nobody')
  const positions = new Map(columns.map((field, at) => [field.name, at]))
  const entries: Entry[] = [
    ...columns.map((field, at) => ({
      name: field.name,
      at,
      own: field.readable === 'self' || field.readable === 'owner',
      text: writer(field),
    })),
    ...[
      { name: 'collectionId', constant: collection.id },
      { name: 'collectionName', constant: collection.name },
    ].map(({ name, constant }) => ({ name, at: 0, own: false, constant, text: () => '' })),
    { name: 'expand', at: -1, own: false, text: String },
  ].sort((a, b) => (a.name < b.name ? -1 : 1))
  const pieces = piecesOf(entries)

  return {
    columns,
    position: (name) => positions.get(name),
    write(row, isOwn, expand) {
      // Concatenated once and never sliced: a concatenated text is copied when its characters are
      // first read.
      let json = '{'
      for (const { at, own, before, text, after } of pieces) {
        if (at < 0) {
          if (expand !== undefined) json += before + expand + after
        } else if (!own || isOwn) json += before + text(row[at]!) + after
      }
      return json + '}'
    },
  }
}

interface Piece {
  at: number
  own: boolean
  /** The key, preceded by any constant entries. */
  before: string
  text: (value: Row[number]) => string
  after: string
}

/**
 * Merges constant entries into the next key that is always written. An optional entry carries its
 * own comma: after it, as long as no entry before it is always written.
 */
function piecesOf(entries: readonly Entry[]): Piece[] {
  const pieces: Piece[] = []
  const isAlways = ({ constant, at, own }: Entry) => constant !== undefined || (at >= 0 && !own)
  const first = entries.findIndex(isAlways)
  let same = ''
  for (const [i, entry] of entries.entries()) {
    const { name, at, own, constant, text } = entry
    const key = `${i > first ? ',' : ''}${JSON.stringify(name)}:`
    if (constant !== undefined) same += key + JSON.stringify(constant)
    else if (isAlways(entry)) {
      pieces.push({ at, own, before: same + key, text, after: '' })
      same = ''
    } else {
      if (same) pieces.push({ at: 0, own: false, before: same, text: () => '', after: '' })
      pieces.push({ at, own, before: key, text, after: i < first ? ',' : '' })
      same = ''
    }
  }
  return pieces
}

/** @returns a function that writes a column's content as JSON */
function writer(field: Field): (value: Row[number]) => string {
  const zero = JSON.stringify(zeroValue(field))
  // Lists and JSON are stored as they are sent.
  if (holdsJson(field)) return (value) => (value as string | null) ?? zero
  if (field.type === 'bool') return (value) => (value ? 'true' : 'false')
  if (field.type === 'number') return (value) => (value === null ? zero : String(Number(value)))
  // Only the service writes these, always in the same format.
  if (field.type === 'date' || field.type === 'autodate')
    return (value) => (value === null ? zero : `"${String(value)}"`)
  const quoted = (value: Row[number]) => (value === null ? zero : JSON.stringify(value))
  // These repeat within a list, such as its folder or one of few states.
  return field.type === 'relation' || field.type === 'select' ? cacheLast(quoted) : quoted
}

/** Caches the text of the last value. */
function cacheLast(write: (value: Row[number]) => string): (value: Row[number]) => string {
  let last: Row[number] = null
  let text = write(null)
  return (value) => {
    if (value !== last) {
      last = value
      text = write(value)
    }
    return text
  }
}

const escaped: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/**
 * Escapes JSON for use inside HTML and scripts. The escaped characters can only occur inside its
 * strings.
 */
export function safeJson(json: string): string {
  for (const char in escaped)
    if (json.includes(char)) return json.replace(/[<>&\u2028\u2029]/g, (found) => escaped[found]!)
  return json
}
