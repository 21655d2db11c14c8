import * as z from 'zod'
import {
  recordLimits,
  usualMost,
  type Collection,
  type Field,
  type Schema,
} from '#records/index.ts'
import { lifeOf } from '#server/collections/life.ts'
import type { ApiDocument, JsonSchema, Operation, Parameter } from './api-document.ts'
import { access, refusals, type Refusal } from './openapi.ts'

type RecordPaths = Pick<ApiDocument, 'paths'> & { schemas: Record<string, JsonSchema> }

/**
 * Describes the record API of a schema: each collection's fields, limits and calls as they are
 * declared, and the calls that all collections share.
 *
 * @returns the part of an OpenAPI document that is about records; paths begin with `/api`
 */
export function describeRecords(schema: Schema): RecordPaths {
  const found: RecordPaths = { paths: { ...shared }, schemas: {} }
  for (const collection of schema.collections) {
    const { name, type, rules } = collection
    found.schemas[name] = recordSchema(collection)
    const path = `/api/collections/${name}/records`
    const calls = (operations: Record<string, Operation | false>) =>
      Object.fromEntries(
        Object.entries(operations).filter((one): one is [string, Operation] => one[1] !== false),
      )
    const isWritable = type !== 'view'
    found.paths[path] = calls({
      get: rules.list !== null && listOf(name),
      post: isWritable && rules.create !== null && createOf(collection),
    })
    found.paths[`${path}/{id}`] = calls({
      get: rules.view !== null && viewOf(name),
      patch: isWritable && rules.update !== null && updateOf(collection),
      delete: isWritable && rules.delete !== null && deleteOf(name),
    })
    if (type === 'auth') Object.assign(found.paths, signInPaths(name))
  }
  for (const [path, calls] of Object.entries(found.paths))
    if (Object.keys(calls).length === 0) delete found.paths[path]
  return found
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: JsonSchema) => ({ content: { 'application/json': { schema } } })

/** The refusals of every call, and those of its kind. Node itself answers 431. */
const refused = (...more: Refusal[]): Operation['responses'] =>
  Object.fromEntries(
    [...more, ...([403, 414, 429, 431, 500, 503] as const)].map((status) => [
      status,
      { description: refusals[status], ...(status !== 431 && json(ref('Problem'))) },
    ]),
  )

const shape = [
  {
    name: 'expand',
    in: 'query',
    description: 'Relations to include, such as `shelf,user`; six levels at most',
    schema: { type: 'string' },
  },
  {
    name: 'fields',
    in: 'query',
    description: 'What the answer has, such as `id,title,expand.shelf.name`',
    schema: { type: 'string' },
  },
]

const pathParameter = (name: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
})

const id = pathParameter('id')

function listOf(name: string): Operation {
  const number = (least: number, usual: number, most?: number) => ({
    type: 'integer',
    minimum: least,
    default: usual,
    ...(most && { maximum: most }),
  })
  return {
    tags: [name],
    summary: `Lists records of ${name} that the caller can see`,
    security: access.everybody.security,
    parameters: [
      { name: 'page', in: 'query', schema: number(1, 1) },
      {
        name: 'perPage',
        in: 'query',
        description: 'A larger number counts as the largest',
        schema: number(1, 30, recordLimits.perPage),
      },
      {
        name: 'filter',
        in: 'query',
        description: `A condition in the filter language, of at most ${recordLimits.filterBytes} bytes`,
        schema: { type: 'string', maxLength: recordLimits.filterBytes },
      },
      {
        name: 'sort',
        in: 'query',
        description: 'Fields, each with `-` before it for the other way round',
        schema: { type: 'string' },
      },
      { name: 'skipTotal', in: 'query', schema: { type: 'boolean', default: false } },
      ...shape,
    ],
    responses: {
      200: {
        description: 'One page; with `skipTotal` both totals are -1',
        ...json({
          type: 'object',
          properties: {
            page: { type: 'integer' },
            perPage: { type: 'integer' },
            totalItems: { type: 'integer' },
            totalPages: { type: 'integer' },
            items: { type: 'array', items: ref(name) },
          },
        }),
      },
      ...refused(400),
    },
  }
}

function viewOf(name: string): Operation {
  return {
    tags: [name],
    summary: `Shows a record of ${name}`,
    security: access.everybody.security,
    parameters: [id, ...shape],
    responses: { 200: { description: 'The record', ...json(ref(name)) }, ...refused(400, 404) },
  }
}

function createOf(collection: Collection): Operation {
  const { name, rules } = collection
  return {
    tags: [name],
    summary: `Creates a record of ${name}`,
    security: securityOf(rules.create),
    parameters: shape,
    requestBody: bodyOf(collection, 'create'),
    responses: {
      200: { description: 'The record', ...json(ref(name)) },
      ...refused(400, 413, 415, 507),
    },
  }
}

function updateOf(collection: Collection): Operation {
  const { name, rules } = collection
  return {
    tags: [name],
    summary: `Changes a record of ${name}`,
    security: securityOf(rules.update),
    parameters: [id, ...shape],
    requestBody: bodyOf(collection, 'update'),
    responses: {
      200: { description: 'The record', ...json(ref(name)) },
      ...refused(400, 404, 413, 415, 507),
    },
  }
}

function deleteOf(name: string): Operation {
  return {
    tags: [name],
    summary: `Deletes a record of ${name}`,
    security: access.readers.security,
    parameters: [id],
    responses: { 204: { description: 'It is deleted' }, ...refused(400, 404) },
  }
}

/** A rule that names the caller is for readers. */
const securityOf = (rule: string | null) =>
  rule?.includes('@request.auth.id = ""') === false && rule.includes('@request.auth')
    ? access.readers.security
    : access.everybody.security

function bodyOf(collection: Collection, action: 'create' | 'update') {
  const schema = inputSchema(collection, action)
  const hasFiles = collection.fields.some(({ type }) => type === 'file')
  return {
    required: true,
    content: {
      'application/json': { schema },
      ...(hasFiles && { 'multipart/form-data': { schema } }),
    },
  }
}

function recordSchema({ name, fields }: Collection): JsonSchema {
  const seen = fields.filter(
    (field) => field.readable !== 'nobody' && field.type !== 'password' && !isDerived(field),
  )
  return {
    type: 'object',
    properties: {
      id: { type: 'string' },
      collectionId: { type: 'string' },
      collectionName: { type: 'string', const: name },
      ...Object.fromEntries(
        seen.map((field) => [field.name, { ...valueSchema(field), ...noteOf(field) }]),
      ),
    },
  }
}

const isDerived = (field: Field) => 'derived' in field && field.derived !== undefined

function noteOf({ readable }: Field): JsonSchema {
  if (readable === 'owner') return { description: 'Only its owner sees it' }
  return readable === 'self' ? { description: 'Only the account itself sees it' } : {}
}

function inputSchema(collection: Collection, action: 'create' | 'update'): JsonSchema {
  const written = collection.fields.filter(
    ({ type, writable = 'always' }) =>
      type !== 'autodate' &&
      (writable === 'always' || (writable === 'create' && action === 'create')),
  )
  const form = formOf(collection)
  const properties = Object.fromEntries(
    written.map((field) => [
      field.name,
      { ...valueSchema(field), ...form.properties[field.name], ...withoutDefault(field) },
    ]),
  )
  const hasPassword = written.some(({ type }) => type === 'password')
  const required = written
    .filter(
      (field) =>
        (field.required || form.required.has(field.name)) && !('fill' in field && field.fill),
    )
    .map(({ name }) => name)
  return {
    type: 'object',
    properties: {
      ...properties,
      ...(hasPassword && { passwordConfirm: { type: 'string' } }),
      ...(hasPassword && action === 'update' && { oldPassword: { type: 'string' } }),
    },
    ...(action === 'create' &&
      required.length > 0 && {
        required: [...required, ...(hasPassword ? ['passwordConfirm'] : [])],
      }),
  }
}

/** A file is sent as its bytes, in a form. */
const withoutDefault = (field: Field): JsonSchema =>
  field.type === 'file'
    ? {
        type: 'string',
        contentMediaType: field.mimeTypes?.join(', ') ?? 'application/octet-stream',
      }
    : {}

/** @returns what the application's own forms say of the fields, which is stricter */
function formOf(collection: Collection) {
  const forms = (lifeOf(collection).forms ?? []).map(
    (form) => z.toJSONSchema(form, { io: 'input', unrepresentable: 'any' }) as JsonSchema,
  )
  return {
    properties: Object.assign({}, ...forms.map(({ properties }) => properties)) as Record<
      string,
      JsonSchema
    >,
    required: new Set(forms.flatMap(({ required = [] }) => required)),
  }
}

/** What a field holds and how long it may be. */
function valueSchema(field: Field): JsonSchema {
  const many = 'maxSelect' in field && (field.maxSelect ?? 1) > 1
  const one = oneValue(field)
  return many ? { type: 'array', items: one, maxItems: field.maxSelect } : one
}

function oneValue(field: Field): JsonSchema {
  switch (field.type) {
    case 'text': {
      const { min = 0, max = 0, pattern } = field
      return {
        type: 'string',
        ...(min > 0 && { minLength: min }),
        maxLength: max || usualMost.text,
        ...(pattern && { pattern: pattern.source }),
      }
    }
    case 'editor':
      return { type: 'string', maxLength: field.maxSize ?? usualMost.bytes }
    case 'email':
      return { type: 'string', format: 'email' }
    case 'url':
      return { type: 'string', format: 'uri' }
    case 'password':
      return { type: 'string', minLength: field.min, maxLength: field.max, writeOnly: true }
    case 'number': {
      const { min, max, onlyInt } = field
      return {
        type: onlyInt ? 'integer' : 'number',
        ...(min !== undefined && { minimum: min }),
        ...(max !== undefined && { maximum: max }),
      }
    }
    case 'bool':
      return { type: 'boolean' }
    case 'date':
    case 'autodate':
      return { type: 'string', examples: ['2026-07-28 09:30:00.000Z'] }
    case 'select':
      return { type: 'string', enum: field.required ? field.values : ['', ...field.values] }
    case 'relation':
      return { type: 'string', description: `The id of a record of ${field.collection}` }
    case 'json':
      return {}
    case 'geoPoint':
      return {
        type: 'object',
        properties: { lon: { type: 'number' }, lat: { type: 'number' } },
      }
    case 'file':
      return { type: 'string', description: 'The name of the file' }
  }
}

const text = { type: 'string' }
const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})

/** @returns a call with its body, its answer, and the refusals that follow from them */
export function call(
  summary: string,
  about: {
    tag?: string
    isOfReaders?: boolean
    body?: JsonSchema
    parameters?: Parameter[]
    answer?: [status: number, description: string, schema?: JsonSchema]
    refusals?: Refusal[]
  } = {},
): Operation {
  const { tag = 'records', isOfReaders = false, body, parameters } = about
  const [status, description, schema] = about.answer ?? [200, 'It is done']
  return {
    tags: [tag],
    summary,
    security: isOfReaders ? access.readers.security : access.everybody.security,
    ...(parameters && { parameters }),
    ...(body && { requestBody: { required: true, ...json(body) } }),
    responses: {
      [status]: { description, ...(schema && json(schema)) },
      ...refused(
        ...(body ? ([400, 413, 415] as const) : []),
        ...(isOfReaders ? ([401] as const) : []),
        ...(about.refusals ?? []),
      ),
    },
  }
}

/** The calls that belong to no collection. */
const shared: RecordPaths['paths'] = {
  '/api/health': { get: call('Says that the server is there') },
  '/api/batch': {
    post: call('Writes several records, all of them or none', {
      body: object({
        requests: {
          type: 'array',
          minItems: 1,
          maxItems: recordLimits.batchRequests,
          items: object(
            {
              method: { type: 'string', enum: ['POST', 'PUT', 'PATCH', 'DELETE'] },
              url: { type: 'string', maxLength: recordLimits.batchUrlBytes },
              body: { type: 'object' },
            },
            ['method', 'url'],
          ),
        },
      }),
      answer: [
        200,
        'What each was answered',
        { type: 'array', items: object({ status: { type: 'integer' }, body: {} }) },
      ],
      refusals: [507],
    }),
  },
  '/api/realtime': {
    get: call('Opens a stream of events; the first has its id', {
      answer: [200, 'Server-sent events'],
    }),
    post: call('Says what a stream tells of', {
      body: object(
        {
          clientId: text,
          subscriptions: { type: 'array', items: text, maxItems: recordLimits.topics },
        },
        ['clientId'],
      ),
      answer: [204, 'It tells of them from now on'],
      refusals: [404],
    }),
  },
  '/api/files/token': {
    post: call('Gives a token for the caller’s own files, which lives for minutes', {
      isOfReaders: true,
      answer: [200, 'The token', object({ token: text })],
    }),
  },
  '/api/files/{collection}/{id}/{name}': {
    get: call('Sends a record’s file', {
      parameters: [
        ...['collection', 'id', 'name'].map((name) => ({
          name,
          in: 'path',
          required: true,
          schema: text,
        })),
        ...['thumb', 'token', 'download'].map((name) => ({ name, in: 'query', schema: text })),
      ],
      answer: [200, 'The file, or a small picture of it with `thumb`'],
      refusals: [404],
    }),
  },
}

/** The calls that sign in to an account, and change it. */
function signInPaths(name: string): RecordPaths['paths'] {
  const at = (path: string) => `/api/collections/${name}/${path}`
  const signedIn = object({ token: text, record: ref(name) })
  const post = (
    path: string,
    summary: string,
    fields: string[],
    about: Parameters<typeof call>[1] = {},
  ): [string, Record<string, Operation>] => [
    at(path),
    {
      post: call(summary, {
        tag: name,
        ...(fields.length > 0 && {
          body: object(Object.fromEntries(fields.map((field) => [field, text]))),
        }),
        ...about,
      }),
    },
  ]
  const answer = (description: string): { answer: [number, string, JsonSchema] } => ({
    answer: [200, description, signedIn],
  })
  const done: { answer: [number, string] } = { answer: [204, 'It is done'] }
  return Object.fromEntries([
    [at('auth-methods'), { get: call('Lists the ways to sign in', { tag: name }) }],
    post('auth-with-password', 'Signs in with a password', ['identity', 'password'], {
      ...answer('A session, or 401 with an `mfaId` where a code is needed'),
      refusals: [401],
    }),
    post('request-otp', 'Mails a code', ['email'], {
      answer: [200, 'Its id, also where there is no such account', object({ otpId: text })],
    }),
    post('auth-with-otp', 'Signs in with a mailed code', ['otpId', 'password'], {
      ...answer('A session, or 401 with an `mfaId`'),
      refusals: [401],
    }),
    post(
      'auth-with-oauth2',
      'Signs in through a provider',
      ['provider', 'code', 'codeVerifier', 'redirectURL'],
      answer('A session'),
    ),
    [
      at('passkeys'),
      {
        get: call('Lists the passkeys of the account, with their last use', {
          tag: name,
          isOfReaders: true,
        }),
        post: call('Adds the passkey that a browser has made', {
          tag: name,
          isOfReaders: true,
          body: object({ name: { type: 'string', maxLength: 60 }, response: { type: 'object' } }),
        }),
      },
    ],
    post('passkeys/options', 'Begins to add a passkey: options for WebAuthn', ['password'], {
      isOfReaders: true,
      refusals: [429],
    }),
    [
      at('passkeys/{id}'),
      {
        patch: call('Renames a passkey', {
          tag: name,
          isOfReaders: true,
          parameters: [id],
          body: object({ name: { type: 'string', minLength: 1, maxLength: 60 } }),
          refusals: [404],
          ...done,
        }),
        delete: call('Removes a passkey', {
          tag: name,
          isOfReaders: true,
          parameters: [id],
          refusals: [404],
          ...done,
        }),
      },
    ],
    post('request-passkey', 'Begins to sign in with a passkey: options for WebAuthn', [], {}),
    [
      at('auth-with-passkey'),
      {
        post: call('Signs in with a passkey', {
          tag: name,
          body: object(
            {
              response: { type: 'object' },
              mfaId: { ...text, description: 'Of the sign-in whose code it stands in for' },
              account: { ...text, description: 'The id of the only account that will do' },
            },
            ['response'],
          ),
          ...answer('A session'),
        }),
      },
    ],
    [
      at('providers'),
      {
        get: call('Lists the providers linked to the account, with their last use', {
          tag: name,
          isOfReaders: true,
        }),
      },
    ],
    [
      at('providers/{provider}'),
      {
        delete: call('Unlinks a provider', {
          tag: name,
          isOfReaders: true,
          parameters: [pathParameter('provider')],
          ...done,
        }),
      },
    ],
    post('backchannel-logout/{provider}', 'A provider ends its sessions', ['logout_token'], {
      parameters: [pathParameter('provider')],
      answer: [200, 'They have ended, or there were none'],
      refusals: [404],
    }),
    post('auth-refresh', 'Renews the session', [], { isOfReaders: true, ...answer('A session') }),
    post('request-verification', 'Mails a link that verifies an address', ['email'], done),
    post('confirm-verification', 'Verifies an address', ['token'], done),
    post('request-password-reset', 'Mails a link to a new password', ['email'], done),
    post(
      'confirm-password-reset',
      'Sets a new password',
      ['token', 'password', 'passwordConfirm'],
      done,
    ),
    post('request-email-change', 'Mails a link to a new address', ['newEmail'], {
      isOfReaders: true,
      ...done,
    }),
    post('confirm-email-change', 'Changes the address', ['token', 'password'], done),
  ])
}
