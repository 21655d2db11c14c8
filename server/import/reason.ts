import type { ApiError, FieldError } from '#records/index.ts'
import { reasonInEnglish } from '#shared/english.ts'
import type { ImportMessage, ImportReason, ImportRecord, ImportWarning } from '#shared/import.ts'

/** A reason as a row stores it: the English sentence, and the key that translates it. */
export interface StoredReason {
  reason: string
  message: ImportMessage | null
}

export const noReason: StoredReason = { reason: '', message: null }

/** @returns the fields of a row with this reason */
export const because = (key: ImportReason['key'], params?: ImportReason['params']): StoredReason =>
  storedReason({ key, ...(params && { params }) })

/** The same for a reason that may be missing. */
export const storedReason = (message: ImportReason | null): StoredReason =>
  message ? { reason: reasonInEnglish(message), message } : noReason

/** @returns the fields of a row that the record service refused */
export function refusedBecause(error: ApiError): StoredReason {
  const [field] = Object.values(error.data)
  if (typeof field?.['message'] !== 'string') return { reason: error.message, message: null }
  const { code, message, params = {} } = field as FieldError
  const { rule = code, ...rest } = params as NonNullable<ImportMessage['params']>
  return { reason: message, message: { key: String(rule), params: rest } }
}

/** @returns a row's warnings as it stores them */
export const storedWarnings = (reasons: readonly ImportReason[]): ImportWarning[] =>
  reasons.map((reason) => ({ ...reason, reason: reasonInEnglish(reason) }))

/** Adds rows' warnings to the numbers of rows with each. */
export function countWarnings(
  before: ImportRecord['warnings'],
  rows: readonly (readonly ImportWarning[])[],
): ImportRecord['warnings'] {
  const counts: Record<string, number> = { ...before }
  for (const warnings of rows)
    for (const key of new Set(warnings.map((one) => one.key))) counts[key] = (counts[key] ?? 0) + 1
  return counts
}
