/**
 * What a machine gives of a record beside searches at best: a bare node:http server that has a record
 * ready, and threads that only burn what a search costs. Arguments: bytes of a record, bytes of a page
 * of a search, microseconds of processor time a search. It has as many threads as the catalogue, and
 * they let requests go first as the catalogue's do.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { yieldToRequests } from '#catalogue/yield-to-requests.ts'

const niceness = 4

/** What comes of the work, so that none of it is left out. */
let state = 1

if (isMainThread) answerRequests()
else burn(Number(workerData))

/**
 * A page for every message, once so many microseconds are burnt. The clock of a thread's processor
 * time ticks too seldom to wait by: it is counted once how many steps go into a microsecond.
 */
function burn(microseconds: number): void {
  const steps = Math.round(microseconds * stepsPerMicrosecond())
  yieldToRequests(niceness)
  parentPort?.on('message', (pageBytes: number) => {
    work(steps)
    const page = new Uint8Array(pageBytes).fill(32)
    parentPort?.postMessage(page, [page.buffer])
  })
}

function stepsPerMicrosecond(): number {
  const counted = 1e6
  const milliseconds = Array.from({ length: 20 }, () => {
    const start = performance.now()
    work(counted)
    return performance.now() - start
  })
  return counted / (1000 * Math.min(...milliseconds))
}

function work(steps: number): void {
  for (let i = 0; i < steps; i++) state = Math.imul(state ^ i, 0x01000193)
}

function answerRequests(): void {
  const [recordBytes = 0, pageBytes = 0, microseconds = 0] = process.argv.slice(2).map(Number)
  const record = Buffer.alloc(recordBytes, 32)
  const count = Math.max(1, Math.min(2, availableParallelism() - 1))
  const threads = Array.from({ length: count }, () => openThread(microseconds))
  let asked = 0
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/api/v1/book-info/search'))
      threads[asked++ % count]?.ask(pageBytes, response)
    else send(response, record)
  })
  server.listen(0, '127.0.0.1', () => {
    console.log(`ready: http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
}

function openThread(microseconds: number) {
  const worker = new Worker(new URL(import.meta.url), { workerData: microseconds })
  const waiting: ServerResponse[] = []
  worker.on('message', (page: Uint8Array) => {
    const response = waiting.shift()
    if (response) send(response, page)
  })
  return {
    ask(pageBytes: number, response: ServerResponse) {
      waiting.push(response)
      worker.postMessage(pageBytes)
    },
  }
}

function send(response: ServerResponse, body: Uint8Array): void {
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': body.byteLength,
  })
  response.end(body)
}
