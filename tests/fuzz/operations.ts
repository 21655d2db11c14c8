/** The operations of an OpenAPI document, as requests. */

import fc from 'fast-check'
import * as z from 'zod'
import { inline, valid, wrongBody, wrongText, type JsonSchema } from './json-schema.ts'
import type { RawResponse, RawRequest } from './send.ts'

interface Parameter {
  name: string
  in: 'path' | 'query'
  required?: boolean
  schema: JsonSchema
}

type Content = Record<string, { schema?: JsonSchema }>

export interface Operation {
  /** As in `get /users`. */
  name: string
  method: string
  path: string
  parameters: Parameter[]
  body: JsonSchema | undefined
  responses: Record<string, { content?: Content }>
  /** Whether it isn't there for anybody else. */
  isForAdministrators: boolean
  /** Whether somebody has to be signed in. */
  isForReaders: boolean
}

interface Document {
  servers: { url: string }[]
  paths: Record<string, Record<string, Described>>
}

interface Described {
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Operation['responses']
  security?: object[]
}

/** @param document as it is served */
export function operationsOf(document: Document): Operation[] {
  const prefix = document.servers[0]?.url ?? ''
  return Object.entries(document.paths).flatMap(([path, calls]) => {
    const isForAdministrators = path.startsWith('/admin/')
    return Object.entries(inline(calls, document)).map(([method, call]) => ({
      name: `${method} ${path}`,
      method: method.toUpperCase(),
      path: prefix + path,
      parameters: call.parameters ?? [],
      body: call.requestBody?.content['application/json']?.schema,
      responses: call.responses,
      isForAdministrators,
      isForReaders:
        !isForAdministrators &&
        call.security?.some((one) => Object.keys(one).length > 0 && !('signature' in one)) ===
          true &&
        !call.security.some((one) => Object.keys(one).length === 0),
    }))
  })
}

/** What goes into a request. */
interface Filled {
  params: Record<string, string>
  query: [string, string][]
  body: unknown
}

function filled(operation: Operation): fc.Arbitrary<Filled> {
  const inAddress = (schema: JsonSchema) => valid(schema).map((value) => wellFormed(value))
  const of = (where: Parameter['in']) => operation.parameters.filter((one) => one.in === where)
  const params = of('path').map((one) => [
    one.name,
    // These are not segments of a path.
    inAddress(one.schema).filter((text) => !['', '.', '..'].includes(text)),
  ])
  const query = of('query').map(({ name, required, schema }) =>
    schema.type === 'object'
      ? valid(schema).map((all) =>
          Object.entries(all as object).map(([key, value]): [string, string] => [
            key,
            wellFormed(value),
          ]),
        )
      : (required ? inAddress(schema) : fc.option(inAddress(schema), { nil: undefined })).map(
          (value): [string, string][] => (value === undefined ? [] : [[name, value]]),
        ),
  )
  return fc.record({
    params: fc.record(Object.fromEntries(params) as Record<string, fc.Arbitrary<string>>),
    query: fc.tuple(...query).map((parts) => parts.flat()),
    body: operation.body ? valid(operation.body) : fc.constant(undefined),
  })
}

const wellFormed = (value: unknown) => String(value).toWellFormed()

function toSent({ method, path }: Operation, { params, query, body }: Filled): RawRequest {
  const search = new URLSearchParams(query).toString()
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name]!.toWellFormed()),
  )
  return {
    method,
    path: search ? `${address}?${search}` : address,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  }
}

/** @returns requests that the document allows */
export const allowed = (operation: Operation): fc.Arbitrary<RawRequest> =>
  filled(operation).map((all) => toSent(operation, all))

/** @returns requests that it does not; undefined for an operation that takes nothing */
export function forbidden(operation: Operation): fc.Arbitrary<RawRequest> | undefined {
  const ways: fc.Arbitrary<RawRequest>[] = []
  const right = filled(operation)
  const but = <T>(wrong: fc.Arbitrary<T>, put: (all: Filled, value: T) => Filled) =>
    ways.push(fc.tuple(right, wrong).map(([all, value]) => toSent(operation, put(all, value))))
  const inQuery = (name: string, schema: JsonSchema) => {
    const wrong = wrongText(schema)
    const without = (query: Filled['query']) => query.filter(([other]) => other !== name)
    if (wrong)
      but(wrong, (all, value) => ({ ...all, query: [...without(all.query), [name, value]] }))
  }
  for (const { name, in: where, schema, required } of operation.parameters) {
    if (where === 'path') {
      const wrong = wrongText(schema)
      if (wrong)
        but(
          wrong.filter((value) => !['', '.', '..'].includes(value)),
          (all, value) => ({ ...all, params: { ...all.params, [name]: value } }),
        )
    } else if (schema.type === 'object') {
      but(fc.constant(null), (all) => ({ ...all, query: [] }))
      for (const [key, one] of Object.entries(schema.properties ?? {})) inQuery(key, one)
    } else {
      inQuery(name, schema)
      if (required) but(fc.constant(null), (all) => ({ ...all, query: [] }))
    }
  }
  if (operation.body) but(wrongBody(operation.body), (all, value) => ({ ...all, body: value }))
  return ways.length > 0 ? fc.oneof(...ways) : undefined
}

/** What no database keeps, what is no text, and what is more than a text to JavaScript. */
const evil = ['\u0000', 'a\u0000b', '\uD800', '__proto__', '%00']

/** @returns a request for each text that the operation takes and each of these, whatever is allowed */
export function hostileTexts(operation: Operation, seed: number): RawRequest[] {
  const [all] = fc.sample(filled(operation), { seed, numRuns: 1 }) as [Filled]
  return evil.flatMap((text) => {
    const places: Filled[] = []
    for (const { name, in: where, schema } of operation.parameters)
      if (where === 'path') places.push({ ...all, params: { ...all.params, [name]: text } })
      else
        for (const key of Object.keys(schema.properties ?? { [name]: schema }))
          places.push({ ...all, query: [...all.query.filter(([one]) => one !== key), [key, text]] })
    for (const [key, { type }] of Object.entries(operation.body?.properties ?? {}))
      places.push({
        ...all,
        body: { ...(all.body as object), [key]: type === 'array' ? [text] : text },
      })
    return places.map((place) => toSent(operation, place))
  })
}

const checks = new WeakMap<object, z.ZodType>()

/** @returns what of an answer the document does not say; undefined where it is as described */
export function undescribed({ responses }: Operation, answer: RawResponse): string | undefined {
  const response = responses[answer.status]
  if (!response) return `status ${answer.status} is not in the document`
  const described = Object.keys(response.content ?? {})
  const { 'content-type': type = '' } = answer.headers as Record<string, string>
  if (described.length === 0) return answer.text === '' ? undefined : 'has a body'
  const mediaType = described.find((one) => type.split(';')[0] === one.split(';')[0])
  if (mediaType === undefined) return `is of type ${type}`
  const schema = response.content?.[mediaType]?.schema
  if (!schema || !type.startsWith('application/json')) return undefined
  const check = checks.get(schema) ?? z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema)
  checks.set(schema, check)
  const { error } = check.safeParse(JSON.parse(answer.text))
  return error && z.prettifyError(error)
}
