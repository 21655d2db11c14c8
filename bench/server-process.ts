import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export interface ServerProcess extends AsyncDisposable {
  /** Address on loopback. */
  origin: string
  /** Seconds of processor time used so far; NaN where the system does not tell. */
  cpuSeconds(): number
  /** Bytes of memory it has now; NaN where the system does not tell. */
  memory(): number
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
  const child = spawn(process.execPath, [...args], {
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
  return {
    origin,
    cpuSeconds: () => cpuSeconds(child.pid ?? 0),
    memory: () => memory(child.pid ?? 0),
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
