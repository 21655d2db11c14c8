import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { freePort } from './free-port.ts'
import { startOctavo, type Octavo } from './octavo.ts'

/** An Octavo that another build of the screens can be put on while it runs. */
export interface Upgradable extends Octavo {
  /**
   * From now on pages and the service worker are those of another build: it has this name in the
   * pages (`html[data-build]`) and in the name of the worker's cache.
   */
  upgrade(build: string): void
}

/** Starts Octavo behind a server that passes everything on, and knows how builds differ. */
export async function startUpgradable(env: Record<string, string>): Promise<Upgradable> {
  let inside = 0
  let build = ''
  const front = createServer((asked, answer) => void pass(asked, answer, inside, build))
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  inside = await freePort()
  const octavo = await startOctavo({ ...env, APP_URL: url, PORT: String(inside) })
  return {
    ...octavo,
    upgrade: (name) => {
      build = name
    },
    stop: async () => {
      front.closeAllConnections()
      front.close()
      return octavo.stop()
    },
  }
}

async function pass(
  asked: IncomingMessage,
  answer: ServerResponse,
  port: number,
  build: string,
): Promise<void> {
  // Texts are changed on their way, so they come whole and as they are.
  const { 'if-none-match': _known, ...given } = asked.headers
  const headers = { ...given, 'accept-encoding': 'identity' }
  const path = asked.url ?? '/'
  const inner = request({ port, host: '127.0.0.1', path, method: asked.method ?? 'GET', headers })
  asked.pipe(inner)
  inner.on('error', () => answer.destroy())
  answer.on('close', () => inner.destroy())
  inner.on('response', (found) => {
    const isPage = found.headers['content-type']?.startsWith('text/html') ?? false
    const isWorker = path.startsWith('/service-worker.js')
    const status = found.statusCode ?? 502
    if (!build || !(isPage || isWorker)) {
      answer.writeHead(status, found.headers)
      found.pipe(answer)
      return
    }
    const { 'content-length': _, etag, ...rest } = found.headers
    void text(found).then((whole) => {
      answer.writeHead(status, { ...rest, ...(etag && { etag: `${etag.slice(0, -1)}-${build}"` }) })
      answer.end(
        isPage
          ? whole.replace('<html ', `<html data-build="${build}" `)
          : whole.replace(/"version":"\w+"/, `"version":"${build}"`),
      )
    })
  })
}
