import { posix } from 'node:path'
import { ApiError, type FieldError, type FieldErrors } from '../errors.ts'
import { newId } from '../random.ts'
import { toList } from '../schema/coerce.ts'
import type { Collection } from '../schema/collection.ts'
import type { FileField } from '../schema/field.ts'
import { invalidFiles, validate } from '../schema/validate.ts'
import type { StoredRecord } from '../schema/values.ts'
import { detectContentType } from './content-type.ts'
import type { Files } from './files.ts'
import { reencodePicture, isPicture, pictureExtensions, PictureError } from './images.ts'
import { fileKey, storedName, withExtension } from './names.ts'
import { SemaphoreFullError } from '../semaphore.ts'
import { maxInMemory } from './spool.ts'

interface Upload {
  field: FileField
  /** What the client calls it. */
  original: string
  /** What the body calls it: its name until its content is known. */
  given: string
  name: string
  file: File
  checked?: Promise<Checked>
  stored?: { key: string; done: Promise<void> }
}

/** What the content of a file turned out to be: what it is stored as, or what is wrong with it. */
type Checked = { mime: string; content: Uint8Array | Blob } | { error: FieldError }

interface NewFile {
  name: string
  mime: string
  /** Bytes. */
  size: number
}

/**
 * The files of one request on their way into a record: named, then checked, then stored. Nothing of
 * a file's content is read before it is checked, which is after the rule has let the request pass.
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

  /** Leaves the files aside while a batch only finds out which of its requests the rules allow. */
  beginTrial(): void {
    this.#trial = 'running'
  }

  /** To be called when the rule has let the request pass. */
  markAuthorized(): void {
    if (this.#trial) this.#trial = 'passed'
  }

  get isAuthorized(): boolean {
    return this.#trial === 'passed'
  }

  /** Checks all files of a request that passed its trial, so that no transaction waits for it. */
  async endTrial(): Promise<void> {
    const { isAuthorized } = this
    this.#trial = undefined
    if (isAuthorized) for (const upload of this.#uploads) await check(upload)
  }

  /**
   * Renames the files that the values name, by what their content has turned out to be.
   *
   * @param values of a record or a body, by field; changed in place
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
   * @returns what is wrong with those files that the record names
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
   * Stores those files that the record names, before anything is written about them.
   *
   * @returns what to write
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
        name: upload.name,
        mime,
        size: content instanceof Blob ? content.size : content.length,
      })
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
    if (Object.keys(await this.errors(record)).length) return
    if (Object.keys(validate(collection, record, new Set(['id']))).length) return
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

  async #put({ stored: before }: Upload, key: string, content: Uint8Array | Blob): Promise<void> {
    // A transaction that is run again may make its record anew, with another id.
    if (before) await this.#files!.storage.delete(before.key)
    this.#keys.push(key)
    await this.#files!.storage.put(key, content)
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
    // A form whose file was not chosen sends one without a name.
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

/** Files that the server itself gives a record, checked and cleaned as a client's are. */
export interface StoredUploads {
  /** Whose room they take. */
  account: string
  uploads: Uploads
  /** Their names, by field. */
  names: Readonly<Record<string, string>>
}

/**
 * Checks and stores files for a record that is about to be written with them. If it never is, they
 * are swept up.
 *
 * @param record an id that the record has or will have
 * @param sent by field
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

/** Its size, then its content, once; the name gets the extension that the content asks for. */
function check(upload: Upload): Promise<Checked> {
  return (upload.checked ??= checkOne(upload))
}

async function checkOne(upload: Upload): Promise<Checked> {
  const { field, given, file, original } = upload
  const maxSize = field.maxSize ?? 5_242_880
  if (file.size > maxSize) return { error: tooLarge(original, maxSize) }
  const content = file.size > maxInMemory ? file : await bytesOf(file)
  const { mime, extension } = await detectContentType(content)
  // A picture's extension says what it is; other files keep theirs.
  upload.name = withExtension(given, pictureExtensions(mime), extension)
  const { mimeTypes = [] } = field
  if (mimeTypes.length && !mimeTypes.includes(mime))
    return { error: unexpected(upload.name, mimeTypes) }
  if (field.refusesPictures && mime.startsWith('image/')) return { error: pictureRefused }
  if (!isPicture(mime)) return { mime, content }
  try {
    // A good picture is replaced by its clean copy.
    const bytes = content instanceof Blob ? await bytesOf(content) : content
    return { mime, content: await reencodePicture(bytes, mime) }
  } catch (error) {
    if (error instanceof PictureError)
      return { error: { code: 'validation_invalid_picture', message: error.message } }
    if (error instanceof SemaphoreFullError)
      throw new ApiError(503, 'Too many pictures are being uploaded. Please try again.', {}, error)
    throw error
  }
}

const pictureRefused: FieldError = {
  code: 'validation_invalid_mime_type',
  message: 'This is a picture. Choose another kind of file.',
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
