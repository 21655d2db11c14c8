import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export interface ServerProcess extends AsyncDisposable {
  /** Address on loopback. */
  origin: string
  /** Seconds of processor time used so far; NaN where the system does not tell. */
  cpuSeconds(): number
  /** Bytes of memory it has now; NaN where the system does not tell. */
  memory(): number
  /** Collects the garbage of the thread that answers requests. */
  collectGarbage(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a server as a process of its own and waits for the line that names its address.
 *
 * @throws with what it wrote when it ends before that
 */
export async function startServer(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--inspect-port=0', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stderr.pipe(process.stderr)
  const stopped = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const origin = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const port = /ready: http:\/\/[^:]+:(\d+)/.exec(line)?.[1]
      if (port) resolve(`http://127.0.0.1:${port}`)
    })
  })
  async function stop() {
    child.kill('SIGTERM')
    await stopped
  }
  async function collectGarbage() {
    const inspector = new Promise<string>((resolve) => {
      createInterface({ input: child.stderr }).on('line', (line) => {
        const address = /ws:\/\/\S+/.exec(line)?.[0]
        if (address) resolve(address)
      })
    })
    // Node then listens for an inspector, which none of a run's figures has to pay for before.
    child.kill('SIGUSR1')
    const socket = new WebSocket(await inspector)
    await once(socket, 'open')
    const answered = once(socket, 'message')
    socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
    await answered
    socket.close()
  }
  return {
    origin,
    cpuSeconds: () => cpuSeconds(child.pid ?? 0),
    memory: () => memory(child.pid ?? 0),
    collectGarbage,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

function memory(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
  } catch {
    return Number.NaN
  }
}

/** Linux counts a process's time in hundredths of a second. */
function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return Number.NaN
  }
}
