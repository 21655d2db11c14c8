import { memo } from '../memo.ts'
import { randomText } from '../random.ts'
import { formatDate } from './coerce.ts'
import type { Collection } from './collection.ts'
import type { Field } from './field.ts'
import type { StoredRecord } from './values.ts'

type Autodate = Extract<Field, { type: 'autodate' }>

/** The dates that the server sets. */
export const autodateFields = memo(({ fields }: Collection): readonly Autodate[] =>
  fields.filter((field) => field.type === 'autodate'),
)

/** Fills texts that are made up, such as the id, where nothing was given. */
export function fillGenerated({ fields }: Collection, record: StoredRecord): void {
  for (const field of fields)
    if (field.type === 'text' && field.autogenerate && !record[field.name])
      record[field.name] = randomText(field.autogenerate)
}

/** Sets dates to a moment. */
export function setDates(record: StoredRecord, fields: readonly Field[], now: Date): void {
  const date = formatDate(now)
  for (const { name } of fields) record[name] = date
}
