import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Serves JSON with nothing around it: what a ceiling is. Says where it is, as ./server-process.ts
 * waits for.
 *
 * @param answer makes the text of an answer, of what was sent if anything was
 */
export function serveBare(answer: (request: IncomingMessage, sent: string) => string): void {
  const server = createServer((request, response) => {
    const send = (sent: string) => {
      const body = Buffer.from(answer(request, sent))
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': body.byteLength,
      })
      response.end(body)
    }
    // There is nothing to wait for.
    if (request.method === 'GET') return send('')
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => send(Buffer.concat(chunks).toString()))
  })
  server.listen(0, '127.0.0.1', () => {
    console.log(`ready: http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
}

/** @returns an id that stands anywhere among others, as those of records do: 15 characters */
export function randomId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 15)
}
