import { createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { maxImportFileMegabytes, maxImportFileBytes } from '#shared/import.ts'
import { ImportError } from './import-error.ts'

/** Files allowed in an archive. Ours has a picture for each book. */
const entriesAtMost = 20_000

/**
 * Unpacks the one file of an archive that can be imported: our own export, Calibre's library, or
 * the only table. Nothing else is unpacked.
 *
 * @param out the path to write to
 * @throws ImportError if there is no such file, if there are several, or if the archive is invalid
 */
export async function unpack(path: string, out: string): Promise<void> {
  const zip = await openZip(path)
  try {
    const entry = choose(await readEntries(zip))
    await extract(zip, entry, out)
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
  if (zip.entryCount > entriesAtMost)
    throw new ImportError(
      `This ZIP file holds more than ${entriesAtMost.toLocaleString('en')} files.`,
    )
  return Array.fromAsync(zip.eachEntry())
}

const damaged = (cause: unknown) =>
  new ImportError('This ZIP file is damaged. Download it again.', { cause })

const nameOf = ({ fileName }: Entry) => fileName.split('/').at(-1) ?? ''

function choose(entries: readonly Entry[]): Entry {
  const names = new Set(entries.map(({ fileName }) => fileName))
  if (names.has('[Content_Types].xml') || names.has('content.xml'))
    throw new ImportError('This is a spreadsheet. Save it as CSV and choose that file.')
  if (names.has('META-INF/container.xml')) throw new ImportError('This is a book, not an export.')
  const files = entries.filter(
    (one) => nameOf(one) && !nameOf(one).startsWith('.') && !one.fileName.startsWith('__MACOSX/'),
  )
  const known = files.find((one) => ['octavo.json', 'metadata.db'].includes(nameOf(one)))
  const tables = files.filter((one) => /\.(?:csv|tsv|txt|json)$/i.test(nameOf(one)))
  const candidates = known ? [known] : tables.length ? tables : files
  if (candidates.length === 1) return candidates[0]!
  if (!candidates.length) throw new ImportError('This ZIP file is empty.')
  const some = candidates.slice(0, 3).map((one) => nameOf(one).slice(0, 60))
  throw new ImportError(
    `This ZIP file holds ${candidates.length} files, such as ${some.join(', ')}. Unpack it and choose one of them.`,
  )
}

async function extract(zip: ZipFile, entry: Entry, out: string): Promise<void> {
  if (entry.isEncrypted()) throw new ImportError('This ZIP file has a password. Unpack it first.')
  if (!entry.canDecodeFileData())
    throw new ImportError('This ZIP file is packed in a way we can’t read. Unpack it first.')
  if (entry.uncompressedSize > maxImportFileBytes) throw tooLarge()
  const stream = await zip.openReadStreamPromise(entry)
  await pipeline(stream, limitBytes(maxImportFileBytes), createWriteStream(out))
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

const tooLarge = () =>
  new ImportError(`This ZIP file unpacks to more than ${maxImportFileMegabytes} MB.`)
