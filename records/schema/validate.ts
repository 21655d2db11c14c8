import type { FieldError, FieldErrors } from '../errors.ts'
import { isAllowedDomain, isEmail, urlHost } from './email-url.ts'
import type { Collection } from './collection.ts'
import { isMultiple, usualMost, type Domains, type Field, type DateField } from './field.ts'
import type { StoredRecord } from './values.ts'

/** Field errors with the contract's codes and messages (section 7.3). */
export const errors = {
  required: { code: 'validation_required', message: 'Cannot be blank.' },
  format: { code: 'validation_invalid_format', message: 'Invalid value format.' },
  email: { code: 'validation_is_email', message: 'Must be a valid email address.' },
  url: { code: 'validation_invalid_url', message: 'Must be a valid url.' },
  emailDomain: {
    code: 'validation_email_domain_not_allowed',
    message: 'Email domain is not allowed.',
  },
  urlDomain: { code: 'validation_url_domain_not_allowed', message: 'Url domain is not allowed.' },
  json: { code: 'validation_invalid_json', message: 'Must be a valid json value.' },
  past: { code: 'validation_invalid_format', message: 'Must be in the future.' },
  collections: {
    code: 'validation_invalid_format',
    message: 'Must be a list of names of collections.',
  },
  latitude: {
    code: 'validation_invalid_latitude',
    message: 'Latitude must be between -90 and 90 degrees.',
  },
  longitude: {
    code: 'validation_invalid_longitude',
    message: 'Longitude must be between -180 and 180 degrees.',
  },
  notNumber: {
    code: 'validation_not_a_number',
    message: 'The submitted number is not properly formatted.',
  },
  notBool: { code: 'validation_invalid_value', message: 'Must be true or false.' },
  onlyInt: {
    code: 'validation_only_int_constraint',
    message: 'Decimal numbers are not allowed.',
  },
  notUnique: { code: 'validation_not_unique', message: 'Value must be unique.' },
  keyChange: {
    code: 'validation_pk_change',
    message: 'The record primary key cannot be changed.',
  },
  authId: {
    code: 'validation_invalid_auth_id',
    message: 'Invalid or duplicated auth record id.',
  },
  missingRelation: {
    code: 'validation_missing_rel_records',
    message: 'Failed to find all relation records with the provided ids.',
  },
  mismatch: { code: 'validation_values_mismatch', message: "Values don't match." },
  oldPassword: {
    code: 'validation_invalid_old_password',
    message: 'Missing or invalid old password.',
  },
} as const satisfies Record<string, FieldError>

/**
 * Validates the named fields and returns all their errors.
 *
 * @param names the fields to check: all on create, the changed ones on update
 * @param plain the new password in plain text, if it is being set
 */
export function validate(
  collection: Collection,
  record: StoredRecord,
  names: ReadonlySet<string>,
  plain?: string,
): FieldErrors {
  const found: FieldErrors = {}
  for (const field of collection.fields) {
    if (!names.has(field.name)) continue
    const value = field.type === 'password' && plain !== undefined ? plain : record[field.name]
    const error =
      fieldError(field, value, plain !== undefined) ?? tooLongToIndex(collection, field.name, value)
    if (error) found[field.name] = error
  }
  return found
}

/**
 * Finds file names a client may not set. It may keep and drop a record's files, but add only
 * uploads.
 *
 * @param before the stored record, null for a new one
 * @param uploaded names of the request's uploads
 */
export function unknownFiles(
  collection: Collection,
  before: StoredRecord | null,
  after: StoredRecord,
  names: ReadonlySet<string>,
  uploaded?: ReadonlySet<string>,
): FieldErrors {
  const found: FieldErrors = {}
  for (const field of collection.fields) {
    if (field.type !== 'file' || !names.has(field.name)) continue
    const named = [after[field.name]].flat().filter(Boolean)
    if (!named.length) continue
    const known = new Set([...(uploaded ?? []), ...[before?.[field.name]].flat()])
    const unknown = named.filter((name) => !known.has(name))
    if (unknown.length) found[field.name] = invalidFiles(unknown as string[])
  }
  return found
}

/** @param names the refused file names */
export function invalidFiles(names: readonly string[]): FieldError {
  // Formatted like PocketBase's lists.
  const invalidFiles = names.map((name) => name.slice(0, 250))
  return {
    code: 'validation_invalid_file',
    message: `Invalid new files: [${invalidFiles.join(' ')}].`,
    params: { invalidFiles },
  }
}

function fieldError(field: Field, value: unknown, isPlain: boolean): FieldError | undefined {
  if (field.required && isBlank(value)) return errors.required
  switch (field.type) {
    case 'text':
      return textError(field, value as string)
    case 'editor':
      return editorError(field.maxSize ?? usualMost.bytes, value as string)
    case 'url':
      return value === '' ? undefined : urlError(field, value as string)
    case 'date':
      return value === '' ? undefined : dateError(field, value as string)
    case 'geoPoint':
      return pointError(value as { lon: number; lat: number })
    case 'email':
      return value === '' ? undefined : emailError(field, value as string)
    case 'password':
      return isPlain ? passwordError(field, value as string) : undefined
    case 'number':
      return numberError(field, value as number)
    case 'bool':
      return typeof value === 'boolean' ? undefined : errors.notBool
    case 'select':
    case 'relation':
      return listError(field, (isMultiple(field) ? value : [value]) as string[])
    case 'file':
      return tooManyFiles(field.maxSelect ?? 1, value)
    case 'json':
      return jsonError(field.maxSize ?? 1_048_576, value)
    default:
      return undefined
  }
}

function isBlank(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  if (value === 0 || value === false) return true
  if (typeof value !== 'object') return false
  return Object.keys(value).length === 0 || isZeroPoint(value)
}

function isZeroPoint(value: object): boolean {
  return 'lon' in value && 'lat' in value && value.lon === 0 && value.lat === 0
}

function textError(field: Extract<Field, { type: 'text' }>, value: string): FieldError | undefined {
  if (value === '') return undefined
  const length = codePoints(value)
  const { min = 0, max = 0, pattern } = field
  const most = max || usualMost.text
  if (min && length < min)
    return {
      code: 'validation_min_text_constraint',
      message: `Must be at least ${min} character(s).`,
      params: { min },
    }
  if (length > most)
    return {
      code: 'validation_max_text_constraint',
      message: `Must be no more than ${most} character(s).`,
      params: { max: most },
    }
  return pattern && !pattern.test(value) ? errors.format : undefined
}

function editorError(maxSize: number, value: string): FieldError | undefined {
  return Buffer.byteLength(value) > maxSize ? contentTooLarge(maxSize) : undefined
}

function emailError(field: Domains, value: string): FieldError | undefined {
  if (!isEmail(value)) return errors.email
  const host = value.slice(value.lastIndexOf('@') + 1)
  return isAllowedDomain(field, host) ? undefined : errors.emailDomain
}

function urlError(field: Domains, value: string): FieldError | undefined {
  const host = urlHost(value)
  if (host === null) return errors.url
  return isAllowedDomain(field, host) ? undefined : errors.urlDomain
}

function pointError({ lon, lat }: { lon: number; lat: number }): FieldError | undefined {
  // Written so that NaN fails, too.
  if (!(lat >= -90 && lat <= 90)) return errors.latitude
  return lon >= -180 && lon <= 180 ? undefined : errors.longitude
}

function passwordError(
  field: Extract<Field, { type: 'password' }>,
  value: string,
): FieldError | undefined {
  const length = codePoints(value)
  if (length < field.min)
    return {
      code: 'validation_min_text_constraint',
      message: `Must be at least ${field.min} character(s).`,
      params: { min: field.min },
    }
  // All lone surrogates become the same bytes.
  if (!value.isWellFormed()) return errors.format
  if (length > field.max)
    return {
      code: 'validation_max_text_constraint',
      message: `Must be less than ${field.max} character(s).`,
      params: { max: field.max },
    }
  return undefined
}

function numberError(
  field: Extract<Field, { type: 'number' }>,
  value: number,
): FieldError | undefined {
  if (!Number.isFinite(value)) return errors.notNumber
  if (field.onlyInt && !Number.isInteger(value)) return errors.onlyInt
  const { min, max } = field
  // Unlike PocketBase, checks 0 too, which would otherwise pass a minimum of 1.
  if (min !== undefined && value < min)
    return {
      code: 'validation_min_number_constraint',
      message: `Must be greater or equal than ${min}.`,
      params: { min },
    }
  if (max !== undefined && value > max)
    return {
      code: 'validation_max_number_constraint',
      message: `Must be less or equal than ${max}.`,
      params: { max },
    }
  return undefined
}

function listError(
  field: Extract<Field, { type: 'select' | 'relation' }>,
  list: readonly string[],
): FieldError | undefined {
  const maxSelect = field.maxSelect ?? 1
  if (list.length > maxSelect)
    return {
      code: 'validation_too_many_values',
      message: `Select no more than ${maxSelect}.`,
      params: { maxSelect },
    }
  if (field.type === 'relation') return tooFew(field.minSelect ?? 0, list)
  const value = list.find((item) => item !== '' && !field.values.includes(item))
  if (value === undefined) return undefined
  return {
    code: 'validation_invalid_value',
    message: `Invalid value ${value}.`,
    params: { value },
  }
}

function tooFew(minSelect: number, list: readonly string[]): FieldError | undefined {
  if (!list.length || list.length >= minSelect) return undefined
  return {
    code: 'validation_not_enough_values',
    message: `Select at least ${minSelect}.`,
    params: { minSelect },
  }
}

function tooManyFiles(maxSelect: number, value: unknown): FieldError | undefined {
  if (!Array.isArray(value) || value.length <= maxSelect) return undefined
  return {
    code: 'validation_too_many_files',
    message: `The maximum allowed files is ${maxSelect}.`,
    params: { maxSelect },
  }
}

function jsonError(maxSize: number, value: unknown): FieldError | undefined {
  if (Buffer.byteLength(JSON.stringify(value ?? null)) <= maxSize) return undefined
  return {
    code: 'validation_json_size_limit',
    message: `The maximum allowed JSON size is ${maxSize} bytes.`,
    params: { maxSize },
  }
}

/** @returns the text's length in code points, as PocketBase counts */
export function codePoints(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

/** @returns the error if a date is outside its field's range */
function dateError({ min, max }: DateField, value: string): FieldError | undefined {
  if (min !== undefined && value < min)
    return {
      code: 'validation_min_greater_equal_than_required',
      message: `Must be no less than ${longDate(min)}.`,
      params: { threshold: longDate(min) },
    }
  if (max !== undefined && value > max)
    return {
      code: 'validation_max_less_equal_than_required',
      message: `Must be no greater than ${longDate(max)}.`,
      params: { threshold: longDate(max) },
    }
  return undefined
}

/** Formats a date as PocketBase does in messages: `2020-01-01 00:00:00 +0000 UTC`. */
function longDate(date: string): string {
  return `${date.replace(/\.?0*Z$/, '')} +0000 UTC`
}

/**
 * Bytes for all columns of one unique index. PostgreSQL refuses index rows of more than 2704 bytes,
 * which include some overhead.
 */
const indexable = 2600

/**
 * @returns the error if a value is too long for its unique index, on either database. Fields that
 *   are unique together share the limit equally
 */
function tooLongToIndex(
  collection: Collection,
  name: string,
  value: unknown,
): FieldError | undefined {
  const shared = collection.unique.filter((index) => index.includes(name))
  if (!shared.length || typeof value !== 'string') return undefined
  const maxSize = Math.floor(indexable / Math.max(...shared.map((index) => index.length)))
  return Buffer.byteLength(value) > maxSize ? contentTooLarge(maxSize) : undefined
}

/** @param maxSize bytes */
function contentTooLarge(maxSize: number): FieldError {
  return {
    code: 'validation_content_size_limit',
    message: `The maximum allowed content size is ${maxSize} bytes.`,
    params: { maxSize },
  }
}
