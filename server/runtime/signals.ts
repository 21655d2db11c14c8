import type { ChildProcess } from 'node:child_process'
import { join, relative } from 'node:path'

/** Signals that ask a process to end. SIGHUP means that its terminal was closed. */
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/**
 * Ctrl-C reaches a process twice, from the terminal and through npm, within this many milliseconds.
 */
const sameRequest = 500
/** Milliseconds between checks whether npm is still running. */
const lookAgain = 500

let npmWatch: NodeJS.Timeout | undefined

/** Runs the work at the first stop signal and exits with 0; a later one exits with 1 at once. */
export function onStop(work: () => Promise<void>): void {
  let stoppingSince: number | undefined
  const stop = () => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > sameRequest) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    clearInterval(npmWatch)
    work().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  for (const signal of stopSignals) process.on(signal, stop)
}

/**
 * Stops this process when the npm that started it is gone. npm passes SIGTERM and SIGINT on and
 * waits, but dies of SIGHUP and SIGKILL and would leave the process behind.
 */
export function stopWhenNpmEnds(): void {
  const script = relative(join(import.meta.dirname, '../..'), process.argv[1] ?? '')
  // Child processes inherit the variable; only the script that npm itself runs counts.
  if (!process.env['npm_lifecycle_script']?.includes(script)) return
  const npm = process.ppid
  npmWatch = setInterval(() => {
    if (process.ppid === npm) return
    clearInterval(npmWatch)
    process.kill(process.pid, 'SIGTERM')
  }, lookAgain).unref()
}

/**
 * Kills a child process when this process is told to stop. Otherwise it would be left running.
 *
 * @param cleanUp runs after the child was killed
 */
export function stopChildWithParent(
  child: ChildProcess,
  cleanUp: () => void = () => undefined,
): void {
  const forget = () => {
    for (const signal of stopSignals) process.off(signal, stop)
  }
  function stop(signal: NodeJS.Signals): void {
    forget()
    child.kill('SIGKILL')
    cleanUp()
    // Let other listeners or the system's default end the process by this signal.
    process.kill(process.pid, signal)
  }
  for (const signal of stopSignals) process.on(signal, stop)
  child.once('exit', forget)
}
