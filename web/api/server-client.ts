import PocketBase, { BaseAuthStore } from 'pocketbase'

/**
 * The official client inside the server, for one visitor: calls stay in the process and carry the
 * visitor's token.
 */
export function createServerClient(input: {
  fetch: (request: Request) => Response | Promise<Response>
  origin: string
  cookie: string
}): PocketBase {
  const client = new PocketBase(input.origin, new BaseAuthStore())
  client.autoCancellation(false)
  readSession(client, input.cookie)
  client.beforeSend = (url, options) => {
    options.fetch = async (address, init) => input.fetch(new Request(address, init))
    return { url, options }
  }
  return client
}

/**
 * The same for the action of a form. The session is the cookie's, as in a browser, and the server
 * adds the headers of the request that brought the form.
 *
 * @param input.onCookie told of each cookie that an answer sets
 */
export function createActionClient(input: {
  fetch: (request: Request) => Response | Promise<Response>
  onCookie: (cookie: string) => void
  origin: string
}): PocketBase {
  const client = new PocketBase(input.origin, new BaseAuthStore())
  client.autoCancellation(false)
  client.beforeSend = (url, options) => {
    options.fetch = async (address, init) => {
      const answer = await input.fetch(new Request(address, init))
      answer.headers.getSetCookie().forEach(input.onCookie)
      return answer
    }
    return { url, options }
  }
  return client
}

/** A cookie is whatever a browser sends: one that holds no session is a visitor's. */
function readSession(client: PocketBase, cookie: string): void {
  try {
    client.authStore.loadFromCookie(cookie)
  } catch {
    client.authStore.clear()
  }
  // Three parts in base64url; anything else could not even travel in a header.
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(client.authStore.token)) client.authStore.clear()
}
