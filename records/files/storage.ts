/** A part of a file in bytes; both ends are inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/** A file in a storage. */
export interface StoredFile {
  key: string
  /** Bytes. */
  size: number
  /** When it was written; milliseconds since 1970. */
  modified: number
}

/** A file's content; small files come in one piece. */
export type Content = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>

/**
 * Stores files by key: `collectionId/recordId/name`, or for a thumb
 * `collectionId/recordId/thumbs_name/size_name`. The content of a key never changes.
 */
export interface FileStorage {
  /** Once it resolves, the whole file is durable. */
  put(key: string, content: Uint8Array | Blob): Promise<void>
  /** @returns null if there is no such file */
  read(key: string, range?: ByteRange): Promise<Content | null>
  /** Deletes the file, or everything below a key that ends in /. A missing file is no error. */
  delete(key: string): Promise<void>
  /** Lists everything below a key that ends in /, or all files for '', in no particular order. */
  list(prefix: string): AsyncIterable<StoredFile>
}

/** @returns all of a content's bytes */
export async function allBytes(content: Content): Promise<Uint8Array<ArrayBuffer>> {
  return content instanceof Uint8Array
    ? content
    : new Uint8Array(await new Response(content).arrayBuffer())
}
