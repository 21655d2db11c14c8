import { Hono } from 'hono'
import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { Schema } from '#records/index.ts'
import type { ApiDocument, JsonSchema, Operation, Parameter } from './api-document.ts'
import { doorPaths } from './describe-doors.ts'
import { describeRecords } from './describe-records.ts'
import { dataHeaderValues } from './headers.ts'

type Html = HtmlEscapedString | Promise<HtmlEscapedString>

/**
 * The description of everything on the wire: an OpenAPI document at `/openapi.json`, and a page for
 * people, which needs nothing from elsewhere. Mounted at /api/docs.
 *
 * @param product describes the calls of `/api/v1`, with paths that begin after it
 */
export function apiDocsRoutes(schema: Schema, product: () => ApiDocument): Hono {
  let made: ApiDocument | undefined
  const document = () => (made ??= wholeDocument(schema, product()))
  let shown: Html | undefined
  return new Hono()
    .get('/openapi.json', (c) =>
      c.json(document(), 200, { ...dataHeaderValues, 'Cache-Control': 'no-cache' }),
    )
    .get('/', async (c) => {
      for (const [name, value] of Object.entries(pageHeaders)) c.header(name, value)
      return c.html((shown ??= page(document())))
    })
}

/** A page without scripts that loads nothing. */
const pageHeaders = {
  ...dataHeaderValues,
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-cache',
}

function wholeDocument(schema: Schema, product: ApiDocument): ApiDocument {
  const records = describeRecords(schema)
  const paths = Object.entries(product.paths).map(
    ([path, calls]) => [`/api/v1${path}`, calls] as const,
  )
  return {
    ...product,
    servers: [{ url: '/' }],
    paths: { ...records.paths, ...Object.fromEntries(paths), ...doorPaths },
    components: {
      ...product.components,
      schemas: { ...product.components.schemas, ...records.schemas },
    },
  }
}

const style = raw(`
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 60rem; padding: 0 1rem 4rem; font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.2; } h2 { margin-top: 3rem; }
details { border-top: 1px solid #8886; } summary { padding: .6rem 0; cursor: pointer; }
code, b { font-family: ui-monospace, monospace; font-weight: 600; font-size: .95em; }
table { border-collapse: collapse; width: 100%; margin: 0 0 1rem; }
th, td { text-align: start; vertical-align: top; padding: .25rem .75rem .25rem 0; font-weight: normal; }
th { min-width: 6rem; } h3 { font-size: 1rem; margin: .5rem 0 .25rem; }
nav a { margin-inline-end: 1rem; display: inline-block; min-height: 1.75rem; }
`)

function page({ paths, components }: ApiDocument): Html {
  const groups = Map.groupBy(Object.entries(paths), ([path]) => groupOf(path))
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>The API | Octavo</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <h1>The API</h1>
        <p>
          Everything that can be asked over HTTP, with its limits. Send an API token or a session’s
          token as <code>Authorization</code>. The same as an
          <a href="/api/docs/openapi.json">OpenAPI document</a>.
        </p>
        <nav>
          ${[...groups.keys()].map((name) => html`<a href="#${name}">${name}</a>`)}
          <a href="#records-of">records</a>
        </nav>
        ${[...groups].map(
          ([name, entries]) =>
            html`<section id="${name}">
              <h2>${name}</h2>
              ${entries.flatMap(([path, calls]) =>
                Object.entries(calls).map(([method, one]) => operation(method, path, one)),
              )}
            </section>`,
        )}
        <section id="records-of">
          <h2>What records hold</h2>
          ${Object.entries(components.schemas).map(
            ([name, schema]) =>
              html`<details id="schema-${name}">
                <summary><b>${name}</b></summary>
                ${fields(schema)}
              </details>`,
          )}
        </section>
      </body>
    </html>`
}

/** @returns the collection, or the first word of another path; feeds are a group of their own */
function groupOf(path: string): string {
  const [, root = '', first = '', second = ''] = path.split('/')
  if (root !== 'api') return root === 'mcp' ? root : 'feeds'
  return ['collections', 'v1'].includes(first) ? second : first
}

function operation(method: string, path: string, one: Operation): Html {
  const { summary = '', description, parameters = [], requestBody, responses, security } = one
  const body = Object.values(requestBody?.content ?? {})[0]?.schema
  const isOfReaders = security?.every((way) => Object.keys(way).length > 0) === true
  return html`<details>
    <summary><b>${method.toUpperCase()} ${path}</b><br />${summary}</summary>
    ${description ? html`<p>${description}</p>` : ''}
    ${isOfReaders ? html`<p>For signed-in readers.</p>` : ''}
    ${
      parameters.length > 0
        ? html`<h3>Parameters</h3>
            ${table(parameters.flatMap(parameterRows))}`
        : ''
    }
    ${
      body
        ? html`<h3>${Object.keys(requestBody?.content ?? {}).join(' or ')}</h3>
            ${fields(body)}`
        : ''
    }
    <h3>Answers</h3>
    ${table(
      Object.entries(responses).map(([status, answer]) => [
        status,
        join(answer.description, schemaLink(Object.values(answer.content ?? {})[0]?.schema)),
      ]),
    )}
  </details>`
}

/** A query that is one object has a row for each of its fields, which are parameters of their own. */
function parameterRows({
  name,
  required,
  schema = {},
  description = schema.description ?? '',
}: Parameter): [name: string, text: Html | string][] {
  const { properties, anyOf = [] } = schema
  if (!properties)
    return [[required ? `${name} (needed)` : name, join(typeOf(schema), description)]]
  const oneOf = anyOf.flatMap(({ required: names = [] }) => names)
  return Object.entries(properties).map(([field, one]) => [
    oneOf.includes(field) ? `${field} (one of ${oneOf.length} is needed)` : field,
    join(typeOf(one), one.description ?? ''),
  ])
}

const join = (first: Html | string, second: Html | string): Html =>
  second ? html`${first}. ${second}` : html`${first}`

const table = (rows: [name: string, text: Html | string][]): Html =>
  html`<table>
    ${rows.map(
      ([name, about]) =>
        html`<tr>
          <th scope="row"><code>${name}</code></th>
          <td>${about}</td>
        </tr>`,
    )}
  </table>`

function fields(schema: JsonSchema): Html {
  const { properties, required = [] } = schema
  if (!properties) return html`<p>${typeOf(schema)}</p>`
  return table(
    Object.entries(properties).map(([name, one]) => [
      required.includes(name) ? `${name} (needed)` : name,
      join(typeOf(one), one.description ?? ''),
    ]),
  )
}

function schemaLink(schema: JsonSchema | undefined): Html | string {
  const name = schema?.$ref?.split('/').at(-1)
  return name ? html`<a href="#schema-${name}">${name}</a>` : ''
}

/** Characters of a pattern that people still read. */
const maxPattern = 60

/** The limits of JSON Schema that are shown, as people say them. */
const limits: Record<string, (value: unknown) => string> = {
  minLength: (least) => `at least ${String(least)} characters`,
  maxLength: (most) => `at most ${String(most)} characters`,
  minimum: (least) => `from ${String(least)}`,
  maximum: (most) => `up to ${String(most)}`,
  minItems: (least) => `at least ${String(least)} of them`,
  maxItems: (most) => `at most ${String(most)} of them`,
  // A long one is for programs, which find it in the document.
  pattern: (pattern) =>
    String(pattern).length > maxPattern ? 'matches a pattern' : `matches ${String(pattern)}`,
  format: (format) => `as ${String(format)}`,
  default: (usual) => `${JSON.stringify(usual)} if absent`,
}

function typeOf(schema: JsonSchema): Html | string {
  const link = schemaLink(schema)
  if (link) return link
  const { type, enum: values, items, anyOf } = schema
  const kind =
    values?.map((value) => JSON.stringify(value)).join(', ') ?? [type ?? 'any'].flat().join(' or ')
  const limitTexts = Object.entries(limits).flatMap(([name, say]) =>
    schema[name] === undefined ? [] : say(schema[name]),
  )
  const after = limitTexts.map((one) => `, ${one}`).join('')
  if (items) return html`${kind} of ${typeOf(items)}${after}`
  if (anyOf) return html`${anyOf.map((one, place) => html`${place ? ' or ' : ''}${typeOf(one)}`)}`
  return kind + after
}
