import type PocketBase from 'pocketbase'
import { apiError, errorMessage, isApiError } from '#web/api/errors.ts'
import { batchSize, editParameters } from '#web/api/library.ts'
import { t } from '#web/i18n/library.ts'

/** Milliseconds until a call is tried again that came too soon after others. */
const retryDelay = 1100
const maxRetries = 30

/** One record's change among many. */
export interface BulkChange {
  collection: 'user_books' | 'bookshelves'
  id: string
  /** Its name in the message that it couldn't be changed. */
  name: string
  /** The fields that change. Absent means that the record is removed. */
  fields?: Readonly<Record<string, unknown>>
  /** Whether it takes the change before it back. */
  isUndo?: boolean
}

interface BulkResult {
  done: BulkChange[]
  failed: { change: BulkChange; message: string }[]
}

/**
 * Changes many records, fifty at a time. What the server refuses is left as it is, the rest is
 * changed all the same.
 *
 * @param onProgress told after each call how many are dealt with
 */
export async function runBulkChanges(
  api: PocketBase,
  changes: readonly BulkChange[],
  onProgress: (dealtWith: number) => void,
): Promise<BulkResult> {
  const result: BulkResult = { done: [], failed: [] }
  for (let i = 0; i < changes.length; i += batchSize) {
    await changeSome(api, changes.slice(i, i + batchSize), result)
    onProgress(Math.min(changes.length, i + batchSize))
  }
  return result
}

/** One call is all or nothing: what it fails by is taken out, and the others are tried again. */
async function changeSome(
  api: PocketBase,
  changes: readonly BulkChange[],
  result: BulkResult,
): Promise<void> {
  let left = [...changes]
  while (left.length > 0) {
    const refusal = await send(api, left)
    if (!refusal) {
      result.done.push(...left)
      return
    }
    const { index, message } = refusal
    const failed = index === undefined ? left : left.slice(index, index + 1)
    result.failed.push(...failed.map((change) => ({ change, message })))
    left = left.filter((change) => !failed.includes(change))
  }
}

/** @returns why nothing was changed, and by which of the changes if by one of them */
async function send(
  api: PocketBase,
  changes: readonly BulkChange[],
): Promise<{ index?: number; message: string } | null> {
  for (let tries = 0; ; tries++) {
    const batch = api.createBatch()
    for (const { collection, id, fields, isUndo } of changes) {
      const query = editParameters({ isUndo })
      if (fields) batch.collection(collection).update(id, { ...fields }, { query })
      else batch.collection(collection).delete(id)
    }
    try {
      await batch.send()
      return null
    } catch (error) {
      const isTooSoon = isApiError(error) && error.status === 429
      if (!isTooSoon || tries === maxRetries) return refusalOf(error)
      await new Promise((resolve) => setTimeout(resolve, retryDelay))
    }
  }
}

function refusalOf(error: unknown): { index?: number; message: string } {
  const requests = isApiError(error)
    ? (error.response['data'] as { requests?: Record<string, { response?: unknown }> })?.requests
    : undefined
  const [first] = Object.entries(requests ?? {})
  if (!first) return { message: errorMessage(error) }
  const [index, { response }] = first
  const answer = (response ?? {}) as { status?: number; message?: string }
  const { status = 400 } = answer
  return {
    index: Number(index),
    message: status === 404 ? t('gone') : errorMessage(apiError(status, answer)),
  }
}
