import type { FieldErrors } from '../errors.ts'
import type { Collection } from './collection.ts'
import { holdsJson, isMultiple } from './field.ts'
import { errors } from './validate.ts'
import type { StoredRecord } from './values.ts'

/**
 * Finds texts that PostgreSQL can't store (NUL, lone surrogates), and JSON nested too deep to be
 * read back. Check clients' values before they reach a database.
 */
export function storableErrors(collection: Collection, record: StoredRecord): FieldErrors {
  const found: FieldErrors = {}
  for (const field of collection.fields) {
    const value = record[field.name]
    // A password is only stored as a hash.
    if (field.type === 'password' || isStorable(value)) continue
    found[field.name] = holdsJson(field) && !isMultiple(field) ? errors.json : errors.format
  }
  return found
}

/** Nesting of lists and objects; SQLite's limit is 1000. */
const maxNesting = 100

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  // Not recursive, as the value could be nested deeper than the stack allows.
  let level: unknown[] = [value]
  for (let depth = 0; level.length; depth++) {
    if (depth > maxNesting) return false
    const inner: unknown[] = []
    for (const item of level) {
      if (typeof item === 'string' && !isStorableText(item)) return false
      if (typeof item !== 'object' || item === null) continue
      if (!Array.isArray(item) && !Object.keys(item).every(isStorableText)) return false
      for (const one of Object.values(item)) inner.push(one)
    }
    level = inner
  }
  return true
}

function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
