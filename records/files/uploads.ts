import { posix } from 'node:path'
import { ApiError, type FieldError, type FieldErrors } from '../errors.ts'
import { newId } from '../random.ts'
import { toList } from '../schema/coerce.ts'
import type { Collection } from '../schema/collection.ts'
import { usualMost, type FileField } from '../schema/field.ts'
import { invalidFiles, validate } from '../schema/validate.ts'
import type { StoredRecord } from '../schema/values.ts'
import { detectContentType } from './content-type.ts'
import type { Files } from './files.ts'
import { reencodePicture, isPicture, pictureExtensions, PictureError } from './images.ts'
import { fileKey, storedName, withExtension } from './names.ts'
import { SemaphoreFullError } from '../limits/semaphore.ts'
import { maxInMemory } from './spool.ts'

interface Upload {
  field: FileField
  /** The client's name for it. */
  original: string
  /** The name in the body, until the content has been checked. */
  given: string
  name: string
  file: File
  checked?: Promise<Checked>
  stored?: { key: string; done: Promise<void> }
}

/** The result of checking a file: what to store, or an error. */
type Checked = { mime: string; content: Uint8Array | Blob } | { error: FieldError }

interface NewFile {
  field: string
  name: string
  mime: string
  /** Bytes. */
  size: number
}

/**
 * The uploaded files of one request, which are named, then checked, then stored. Checking comes
 * after the rule has allowed the request, and no content is read before that.
 */
export class Uploads {
  readonly #files: Files | undefined
  readonly #uploads: readonly Upload[]
  readonly #keys: string[] = []
  #trial: 'running' | 'passed' | undefined

  constructor(files?: Files, uploads: readonly Upload[] = []) {
    this.#files = files
    this.#uploads = uploads
  }

  get isEmpty(): boolean {
    return !this.#uploads.length
  }

  /** Ignores the files while a batch's trial finds out which of its requests the rules allow. */
  beginTrial(): void {
    this.#trial = 'running'
  }

  /** Call when the rule has allowed the request. */
  markAuthorized(): void {
    if (this.#trial) this.#trial = 'passed'
  }

  get isAuthorized(): boolean {
    return this.#trial === 'passed'
  }

  /** Checks the files of a request that passed the trial, so that no transaction waits for it. */
  async endTrial(): Promise<void> {
    const { isAuthorized } = this
    this.#trial = undefined
    if (isAuthorized) for (const upload of this.#uploads) await check(upload)
  }

  /**
   * Updates the file names in the values to those chosen for the checked content.
   *
   * @param values a record's or a body's values by field; changed in place
   */
  rename(values: Record<string, unknown>): void {
    for (const { field, given, name } of this.#uploads) {
      const value = values[field.name]
      if (given === name) continue
      if (value === given) values[field.name] = name
      else if (Array.isArray(value))
        values[field.name] = value.map((one: unknown) => (one === given ? name : one))
    }
  }

  /**
   * @param record see {@link rename}
   * @returns the errors of the files that the record names
   */
  async errors(record: StoredRecord): Promise<FieldErrors> {
    const found: FieldErrors = {}
    if (this.#trial) return found
    for (const upload of this.#of(record)) {
      const checked = await check(upload)
      if ('error' in checked) found[upload.field.name] ??= checked.error
    }
    this.rename(record)
    return found
  }

  /**
   * Stores the files that the record names, before their rows are written.
   *
   * @returns the rows to write
   */
  async store(collection: Collection, record: StoredRecord): Promise<NewFile[]> {
    const kept: NewFile[] = []
    if (this.#trial) return kept
    for (const upload of this.#of(record)) {
      const checked = await check(upload)
      if ('error' in checked) continue
      const { mime, content } = checked
      const key = fileKey(collection.id, record.id, upload.name)
      if (upload.stored?.key !== key) upload.stored = { key, done: this.#put(upload, key, content) }
      await upload.stored.done
      kept.push({
        field: upload.field.name,
        name: upload.name,
        mime,
        size: content instanceof Blob ? content.size : content.length,
      })
    }
    return kept
  }

  /**
   * Checks and stores the files ahead of the transaction; a record without an id gets one. Errors
   * are left for the transaction to report together with those of other fields.
   */
  async prepare(collection: Collection, record: StoredRecord): Promise<void> {
    if (this.isEmpty) return
    record.id ||= newId()
    if (Object.keys(await this.errors(record)).length) return
    if (Object.keys(validate(collection, record, new Set(['id']))).length) return
    try {
      await this.store(collection, record)
    } catch (error) {
      await this.discard()
      throw error
    }
  }

  /** Deletes the stored files when the record wasn't written. */
  async discard(): Promise<void> {
    for (const key of this.#keys) await this.#files?.storage.delete(key)
  }

  /** @returns the names of the new files, which the record may use */
  names(): ReadonlySet<string> {
    return new Set(this.#uploads.map((upload) => upload.name))
  }

  async #put({ stored: before }: Upload, key: string, content: Uint8Array | Blob): Promise<void> {
    // A retried transaction may create its record with a different id.
    if (before) await this.#files!.storage.delete(before.key)
    this.#keys.push(key)
    await this.#files!.storage.put(key, content)
  }

  #of(record: StoredRecord): Upload[] {
    return this.#uploads.filter(({ field, name }) => [record[field.name]].flat().includes(name))
  }
}

/**
 * Takes a body's files for its file fields: `field` sets, `field+` appends, `+field` prepends.
 * Their new names are added to the body, after any names sent as text.
 *
 * @returns the body with the names, and the files
 * @throws ApiError 400 if there is no file storage
 */
export function readUploads(
  files: Files | undefined,
  collection: Collection,
  body: { data: Readonly<Record<string, unknown>>; files: ReadonlyMap<string, readonly File[]> },
): { data: Record<string, unknown>; uploads: Uploads } {
  const data = { ...body.data }
  const uploads: Upload[] = []
  for (const [key, parts] of body.files) {
    const field = collection.fields.find(
      (one) => one.type === 'file' && [one.name, `${one.name}+`, `+${one.name}`].includes(key),
    )
    // A form with no file chosen sends an empty one without a name.
    const chosen = parts
      .filter((file) => file.name || file.size)
      .map((file) => ({ file, original: posix.basename(file.name) }))
    if (field?.type !== 'file' || !chosen.length) continue
    if (!files)
      throw new ApiError(400, 'Failed to upload files.', {
        [field.name]: invalidFiles(chosen.map(({ original }) => original)),
      })
    const named = chosen.map((one): Upload => {
      const name = storedName(one.original)
      return { field, given: name, name, ...one }
    })
    data[key] = [...toList(data[key]), ...named.map((upload) => upload.name)]
    uploads.push(...named)
  }
  return { data, uploads: new Uploads(files, uploads) }
}

const bytesOf = async (file: Blob) => new Uint8Array(await file.arrayBuffer())

/** Files that the server itself adds to a record, checked and cleaned like a client's. */
export interface StoredUploads {
  /** The account whose quota they count towards. */
  account: string
  uploads: Uploads
  /** Their names, by field. */
  names: Readonly<Record<string, string>>
}

/**
 * Checks and stores files for a record that is about to be written. If it never is, `sweepFiles`
 * deletes them.
 *
 * @param record the record's id, which may not exist yet
 * @param sent the files by field
 * @throws ApiError 400 with the errors of the fields
 */
export async function storeUploads(
  files: Files | undefined,
  collection: Collection,
  record: string,
  { account, sent }: { account: string; sent: Readonly<Record<string, File>> },
): Promise<StoredUploads> {
  const parts = new Map(Object.entries(sent).map(([name, file]) => [name, [file]]))
  const { data, uploads } = readUploads(files, collection, { data: {}, files: parts })
  const named: StoredRecord = { ...data, id: record }
  const errors = await uploads.errors(named)
  if (Object.keys(errors).length) throw new ApiError(400, 'Failed to upload files.', errors)
  await uploads.store(collection, named)
  const names = Object.keys(sent).map((name) => [name, String([named[name]].flat()[0])])
  return { account, uploads, names: Object.fromEntries(names) as Record<string, string> }
}

/**
 * Checks a file's size and content once, and gives its name the extension that matches the content.
 */
function check(upload: Upload): Promise<Checked> {
  return (upload.checked ??= checkOne(upload))
}

async function checkOne(upload: Upload): Promise<Checked> {
  const { field, given, file, original } = upload
  const maxSize = field.maxSize ?? usualMost.bytes
  if (file.size > maxSize) return { error: tooLarge(original, maxSize) }
  const content = file.size > maxInMemory ? file : await bytesOf(file)
  const { mime, extension } = await detectContentType(content)
  // A picture's extension must match its type; other files keep theirs.
  upload.name = withExtension(given, pictureExtensions(mime), extension)
  const { mimeTypes = [] } = field
  if (mimeTypes.length && !mimeTypes.includes(mime))
    return { error: unexpected(upload.name, mimeTypes) }
  if (field.refusesPictures && mime.startsWith('image/')) return { error: pictureRefused }
  if (!isPicture(mime)) return { mime, content }
  try {
    // Store a clean copy instead of the original.
    const bytes = content instanceof Blob ? await bytesOf(content) : content
    return { mime, content: await reencodePicture(bytes, mime) }
  } catch (error) {
    if (error instanceof PictureError) return { error: pictureError(error) }
    if (error instanceof SemaphoreFullError)
      throw new ApiError(503, 'Too many pictures are being uploaded. Please try again.', {}, error)
    throw error
  }
}

const pictureError = ({ message, params }: PictureError): FieldError => ({
  code: 'validation_invalid_picture',
  message,
  ...(params && { params }),
})

const pictureRefused: FieldError = {
  code: 'validation_invalid_mime_type',
  message: 'This is a picture. Choose another kind of file.',
  params: { rule: 'pictureRefused' },
}

function tooLarge(file: string, maxSize: number): FieldError {
  return {
    code: 'validation_file_size_limit',
    message: `Failed to upload ${file} - the maximum allowed file size is ${maxSize} bytes.`,
    params: { file, maxSize },
  }
}

function unexpected(name: string, mimeTypes: readonly string[]): FieldError {
  return {
    code: 'validation_invalid_mime_type',
    message: `"${name}" mime type must be one of: ${mimeTypes.join(', ')}.`,
  }
}
