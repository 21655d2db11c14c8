import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { respondToNodeErrors } from './node-errors.ts'

/** How long a client may take, in milliseconds. */
interface Timeouts {
  /** From the first byte of a request to the end of its headers. */
  headers: number
  /** For a whole request. */
  request: number
  /** For a whole request that brings files. */
  upload: number
  /** Between two requests. */
  keepAlive: number
  /** For the rest of a body that is not wanted, after the answer. */
  linger: number
}

const defaults: Timeouts = {
  headers: 10_000,
  request: 30_000,
  upload: 120_000,
  keepAlive: 5_000,
  linger: 30_000,
}

/** Bytes of an unwanted body that are read and thrown away. */
const lingerBytes = 64 * 1024 * 1024
/** Milliseconds between two looks at a connection that lingers. */
const lingerStep = 50

/**
 * Makes a server that waits for slow clients, within bounds, and closes a connection only after its
 * client has stopped sending, within bounds: otherwise the client sees a reset in place of a 413.
 *
 * @param appUrl the site's address, as it is when an answer is due
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

/** Answers 408 and closes, as Node does by itself for all requests alike. */
function timeOut(server: Server, request: IncomingMessage, time: number): void {
  const timer = setTimeout(() => {
    if (request.complete) return
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    server.emit('clientError', late, request.socket)
  }, time)
  timer.unref()
  request.once('close', () => clearTimeout(timer))
}

/** Node closes a connection with `destroySoon` once the last answer is sent. */
function lingerOnClose(request: IncomingMessage, time: number): void {
  const { socket } = request
  const close = socket.destroySoon.bind(socket)
  const restore = () => (socket.destroySoon = close)
  socket.destroySoon = () => {
    restore()
    if (request.complete || socket.destroyed) return socket.destroySoon()
    // Called again meanwhile, it must not cut this short.
    socket.destroySoon = () => {}
    discardBody(request, socket, time)
  }
  request.once('end', restore)
}

/** Throws away what still comes, until the body ends or its time or its bytes are up. */
function discardBody(request: IncomingMessage, socket: Socket, time: number): void {
  socket.end()
  // Whoever was collecting the body has given its answer.
  request.removeAllListeners('data').resume()
  const max = socket.bytesRead + lingerBytes
  const end = Date.now() + time
  const timer = setInterval(() => {
    if (request.complete || socket.bytesRead > max || Date.now() > end) socket.destroy()
  }, lingerStep)
  socket.once('close', () => clearInterval(timer))
}
