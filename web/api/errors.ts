import type { ClientResponseError } from 'pocketbase'
import { t } from '#web/i18n/shell.ts'
import { answerMessage, fieldMessage, type FieldError } from '#web/i18n/lazy-answers.ts'

/** @returns whether it is a failed call's. Told by its name, so as not to need the client's code. */
export function isApiError(error: unknown): error is ClientResponseError {
  return error instanceof Error && error.name.startsWith('ClientResponseError')
}

/** @returns what the client throws for this answer; a status of 0 is no answer */
export function apiError(
  status: number,
  response: { message?: string; sentence?: string },
): ClientResponseError {
  const name = `ClientResponseError ${status}`
  const error = new Error(response.message ?? '')
  return Object.assign(error, { name, status, response }) as ClientResponseError
}

/** An error whose message is a sentence for the reader. */
export class ScreenError extends Error {}

/** The message when there is nothing more specific to say. */
export const genericErrorMessage = () => t('somethingWentWrongPleaseTry2')

/** The message if another tab changed a book on a shelf first. */
export const bookRemoved = () => t('bookRemoved')

/** @returns the sentence to show for a failed call */
export function errorMessage(error: unknown): string {
  if (isApiError(error)) {
    if (isNetworkError(error)) return t('octavoCannotBeReachedCheck')
    const sentence = errorMessageOf(error)
    if (sentence !== undefined) return sentence
    const { message, data } = refusalOf(error)
    const [first] = Object.values(messagesOf(data))
    return first ?? answerMessage(message)
  }
  return error instanceof ScreenError ? error.message : t('somethingWentWrong')
}

/** @returns the message for a failed change of a book, which may have been removed */
export const bookErrorMessage = (error: unknown): string =>
  isNotFound(error) ? bookRemoved() : errorMessage(error)

/** @returns what a screen says in place of what could not be fetched, with the way to try again */
export function dataError(query: {
  error: unknown
  isFetching: boolean
  refetch: () => Promise<unknown>
}) {
  return {
    title: t('dataError'),
    message: errorMessage(query.error),
    onRetry: () => void query.refetch(),
    retrying: query.isFetching,
  }
}

/** @returns the sentences the server has for single fields, by field name */
export function fieldMessages(error: unknown): Record<string, string> {
  return isApiError(error) ? messagesOf(error.response['data']) : {}
}

/** @returns what was refused: of a batch the request that failed, else the call */
function refusalOf({ message, response }: ClientResponseError): { message: string; data: unknown } {
  const data = response['data'] as { requests?: Record<string, Refused> } | undefined
  const [failed] = Object.values(data?.requests ?? {})
  return { message, data, ...failed?.response }
}

interface Refused {
  /** The answer that the request would have got by itself. */
  response?: { message: string; data: unknown }
}

function messagesOf(fields: unknown): Record<string, string> {
  if (!fields || typeof fields !== 'object') return {}
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value && typeof value === 'object' && 'message' in value
        ? [[name, fieldMessage(value as FieldError)]]
        : [],
    ),
  )
}

/** @returns whether the call failed because nobody, or somebody else, is signed in */
export function isSignedOut(error: unknown): boolean {
  return isApiError(error) && error.status === 401
}

/** @returns whether the call failed without a session: what only a reader may see isn't there then */
export function isNobodys(error: unknown): boolean {
  return isApiError(error) && error.response['isNobodys'] === true
}

/** @returns whether no server answered */
export function isNetworkError(error: unknown): boolean {
  return isApiError(error) && error.status === 0
}

/** @returns whether what was asked for is not there, or not for this viewer */
export function isNotFound(error: unknown): boolean {
  return isApiError(error) && error.status === 404
}

/**
 * Runs a call whose failure has a sentence of its own: it stands in for what a server says that
 * failed itself or did not answer. What the call refused, and for what reason, stays.
 *
 * @throws ClientResponseError with the sentence, as {@link errorMessageOf} finds it
 */
export async function withErrorMessage<T>(sentence: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!isApiError(error) || (error.status && error.status < 500)) throw error
    const response = { ...error.response, message: sentence, sentence }
    throw Object.assign(error, { message: sentence, response })
  }
}

/** @returns what {@link withErrorMessage} has put in place of a failed server's words */
export function errorMessageOf({ response }: ClientResponseError): string | undefined {
  const sentence: unknown = response['sentence']
  return typeof sentence === 'string' ? sentence : undefined
}
