import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { respondToNodeErrors } from './node-errors.ts'

/** Timeouts for clients, in milliseconds. */
interface Timeouts {
  /** From the first byte of a request to the end of its headers. */
  headers: number
  /** For a whole request. */
  request: number
  /** For a file of a device, as a whole. */
  deviceFile: number
  /** For a whole request with files. */
  upload: number
  /** For the next bytes of a request with files. */
  stalled: number
  /** Between two requests on a connection. */
  keepAlive: number
  /** For the rest of an unwanted body, after the response. */
  linger: number
}

const defaults: Timeouts = {
  headers: 10_000,
  request: 30_000,
  deviceFile: 60_000,
  upload: 120_000,
  stalled: 30_000,
  // Longer than the proxies of docs/examples keep an idle connection (Caddy two minutes, nginx one):
  // a request must not meet its end.
  keepAlive: 130_000,
  linger: 30_000,
}

/** Bytes of an unwanted body that are read and discarded. */
const lingerBytes = 64 * 1024 * 1024
/** Looks at an upload, at regular intervals, after which it counts as stalled. */
const stalledLooks = 6
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
  const { headers, request, deviceFile, upload, stalled, keepAlive, linger } = {
    ...defaults,
    ...timeouts,
  }
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
    if (isUpload(incoming)) endWhenStalled(server, incoming, stalled)
    else timeOut(server, incoming, incoming.url?.startsWith('/dav/') ? deviceFile : request)
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
  const timer = setTimeout(() => refuseLate(server, request), time).unref()
  request.once('close', () => clearTimeout(timer))
}

/**
 * Does the same for an upload of which nothing has arrived for a while. Waiting for this server to
 * take what has arrived doesn't count.
 */
function endWhenStalled(server: Server, request: IncomingMessage, time: number): void {
  const { socket } = request
  let received = -1
  // Counted in looks, as time also passes while this process is held up.
  let idle = 0
  const timer = setInterval(() => {
    idle = socket.bytesRead === received && request.readableLength === 0 ? idle + 1 : 0
    received = socket.bytesRead
    if (idle === stalledLooks) refuseLate(server, request)
  }, time / stalledLooks).unref()
  request.once('close', () => clearInterval(timer))
}

function refuseLate(server: Server, request: IncomingMessage): void {
  if (request.complete) return
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  server.emit('clientError', late, request.socket)
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
  const end = performance.now() + time
  const timer = setInterval(() => {
    if (request.complete || socket.bytesRead > max || performance.now() > end) socket.destroy()
  }, lingerStep)
  socket.once('close', () => clearInterval(timer))
}
