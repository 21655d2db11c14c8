import type { FileField } from '../schema/field.ts'
import { makeThumb, parseThumb } from './images.ts'
import { fileKey, thumbFolder } from './names.ts'
import { allBytes, type FileStorage } from './storage.ts'
import type { FileRow } from './table.ts'

/** Types that have thumbs. Any other file is served as it is. */
const sources = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** PocketBase's default size, which is available even if the field doesn't list it. */
const defaultThumb = '100x100'

/** Smaller versions of pictures, created at the first request and stored next to the picture. */
export class Thumbs {
  readonly #storage: FileStorage
  readonly #report: (error: unknown) => void
  readonly #making = new Map<string, Promise<Uint8Array<ArrayBuffer> | null>>()

  constructor(storage: FileStorage, report: (error: unknown) => void) {
    this.#storage = storage
    this.#report = report
  }

  /**
   * @param form such as `100x50f`; must be one that the field lists
   * @returns null if the picture itself should be served
   */
  async get(
    file: FileRow,
    field: FileField,
    form: string,
  ): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> } | null> {
    if (form !== defaultThumb && !field.thumbs?.includes(form)) return null
    if (!sources.has(file.mime)) return null
    const name = `${form}_${file.name}`
    const key = thumbFolder(file.collection, file.record, file.name) + name
    const kept = await this.#storage.read(key)
    const bytes = kept ? await allBytes(kept) : await this.#once(key, file, form)
    return bytes && { name, bytes }
  }

  /** Creates a thumb only once, however many requests ask for it at the same time. */
  #once(key: string, file: FileRow, form: string): Promise<Uint8Array<ArrayBuffer> | null> {
    return this.#making.getOrInsertComputed(key, () =>
      this.#make(key, file, form)
        .catch((error: unknown) => {
          this.#report(error)
          return null
        })
        .finally(() => this.#making.delete(key)),
    )
  }

  async #make(key: string, file: FileRow, form: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const parsed = parseThumb(form)
    const original = await this.#storage.read(fileKey(file.collection, file.record, file.name))
    if (!parsed || !original) return null
    const thumb = new Uint8Array(await makeThumb(await allBytes(original), file.mime, parsed))
    await this.#storage.put(key, thumb)
    return thumb
  }
}
