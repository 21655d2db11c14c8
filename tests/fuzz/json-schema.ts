/** Values that a JSON Schema allows, and others, as far as OpenAPI documents of ours go. */

import fc from 'fast-check'
import { oddText, oddTexts, oddValue } from './odd.ts'

export interface JsonSchema {
  type?: string
  enum?: string[]
  pattern?: string
  maxLength?: number
  minimum?: number
  maximum?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  $ref?: string
  [keyword: string]: unknown
}

/** Texts that mean something to the server. */
const known = [
  'ann',
  'bob',
  'st9780141439518',
  '9780141439518',
  '0-14-143951-3',
  '9780141439519',
  'frankenstein',
  'emma',
  'manga',
  'a girl detective',
  'US',
  'spam',
]

/** @returns the value with what its schema names elsewhere put in */
export function inline<T>(value: T, document: unknown): T {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) => {
    const ref = (inner as JsonSchema | null)?.$ref
    if (!ref) return inner
    const found = ref.split('/').slice(1)
    const at = found.reduce<unknown>((o, key) => (o as Record<string, unknown>)[key], document)
    return inline(at, document)
  }) as T
}

/** Whether a schema allows a text, as JSON or in an address. */
export function allows(schema: JsonSchema, value: unknown): boolean {
  if (schema.allOf && !schema.allOf.every((one) => allows(one, value))) return false
  if (schema.enum) return schema.enum.includes(value as string)
  if (schema.type === 'integer') {
    const number = Number(value)
    const { minimum = -Infinity, maximum = Infinity } = schema
    return Number.isInteger(number) && number >= minimum && number <= maximum
  }
  if (typeof value !== 'string') return schema.type !== 'string'
  if ([...value].length > (schema.maxLength ?? Infinity)) return false
  return !schema.pattern || new RegExp(schema.pattern, 'u').test(value)
}

/** @returns values that the schema allows */
export function valid(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { anyOf, ...rest } = schema
  if (anyOf) return fc.oneof(...anyOf.map((one) => valid(both(rest, one))))
  if (schema.enum)
    return fc.constantFrom(...schema.enum).filter((value) => !schema.allOf || allows(schema, value))
  switch (schema.type) {
    case 'object': {
      const values = Object.entries(schema.properties ?? {}).map(([name, one]) => [
        name,
        valid(one),
      ])
      return fc.record(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>, {
        requiredKeys: schema.required ?? [],
      })
    }
    case 'array': {
      const { minItems: minLength = 0, maxItems: maxLength = 5 } = schema
      return fc.array(valid(schema.items ?? {}), { minLength, maxLength })
    }
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -99, max: schema.maximum ?? 99 })
    case 'string':
      return text(schema).filter((one) => allows(schema, one))
    default:
      return oddValue
  }
}

/** To take a regular expression apart takes longer than anything else here. */
const matching = new Map<string, fc.Arbitrary<string>>()

function text({ pattern }: JsonSchema): fc.Arbitrary<string> {
  const usual = fc.constantFrom(...known)
  if (!pattern) return fc.oneof(usual, oddText)
  const matched = matching.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'))
  matching.set(pattern, matched)
  return fc.oneof(usual, matched, oddText)
}

/** The schema of what two schemas allow. */
function both(one: JsonSchema, { properties = {}, required = [], ...other }: JsonSchema) {
  const all = { ...one.properties }
  for (const [name, more] of Object.entries(properties))
    all[name] = { ...all[name], allOf: [...(all[name]?.allOf ?? []), more] }
  return { ...one, ...other, properties: all, required: [...(one.required ?? []), ...required] }
}

/** @returns texts that the schema does not allow in an address; none where it allows all */
export function wrongText(schema: JsonSchema): fc.Arbitrary<string> | undefined {
  const wrong = [...oddTexts, 'x'.repeat((schema.maxLength ?? 0) + 1), '123', 'zz'].filter(
    (one) => one.isWellFormed() && one.length < 2000 && !allows(schema, one),
  )
  return wrong.length > 0 ? fc.constantFrom(...wrong) : undefined
}

/** @returns what the schema of a body does not allow */
export function wrongBody(schema: JsonSchema): fc.Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {})
  const replaced = fc
    .tuple(valid(schema), fc.constantFrom(...names), oddValue)
    .filter(([, name, value]) => isWrong(schema.properties![name]!, value))
    .map(([body, name, value]) => ({ ...(body as object), [name]: value }))
  const without = fc
    .tuple(valid(schema), fc.constantFrom(...(schema.required ?? names)))
    .map(([body, name]) => ({ ...(body as object), [name]: undefined }))
  const other = fc.constantFrom<unknown>(null, [], 'text', 1, true)
  return fc.oneof(...(schema.required ? [replaced, without, other] : [replaced, other]))
}

function isWrong(schema: JsonSchema, value: unknown): boolean {
  if (schema.type === 'array') return !Array.isArray(value) || value.length < (schema.minItems ?? 0)
  return typeof value !== 'string' || !allows(schema, value)
}
