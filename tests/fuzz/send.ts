/** Requests as they are, also those that `fetch` would put right. */

import { Agent, request } from 'node:http'

export interface RawRequest {
  method: string
  /** With its query, as it goes over the wire. */
  path: string
  headers: Record<string, string>
  body?: Uint8Array | string | undefined
}

export interface RawResponse {
  /** 0 where the connection ended without an answer. */
  status: number
  headers: Record<string, unknown>
  text: string
  milliseconds: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 20 })

/** Ends the connections that are kept open for the next request. */
export const closeConnections = () => agent.destroy()

/** What waits longer is given up. */
const timeout = 20_000

/** A stream of events has no end: its first part is the answer. */
const endless = (headers: Record<string, unknown>) =>
  String(headers['content-type']).startsWith('text/event-stream')

export function send(url: string, again: RawRequest): Promise<RawResponse> {
  const { method, path, headers, body } = again
  const began = performance.now()
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const end = (status: number, all: Record<string, unknown>, text: string) =>
      resolve({ status, headers: all, text, milliseconds: performance.now() - began })
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const sent = request({
      agent,
      hostname,
      port,
      method,
      path,
      timeout: timeout,
      headers: {
        ...length,
        ...headers,
      },
    })
    sent.on('response', (answer) => {
      const chunks: Buffer[] = []
      const finish = () =>
        end(answer.statusCode ?? 0, answer.headers, Buffer.concat(chunks).toString())
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (!endless(answer.headers)) return
        finish()
        sent.destroy()
      })
      answer.on('end', finish)
      answer.on('error', finish)
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer')))
    sent.on('error', (error) => {
      // The server may end a connection that nobody uses just as it is used again.
      if (sent.reusedSocket && error.message === 'socket hang up') resolve(send(url, again))
      else end(0, {}, error.message)
    })
    sent.end(body)
  })
}
