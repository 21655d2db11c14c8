import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { FileStorage } from '#records/index.ts'
import { schema } from '#server/collections/schema.ts'
import type { UploadedFile } from './export.ts'

/**
 * Everything of a reader's, with pictures, as a ZIP file that is written while it is sent: the
 * document as `octavo.json`, each picture as `pictures/{collection}/{record}/{name}`.
 *
 * @param json the document in pieces
 */
export function exportZip(
  storage: Pick<FileStorage, 'read'>,
  json: AsyncIterable<string>,
  pictures: AsyncIterable<readonly UploadedFile[]>,
): Readable {
  const zip = new ZipFile()
  const out = zip.outputStream as Readable
  zip.on('error', (error: Error) => out.destroy(error))
  addAll(zip, out, { storage, json, pictures }).catch((error: Error) => out.destroy(error))
  return out
}

async function addAll(
  zip: ZipFile,
  out: Readable,
  parts: {
    storage: Pick<FileStorage, 'read'>
    json: AsyncIterable<string>
    pictures: AsyncIterable<readonly UploadedFile[]>
  },
): Promise<void> {
  const { storage, json, pictures } = parts
  await add(zip, out, Readable.from(json, { objectMode: false }), 'octavo.json')
  for await (const group of pictures)
    for (const { collection, record, name } of group) {
      const content = await storage.read(`${schema.get(collection).id}/${record}/${name}`)
      // It may have been deleted since its record was read.
      if (!content) continue
      const stream = Readable.from(content instanceof Uint8Array ? [content] : content)
      await add(zip, out, stream, `pictures/${collection}/${record}/${name}`)
    }
  zip.end()
}

/** Waits until the file has been read, so that only one is open at a time. */
async function add(zip: ZipFile, out: Readable, content: Readable, name: string): Promise<void> {
  const stop = () => void content.destroy()
  out.once('close', stop)
  if (out.destroyed) stop()
  try {
    // Pictures are already compressed.
    zip.addReadStream(content, name, { compress: name.endsWith('.json') })
    await finished(content)
  } finally {
    out.off('close', stop)
  }
}
