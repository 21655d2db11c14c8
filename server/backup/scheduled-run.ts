import '../settings/node-env.ts'
import { existsSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'
import { readConfig } from '../settings/config.ts'
import { failureMessage } from '../runtime/failure.ts'
import { backUp } from './back-up.ts'
import { lostPictures, type Manifest } from './manifest.ts'
import { removeExpired, scheduled } from './retention.ts'

/** What the process that makes a scheduled backup sends to the server. */
export type BackupResult =
  | { name: string; pictures: number; missing: number; warnings: string[] }
  | { failure: string }

/**
 * Makes one scheduled backup and deletes those beyond `BACKUP_KEEP`, in a process of its own, so
 * that the server stays responsive. The argument is the schedule's id.
 */
async function run(schedule: string): Promise<BackupResult> {
  const config = readConfig({ ...process.env })
  if (!config.backups) return { failure: 'BACKUP_TO is not set' }
  const { folder: into, keep } = config.backups
  try {
    // With a smaller BACKUP_KEEP this makes room for the new one.
    if (existsSync(into)) await removeExpired(into, schedule, keep)
    const { folder, manifest } = await backUp(config, into, { reason: scheduled, schedule })
    const warnings = [...lost(manifest), ...(await expire(into, schedule, keep))]
    const { count } = manifest.pictures
    return { name: basename(folder), pictures: count, missing: manifest.missing.length, warnings }
  } catch (error) {
    return { failure: failureMessage(error, [into, config.dataDir]) }
  }
}

const lost = (manifest: Manifest) =>
  manifest.missing.length ? [`The backup was made without ${lostPictures(manifest)}`] : []

/** @returns what went wrong; the new backup is good all the same */
async function expire(into: string, schedule: string, keep: number): Promise<string[]> {
  try {
    await removeExpired(into, schedule, keep)
    return []
  } catch (error) {
    return [`Old backups could not be deleted: ${failureMessage(error)}`]
  }
}

/** The server is gone, and nobody would record the result. */
const stop = () => process.kill(process.pid, 'SIGTERM')

// Readers' requests come first.
setPriority(Math.max(getPriority(), 10))
process.once('disconnect', stop)
const result = await run(process.argv[2] ?? '')
process.off('disconnect', stop)
process.send?.(result, undefined, {}, () => process.disconnect?.())
