import { rmSync, statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/**
 * The folder of an unfinished backup. The name holds the process id, so that others can tell
 * whether it is still running.
 */
export const unfinishedName = (backup: string) => `.${backup}.${hostname()}-${process.pid}.partial`

/**
 * Milliseconds without a change after which another machine's or container's backup counts as
 * abandoned.
 */
const abandonedAfter = 24 * 3_600_000

/** Deletes what interrupted backups left behind in a folder that is there. */
export async function removeUnfinished(into: string): Promise<void> {
  for (const name of await readdir(into)) {
    const [, host, pid] = /^\.octavo-[\w-]+?Z(?:\.(.+)-(\d+))?\.partial$/.exec(name) ?? []
    const place = join(into, name)
    if (!name.endsWith('.partial') || !name.startsWith('.octavo-')) continue
    const touched = statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? 0
    const isAbandoned =
      host === hostname() ? !isRunning(Number(pid)) : Date.now() - touched > abandonedAfter
    if (isAbandoned) await rm(place, { recursive: true, force: true })
  }
}

/** @returns whether another process of this machine has the id */
export function isRunning(pid: number): boolean {
  // In a restarted container this process may have the id of the one before.
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process exists but belongs to another account.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Deletes the folder when the process is told to stop. @returns a function that cancels this */
export function removeAtStop(folder: string): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const forget = () => signals.forEach((signal) => process.off(signal, cleanUp))
  function cleanUp(signal: NodeJS.Signals): void {
    forget()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    // End as the process would have ended.
    process.kill(process.pid, signal)
  }
  signals.forEach((signal) => process.on(signal, cleanUp))
  return forget
}
