import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readManifest } from './manifest.ts'
import { setBack } from './schedule-state.ts'
import { unfinishedName } from './unfinished.ts'

/** The prefix of a scheduled backup's name, before its time. */
export const scheduled = 'scheduled'
const named = new RegExp(`^octavo-${scheduled}-(\\d{8}T\\d{6}Z)$`)

/**
 * Deletes the oldest backups of a schedule. Nothing else in the folder is touched, and the newest
 * backup without lost pictures stays however old it is. Those that a clock ahead has dated are the
 * oldest, or they would outlast every one made since.
 *
 * @param schedule the id in the manifests of its backups
 * @param keep how many stay
 * @param now milliseconds since 1970
 */
export async function removeExpired(
  folder: string,
  schedule: string,
  keep: number,
  now = Date.now(),
): Promise<void> {
  const names = (await readdir(folder)).filter((name) => named.test(name))
  const latest = new Date(now + setBack).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const newestFirst = names.toSorted().toReversed()
  const isAhead = (name: string) => (named.exec(name)?.[1] ?? '') > latest
  const own: { name: string; isWhole: boolean }[] = []
  for (const name of [
    ...newestFirst.filter((one) => !isAhead(one)),
    ...newestFirst.filter(isAhead),
  ]) {
    // One that can't be read may be somebody else's.
    const manifest = await readManifest(join(folder, name)).catch(() => undefined)
    if (manifest?.schedule === schedule) own.push({ name, isWhole: !manifest.missing.length })
  }
  const newestWhole = own.find(({ isWhole }) => isWhole)
  for (const backup of own.slice(keep)) {
    if (backup === newestWhole) continue
    // Half deleted, it must not look like a backup.
    const leaving = join(folder, unfinishedName(backup.name))
    await rename(join(folder, backup.name), leaving)
    await rm(leaving, { recursive: true, force: true })
  }
}
