import { ApiError, type FieldError, type FieldErrors } from '../errors.ts'
import { newId } from '../random.ts'
import { toList } from '../schema/coerce.ts'
import type { Collection, FileField } from '../schema/collection.ts'
import { invalidFiles, validate } from '../schema/validate.ts'
import type { StoredRecord } from '../schema/values.ts'
import { sniff, type ContentType } from './content-type.ts'
import type { Files } from './files.ts'
import { cleanPicture, isPicture, pictureExtensions, PictureError } from './images.ts'
import { extensionOf, fileKey, storedName } from './names.ts'
import { PoolFullError } from './pool.ts'

interface Upload {
  field: FileField
  name: string
  original: string
  type: ContentType
  bytes: Uint8Array
  checked?: Promise<FieldError | undefined>
  stored?: { key: string; done: Promise<void> }
}

/** A new file of a record. */
interface NewFile {
  name: string
  mime: string
  /** Bytes. */
  size: number
}

/** The files of one request on their way into a record: named, then checked, then stored. */
export class Uploads {
  readonly #files: Files | undefined
  readonly #uploads: readonly Upload[]
  readonly #keys: string[] = []

  constructor(files?: Files, uploads: readonly Upload[] = []) {
    this.#files = files
    this.#uploads = uploads
  }

  get isEmpty(): boolean {
    return !this.#uploads.length
  }

  /** Checks all files there are, so that a transaction does not have to wait for it. */
  async check(): Promise<void> {
    for (const upload of this.#uploads) await (upload.checked ??= checkOne(upload))
  }

  /** @returns what is wrong with those files that the record names */
  async errors(record: StoredRecord): Promise<FieldErrors> {
    const found: FieldErrors = {}
    for (const upload of this.#of(record)) {
      const error = await (upload.checked ??= checkOne(upload))
      if (error) found[upload.field.name] ??= error
    }
    return found
  }

  /**
   * Stores those files that the record names, before anything is written about them.
   *
   * @returns what to write
   */
  async store(collection: Collection, record: StoredRecord): Promise<NewFile[]> {
    const kept: NewFile[] = []
    for (const upload of this.#of(record)) {
      const key = fileKey(collection.id, record.id, upload.name)
      if (upload.stored?.key !== key) upload.stored = { key, done: this.#put(upload, key) }
      await upload.stored.done
      const { name, type, bytes } = upload
      kept.push({ name, mime: type.mime, size: bytes.length })
    }
    return kept
  }

  /**
   * Does everything that a transaction should not wait for; a record without an id gets one. What
   * is wrong is left for the transaction to say, together with the other fields.
   */
  async prepare(collection: Collection, record: StoredRecord): Promise<void> {
    if (this.isEmpty) return
    record.id ||= newId()
    const isUnusable = Object.keys(validate(collection, record, new Set(['id']))).length > 0
    if (isUnusable || Object.keys(await this.errors(record)).length) return
    try {
      await this.store(collection, record)
    } catch (error) {
      await this.discard()
      throw error
    }
  }

  /** Takes back what was stored, when nothing was written. */
  async discard(): Promise<void> {
    for (const key of this.#keys) await this.#files?.storage.delete(key)
  }

  /** @returns the names of files that the record may newly have */
  names(): ReadonlySet<string> {
    return new Set(this.#uploads.map((upload) => upload.name))
  }

  async #put({ stored: before, bytes }: Upload, key: string): Promise<void> {
    // A transaction that is run again may make its record anew, with another id.
    if (before) await this.#files!.storage.delete(before.key)
    this.#keys.push(key)
    await this.#files!.storage.put(key, bytes)
  }

  #of(record: StoredRecord): Upload[] {
    return this.#uploads.filter(({ field, name }) => [record[field.name]].flat().includes(name))
  }
}

/**
 * Takes the files of a body that a file field is meant by: `field` sets, `field+` appends, `+field`
 * prepends. Their new names stand in the body from then on, after names that were sent as text.
 *
 * @returns the body with the names, and the files behind them
 * @throws ApiError 400 if there is nowhere to keep files
 */
export async function readUploads(
  files: Files | undefined,
  collection: Collection,
  body: { data: Readonly<Record<string, unknown>>; files: ReadonlyMap<string, readonly File[]> },
): Promise<{ data: Record<string, unknown>; uploads: Uploads }> {
  const data = { ...body.data }
  const uploads: Upload[] = []
  for (const [key, parts] of body.files) {
    const field = collection.fields.find(
      (one) => one.type === 'file' && [one.name, `${one.name}+`, `+${one.name}`].includes(key),
    )
    // A form whose file was not chosen sends one without a name.
    const chosen = parts.filter((file) => file.name || file.size)
    if (field?.type !== 'file' || !chosen.length) continue
    if (!files)
      throw new ApiError(400, 'Failed to upload files.', {
        [field.name]: invalidFiles(chosen.map((file) => file.name)),
      })
    const named = await Promise.all(chosen.map((file) => nameOne(field, file)))
    data[key] = [...toList(data[key]), ...named.map((upload) => upload.name)]
    uploads.push(...named)
  }
  return { data, uploads: new Uploads(files, uploads) }
}

/** A picture's extension says what it is; other files keep theirs. */
async function nameOne(field: FileField, file: File): Promise<Upload> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const type = await sniff(bytes)
  const usual = pictureExtensions(type.mime)
  const isUsual = usual.includes(extensionOf(file.name).toLowerCase())
  const name = storedName(file.name, type.extension, isUsual ? undefined : usual[0])
  return { field, name, original: file.name, type, bytes }
}

/** A good picture is replaced by its clean copy. */
async function checkOne(upload: Upload): Promise<FieldError | undefined> {
  const { field, name, original, type, bytes } = upload
  const maxSize = field.maxSize ?? 5_242_880
  if (bytes.length > maxSize)
    return {
      code: 'validation_file_size_limit',
      message: `Failed to upload ${original} - the maximum allowed file size is ${maxSize} bytes.`,
      params: { file: original, maxSize },
    }
  const { mimeTypes = [] } = field
  if (mimeTypes.length && !mimeTypes.includes(type.mime))
    return {
      code: 'validation_invalid_mime_type',
      message: `"${name}" mime type must be one of: ${mimeTypes.join(', ')}.`,
    }
  if (!isPicture(type.mime)) return undefined
  try {
    upload.bytes = await cleanPicture(bytes, type.mime)
    return undefined
  } catch (error) {
    if (error instanceof PictureError)
      return { code: 'validation_invalid_picture', message: error.message }
    if (error instanceof PoolFullError)
      throw new ApiError(503, 'Too many pictures are being uploaded. Please try again.', {}, error)
    throw error
  }
}
