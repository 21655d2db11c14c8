/** What a stranger may ask of the record service, made from the schema: a new field is asked about. */

import type { Collection } from '#records/index.ts'
import { schema } from '#server/collections/schema.ts'
import { path } from '#tests/access/fixture.ts'
import { hiddenNumber } from './hidden.ts'
import type { CrawlRequest } from './send.ts'
import type { Twins } from './twins.ts'

const missing = 'aaaaaaaaaaaaaaa'
/** Ids of one collection that are asked about one by one. */
const maxIds = 8

/** A way from a record along relations, both ways, to another. */
interface Way {
  /** '' or names joined by dots, with a dot at the end. */
  prefix: string
  to: Collection
  /** Steps to several records, and whether the way goes on from there. */
  many: number
  isOn: boolean
}

function ways(from: Collection, steps: number): Way[] {
  const here: Way = { prefix: '', to: from, many: 0, isOn: false }
  if (steps === 0) return [here]
  const next: Way[] = []
  for (const field of from.fields)
    if (field.type === 'relation')
      next.push({ ...here, prefix: `${field.name}.`, to: schema.get(field.collection) })
  for (const to of schema.collections)
    for (const field of to.fields)
      if (field.type === 'relation' && schema.get(field.collection) === from) {
        const isSingle = to.unique.some((columns) => columns.join() === field.name)
        const prefix = `${to.name}_via_${field.name}.`
        next.push({ prefix, to, many: isSingle ? 0 : 1, isOn: false })
      }
  return [
    here,
    ...next.flatMap((way) =>
      ways(way.to, steps - 1).map((rest) => ({
        prefix: way.prefix + rest.prefix,
        to: rest.to,
        many: way.many + rest.many,
        isOn: rest.isOn || (way.many > 0 && rest.prefix !== ''),
      })),
    ),
  ]
}

const list = (name: string, query: Record<string, string>): CrawlRequest => ({
  path: `${path(name)}?${new URLSearchParams(query)}`,
})

function lists({ name }: Collection, twins: Twins): CrawlRequest[] {
  const expand = ways(schema.get(name), 3).flatMap(({ prefix }) => prefix.slice(0, -1) || [])
  const pieces = chunks(expand, 12).map((paths) => paths.join())
  const ids = [...(twins.hidden.ids[name] ?? []), missing].map((id) => `id = "${id}"`)
  return [
    {},
    ...[1, 2, 3, 4].map((page) => ({ page: String(page), perPage: '2' })),
    { skipTotal: '1', perPage: '1', page: '2' },
    { page: '1000000000' },
    { perPage: '1000', sort: '-id' },
    { perPage: '1000', fields: '*,expand.*,expand.user.email,password,tokenKey,book_key' },
    ...pieces.map((paths) => ({ perPage: '1000', expand: paths })),
    { filter: ids.join(' || ') },
    { filter: 'id ?!= "" && id != "x"' },
  ].map((query) => list(name, query as Record<string, string>))
}

/** For whatever a hidden record could make true, and for whatever it could make false. */
function filters(collection: Collection): CrawlRequest[] {
  const joined: string[] = []
  const alone: string[] = ['@collection.users.email != ""', '@request.auth.id != ""']
  for (const { prefix, to, many, isOn } of ways(collection, 2)) {
    // The filter language takes one step to many in a path, and few comparisons beyond it.
    if (many > 1) continue
    const batchSize = many === 0 ? 60 : isOn ? 3 : 20
    const isShort = prefix.split('.').length <= 2
    const found: string[] = []
    const absent: string[] = []
    for (const { name, type, readable = 'everyone' } of to.fields) {
      const at = prefix + name
      // A visitor can't ask about the owner's fields at all.
      if (readable === 'nobody' || readable === 'owner') {
        if (isShort) alone.push(`${at} != ""`, `${at} ?~ "canary"`, `${at} = ""`)
        continue
      }
      const [like, value] = type === 'number' ? ['=', hiddenNumber] : ['~', '"canary"']
      if (type !== 'bool' && type !== 'autodate') {
        found.push(`${at} ?${like} ${value}`)
        absent.push(`${at} !${like} ${value}`)
      }
      if (!isShort) continue
      if (type === 'bool') alone.push(`${at} ?= true`)
      if (type === 'select') alone.push(`${at} ?!= "public"`)
      if (type === 'json') alone.push(`${at}:length > 0`, `${at}:each ?~ "canary"`)
      if (type === 'text') alone.push(`${at}:lower ?!= "x"`)
    }
    if (prefix.includes('_via_')) alone.push(`${prefix}id ?!= ""`, `${prefix}id = ""`)
    for (const few of chunks(found, batchSize)) joined.push(few.join(' || '))
    for (const few of chunks(absent, batchSize)) joined.push(few.join(' && '))
  }
  return [
    ...joined.map((filter) => ({ ...list(collection.name, { filter }), works: true })),
    ...alone.map((filter) => list(collection.name, { filter })),
  ]
}

function sorts(collection: Collection): CrawlRequest[] {
  return ways(collection, 2)
    .filter(({ many }) => many === 0)
    .flatMap(({ prefix, to }) => to.fields.map(({ name }) => prefix + name))
    .map((sort) => list(collection.name, { sort, fields: 'id' }))
}

function views(twins: Twins): CrawlRequest[] {
  return schema.collections.flatMap(({ name }) => {
    const expand = ways(schema.get(name), 1).flatMap(({ prefix }) => prefix.slice(0, -1) || [])
    const open = name === 'users' || name === 'profile' ? [twins.readers.owner.id] : []
    return [...some(twins.hidden.ids[name]), ...open, missing].map((id) => ({
      path: `${path(name, id)}?expand=${expand.join()}`,
    }))
  })
}

/** What strangers may not do, asked of hidden records and of those that do not exist. */
function writes({ hidden }: Twins): CrawlRequest[] {
  const body = { name: 'x', title: '', email: 'no', isPrivate: false }
  const changes = schema.collections.flatMap(({ name }) =>
    [...some(hidden.ids[name]), missing].flatMap((id) => [
      { method: 'PATCH', path: path(name, id), body },
      { method: 'DELETE', path: path(name, id) },
    ]),
  )
  const smuggled = [...(hidden.ids['bookshelves'] ?? []), missing].map((shelf) => ({
    method: 'POST',
    path: path('user_books'),
    body: { shelf, title: 'Smuggled', status: 'reading' },
  }))
  return [...changes, ...smuggled]
}

/** Not those that choose an id: an id is unique, whoever sees its record. */
function batches(twins: Twins): CrawlRequest[] {
  return writes(twins)
    .filter((_, i) => i % 3 === 0)
    .map(({ method, path: url, body = {} }) => ({
      method: 'POST',
      path: '/api/batch',
      body: { requests: [{ method, url, body }] },
    }))
}

/** What the command palette asks for a reader's own. */
function palette({ unseen, readers }: Twins): CrawlRequest[] {
  return [...unseen, readers.owner, readers.stranger].map(({ id }) =>
    list('user_books', {
      filter: `user = "${id}" && status = "reading"`,
      sort: '-updated',
      skipTotal: 'true',
    }),
  )
}

function files({ hidden, open }: Twins): CrawlRequest[] {
  const asked = hidden.files.flatMap((file) => {
    const asProfile = file.replace(/\/(?:users|settings)\//, '/profile/')
    return [file, ...(asProfile === file ? [] : [asProfile])]
  })
  const variants = ['', '?thumb=100x100', '?thumb=350x0', '?download=1']
  return [
    ...asked.flatMap((file) => variants.map((query) => ({ path: file + query }))),
    { method: 'POST', path: '/api/files/token' },
    { path: `/api/files/user_books/${open.books.at(-1)}/nothing.svg` },
  ]
}

/** By door, everything that is asked of the record service. */
export const recordRequests = (twins: Twins): Record<string, CrawlRequest[]> => ({
  lists: schema.collections.flatMap((collection) => lists(collection, twins)),
  filters: schema.collections.flatMap(filters),
  sorts: schema.collections.flatMap(sorts),
  views: views(twins),
  'writes of others': writes(twins),
  batches: batches(twins),
  palette: palette(twins),
  files: files(twins),
})

/** @returns some of the ids, from the first to the last */
function some(ids: readonly string[] = []): readonly string[] {
  const step = Math.ceil(ids.length / maxIds)
  return ids.filter((_, i) => i % step === 0)
}

function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
    all.slice(i * size, (i + 1) * size),
  )
}
