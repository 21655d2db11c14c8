import type { Row } from '../database/database.ts'
import { memo } from '../memo.ts'
import type { Collection } from '../schema/collection.ts'
import { holdsJson, type Field } from '../schema/field.ts'
import { encode, zeroValue, type StoredRecord } from '../schema/values.ts'

/** How one collection's rows become the text of its records. Made once; see {@link wireForm}. */
interface WireForm {
  /** The columns to select, in the order `write` reads them. */
  readonly columns: readonly Field[]
  /** The position of a column; undefined if it never leaves the server. */
  position(name: string): number | undefined
  /**
   * @param own whether the viewer is this very account, or owns the record, and so sees what is only
   *   for them
   * @param expand the expanded relations as JSON text; undefined if none were asked for
   * @returns the record as JSON text, keys in alphabetical order
   */
  write(row: Row, own: boolean, expand?: string): string
}

/** The form of a collection's records on the wire. */
export const wireForm = memo(makeForm)

/** @returns a stored record's columns as the form's `write` reads them */
export function wireRow(collection: Collection, record: StoredRecord): Row {
  return wireForm(collection).columns.map(
    (field) => encode(field, record[field.name]) as Row[number],
  )
}

/** A key and how its value is written; `at` is the column, -1 the expanded relations. */
interface Entry {
  name: string
  at: number
  own: boolean
  /** The value, if it is that of all records. */
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
      // Put together once, and never cut: a text in pieces is copied whenever one looks into it.
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
  /** The key, and before that what is the same for all records. */
  before: string
  text: (value: Row[number]) => string
  after: string
}

/**
 * What never changes is written together with the next key that is always there. Commas go with what
 * may be missing: behind it, as long as nothing before it is always there.
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

/** @returns how a column's content is written as the field's value */
function writer(field: Field): (value: Row[number]) => string {
  const zero = JSON.stringify(zeroValue(field))
  // Lists and JSON are kept as they go out.
  if (holdsJson(field)) return (value) => (value as string | null) ?? zero
  if (field.type === 'bool') return (value) => (value ? 'true' : 'false')
  if (field.type === 'number') return (value) => (value === null ? zero : String(Number(value)))
  // The database only ever got these from the service itself, in one form.
  if (field.type === 'date' || field.type === 'autodate')
    return (value) => (value === null ? zero : `"${String(value)}"`)
  const quoted = (value: Row[number]) => (value === null ? zero : JSON.stringify(value))
  // One folder in all of a list, one of few states: the same few values over and over.
  return field.type === 'relation' || field.type === 'select' ? cacheLast(quoted) : quoted
}

/** Spares writing the value that was written last. */
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

/** JSON that is harmless inside HTML and scripts; the characters only occur inside its texts. */
export function safeJson(json: string): string {
  for (const char in escaped)
    if (json.includes(char)) return json.replace(/[<>&\u2028\u2029]/g, (found) => escaped[found]!)
  return json
}
