import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { openImportFile } from '#server/import/read.ts'
import type { DateOrder } from '#shared/import.ts'

/**
 * A file as an import reads it, with all of its rows.
 *
 * @throws ImportError as `openImportFile` does
 */
export async function readImportFile(content: Uint8Array | string, order?: DateOrder) {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-read-'))
  try {
    const path = join(folder, 'file')
    await writeFile(path, content)
    const { rows: read, ...head } = await openImportFile(path, order)
    return { ...head, rows: await Array.fromAsync(read()) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** @returns an archive with the files by name */
export async function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream as Readable)
}
