import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { respondToNodeErrors } from './node-errors.ts'

/** Timeouts for clients, in milliseconds. */
interface Timeouts {
  /** From the first byte of a request to the end of its headers. */
  headers: number
  /** For a whole request. */
  request: number
  /** For a whole request with files. */
  upload: number
  /** Between two requests on a connection. */
  keepAlive: number
  /** For the rest of an unwanted body, after the response. */
  linger: number
}

const defaults: Timeouts = {
  headers: 10_000,
  request: 30_000,
  upload: 120_000,
  keepAlive: 5_000,
  linger: 30_000,
}

/** Bytes of an unwanted body that are read and discarded. */
const lingerBytes = 64 * 1024 * 1024
/** Milliseconds between checks of a lingering connection. */
const lingerStep = 50

/**
 * Creates a server with timeouts for slow clients. After a response it waits, within limits, until
 * the client stops sending before it closes the connection: otherwise the client sees a reset in
 * place of a 413.
 *
 * @param appUrl returns the site's address, which isn't known at the start
 */
export function openServer(appUrl: () => string, timeouts: Partial<Timeouts> = {}): Server {
  const { headers, request, upload, keepAlive, linger } = { ...defaults, ...timeouts }
  const server = createServer({
    headersTimeout: headers,
    requestTimeout: upload,
    keepAliveTimeout: keepAlive,
    connectionsCheckingInterval: Math.min(5_000, headers),
    // The HTTP adapter refuses it, with the security headers.
    requireHostHeader: false,
  })
  respondToNodeErrors(server, appUrl)
  server.on('request', (incoming: IncomingMessage) => {
    if (incoming.method === 'GET' || incoming.method === 'HEAD') return
    if (!isUpload(incoming)) timeOut(server, incoming, request)
    lingerOnClose(incoming, linger)
  })
  return server
}

function isUpload({ headers, url }: IncomingMessage): boolean {
  const type = headers['content-type']?.toLowerCase() ?? ''
  return type.startsWith('multipart/form-data') || /^\/api\/batch(?:\?|$)/.test(url ?? '')
}

/**
 * Answers 408 and closes, as Node's own timeout does, but with a limit for each kind of request.
 */
function timeOut(server: Server, request: IncomingMessage, time: number): void {
  const timer = setTimeout(() => {
    if (request.complete) return
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    server.emit('clientError', late, request.socket)
  }, time)
  timer.unref()
  request.once('close', () => clearTimeout(timer))
}

/** Node closes a connection with `destroySoon` once the last response is sent. */
function lingerOnClose(request: IncomingMessage, time: number): void {
  const { socket } = request
  const close = socket.destroySoon.bind(socket)
  const restore = () => (socket.destroySoon = close)
  socket.destroySoon = () => {
    restore()
    if (request.complete || socket.destroyed) return socket.destroySoon()
    // A second call must not end the wait early.
    socket.destroySoon = () => {}
    discardBody(request, socket, time)
  }
  request.once('end', restore)
}

/** Discards the rest of the body, up to the limits of time and bytes. */
function discardBody(request: IncomingMessage, socket: Socket, time: number): void {
  socket.end()
  // The route that read the body has already answered.
  request.removeAllListeners('data').resume()
  const max = socket.bytesRead + lingerBytes
  const end = Date.now() + time
  const timer = setInterval(() => {
    if (request.complete || socket.bytesRead > max || Date.now() > end) socket.destroy()
  }, lingerStep)
  socket.once('close', () => clearInterval(timer))
}
