import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, resolve } from 'node:path'

/** PostgreSQL's code for a full disk of its own. */
const postgresFull = '53100'

/** @returns whether the failure is a full disk of this machine, or a share of one */
export function isDiskFull(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  // SQLite's number is 13; the bytes above say more.
  if (typeof errcode === 'number' && (errcode & 255) === 13) return true
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/**
 * @param folders in which something may have been written, for naming the disk that is full
 * @returns what an operator needs to know of a failure, in one line
 */
export function failureMessage(error: unknown, folders: readonly string[] = []): string {
  return (fullDisk(error, folders) ?? words(error)).replaceAll(/\s*\n\s*/g, ' ').trim()
}

function words(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Of a host with several addresses each may have refused; the error itself then says nothing.
  const inner = error instanceof AggregateError ? (error.errors as unknown[])[0] : undefined
  return error.message || (inner ? words(inner) : error.name)
}

/** @returns whether a failure is of the machine and its settings, not of the code */
export function isSystemError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode, errno } = error as Error & Record<'code' | 'errcode' | 'errno', unknown>
  // Node's own mistakes have codes too, such as ERR_INVALID_ARG_TYPE, but no number.
  return errcode !== undefined || errno !== undefined || isDiskFull(error) || code === postgresFull
}

function fullDisk(error: unknown, folders: readonly string[]): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.cause) return fullDisk(error.cause, folders)
  const { code, path } = error as Error & Record<'code' | 'path', unknown>
  if (code === postgresFull) return 'the disk of the PostgreSQL server is full'
  // Programs such as pg_dump say it in the system's words.
  const isFull = isDiskFull(error) || /No space left/.test(error.message)
  if (!isFull) return undefined
  const place = [...folders, tmpdir()].find(hasNoRoom) ?? (path as string | undefined) ?? folders[0]
  return `the disk of ${place ? resolve(place) : 'this machine'} is full: make room and try again`
}

function hasNoRoom(folder: string): boolean {
  const { bavail, bsize, ffree, files } = statfsSync(there(resolve(folder)))
  return bavail * bsize < 65_536 || (files > 0 && ffree === 0)
}

/** What is not there is on the disk of the folder it would be in. */
const there = (path: string): string => (existsSync(path) ? path : there(dirname(path)))
