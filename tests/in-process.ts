import PocketBase from 'pocketbase'

/** The official client, of any version. */
export type ClientClass = new (url: string) => PocketBase

interface App {
  request: (input: string | URL | Request, init?: RequestInit) => Response | Promise<Response>
}

/** The official client, whose calls reach an application without a network. */
export function inProcess(app: App, url: string, Client: ClientClass = PocketBase): PocketBase {
  const client = new Client(url)
  client.autoCancellation(false)
  client.beforeSend = (path, options) => ({
    url: path,
    options: {
      ...options,
      fetch: async (input: string | URL | Request, init?: RequestInit) => app.request(input, init),
    },
  })
  return client
}
