import { createWriteStream } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { maxImportFileMegabytes, maxImportFileBytes } from '#shared/import.ts'
import { checkRoom } from './disk-room.ts'
import { ImportError } from './import-error.ts'

/** Files allowed in an archive. Ours has a picture for each book. */
const entriesAtMost = 20_000

/**
 * Unpacks the one file of an archive that can be imported: our own export, Calibre's library, or
 * the only table, which can be a spreadsheet's. Nothing else is unpacked.
 *
 * @param out the path to write to
 * @throws ImportError if there is no such file, if there are several, or if the archive is invalid
 */
export async function unpack(path: string, out: string): Promise<void> {
  const zip = await openZip(path)
  try {
    const entries = await readEntries(zip)
    const { isSpreadsheet, sheetLines } = await import('./spreadsheet.ts')
    const open = (entry: Entry) => openEntry(zip, entry)
    await write(
      isSpreadsheet(entries)
        ? Readable.from(sheetLines(entries, open))
        : await open(choose(entries)),
      out,
    )
  } catch (cause) {
    if (cause instanceof ImportError) throw cause
    throw damaged(cause)
  } finally {
    zip.close()
  }
}

/**
 * Unpacks several files of an archive that belong together.
 *
 * @param find those files by name
 * @returns the paths that they were written to; null if they aren't there
 * @throws ImportError if the archive is invalid, or unpacks to too much
 */
export async function unpackAll<Name extends string>(
  path: string,
  folder: string,
  find: (entries: readonly Entry[]) => Record<Name, Entry> | null,
): Promise<Record<Name, string> | null> {
  const zip = await openZip(path)
  try {
    const found = find(await readEntries(zip))
    if (!found) return null
    const paths = {} as Record<Name, string>
    for (const name of Object.keys(found) as Name[]) {
      paths[name] = join(folder, name)
      await write(await openEntry(zip, found[name]), paths[name])
    }
    return paths
  } catch (cause) {
    if (cause instanceof ImportError) throw cause
    throw damaged(cause)
  } finally {
    zip.close()
  }
}

/** @throws ImportError if the file isn't a ZIP archive */
export async function openZip(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { autoClose: false })
  } catch (cause) {
    throw damaged(cause)
  }
}

/** @throws ImportError for too many files */
export async function readEntries(zip: ZipFile): Promise<Entry[]> {
  if (zip.entryCount > entriesAtMost) throw new ImportError('zipTooMany', { count: entriesAtMost })
  return Array.fromAsync(zip.eachEntry())
}

const damaged = (cause: unknown) => new ImportError('zipDamaged', {}, cause)

const nameOf = ({ fileName }: Entry) => fileName.split('/').at(-1) ?? ''

function choose(entries: readonly Entry[]): Entry {
  const names = new Set(entries.map(({ fileName }) => fileName))
  if (names.has('[Content_Types].xml') || names.has('content.xml'))
    throw new ImportError('fileIsSpreadsheet')
  if (names.has('META-INF/container.xml')) throw new ImportError('fileIsBook')
  const files = entries.filter(
    (one) => nameOf(one) && !nameOf(one).startsWith('.') && !one.fileName.startsWith('__MACOSX/'),
  )
  const known = files.find((one) => ['octavo.json', 'metadata.db'].includes(nameOf(one)))
  const tables = files.filter((one) => /\.(?:csv|tsv|txt|json)$/i.test(nameOf(one)))
  const candidates = known ? [known] : tables.length ? tables : files
  if (candidates.length === 1) return candidates[0]!
  if (!candidates.length) throw new ImportError('zipEmpty')
  const some = candidates.slice(0, 3).map((one) => nameOf(one).slice(0, 60))
  throw new ImportError('zipManyFiles', { count: candidates.length, names: some.join(', ') })
}

async function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  if (entry.isEncrypted()) throw new ImportError('zipPassword')
  if (!entry.canDecodeFileData()) throw new ImportError('zipPacked')
  if (entry.uncompressedSize > maxImportFileBytes) throw tooLarge()
  return zip.openReadStreamPromise(entry)
}

async function write(content: Readable, out: string): Promise<void> {
  await pipeline(
    content,
    limitBytes(maxImportFileBytes),
    checkRoom(dirname(out)),
    createWriteStream(out),
  )
}

/** Counts the bytes, as an archive can lie about its sizes. */
export function limitBytes(limit: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      if (bytes > limit) done(tooLarge())
      else done(null, chunk)
    },
  })
}

const tooLarge = () => new ImportError('zipTooLarge', { count: maxImportFileMegabytes })
