import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../settings/config.ts'
import { setBack, type ScheduleState } from './schedule-state.ts'

type Schedule = NonNullable<Config['backups']>

/** A backup is too old after this many times `BACKUP_EVERY`. */
const lateAfter = 2

/**
 * @returns the newest backup's age in milliseconds, or how long one has been waited for. One that a
 *   clock ahead has dated is of unknown age, and as good as none
 */
export function backupAge({ made, created }: ScheduleState, now: number): number {
  return Math.max(0, now - (made && !isAhead(made, now) ? made : created))
}

/** @returns whether the clock was ahead at that time */
const isAhead = (time: number, now: number) => time > now + setBack

/** @returns what is wrong if the newest scheduled backup is too old; undefined if it isn't */
export function ageProblem(
  state: ScheduleState | undefined,
  { every }: Schedule,
  now: number,
): string | undefined {
  if (!state || backupAge(state, now) <= lateAfter * every) return undefined
  const age = inWords(backupAge(state, now))
  const isDated = state.made > 0 && !isAhead(state.made, now)
  const problem = isDated ? `the newest is ${age} old` : `none was made for ${age}`
  return `${problem}${state.failure ? `; the last attempt failed: ${state.failure}` : ''}`
}

/**
 * Describes the newest scheduled backup for the operator.
 *
 * @throws if there is none although there should be, it isn't there or lacks pictures, or if the
 *   last attempt failed
 */
export function describeBackups(
  state: ScheduleState | undefined,
  schedule: Schedule,
  now: number,
): string {
  const { folder } = schedule
  const tooOld = ageProblem(state, schedule, now)
  if (tooOld) throw new Error(tooOld)
  // It may be unreachable although the last backup went well.
  accessSync(existingPart(folder), constants.R_OK | constants.W_OK)
  if (state?.result === 'failed') {
    const ago = inWords(Math.max(0, now - state.attempted))
    throw new Error(`the last attempt, ${ago} ago, failed: ${state.failure}`)
  }
  if (!state?.made) return `none in ${folder} yet; the server makes the first one when it runs`
  const newest = join(folder, state.name)
  accessSync(newest, constants.R_OK)
  const age = inWords(backupAge(state, now))
  if (!state.missing) return `the newest, ${newest}, is ${age} old`
  throw new Error(`the newest, ${newest}, is ${age} old and lacks lost pictures: ${state.missing}`)
}

/** The path or its nearest existing parent. */
const existingPart = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : existingPart(dirname(path))

/** @returns a time in whole units, such as `3 hours` */
function inWords(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000)
  const [number, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 2880
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 1440), 'day']
  return `${number} ${unit}${number === 1 ? '' : 's'}`
}
