import { ApiError } from '../errors.ts'
import { excerpt } from './excerpt.ts'

/** The parameters for a record's JSON: which relations to expand and which keys to include. */
export interface ResponseShape {
  /** A comma-separated list of dot paths; '' for none. */
  expand?: string | undefined
  /** A comma-separated list of keys; '' for all. */
  fields?: string | undefined
}

/** The keys to include in a response, such as `id,expand.owner.*,text:excerpt(80,true)`. */
interface Picker {
  readonly keys: ReadonlyMap<string, Pick>
  /** For keys that aren't named; undefined leaves them out. */
  readonly rest: Pick | undefined
}

interface Pick {
  /** The keys to keep within the value; undefined keeps all of it. */
  inner: Picker | undefined
  change: ((text: string) => string) | undefined
}

/** Path levels that can match: JSON fields are up to 100 levels deep, in expanded relations. */
const deepest = 128

/**
 * @returns undefined for all keys
 * @throws ApiError 400 for an unknown modifier or invalid arguments
 */
export function parseFields(fields: string | undefined): Picker | undefined {
  const named = split(fields ?? '').filter((field) => field.trim())
  if (!named.length) return undefined
  return build(named.map((field) => field.trim().split('.', deepest)))
}

/** Splits at commas outside parentheses. */
function split(fields: string): string[] {
  return fields.match(/(?:[^,(]|\([^)]*\)?)+/g) ?? []
}

function build(paths: readonly (readonly string[])[]): Picker {
  const keys = new Map<string, { paths: string[][]; modifier: string }>()
  let rest: Pick | undefined
  for (const [first = '', ...more] of paths) {
    const [name = '', modifier = ''] = more.length ? [first] : first.split(/:(.*)/s)
    if (name === '*' && !more.length) rest = { inner: undefined, change: change(modifier) }
    else {
      const known = keys.getOrInsertComputed(name, () => ({ paths: [], modifier }))
      if (more.length) known.paths.push(more)
    }
  }
  const picks = [...keys].map(([name, { paths, modifier }]): [string, Pick] => [
    name,
    { inner: paths.length ? build(paths) : undefined, change: change(modifier) },
  ])
  return { keys: new Map(picks), rest }
}

function change(modifier: string): Pick['change'] {
  if (!modifier) return undefined
  const [, max, ellipsis] = /^excerpt\(\s*(\d+)\s*(?:,\s*(\w+)\s*)?\)$/.exec(modifier) ?? []
  if (!max || Number(max) <= 0)
    throw new ApiError(400, '', {}, new Error(`unknown modifier ${modifier}`))
  return (text) =>
    excerpt(text, Number(max), ['1', 't', 'true'].includes(ellipsis?.toLowerCase() ?? ''))
}

/** @returns the value with only the wanted keys; applied to each item of a list */
function pick(value: unknown, picker: Picker): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, picker))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const wanted = picker.keys.get(key) ?? picker.rest
    if (!wanted) return []
    if (wanted.inner) return [[key, pick(inner, wanted.inner)]]
    return [[key, wanted.change && typeof inner === 'string' ? wanted.change(inner) : inner]]
  })
  // Not assignment to an object literal, as a key may be __proto__.
  return Object.fromEntries(kept)
}

/** Characters of a JSON text to pick keys from, as it is parsed in one go. */
const maxPicked = 2_000_000

/**
 * @returns the JSON text with only the wanted keys
 * @throws ApiError 400 if the text is too large to pick from
 */
export function pickJson(json: string, picker: Picker | undefined): string {
  if (picker && json.length > maxPicked)
    throw new ApiError(400, 'The record is too large to select fields of it.')
  return picker ? JSON.stringify(pick(JSON.parse(json), picker)) : json
}
