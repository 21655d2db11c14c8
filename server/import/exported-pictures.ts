import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Entry, ZipFile } from 'yauzl'
import { allBytes, temporaryFolder } from '#records/index.ts'
import type { ImportRecord } from '#shared/import.ts'
import { checkRoom } from './disk-room.ts'
import { importsCollection } from '#server/collections/imports.ts'
import type { ExportCollection } from './export-records.ts'
import type { ImportDeps } from './read-import.ts'
import { limitBytes, readEntries, openZip } from './unzip.ts'

/** Bytes of one picture. */
const pictureAtMost = 5 * 1_048_576

/** The pictures in our own export's ZIP file. */
export class ExportedPictures {
  readonly #folder: string
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>

  private constructor(folder: string, zip: ZipFile, entries: readonly Entry[]) {
    this.#folder = folder
    this.#zip = zip
    this.#entries = new Map(entries.map((entry) => [entry.fileName, entry]))
  }

  /** @returns null for a file without pictures */
  static async open(
    { storage, folder: within }: Pick<ImportDeps, 'storage' | 'folder'>,
    { id, file }: Pick<ImportRecord, 'id' | 'file'>,
  ): Promise<ExportedPictures | null> {
    const key = `${importsCollection.id}/${id}/${file}`
    const start = await storage.read(key, { start: 0, end: 1 })
    if (!start || Buffer.from(await allBytes(start)).toString('latin1') !== 'PK') return null
    const content = await storage.read(key)
    if (!content) return null
    const folder = await temporaryFolder(within, 'pictures')
    try {
      const path = join(folder, 'file')
      const pieces = content instanceof Uint8Array ? [content] : content
      await pipeline(Readable.from(pieces), checkRoom(folder), createWriteStream(path))
      const zip = await openZip(path)
      return new ExportedPictures(folder, zip, await readEntries(zip))
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }

  /**
   * @param record its id in the export
   * @returns null if it isn't there or can't be read
   */
  async find(collection: ExportCollection, record: string, name: string): Promise<File | null> {
    const entry = this.#entries.get(`pictures/${collection}/${record}/${name}`)
    if (!entry?.canDecodeFileData()) return null
    try {
      const content = await this.#zip.openReadStreamPromise(entry)
      const bytes = await pipeline(content, limitBytes(pictureAtMost), (source) => buffer(source))
      return new File([new Uint8Array(bytes)], basename(name))
    } catch {
      return null
    }
  }

  async close(): Promise<void> {
    this.#zip.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
