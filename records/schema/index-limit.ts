import type { FieldError } from '../errors.ts'
import type { Collection } from './collection.ts'

/**
 * Bytes for all columns of one unique index. PostgreSQL refuses index rows of more than 2704 bytes,
 * which include some overhead.
 */
const indexable = 2600

/**
 * @returns the error if a value is too long for its unique index, on either database. Fields that
 *   are unique together share the limit equally
 */
export function tooLongToIndex(
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
export function contentTooLarge(maxSize: number): FieldError {
  return {
    code: 'validation_content_size_limit',
    message: `The maximum allowed content size is ${maxSize} bytes.`,
    params: { maxSize },
  }
}
