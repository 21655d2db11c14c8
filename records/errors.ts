/** One field's error: a code for programs, a sentence for people. */
export interface FieldError {
  code: string
  message: string
  params?: Record<string, unknown>
  /** What a request inside a batch would have been answered with by itself. */
  response?: { data: FieldErrors; message: string; status: number }
}

export type FieldErrors = { [field: string]: FieldError | FieldErrors }

const defaults: Record<number, string> = {
  400: 'Something went wrong while processing your request.',
  401: 'Missing or invalid authentication.',
  403: 'You are not allowed to perform this request.',
  404: "The requested resource wasn't found.",
  413: 'Request entity too large.',
  429: 'Too Many Requests.',
  500: 'Something went wrong while processing your request.',
}

/**
 * An error with a public face: the status, the sentence and the fields go to the caller, the cause
 * only to the log. Source of shape and sentences: PocketBase's `{data, message, status}`.
 */
export class ApiError extends Error {
  readonly status: number
  readonly data: FieldErrors
  /** Seconds after which it may be tried again; goes out as `Retry-After`. */
  retryAfter?: number

  constructor(status: number, message = '', data: FieldErrors = {}, cause?: unknown) {
    super(sentence(message || defaults[status] || defaults[400]!), { cause })
    this.name = 'ApiError'
    this.status = status
    this.data = data
  }

  /** The body of the answer, keys in the order of the alphabet, as in every other answer. */
  toJSON(): { data: FieldErrors; message: string; status: number } {
    return { data: inOrder(this.data), message: this.message, status: this.status }
  }
}

/** @returns the error of what has more than so many items, characters or bytes */
export function tooLongError(max: number): FieldError {
  return {
    code: 'validation_length_too_long',
    message: `The length must be no more than ${max}.`,
    params: { max, min: 0 },
  }
}

/**
 * @param wait milliseconds until it may be tried again
 * @returns the refusal of what was asked for too often
 */
export function tooManyRequests(wait: number, message = '', cause?: unknown): ApiError {
  const error = new ApiError(429, message, {}, cause)
  error.retryAfter = Math.max(1, Math.ceil(wait / 1000))
  return error
}

/** @returns the refusal of a form, by its fields */
export function invalidForm(fields: FieldErrors, cause?: unknown): ApiError {
  const message = 'An error occurred while validating the submitted data.'
  return new ApiError(400, message, fields, cause)
}

/** @returns the refusal of a form with the errors of other fields along with its own; any other error as it is */
export function withFields(error: unknown, fields: FieldErrors): unknown {
  const isForm = error instanceof ApiError && hasFields(error.data)
  if (!isForm || !hasFields(fields)) return error
  return new ApiError(error.status, error.message, { ...error.data, ...fields }, error.cause)
}

/** @returns whether anything is wrong */
export function hasFields(fields: FieldErrors): boolean {
  return Object.keys(fields).length > 0
}

/** Of a field's error only `code` and what follows it, which are in order where they are made. */
function inOrder(fields: FieldErrors): FieldErrors {
  const sorted = Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(
    sorted.map(([name, error]) => [name, isFieldError(error) ? error : inOrder(error)]),
  )
}

/** @returns whether it is an error itself, and not several by their fields */
export function isFieldError(error: FieldError | FieldErrors): error is FieldError {
  return typeof error['code'] === 'string'
}

/** Trimmed, first letter upper-case, ending in a full stop unless it ends in . ? or ! */
function sentence(text: string): string {
  const trimmed = text.trim()
  const upper = trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.?!]$/.test(upper) ? upper : `${upper}.`
}
