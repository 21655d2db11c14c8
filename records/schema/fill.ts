import { randomText } from '../random.ts'
import { formatDate } from './coerce.ts'
import type { Collection } from './collection.ts'
import type { Field } from './field.ts'
import type { StoredRecord } from './values.ts'

type Autodate = Extract<Field, { type: 'autodate' }>
const autodatesOf = new WeakMap<Collection, readonly Autodate[]>()

/** @returns the dates that the server sets, found out once for each collection */
export function autodates(collection: Collection): readonly Autodate[] {
  let fields = autodatesOf.get(collection)
  if (!fields) {
    fields = collection.fields.filter((field) => field.type === 'autodate')
    autodatesOf.set(collection, fields)
  }
  return fields
}

/** Fills texts that are made up, such as the id, where nothing was given. */
export function generate({ fields }: Collection, record: StoredRecord): void {
  for (const field of fields)
    if (field.type === 'text' && field.autogenerate && !record[field.name])
      record[field.name] = randomText(field.autogenerate)
}

/** Sets dates to a moment. */
export function stamp(record: StoredRecord, fields: readonly Field[], now: Date): void {
  const date = formatDate(now)
  for (const { name } of fields) record[name] = date
}
