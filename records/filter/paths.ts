import type { RequestInfo } from './request.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import { isMultiple, ownerField, type Field, type RelationField } from '../schema/field.ts'
import { FilterError } from './tree.ts'

/** Relations in one path. */
const maxDepth = 6
/**
 * To-many relations among them in a client's path, as each can make a row cost as much as a whole
 * table.
 */
const maxMany = 1

export type Modifier = 'lower' | 'folded' | 'length' | 'each' | 'isset' | 'changed' | undefined

/** One step from a record to others. */
export type Hop =
  /** A relation to one record. */
  | { type: 'one'; name: string; field: RelationField; target: Collection }
  /** A relation to several: its ids are a list in a column. */
  | { type: 'list'; name: string; field: RelationField; target: Collection }
  /** The records whose relation names this record. */
  | { type: 'back'; name: string; field: RelationField; target: Collection; single: boolean }
  /** Every record of a collection. */
  | { type: 'all'; name: string; target: Collection }
  /** The values of a list column, without following them. */
  | { type: 'each'; name: string; field: Field }

/** The start of a path: the row itself, or a record from the request. */
type Origin =
  | { type: 'row' }
  | {
      type: 'request'
      name: string
      read: (request: RequestInfo) => Readonly<Record<string, unknown>> | null
    }

export interface FieldPath {
  type: 'field'
  origin: Origin
  hops: readonly Hop[]
  /** undefined if the path means the last hop's own values. */
  field: Field | undefined
  /** Keys inside a JSON field. */
  json: readonly string[]
  modifier: Modifier
}

/** A value from the request. */
export interface RequestPath {
  type: 'request'
  read: (request: RequestInfo) => unknown
  modifier: Modifier
  /** For `:changed`: the stored field to compare with. */
  stored: FieldPath | undefined
}

/** A field that may be named in a filter but never matches. */
interface NeverPath {
  type: 'never'
}

export type Path = FieldPath | RequestPath | NeverPath

export interface PathContext {
  schema: Schema
  collection: Collection
  /** A client may only use fields that everyone may read, and nothing of the request. */
  client: boolean
  /** The collection of the viewer's account; undefined for a visitor. */
  viewer: Collection | undefined
}

/** @returns whether the hop leads to any number of rows */
export function isToMany(hop: Hop): boolean {
  return hop.type === 'back' ? !hop.single : hop.type !== 'one'
}

/** @returns the number of hops from the first to-many relation on */
export function toManyHops({ hops }: FieldPath): number {
  const first = hops.findIndex(isToMany)
  return first < 0 ? 0 : hops.length - first
}

/** @throws FilterError if the name doesn't exist or the viewer may not use it */
export function resolvePath(context: PathContext, name: string): Path {
  const { keys, modifier } = split(name)
  if (keys[0] === '@request' && !context.client)
    return requestPath(context, keys.slice(1), modifier)
  if (keys[0] === '@collection' && !context.client) {
    const [named = '', ...rest] = keys.slice(1)
    const target = context.schema.find(named.split(':')[0]!)
    if (!target) throw new FilterError(`unknown collection ${named}`)
    return fieldPath(context, { type: 'row' }, target, rest, modifier, [
      { type: 'all', name: `@${named}`, target },
    ])
  }
  return fieldPath(context, { type: 'row' }, context.collection, keys, modifier)
}

function split(name: string): { keys: string[]; modifier: Modifier } {
  const keys = name.split('.')
  const [last = '', modifier, more] = keys.at(-1)!.split(':')
  if (more !== undefined || keys.some((key) => key === ''))
    throw new FilterError(`invalid name ${name}`)
  keys[keys.length - 1] = last
  if (modifier !== undefined && !isModifier(modifier))
    throw new FilterError(`unknown modifier ${modifier}`)
  return { keys, modifier }
}

function isModifier(name: string): name is NonNullable<Modifier> {
  return ['lower', 'folded', 'length', 'each', 'isset', 'changed'].includes(name)
}

function fieldPath(
  context: PathContext,
  origin: Origin,
  start: Collection,
  keys: readonly string[],
  modifier: Modifier,
  hops: Hop[] = [],
): FieldPath | NeverPath {
  let collection = start
  for (let at = 0; at < keys.length; at++) {
    const name = keys[at]!
    const rest = keys.slice(at + 1)
    const field = collection.fields.find((f) => f.name === name)
    if (!field) {
      const back = backRelation(context, collection, name)
      if (!back || !rest.length) throw new FilterError(`unknown field ${name}`)
      hops.push(back)
      collection = back.target
    } else if (context.client && isHidden(context, collection, field)) {
      // A client may name an email field, as in PocketBase, but the comparison is always false.
      if (field.type === 'email' && !rest.length) return { type: 'never' }
      throw new FilterError(`unknown field ${name}`)
    } else if (!rest.length) {
      return bounded(context, ended(origin, hops, field, [], modifier))
    } else if (field.type === 'json') {
      return bounded(context, ended(origin, hops, field, jsonKeys(rest), modifier))
    } else if (field.type === 'geoPoint' && rest.length === 1 && /^(?:lon|lat)$/.test(rest[0]!)) {
      return bounded(context, ended(origin, hops, field, rest, modifier))
    } else if (field.type === 'relation') {
      // A single related record's id is the relation's own value.
      if (!isMultiple(field) && rest.length === 1 && rest[0] === 'id')
        return bounded(context, ended(origin, hops, field, [], modifier))
      const target = context.schema.get(field.collection)
      hops.push({ type: isMultiple(field) ? 'list' : 'one', name, field, target })
      collection = target
    } else throw new FilterError(`${name} has no fields of its own`)
    if (hops.length > maxDepth) throw new FilterError('too many relations in a path')
  }
  throw new FilterError('path without field')
}

/** Owner-only fields may be used if the viewer's account could own such records. */
function isHidden({ viewer, schema }: PathContext, { fields }: Collection, field: Field): boolean {
  const { readable = 'everyone' } = field
  if (readable !== 'owner') return readable !== 'everyone'
  const owner = ownerField(fields)
  return !viewer || !owner || schema.get(owner.collection) !== viewer
}

function bounded(context: PathContext, path: FieldPath): FieldPath {
  if (context.client && path.hops.filter(isToMany).length > maxMany)
    throw new FilterError('too many to-many relations in a path')
  return path
}

function jsonKeys(keys: readonly string[]): readonly string[] {
  if (keys.some((key) => /^\d{9,}$/.test(key) || !/^\w+$/.test(key)))
    throw new FilterError('invalid JSON key')
  return keys
}

function ended(
  origin: Origin,
  hops: readonly Hop[],
  field: Field,
  json: readonly string[],
  modifier: Modifier,
): FieldPath {
  const path = { type: 'field', origin, hops, field, json, modifier } as const
  switch (modifier) {
    case undefined:
    case 'lower':
      return path
    case 'folded':
      if (!field.folded) throw new FilterError(`${field.name} can't take :folded`)
      return path
    case 'each':
      if (field.type === 'json') return { ...path, modifier: undefined }
      if (!isList(field)) throw new FilterError(`${field.name} can't take :each`)
      if (!isMultiple(field)) return { ...path, modifier: undefined }
      return {
        ...path,
        hops: [...hops, { type: 'each', name: `${field.name}[]`, field }],
        field: undefined,
        modifier: undefined,
      }
    case 'length':
      if (!isList(field)) throw new FilterError(`${field.name} has no length`)
      return path
    default:
      throw new FilterError(`:${modifier} only works on request values`)
  }
}

function isList(field: Field): boolean {
  return field.type === 'select' || field.type === 'relation' || field.type === 'file'
}

/**
 * Resolves names like `notes_via_owner`: the records of `notes` whose relation `owner` names this
 * record.
 *
 * @returns undefined if the name has another form or there is no such relation
 */
export function backRelation(
  context: Pick<PathContext, 'schema' | 'client'>,
  collection: Collection,
  name: string,
): Extract<Hop, { type: 'back' }> | undefined {
  const [, source, by] = /^(.+)_via_(.+)$/.exec(name) ?? []
  const target = source ? context.schema.find(source) : undefined
  const field = target?.fields.find((f) => f.name === by)
  if (!target || field?.type !== 'relation') return undefined
  if (context.schema.get(field.collection) !== collection) return undefined
  if (context.client && field.readable && field.readable !== 'everyone') return undefined
  const single =
    !isMultiple(field) &&
    target.unique.some((index) => index.length === 1 && index[0] === field.name)
  return { type: 'back', name, field, target, single }
}

const requestParts: ReadonlyMap<string, (request: RequestInfo) => unknown> = new Map([
  ['context', (request) => request.context],
  ['method', (request) => request.method],
])

function requestPath(
  context: PathContext,
  keys: readonly string[],
  modifier: Modifier,
): FieldPath | RequestPath | NeverPath {
  const [part = '', ...rest] = keys
  if (modifier === 'folded') throw new FilterError(':folded only works on stored values')
  const nothing: RequestPath = { type: 'request', read: () => null, modifier, stored: undefined }
  const single = requestParts.get(part)
  if (single && !rest.length) return { ...nothing, read: single }
  if (!rest.length) throw new FilterError(`unknown @request.${part}`)
  if (part === 'query' || part === 'headers')
    return { ...nothing, read: (request) => walk(request[part], rest) }
  if (part === 'auth') {
    // A visitor has no record, so there is no list to count either.
    if (!context.viewer) return { ...nothing, modifier: undefined }
    const [key = ''] = rest
    if (rest.length === 1 && (key === 'collectionId' || key === 'collectionName'))
      return { ...nothing, read: (request) => request.viewer?.[key] }
    const origin: Origin = { type: 'request', name: '@auth', read: (r) => r.viewer?.record ?? null }
    return recordPath(context, origin, context.viewer, rest, modifier)
  }
  if (part === 'body') {
    const origin: Origin = { type: 'request', name: '@body', read: (r) => r.body }
    return recordPath(context, origin, context.collection, rest, modifier)
  }
  throw new FilterError(`unknown @request.${part}`)
}

/** A value of a record from the request, or of its related records. */
function recordPath(
  context: PathContext,
  origin: Extract<Origin, { type: 'request' }>,
  collection: Collection,
  keys: readonly string[],
  modifier: Modifier,
): FieldPath | RequestPath | NeverPath {
  const field = collection.fields.find((f) => f.name === keys[0])
  const leads = field ? field.type === 'relation' : backRelation(context, collection, keys[0]!)
  const isEach = modifier === 'each' && field && isMultiple(field)
  if ((leads && keys.length > 1) || isEach)
    return fieldPath(context, origin, collection, keys, modifier)
  const stored =
    modifier === 'changed'
      ? fieldPath(context, { type: 'row' }, collection, keys, undefined)
      : undefined
  if (stored?.type === 'never') return stored
  return { type: 'request', read: (request) => walk(origin.read(request), keys), modifier, stored }
}

/** @returns the value; undefined if it wasn't sent */
function walk(from: unknown, keys: readonly string[]): unknown {
  let value = from
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}
