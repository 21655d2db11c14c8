/** One field's error: a code for programs, a sentence for people. */
export interface FieldError {
  code: string
  message: string
  /** What fills in the message; `rule` tells several errors of one code apart. */
  params?: Record<string, unknown>
  /** For a batch: the response that the failed request would have got by itself. */
  response?: { data: FieldErrors; message: string; status: number }
}

/** What PocketBase says of a record that could not be written. */
export const failedTo = {
  create: 'Failed to create record.',
  update: 'Failed to update record.',
  delete: 'Failed to delete record.',
  restore: 'Failed to restore record.',
} as const

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
 * An error for the client. The status, message and field errors are sent; the cause only goes to
 * the log. Its shape `{data, message, status}` and messages are PocketBase's.
 */
export class ApiError extends Error {
  readonly status: number
  readonly data: FieldErrors
  /** Seconds until a retry makes sense; sent as `Retry-After`. */
  retryAfter?: number
  /** What the client would have to show instead; sent as `WWW-Authenticate`. */
  challenge?: string

  constructor(status: number, message = '', data: FieldErrors = {}, cause?: unknown) {
    super(sentence(message || defaults[status] || defaults[400]!), { cause })
    this.name = 'ApiError'
    this.status = status
    this.data = data
  }

  /** The headers that it adds to those of every response. */
  get headers(): Record<string, string> {
    return {
      // Lets the client stop sending the rest of the body.
      ...(this.status === 413 && { Connection: 'close' }),
      ...(this.retryAfter !== undefined && { 'Retry-After': String(this.retryAfter) }),
      ...(this.challenge !== undefined && { 'WWW-Authenticate': this.challenge }),
    }
  }

  /** The body of the response, with keys in alphabetical order like in every other response. */
  toJSON(): { data: FieldErrors; message: string; status: number } {
    return { data: inOrder(this.data), message: this.message, status: this.status }
  }
}

/** @returns the error for a value with more than `max` items, characters or bytes */
export function tooLongError(max: number): FieldError {
  return {
    code: 'validation_length_too_long',
    message: `The length must be no more than ${max}.`,
    params: { max, min: 0 },
  }
}

/**
 * @param wait milliseconds until a retry makes sense
 * @returns the error for exceeding a rate limit
 */
export function tooManyRequests(wait: number, message = '', cause?: unknown): ApiError {
  const error = new ApiError(429, message, {}, cause)
  error.retryAfter = Math.max(1, Math.ceil(wait / 1000))
  return error
}

/** @returns the error for a form with invalid fields */
export function invalidForm(fields: FieldErrors, cause?: unknown): ApiError {
  const message = 'An error occurred while validating the submitted data.'
  return new ApiError(400, message, fields, cause)
}

/** @returns a form's error with the errors of other fields added; any other error unchanged */
export function withFields(error: unknown, fields: FieldErrors): unknown {
  const isForm = error instanceof ApiError && hasFields(error.data)
  if (!isForm || !hasFields(fields)) return error
  return new ApiError(error.status, error.message, { ...error.data, ...fields }, error.cause)
}

/** @returns whether there are any field errors */
export function hasFields(fields: FieldErrors): boolean {
  return Object.keys(fields).length > 0
}

/** Sorts the fields on every level. A field's own error is left as it is. */
function inOrder(fields: FieldErrors): FieldErrors {
  const sorted = Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(
    sorted.map(([name, error]) => [name, isFieldError(error) ? error : inOrder(error)]),
  )
}

/** @returns whether it is one field's error rather than a map of them */
export function isFieldError(error: FieldError | FieldErrors): error is FieldError {
  return typeof error['code'] === 'string'
}

/** Trims the text, capitalises its first letter, and adds a full stop unless it ends in . ? or ! */
function sentence(text: string): string {
  const trimmed = text.trim()
  const upper = trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.?!]$/.test(upper) ? upper : `${upper}.`
}
