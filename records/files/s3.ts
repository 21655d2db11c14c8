import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { assertKey } from './names.ts'
import type { Content, FileStorage } from './storage.ts'

/** A bucket of Amazon S3 or a compatible service. */
export interface S3Options {
  bucket: string
  /** Defaults to Amazon's. */
  endpoint?: string | undefined
  region: string
  accessKeyId: string
  secretAccessKey: string
}

type Sdk = typeof import('@aws-sdk/client-s3')

/** Stores files in a bucket, which any number of processes can share. */
export function s3Storage(options: S3Options): FileStorage {
  // Loaded on first use: it takes longer than the rest of startup together.
  let loading: Promise<{ sdk: Sdk; client: S3Client }> | undefined
  const open = () => (loading ??= connect(options))
  const Bucket = options.bucket
  const where = options.endpoint ? ` at ${options.endpoint}` : ''
  /** @throws with the bucket's name: the service's own errors may not even name its address */
  async function named<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      throw new Error(`the bucket ${Bucket}${where}: ${reason(error)}`, { cause: error })
    }
  }

  async function* list(prefix: string) {
    const { sdk, client } = await open()
    let next: string | undefined
    do {
      const page = await named(
        client.send(
          new sdk.ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken: next }),
        ),
      )
      for (const { Key, Size = 0, LastModified } of page.Contents ?? [])
        if (Key) yield { key: Key, size: Size, modified: LastModified?.getTime() ?? Date.now() }
      next = page.NextContinuationToken
    } while (next)
  }

  return {
    async put(key, content) {
      assertKey(key)
      const { sdk, client } = await open()
      const sent =
        content instanceof Blob
          ? { Body: Readable.from(content.stream()), ContentLength: content.size }
          : { Body: content }
      await named(client.send(new sdk.PutObjectCommand({ Bucket, Key: key, ...sent })))
    },
    async read(key, range) {
      assertKey(key)
      const { sdk, client } = await open()
      const Range = range && `bytes=${range.start}-${range.end}`
      const found = await named(
        client
          .send(new sdk.GetObjectCommand({ Bucket, Key: key, Range }))
          .catch((error: unknown) => {
            if (error instanceof sdk.NoSuchKey) return null
            throw error
          }),
      )
      return (found?.Body?.transformToWebStream() ?? null) as Content | null
    },
    async delete(key) {
      assertKey(key)
      const { sdk, client } = await open()
      const remove = (Key: string) =>
        named(client.send(new sdk.DeleteObjectCommand({ Bucket, Key })))
      if (!key.endsWith('/')) await remove(key)
      else for await (const file of list(key)) await remove(file.key)
    },
    list,
  }
}

/** For a host with several addresses Node's error has no message, only those of its inner errors. */
function reason(error: unknown): string {
  const inner = error instanceof AggregateError ? (error.errors as unknown[])[0] : error
  return inner instanceof Error ? inner.message || inner.name : String(inner)
}

async function connect(options: S3Options): Promise<{ sdk: Sdk; client: S3Client }> {
  const sdk = await import('@aws-sdk/client-s3')
  const { endpoint, region, accessKeyId, secretAccessKey } = options
  const client = new sdk.S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Other services may support neither buckets as host names nor Amazon's newer checksums.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5000, requestTimeout: 30_000 },
  })
  return { sdk, client }
}
