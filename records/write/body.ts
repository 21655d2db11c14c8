import type { RequestInfo } from '../filter/request.ts'
import type { FieldErrors } from '../errors.ts'
import { memo } from '../memo.ts'
import { applyBody, coerce } from '../schema/coerce.ts'
import type { Collection } from '../schema/collection.ts'
import type { Field } from '../schema/field.ts'
import { errors } from '../schema/validate.ts'
import type { StoredRecord } from '../schema/values.ts'

/** The record with the body applied, and the request as the rules see it: modifiers resolved. */
export function applyRequest(
  collection: Collection,
  base: StoredRecord,
  request: RequestInfo,
): { record: StoredRecord; request: RequestInfo & { body: Record<string, unknown> } } {
  const { create, update, hidden } = writableFields(collection)
  const fields = base.id ? update : create
  const { record, body } = applyBody(base, fields, request.body)
  const seen = Object.entries(body).filter(([key]) => !hidden.has(key))
  const applied = { record, request: { ...request, body: Object.fromEntries(seen) } }
  renameFiles(applied)
  return applied
}

/** The id of a record can't change; sending the same id is allowed. */
export function idChangeErrors(
  collection: Collection,
  id: string,
  { body }: RequestInfo,
): FieldErrors {
  if (Object.hasOwn(body, 'id:autogenerate')) return { id: errors.keyChange }
  return !Object.hasOwn(body, 'id') || namedId(collection, body) === id
    ? {}
    : { id: errors.keyChange }
}

/** @returns the id in a body as a create reads it: digits may arrive as a number */
export function namedId({ fields }: Collection, body: RequestInfo['body']): string {
  return String(
    coerce(
      fields.find(({ name }) => name === 'id')!,
      body['id'],
    ),
  )
}

/** Gives files the extension of their content, which is only known after the body is applied. */
export function renameFiles({ record, request }: ReturnType<typeof applyRequest>): void {
  request.uploads?.rename(record)
  request.uploads?.rename(request.body)
}

interface WritableFields {
  create: readonly Field[]
  update: readonly Field[]
  /** Fields of the body that rules don't see. */
  hidden: ReadonlySet<string>
}

/** The fields that a client's body may set. */
const writableFields = memo(({ fields }: Collection): WritableFields => {
  const hidden = fields.filter((field) => field.readable === 'nobody' && field.type !== 'password')
  return {
    create: fields.filter((field) => isSettable(field, 'create')),
    update: fields.filter((field) => isSettable(field, 'update')),
    hidden: new Set(hidden.map((field) => field.name)),
  }
})

/** Passwords are hashed in ../auth/account.ts. */
function isSettable(field: Field, action: 'create' | 'update'): boolean {
  if (field.type === 'autodate' || field.type === 'password') return false
  if (field.writable === 'never') return false
  if (field.readable === 'nobody' && field.writable !== 'always') return false
  return field.writable !== 'create' || action === 'create'
}

/** Fills empty owner fields with the viewer. */
export function fillOwner(
  collection: Collection,
  record: StoredRecord,
  request: RequestInfo,
): void {
  for (const field of collection.fields)
    if (field.type === 'relation' && field.fill === 'viewer' && record[field.name] === '')
      record[field.name] = request.viewer?.id ?? ''
}

/** @returns whether a required owner field is empty, as for a visitor */
export function isOwnerless(collection: Collection, record: StoredRecord): boolean {
  return collection.fields.some(
    (field) =>
      field.type === 'relation' &&
      field.fill === 'viewer' &&
      field.required &&
      record[field.name] === '',
  )
}

/** @returns whether the client set a field itself */
export function setByClient({ body }: RequestInfo): (field: string) => boolean {
  return (field) => Object.hasOwn(body, field)
}
