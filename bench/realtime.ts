/**
 * Measures what ten thousand idle listeners cost the running product, and how fast one event reaches
 * all of them. Run by `npm run bench -- realtime`; writes bench/last-run-realtime.md.
 */
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isShort } from './measure.ts'
import { startProduct } from './product.ts'
import type { ServerProcess } from './server-process.ts'
import { machine, median, percentile } from './table.ts'

const listeners = isShort ? 100 : 10_000
const events = isShort ? 1 : 5
/** Connections being opened at a time. */
const concurrency = 100

/** Visitors may see who signs up, so signing up is an event for all of them. */
const topic = 'users/*'

/** One event stream on a bare socket, which costs this process little. */
interface Listener {
  socket: Socket
  clientId: string
}

/** Told of every event that arrives anywhere. */
let arrived = () => {}

export async function realtime(): Promise<void> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'octavo-bench-'))
  await using server = await startProduct(folder.path)
  await measure(server)
}

async function measure(server: ServerProcess): Promise<void> {
  const url = new URL(server.origin)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const alone: number[] = []
  for (let i = 0; i < events; i++) alone.push(await timed(() => signUp(url, agent, `alone${i}`)))
  const before = server.memory()

  const start = performance.now()
  const open = await inTurns(listeners, concurrency, () => listen(url))
  const connected = performance.now() - start
  await inTurns(listeners, 16, async (i) => subscribe(url, agent, open[i]!.clientId))
  const subscribed = performance.now() - start
  const idle = server.memory()

  const cpu = server.cpuSeconds()
  const times: number[] = []
  for (let i = 0; i < events; i++) times.push(...(await fanOut(url, agent, `heard${i}`)))
  const perEvent = (server.cpuSeconds() - cpu) / events
  for (const { socket } of open) socket.destroy()
  agent.destroy()

  const at = (share: number) => percentile(times, share).toFixed(0)
  const report = `# Last run of \`npm run bench -- realtime\`

${machine()}. ${listeners} visitors who listen to the same, over loopback; their sockets are in the measuring process.

- Connecting took ${(connected / 1000).toFixed(1)} s, with subscribing ${(subscribed / 1000).toFixed(1)} s.
- The server grew by ${megabytes(idle - before)} MB, from ${megabytes(before)} to ${megabytes(idle)}: ${((idle - before) / listeners / 1024).toFixed(1)} KB a listener.
- One event reached half of them within ${at(0.5)} ms, 99 of 100 within ${at(0.99)} ms and all within ${at(1)} ms (${events} events). Counted from the request that writes; without listeners that takes ${median(alone).toFixed(0)} ms, most of it a password's hash.
- An event took ${(perEvent * 1000).toFixed(0)} ms of the server's processor time, the write included.
`
  console.log(report)
  if (!isShort) writeFileSync(join(import.meta.dirname, 'last-run-realtime.md'), report)
}

/** @returns milliseconds from the request to each listener's event */
async function fanOut(url: URL, agent: Agent, name: string): Promise<number[]> {
  const times: number[] = []
  const all = Promise.withResolvers<void>()
  const start = performance.now()
  arrived = () => {
    times.push(performance.now() - start)
    if (times.length === listeners) all.resolve()
  }
  await signUp(url, agent, name)
  await all.promise
  arrived = () => {}
  return times
}

function listen(url: URL): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname)
    let clientId = ''
    socket.on('connect', () =>
      socket.write(`GET /api/realtime HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`),
    )
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      if (clientId) {
        if (text.includes(`event:${topic}`)) arrived()
        return
      }
      if (!text.includes(' 200 ') && text.startsWith('HTTP')) reject(new Error(text.slice(0, 80)))
      clientId = /"clientId":"(\w+)"/.exec(text)?.[1] ?? ''
      if (clientId) resolve({ socket, clientId })
    })
    socket.on('error', reject)
  })
}

async function subscribe(url: URL, agent: Agent, clientId: string): Promise<void> {
  await post(url, agent, '/api/realtime', { clientId, subscriptions: [topic] })
}

async function signUp(url: URL, agent: Agent, name: string): Promise<void> {
  const password = 'a long enough password'
  const account = { email: `${name}@example.org`, password, passwordConfirm: password }
  await post(url, agent, '/api/collections/users/records', account)
}

/** @throws if the answer is none of success */
function post(url: URL, agent: Agent, path: string, body: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json' }
    const sent = request(new URL(path, url), { method: 'POST', agent, headers }, (answer) => {
      answer.resume()
      const isGood = answer.statusCode === 200 || answer.statusCode === 204
      answer.on('end', () =>
        isGood ? resolve() : reject(new Error(`${path}: ${answer.statusCode}`)),
      )
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}

async function inTurns<T>(
  count: number,
  width: number,
  work: (i: number) => Promise<T>,
): Promise<T[]> {
  const done: T[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < count) {
        const i = next++
        done[i] = await work(i)
      }
    }),
  )
  return done
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0)
}
