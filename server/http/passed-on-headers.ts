/** Headers that belong to the request's own body or connection, and a token, which no page sends. */
const notPassedOn = /^(?:authorization|connection|content-.*|expect|te|transfer-encoding|upgrade)$/

/**
 * @returns the headers of a page's request for the calls that answer it in process: the API then
 *   sees who asks, from where, and with which session
 */
export function passedOnHeaders({ headers }: Request): Headers {
  return new Headers([...headers].filter(([name]) => !notPassedOn.test(name)))
}
