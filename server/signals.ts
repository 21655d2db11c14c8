import type { ChildProcess } from 'node:child_process'
import { join, relative } from 'node:path'

/** What asks a process to end. SIGHUP is a terminal that was closed. */
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Ctrl-C reaches a process twice, from the terminal and through npm. Milliseconds between both. */
const sameRequest = 500
/** Milliseconds between two looks whether npm is still there. */
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
  const script = relative(join(import.meta.dirname, '..'), process.argv[1] ?? '')
  // The variable is inherited: only the script that npm itself runs is meant.
  if (!process.env['npm_lifecycle_script']?.includes(script)) return
  const npm = process.ppid
  npmWatch = setInterval(() => {
    if (process.ppid === npm) return
    clearInterval(npmWatch)
    process.kill(process.pid, 'SIGTERM')
  }, lookAgain).unref()
}

/**
 * Ends a child when this process is asked to end, which would otherwise leave it behind.
 *
 * @param cleanUp runs once the child was told
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
    // Whatever else listens, or the system's own way: an end by this signal.
    process.kill(process.pid, signal)
  }
  for (const signal of stopSignals) process.on(signal, stop)
  child.once('exit', forget)
}
