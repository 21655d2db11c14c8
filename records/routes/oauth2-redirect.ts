import type { Context } from 'hono'
import { isClientId, type Realtime } from '../realtime/index.ts'
import { clientNetwork } from '../limits/address.ts'
import { baseHeaders } from './response.ts'
import { readBody } from './body.ts'
import type { Handler } from './request-info.ts'

const page = '/api/oauth2-redirect'

/** Characters of a code or an error. Anyone may call this, and providers send shorter ones. */
const maxWordLength = 4096

/**
 * `GET` and `POST /oauth2-redirect`: where a provider redirects the window that a client opened.
 * Sends the code to the client, which is identified by its realtime connection and subscribed to
 * `@oauth2`, and redirects the window to a page whose URL contains nothing sensitive.
 */
export function oauth2RedirectRoute(realtime: Realtime, address: (c: Context) => string): Handler {
  return async (c) => {
    const isPost = c.req.method === 'POST'
    const sent: Readonly<Record<string, unknown>> = isPost
      ? (await readBody(c.req.raw)).data
      : c.req.query()
    const text = (name: string) => {
      const value = sent[name]
      return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    }
    const [state, code, error] = [text('state'), text('code'), text('error')]
    const isTold =
      isClientId(state) &&
      code.length <= maxWordLength &&
      error.length <= maxWordLength &&
      (await realtime.sendDirect({
        client: state,
        topic: '@oauth2',
        message: JSON.stringify({ state, code, ...(error && { error }) }),
        network: clientNetwork(address(c)),
      }))
    const isDone = isTold && code !== '' && error === ''
    const location = `${page}/${isDone ? 'success' : 'failure'}`
    return new Response(null, {
      status: isPost ? 303 : 307,
      headers: { ...baseHeaders, Location: location, 'Referrer-Policy': 'no-referrer' },
    })
  }
}

/** The final page in that window. */
export function oauth2DoneRoute(isDone: boolean): Handler {
  const title = isDone ? 'You are signed in' : 'You could not be signed in'
  const text = isDone
    ? 'You can close this window.'
    : 'Please close this window and try again from where you started.'
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
</head>
<body>
<h1>${title}</h1>
<p>${text}</p>
</body>
</html>
`
  return async () =>
    new Response(html, {
      headers: {
        ...baseHeaders,
        'Content-Type': 'text/html; charset=utf-8',
        'X-Frame-Options': 'DENY',
      },
    })
}
