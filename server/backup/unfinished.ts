import { existsSync, rmSync, statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** A backup that is being made. Its name says by which process, so that others can tell whether it still is. */
export const unfinishedName = (backup: string) => `.${backup}.${hostname()}-${process.pid}.partial`

/** What a process of another machine, or container, has not touched for so long is abandoned. */
const abandonedAfter = 24 * 3_600_000

/** Removes what interrupted backups left. */
export async function removeUnfinished(into: string): Promise<void> {
  for (const name of existsSync(into) ? await readdir(into) : []) {
    const [, host, pid] = /^\.octavo-[\w-]+?Z(?:\.(.+)-(\d+))?\.partial$/.exec(name) ?? []
    const place = join(into, name)
    if (!name.endsWith('.partial') || !name.startsWith('.octavo-')) continue
    const touched = statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? 0
    const isAbandoned =
      host === hostname() ? !isRunning(Number(pid)) : Date.now() - touched > abandonedAfter
    if (isAbandoned) await rm(place, { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  // A process that was started anew, as in a container, may have the number of the one before.
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another account's process may not be sent a signal, but it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes the folder when the process is told to stop. @returns what ends that */
export function removeAtStop(folder: string): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const forget = () => signals.forEach((signal) => process.off(signal, cleanUp))
  function cleanUp(signal: NodeJS.Signals): void {
    forget()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    // From here on it ends as it would have.
    process.kill(process.pid, signal)
  }
  signals.forEach((signal) => process.on(signal, cleanUp))
  return forget
}
