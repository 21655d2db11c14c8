import type { FieldError } from '../errors.ts'
import type { Collection } from './collection.ts'

/**
 * Bytes that the columns of one unique index may have together. PostgreSQL refuses a row of more
 * than 2704 in an index; the rest of that is for what stands around the values.
 */
const indexable = 2600

/**
 * @returns what is wrong with a value that is too long to be unique by, on either database; a
 *   field that is unique along with others may have its part of what there is
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
