import { sql } from 'kysely'
import { flag, named, number, prepared, text, type Database, type Row } from '#records/index.ts'
import type { LibraryTransaction } from '#server/collections/stored.ts'
import { maxDeviceFile } from '#shared/connection.ts'
import { foldersOf } from './dav-path.ts'

/** A file or folder of a reader's devices. */
export interface DeviceFile {
  id: string
  /** '' is the root, which has no record. */
  path: string
  isFolder: boolean
  /** The name in the storage. */
  file: string
  /** Bytes. */
  size: number
  hash: string
  modified: Date
  /** Whether devices mustn't get it. */
  isWithheld: boolean
}

/** The folder that everything is in. */
export const rootFolder: DeviceFile = {
  id: '',
  path: '',
  isFolder: true,
  file: '',
  size: 0,
  hash: '',
  modified: new Date(0),
  isWithheld: false,
}

type Db = Database | LibraryTransaction

/** @returns a reader's file or folder; null if there is none */
export async function fileAt(db: Db, user: string, path: string): Promise<DeviceFile | null> {
  if (path === '') return rootFolder
  return toFiles(await atPath(db, { user, path }))[0] ?? null
}

/** All of a reader's files and folders, by path. */
export async function filesOf(db: Db, user: string): Promise<DeviceFile[]> {
  return toFiles(await ofReader(db, { user }))
}

function toFiles(rows: readonly Row[]): DeviceFile[] {
  const files = named(rows, {
    id: text,
    path: text,
    file: text,
    size: number,
    hash: text,
    modified: (said) => new Date(text(said).replace(' ', 'T')),
    isWithheld: flag,
  })
  return files.map((one) => ({ ...one, isFolder: one.file === '' }))
}

const columns = sql`id, path, file, size, hash, modified, withheld`

const atPath = prepared<Record<'user' | 'path', unknown>>(
  (value) => sql`SELECT ${columns} FROM device_files
    WHERE "user" = ${value('user')} AND path = ${value('path')}`,
)
const ofReader = prepared<{ user: unknown }>(
  (value) => sql`SELECT ${columns} FROM device_files
    WHERE "user" = ${value('user')} ORDER BY path`,
)

const countOf = prepared<{ user: unknown }>(
  (value) => sql`SELECT COUNT(*) FROM device_files WHERE "user" = ${value('user')}`,
)

/** @returns whether a reader can keep so many more files and folders */
export async function hasRoom(
  tx: LibraryTransaction,
  user: string,
  more: number,
): Promise<boolean> {
  const [counted] = named(await countOf(tx, { user }), { files: number })
  return counted!.files + more <= maxDeviceFile.count
}

/** @returns those of the folders around a path that aren't there; null if one of them is a file */
export async function missingFolders(
  tx: LibraryTransaction,
  user: string,
  path: string,
): Promise<string[] | null> {
  const missing: string[] = []
  for (const folder of foldersOf(path)) {
    const found = await fileAt(tx, user, folder)
    if (found && !found.isFolder) return null
    if (!found) missing.push(folder)
  }
  return missing
}

/** What a device's statistics are called, in any folder. */
const statisticsName = 'statistics.sqlite3'

/** @returns whether a file holds KOReader's statistics */
export function isStatistics(path: string): boolean {
  return path.endsWith(statisticsName)
}

/** @returns whether a file can hold highlights: KOReader's export, or what it keeps beside a book */
export function holdsHighlights(path: string): boolean {
  const name = path.split('/').at(-1)!
  return name.endsWith('.json') || (name.startsWith('metadata.') && name.endsWith('.lua'))
}

/** @returns whether the job reads a file */
export function isRead(path: string): boolean {
  return isStatistics(path) || holdsHighlights(path)
}

/**
 * Withholds the statistics in a restored database until a device has sent its own. A device deletes
 * the rows that a file lacks if it had got them, so that it must never get an older one.
 */
export const withholdStatistics = `UPDATE device_files SET withheld = TRUE
  WHERE path LIKE '%${statisticsName}'`
