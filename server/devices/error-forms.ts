import type { ErrorForms } from '#server/http/errors.ts'

/**
 * The errors that no route of a device answers by itself, such as a body that is too large, in the
 * form of its protocol. KOReader's sync server has code 2000 for its own failures and 2003 for
 * requests that it can't use.
 */
export const deviceErrors: ErrorForms = {
  kosync: ({ status, message }) => ({ code: status >= 500 ? 2000 : 2003, message }),
  readwise: ({ message }) => ({ detail: message }),
  dav: ({ message }) => `${message}\n`,
}
