import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { dataHeaderValues, strictTransport } from './headers.ts'

/** Node's error codes for requests it can't parse, and its statuses. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/**
 * Adds the security headers to Node's own responses: 400, 408, 413 and 431 to requests that it
 * can't parse, and 417.
 *
 * @param appUrl returns the site's address, which isn't known at the start
 */
export function respondToNodeErrors(server: Server, appUrl: () => string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // As in Node: don't write into a response that has started.
    const { _httpMessage: current } = socket as Duplex & { _httpMessage?: ServerResponse | null }
    if (socket.writable && !current?.headersSent)
      socket.write(refusal(statuses[error.code ?? ''] ?? 400, appUrl()))
    socket.end(() => socket.destroy())
  })
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(417, headersOf(appUrl())).end()
  })
}

/** Answers a request that the HTTP adapter can't parse, such as one with an invalid Host. */
export function unreadableRequest(error: unknown): Response {
  const isRefusal = error instanceof Error && error.name === 'RequestError'
  return new Response(null, { status: isRefusal ? 400 : 500, headers: dataHeaderValues })
}

function refusal(status: number, appUrl: string): string {
  const headers = { ...headersOf(appUrl), 'Content-Length': '0', Connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`
}

function headersOf(appUrl: string): Record<string, string> {
  return { ...dataHeaderValues, ...strictTransport(appUrl) }
}
