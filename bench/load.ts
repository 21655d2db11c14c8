import { connect } from 'node:net'

/** One burst of requests. */
export interface Burst {
  requests: number
  /** From first to last byte of the burst. */
  seconds: number
  /** Milliseconds of each request, ascending. */
  times: Float64Array
}

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('0\r\n\r\n')

/** @returns what is written for a GET */
export function getRequest(url: URL): () => Buffer {
  const bytes = Buffer.from(
    `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`,
  )
  return () => bytes
}

/** @returns what is written to send JSON */
export function jsonRequest(method: string, url: URL, body: unknown, token = ''): Buffer {
  const text = JSON.stringify(body)
  const authorization = token && `Authorization: ${token}\r\n`
  return Buffer.from(
    `${method} ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\n${authorization}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}

/**
 * Asks over and over on kept connections, as fast as answers come. Bare sockets and no parsing
 * beyond the length: a load generator that is dearer than the server would make every server look
 * alike.
 *
 * @param next makes what is asked next
 * @param status of every answer
 * @param pause milliseconds from an answer to the next request
 * @throws if any answer has another status
 */
export async function burst(
  url: URL,
  connections: number,
  seconds: number,
  next: () => Buffer,
  status = 200,
  pause = 0,
): Promise<Burst> {
  const times: number[] = []
  const start = performance.now()
  const end = start + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, () => keepAsking(url, next, { status, pause, end }, times)),
  )
  return {
    requests: times.length,
    seconds: (performance.now() - start) / 1000,
    times: Float64Array.from(times).sort(),
  }
}

function keepAsking(
  url: URL,
  next: () => Buffer,
  { status, pause, end }: { status: number; pause: number; end: number },
  times: number[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname)
    socket.setNoDelay(true)
    let asked = 0
    let missing = 0
    let chunked = false
    let received: Buffer = Buffer.alloc(0)

    function ask(): void {
      asked = performance.now()
      missing = 0
      chunked = false
      received = Buffer.alloc(0)
      socket.write(next())
    }
    function answered(): void {
      const now = performance.now()
      times.push(now - asked)
      if (now < end) return pause ? void setTimeout(ask, pause) : ask()
      socket.end()
      resolve()
    }
    function readHead(chunk: Buffer): void {
      received = received.length ? Buffer.concat([received, chunk]) : chunk
      const at = received.indexOf(headEnd)
      if (at < 0) return
      const head = received.toString('latin1', 0, at)
      if (!head.startsWith(`HTTP/1.1 ${status}`)) {
        socket.destroy()
        return reject(new Error(`${url.href}: ${head.split('\r\n')[0]}`))
      }
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
      chunked = length === undefined
      missing = Number(length ?? 1) - (received.length - at - headEnd.length)
      if (chunked) readChunk(received)
      else if (missing <= 0) answered()
    }
    function readChunk(chunk: Buffer): void {
      if (chunk.subarray(-lastChunk.length).equals(lastChunk)) answered()
      else missing = 1
    }

    socket.on('connect', ask)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`${url.href}: the connection was closed`)))
    socket.on('data', (chunk: Buffer) => {
      if (missing <= 0) return readHead(chunk)
      if (chunked) return readChunk(chunk)
      missing -= chunk.length
      if (missing <= 0) answered()
    })
  })
}
