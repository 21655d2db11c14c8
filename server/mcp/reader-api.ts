import { ApiError } from '#records/index.ts'
import { passedOnHeaders } from '#server/http/passed-on-headers.ts'

/** Query parameters of a call; what is undefined is left out. */
export type Query = Record<string, string | number | undefined>

/** The API as the reader of a request sees it. */
export interface ReaderApi {
  /** The reader's account. */
  user: { id: string; username: string }
  /** @throws ApiError as the API answers */
  get: <Answer>(path: string, query?: Query) => Promise<Answer>
  /** @throws ApiError as the API answers */
  send: <Answer>(
    method: 'POST' | 'PATCH',
    path: string,
    body: object,
    query?: Query,
  ) => Promise<Answer>
}

/**
 * Calls the API in process with the headers of a request, so that its rules, scopes, limits and costs
 * hold for what is done on its behalf.
 *
 * @param fetch calls the server in process
 */
export function readerApi(
  request: Request,
  user: ReaderApi['user'],
  fetch: (request: Request) => Promise<Response>,
): ReaderApi {
  async function call(method: string, path: string, query: Query = {}, body?: object) {
    const url = new URL(path, request.url)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value))
    const headers = passedOnHeaders(request)
    headers.set('Authorization', request.headers.get('authorization') ?? '')
    if (body) headers.set('Content-Type', 'application/json')
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fetch(new Request(url, init))
    const json = (await answer.json()) as { message?: string; data?: FieldAnswers }
    if (!answer.ok) throw new ApiError(answer.status, sentenceOf(json))
    return json
  }
  return {
    user,
    get: async <Answer>(path: string, query?: Query) => (await call('GET', path, query)) as Answer,
    send: async <Answer>(method: 'POST' | 'PATCH', path: string, body: object, query: Query = {}) =>
      (await call(method, path, query, body)) as Answer,
  }
}

type FieldAnswers = Record<string, { message?: string }>

/** @returns what an error says, each field by its name */
function sentenceOf({
  message = '',
  data = {},
}: {
  message?: string
  data?: FieldAnswers
}): string {
  const fields = Object.entries(data).map(([name, field]) => `${name}: ${field.message ?? ''}`)
  return [message, ...fields].join(' ')
}
