import * as z from 'zod'
import { ApiError, type RequestInfo, type StoredRecord } from '#records/index.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }

const expectedValues = z.record(z.string(), z.json())

/**
 * Refuses an update based on outdated values, such as one made on a phone that was offline. The
 * client sends the values it replaces in `?expected=`, a JSON object by field.
 *
 * @param before the stored record
 * @throws ApiError 409 with the fields that have other values, 400 when the parameter isn't an
 *   object
 */
export function requireExpectedValues(before: StoredRecord, request: RequestInfo | null): void {
  const text = request?.query['expected']
  if (text === undefined) return
  const changed = Object.entries(read(text)).filter(
    ([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value),
  )
  if (changed.length === 0) return
  throw new ApiError(
    409,
    answers.recordChanged,
    Object.fromEntries(changed.map(([name]) => [name, outdated])),
  )
}

const outdated = { code: 'validation_outdated', message: 'This value has since changed.' }

function read(text: string): Record<string, unknown> {
  try {
    return expectedValues.parse(JSON.parse(text))
  } catch (error) {
    throw new ApiError(400, 'The parameter expected must be a JSON object.', {}, error)
  }
}
