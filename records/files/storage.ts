/** A part of a file, both ends included, in bytes. */
export interface ByteRange {
  start: number
  end: number
}

/** A file that a storage holds. */
export interface StoredFile {
  key: string
  /** Bytes. */
  size: number
  /** When it was written; milliseconds since 1970. */
  modified: number
}

/** What a storage reads; small files come in one piece. */
export type Content = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>

/**
 * Where files are kept. A key is `collectionId/recordId/name`, or for a thumb
 * `collectionId/recordId/thumbs_name/size_name`. What is stored under a key never changes.
 */
export interface FileStorage {
  /** Once it resolves, the file is whole and stays, whatever happens to the machine. */
  put(key: string, content: Uint8Array | Blob): Promise<void>
  /** @returns null if there is no such file */
  read(key: string, range?: ByteRange): Promise<Content | null>
  /** Removes the file, or everything below a key that ends in /; nothing there is fine, too. */
  delete(key: string): Promise<void>
  /** Everything below a key that ends in /, or all there is for ''. In no particular order. */
  list(prefix: string): AsyncIterable<StoredFile>
}

/** @returns all of a content's bytes */
export async function allBytes(content: Content): Promise<Uint8Array<ArrayBuffer>> {
  return content instanceof Uint8Array
    ? content
    : new Uint8Array(await new Response(content).arrayBuffer())
}
