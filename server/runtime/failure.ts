import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, resolve } from 'node:path'

/** PostgreSQL's code for a full disk on its server. */
const postgresFull = '53100'

/** @returns whether this machine's disk is full, or a quota is used up */
export function isDiskFull(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  // SQLite's SQLITE_FULL is 13; the higher bytes hold the extended code.
  if (typeof errcode === 'number' && (errcode & 255) === 13) return true
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/**
 * @param folders that may have been written to, to find out which disk is full
 * @returns what an operator needs to know about a failure, in one line
 */
export function failureMessage(error: unknown, folders: readonly string[] = []): string {
  return (fullDisk(error, folders) ?? words(error)).replaceAll(/\s*\n\s*/g, ' ').trim()
}

function words(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // By its name: a start needs this module before the record service is loaded.
  if (error.name === 'PooledError')
    return 'a connection pooler in transaction or statement mode, such as PgBouncer, answers instead of PostgreSQL: set DATABASE_DIRECT_URL to the address of PostgreSQL itself and leave DATABASE_URL to the pooler'
  // For a host with several addresses Node throws one error for each; the outer error has no
  // message.
  const inner = error instanceof AggregateError ? (error.errors as unknown[])[0] : undefined
  return error.message || (inner ? words(inner) : error.name)
}

/** @returns whether the machine or its settings caused the failure, not the code */
export function isSystemError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode, errno } = error as Error & Record<'code' | 'errcode' | 'errno', unknown>
  // Programming errors have codes too, such as ERR_INVALID_ARG_TYPE, but no number.
  return errcode !== undefined || errno !== undefined || isDiskFull(error) || code === postgresFull
}

function fullDisk(error: unknown, folders: readonly string[]): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.cause) return fullDisk(error.cause, folders)
  const { code, path } = error as Error & Record<'code' | 'path', unknown>
  if (code === postgresFull) return 'the disk of the PostgreSQL server is full'
  // Programs such as pg_dump repeat the system's message.
  const isFull = isDiskFull(error) || /No space left/.test(error.message)
  if (!isFull) return undefined
  const place = [...folders, tmpdir()].find(hasNoRoom) ?? (path as string | undefined) ?? folders[0]
  return `the disk of ${place ? resolve(place) : 'this machine'} is full: make room and try again`
}

function hasNoRoom(folder: string): boolean {
  const { bavail, bsize, ffree, files } = statfsSync(there(resolve(folder)))
  return bavail * bsize < 65_536 || (files > 0 && ffree === 0)
}

/** The path or its nearest existing parent. */
const there = (path: string): string => (existsSync(path) ? path : there(dirname(path)))
