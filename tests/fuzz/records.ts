/** Random requests to the record API of the product, many of them malformed in some way. */

import fc from 'fast-check'
import { schema } from '#server/collections/schema.ts'
import {
  questionsAbout,
  type Known,
  type Question,
} from '#tests/wire/scenarios/random-questions.ts'
import { id } from '#tests/wire/scenarios/fixture.ts'
import { oddJson, oddText, oddValue } from './odd.ts'
import type { RawRequest } from './send.ts'
import type { Caller } from './servers.ts'

/** Where a request names a picture that is there: its name is another on every server. */
export const pictureName = 'PICTURE'

/** A request, and whose it is. */
export interface Step {
  who: Caller
  sent: RawRequest
  /** Whether two servers with the same in them give the same body, not only the same status. */
  isAlike: boolean
}

/** Ids of the records that are there at first, or that the requests make. */
const ids: Record<string, string[]> = {
  users: ['ann', 'bob'],
  profile: ['ann', 'bob'],
  bookshelves: ['s1', 's2', 't1', 'x1', 'x2'],
  user_books: ['b1', 'b2', 'c1', 'x1', 'x3'],
}
/** Records of these have ids, or an order, that the servers think up. */
const own = ['settings', 'activities', 'subscriptions', 'profile']

const relations = schema.collections.flatMap((from) =>
  from.fields.flatMap((field) =>
    field.type === 'relation' ? [{ from, name: field.name, to: field.collection }] : [],
  ),
)

/** What is sorted and filtered by; times and names of files differ. */
const fieldsOf = (name: string) =>
  schema
    .get(name)
    .fields.filter(({ type }) => type !== 'autodate' && type !== 'file')
    .map((field) => field.name)

const known: Record<string, Known> = Object.fromEntries(
  schema.collections.map(({ name }) => {
    const on = relations.filter(({ from }) => from.name === name)
    const back = relations
      .filter(({ to }) => to === name)
      .map(({ from, name: by }) => ({ from: from.name, way: `${from.name}_via_${by}` }))
    const further = [...on.map(({ name: way, to }) => ({ from: to, way })), ...back]
    return [
      name,
      {
        ids: ids[name] ?? ['x1'],
        paths: [
          ...fieldsOf(name).flatMap((field) => [field, field, `${field}:lower`]),
          ...further.flatMap(({ from, way }) => fieldsOf(from).map((field) => `${way}.${field}`)),
        ],
        expand: further.flatMap(({ way }) => [way, `${way}.user`, `user.${way}`]),
      },
    ]
  }),
)

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values)
const modified = (name: string) => [name, name, name, `${name}+`, `+${name}`, `${name}-`]
const keys = ['bookshelves', 'user_books'].flatMap((name) => fieldsOf(name).flatMap(modified))
const { read, write, together } = questionsAbout(
  known,
  [
    'users',
    'profile',
    'settings',
    'activities',
    ...Array<string>(3).fill('bookshelves'),
    ...Array<string>(4).fill('user_books'),
  ],
  ['bookshelves', 'user_books', 'user_books', 'settings', 'activities', 'profile'],
  [...keys, 'id', '__proto__', 'constructor', 'nothing', '@jsonPayload'],
  (x) => ({
    user: id('ann'),
    shelf: id('s1'),
    title: `New ${x}`,
    name: `New ${x}`,
    visibility: 'public',
    status: 'reading',
    authors: ['A. Writer'],
    page_count: 100,
  }),
  oddValue,
)

/** Records that are asked for with odd words in the query. */
const oddQuery: fc.Arbitrary<Question> = fc
  .tuple(
    read,
    fc.dictionary(
      pick('filter', 'sort', 'expand', 'fields', 'page', 'perPage', 'skipTotal', 'x'),
      oddText,
      { maxKeys: 3 },
    ),
  )
  .map(([question, query]) => ({ ...question, query: { ...question.query, ...query } }))

const accountCalls = [
  'auth-with-password',
  'request-otp',
  'auth-with-otp',
  'auth-with-oauth2',
  'request-verification',
  'confirm-verification',
  'request-password-reset',
  'confirm-password-reset',
  'confirm-email-change',
  'request-email-change',
  'auth-methods',
  'sessions',
  'providers',
  'passkeys',
  'passkeys/options',
  'request-passkey',
  'auth-with-passkey',
  'backchannel-logout/google',
]
/** What accounts are asked for, in vain: who succeeds is somebody else afterwards. */
const account: fc.Arbitrary<Question> = fc
  .tuple(
    pick('users', 'users', 'users', 'bookshelves', 'nothing'),
    pick(...accountCalls),
    fc.dictionary(
      pick(
        'identity',
        'password',
        'email',
        'mfaId',
        'otpId',
        'token',
        'passwordConfirm',
        'newEmail',
        'provider',
        'name',
        'response',
        'code',
        'codeVerifier',
        'redirectURL',
        'identityField',
      ),
      fc.oneof(oddText, oddValue, pick('ann', 'nobody@example.org')),
    ),
  )
  .map(([name, call, body]) => ({
    method: ['auth-methods', 'sessions', 'providers'].includes(call) ? 'GET' : 'POST',
    path: `/collections/${name}/${call}`,
    query: {},
    body,
  }))

const signUp: fc.Arbitrary<Question> = fc
  .dictionary(
    pick(
      'email',
      'password',
      'passwordConfirm',
      'username',
      'name',
      'avatar',
      'verified',
      'tokenKey',
      'id',
    ),
    oddValue,
  )
  .map((body) => ({ method: 'POST', path: '/collections/users/records', query: {}, body }))

const subscribe: fc.Arbitrary<Question> = fc
  .record(
    { clientId: oddValue, subscriptions: fc.oneof(oddValue, fc.array(oddText)) },
    { requiredKeys: [] },
  )
  .map((body) => ({ method: 'POST', path: '/realtime', query: {}, body }))

const file: fc.Arbitrary<Question> = fc
  .tuple(
    pick('users', 'profile', 'user_books', '_pb_users_auth_', 'nothing'),
    pick('ann', 'bob', 'b1', 'x1'),
    pick(
      pictureName,
      pictureName,
      pictureName,
      'nothing.png',
      '..',
      '%00',
      '%2e%2e%2f',
      'a'.repeat(300),
    ),
    fc.dictionary(
      pick('thumb', 'token', 'download', 'x'),
      fc.oneof(
        oddText,
        pick('100x100', '100x50f', '256x256', '0x0', '99999x99999', '100x100t', '1'),
      ),
      { maxKeys: 3 },
    ),
  )
  .map(([collection, record, name, query]) => ({
    method: 'GET',
    path: `/files/${collection}/${id(record)}/${name}`,
    query,
  }))

const other: fc.Arbitrary<Question> = pick(
  '/health',
  '/realtime',
  '/files/token',
  '/oauth2-redirect',
  '/oauth2-redirect/success',
  '/batch',
  '/nothing',
  '/collections',
  '/collections/users',
  '/logs',
  '/settings',
  '/crons',
  '/backups',
  '',
).chain((path) => pick('GET', 'POST').map((method) => ({ method, path, query: {} })))

const multipartBoundary = 'x-fuzz-x'

function multipart(body: object): string {
  const parts = Object.entries(body).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown) => {
      const text = typeof one === 'string' ? one : JSON.stringify(one)
      const isFile = name === 'image' || name === 'avatar' || name === 'background'
      const kind = isFile ? '; filename="a.png"\r\nContent-Type: image/png' : ''
      return `--${multipartBoundary}\r\nContent-Disposition: form-data; name="${name}"${kind}\r\n\r\n${text}\r\n`
    }),
  )
  return `${parts.join('')}--${multipartBoundary}--\r\n`
}

const multipartType = `multipart/form-data; boundary=${multipartBoundary}`
const formType = 'application/x-www-form-urlencoded'

/** A body in one of its forms, some of them broken. */
function encoded(body: object): fc.Arbitrary<Pick<RawRequest, 'headers' | 'body'>> {
  const json = JSON.stringify(body)
  const form = new URLSearchParams(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
    ]),
  ).toString()
  const all = multipart(body)
  const as = (type: string, text: string | Uint8Array) => ({
    headers: { 'Content-Type': type },
    body: text,
  })
  const types = [
    'application/json\t',
    'APPLICATION/JSON',
    'application/json; charset=utf-16',
    'application/json;',
    'text/plain',
    '',
    'application/xml',
    ';',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `${formType}; charset=latin1`,
  ]
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(as('application/json', json)) },
    { weight: 2, arbitrary: fc.constant(as(multipartType, all)) },
    { weight: 2, arbitrary: fc.constant(as(formType, form)) },
    { weight: 1, arbitrary: pick(...types).map((type) => as(type, json)) },
    { weight: 1, arbitrary: oddJson.map((text) => as('application/json', text)) },
    // Cut off in the middle.
    { weight: 1, arbitrary: fc.nat(all.length).map((end) => as(multipartType, all.slice(0, end))) },
    {
      weight: 1,
      arbitrary: fc.nat(json.length).map((end) => as('application/json', json.slice(0, end))),
    },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => as('application/json', bytes)),
    },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => as(multipartType, bytes)),
    },
  )
}

const oddHeaders: fc.Arbitrary<Record<string, string>> = pick<Record<string, string>>(
  { 'X-HTTP-Method-Override': 'DELETE' },
  { 'X-Forwarded-For': '::1, \u00FF' },
  { Authorization: 'Bearer x.y.z' },
  { Authorization: 'Basic eDp5' },
  { Cookie: 'pb_auth=%7B; pb_auth=x; =; ;;' },
  { Range: 'bytes=5-1' },
  { Range: 'bytes=0-0,2-3' },
  { Range: 'bytes=-99999999999999999999' },
  { 'If-None-Match': '*' },
  { 'If-Modified-Since': 'not a day' },
  { 'If-Range': '"x"' },
  { 'Content-Encoding': 'gzip' },
  { 'Content-Encoding': 'identity' },
  { Accept: '\u00FF/*;q=9' },
  { 'Accept-Language': `${'a-'.repeat(2000)}b` },
  { Origin: 'null' },
  { Origin: 'http://[' },
  { Host: 'elsewhere.example' },
  { Host: '[::1]:x' },
  { Expect: '100-continue' },
  { 'X-Session': 'cookie' },
  { 'X-A': 'x'.repeat(6000) },
  { Connection: 'close' },
  { Date: '' },
)

/** Other ways to write an address. */
const oddAddress: fc.Arbitrary<(path: string) => string> = pick<(path: string) => string>(
  (path) => path.replace(/(?=\?|$)/, '/'),
  (path) => path.replace('/records', '//records'),
  (path) => path.replace('/records', '/./records'),
  (path) => path.replace('/records', '/%2e%2e/users/records'),
  (path) => path.replace('/records', ';x=1/records'),
  (path) => path.replace('/records', '%2Frecords'),
  (path) => path.replace('/collections', '/%63ollections'),
  (path) => path.replace('/api', '/API'),
  (path) => path.replace('/api', '/api/api'),
  (path) =>
    `${path}${path.includes('?') ? '&' : '?'}page=1e9&page=2&perPage=&perPage=-0&filter=&filter=id=1`,
  (path) => `${path}${path.includes('?') ? '&' : '?'}page=999999999999&perPage=1000000`,
  (path) => `${path}%`,
  (path) => `${path}%C0%AF%ED%A0%80`,
  (path) => `${path}?%zz=%&&=&a[]=1&a[b]=2&__proto__=x`,
  (path) => `http://elsewhere.example${path}`,
)

const oddMethod = pick(
  'HEAD',
  'OPTIONS',
  'PUT',
  'PATCH',
  'DELETE',
  'POST',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'PURGE',
)

const rarely = <T>(odd: fc.Arbitrary<T>, usual: T) =>
  fc.oneof({ weight: 1, arbitrary: odd }, { weight: 14, arbitrary: fc.constant(usual) })

function toSent(question: Question): fc.Arbitrary<RawRequest> {
  const { method, path, query, body } = question
  const search = new URLSearchParams(query).toString()
  const plain = `/api${path}${search ? `?${search}` : ''}`
  const content =
    body === undefined ? fc.constant({ headers: {}, body: undefined }) : encoded(body as object)
  return fc
    .tuple(
      content,
      rarely(oddHeaders, {}),
      rarely(oddAddress, (one: string) => one),
      rarely(oddMethod, method),
    )
    .map(([{ headers, body: bytes }, more, address, as]) => {
      const to = address(plain)
      // Whoever deletes their account, or ends their session, asks for nothing more.
      const isEnd = as === 'DELETE' && to.includes('/users')
      return {
        method: isEnd ? 'POST' : as,
        path: to,
        headers: { ...headers, ...more },
        body: bytes,
      }
    })
}

const who = pick<Caller>('', 'ann', 'ann', 'ann', 'bob')
const some = (isAlike: boolean, question: fc.Arbitrary<Question>): fc.Arbitrary<Step> =>
  fc.tuple(who, question).chain(([whose, one]) =>
    toSent(one).map((sent) => ({
      who: whose,
      sent,
      // An odd address may be that of other records.
      isAlike: isAlike && !own.some((name) => JSON.stringify([sent.path, one]).includes(name)),
    })),
  )

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: some(true, read) },
  { weight: 3, arbitrary: some(true, oddQuery) },
  { weight: 6, arbitrary: some(true, write) },
  { weight: 2, arbitrary: some(true, together) },
  { weight: 2, arbitrary: some(false, account) },
  { weight: 1, arbitrary: some(false, signUp) },
  { weight: 1, arbitrary: some(false, subscribe) },
  { weight: 2, arbitrary: some(false, file) },
  { weight: 1, arbitrary: some(false, other) },
)
