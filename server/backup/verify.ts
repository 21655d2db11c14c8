import { lstat, readdir, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { failureMessage } from '../runtime/failure.ts'
import { databaseFile, manifestFile, type Manifest } from './manifest.ts'
import { readDumpedTable } from './postgres-tools.ts'
import { readChecksums, checksumOf, checksumsFile } from './checksums.ts'

/** The folder of the pictures in a backup. */
const picturesFolder = 'files/'

/**
 * Verifies that a backup is complete and unchanged: its files match its checksums, the checksums
 * match its manifest, and its pictures are those that its database names, apart from those that the
 * manifest lists as missing. Backups of every version pass.
 *
 * @returns the storage keys of its pictures
 * @throws naming the first file that is missing, damaged or unexpected
 */
export async function verifyBackup(folder: string, manifest: Manifest): Promise<string[]> {
  const sums = await readChecksums(folder)
  const pictures = refuseOtherList(sums, manifest)
  // The given path may be a link, such as `latest`; inside a backup there are none.
  const sizes = await sizesOf(await realpath(folder))
  for (const path of sums.keys())
    if (!sizes.has(path)) throw new Error(`the backup is incomplete: ${path} is missing`)
  for (const path of sizes.keys())
    if (path !== checksumsFile && !sums.has(path))
      throw new Error(
        `the backup holds ${path}, which ${checksumsFile} does not list: move it away`,
      )
  for (const [path, sum] of sums)
    if ((await checksumOf(join(folder, path))) !== sum)
      throw new Error(`the backup is damaged: ${path} has changed`)
  refuseOtherCount(pictures, sizes, manifest)
  await refuseOtherRows(folder, pictures, manifest)
  return pictures
}

/** @returns the keys of the listed pictures */
function refuseOtherList(sums: ReadonlyMap<string, string>, manifest: Manifest): string[] {
  const others = [
    manifestFile,
    databaseFile[manifest.database],
    ...(manifest.secret ? ['secret'] : []),
  ]
  for (const path of others)
    if (!sums.has(path))
      throw new Error(`the backup is incomplete: ${checksumsFile} does not list ${path}`)
  const rest = [...sums.keys()].filter((path) => !others.includes(path))
  for (const path of rest)
    if (!path.startsWith(picturesFolder))
      throw new Error(`${checksumsFile} lists ${path}, which is not part of this backup`)
  return rest.map((path) => path.slice(picturesFolder.length))
}

function refuseOtherCount(
  pictures: readonly string[],
  sizes: ReadonlyMap<string, number>,
  { pictures: { count, bytes } }: Manifest,
): void {
  if (pictures.length !== count)
    throw new Error(
      `the backup is incomplete: ${manifestFile} counts ${count} pictures, ${checksumsFile} lists ${pictures.length}`,
    )
  const there = pictures.reduce((sum, key) => sum + (sizes.get(picturesFolder + key) ?? 0), 0)
  if (there !== bytes)
    throw new Error(
      `the backup is damaged: ${manifestFile} counts ${bytes} bytes of pictures, the backup holds ${there}`,
    )
}

async function refuseOtherRows(
  folder: string,
  pictures: readonly string[],
  manifest: Manifest,
): Promise<void> {
  const file = join(folder, databaseFile[manifest.database])
  const read = manifest.database === 'sqlite' ? readSqlite : readDump
  const { schema, named } = await read(file)
  if (schema !== manifest.schema)
    throw new Error(
      `the backup is damaged: ${manifestFile} says schema ${manifest.schema}, its database has schema ${schema}`,
    )
  const expected = new Set([...pictures, ...manifest.missing])
  for (const key of named)
    if (!expected.delete(key))
      throw new Error(
        `the backup is incomplete: its database names the picture ${key}, which it does not hold`,
      )
  for (const key of expected)
    throw new Error(`the backup is damaged: its database does not name the picture ${key}`)
}

/** What a backup's database says about the rest of the backup. */
interface Contents {
  schema: number
  /** Storage keys of the pictures that records name. */
  named: string[]
}

function readSqlite(file: string): Contents {
  const url = pathToFileURL(file)
  // Opened without a journal: the backup may be on a read-only disk.
  url.searchParams.set('immutable', '1')
  try {
    using database = new DatabaseSync(url, { readOnly: true })
    const check = database.prepare('PRAGMA integrity_check').get()?.['integrity_check']
    if (check !== 'ok') throw new Error(String(check))
    const last = database.prepare('SELECT MAX(number) AS last FROM _migrations').get()?.['last']
    const rows = database.prepare(
      `SELECT collection || '/' || record || '/' || name AS key FROM _files`,
    )
    return { schema: Number(last), named: rows.all().map(({ key }) => String(key)) }
  } catch (error) {
    throw new Error(`the backup's database is damaged: ${failureMessage(error)}`, { cause: error })
  }
}

async function readDump(file: string): Promise<Contents> {
  const steps = await readDumpedTable(file, '_migrations')
  const rows = await readDumpedTable(file, '_files')
  return {
    schema: Math.max(0, ...steps.map(({ number }) => Number(number))),
    named: rows.map(({ collection, record, name }) => `${collection}/${record}/${name}`),
  }
}

/**
 * @returns the size of every file below a folder, by relative path
 * @throws at a link, which could lead out of the folder, and at anything else that isn't a file
 */
async function sizesOf(folder: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const place = join(entry.parentPath, entry.name)
    const path = relative(folder, place).split(sep).join('/')
    if (entry.isFile()) sizes.set(path, (await lstat(place)).size)
    else if (!entry.isDirectory())
      throw new Error(`${path} is not a regular file: a backup holds nothing else`)
  }
  return sizes
}
