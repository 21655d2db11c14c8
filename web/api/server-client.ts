import PocketBase, { BaseAuthStore } from 'pocketbase'

type Fetch = (request: Request) => Response | Promise<Response>

/**
 * The official client inside the server, for one visitor: calls stay in the process and carry the
 * visitor's token.
 */
export function createServerClient(input: {
  fetch: Fetch
  origin: string
  cookie: string
}): PocketBase {
  const client = inProcess(input)
  readSession(client, input.cookie)
  return client
}

/**
 * The same for the action of a form. The session is the cookie's, as in a browser, and the server
 * adds the headers of the request that brought the form.
 *
 * @param input.onCookie told of each cookie that an answer sets
 */
export function createActionClient(input: {
  fetch: Fetch
  onCookie: (cookie: string) => void
  origin: string
}): PocketBase {
  const { fetch, onCookie, origin } = input
  return inProcess({
    origin,
    fetch: async (request) => {
      const answer = await fetch(request)
      answer.headers.getSetCookie().forEach(onCookie)
      return answer
    },
  })
}

function inProcess({ fetch, origin }: { fetch: Fetch; origin: string }): PocketBase {
  const client = new PocketBase(origin, new BaseAuthStore())
  client.autoCancellation(false)
  client.beforeSend = (url, options) => {
    options.fetch = async (address, init) => fetch(new Request(address, init))
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
