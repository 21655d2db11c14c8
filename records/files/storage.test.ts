import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { openBucket } from '#tests/s3.ts'
import { diskStorage } from './disk.ts'
import { s3Storage } from './s3.ts'
import { allBytes, type FileStorage } from './storage.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-disk-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function newBucket() {
  const bucket = await openBucket()
  onTestFinished(() => bucket.close())
  return bucket
}

const bytes = (text: string) => new TextEncoder().encode(text)

async function read(storage: FileStorage, ...asked: Parameters<FileStorage['read']>) {
  const content = await storage.read(...asked)
  return content && new TextDecoder().decode(await allBytes(content))
}

async function keys(storage: FileStorage, prefix = ''): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of storage.list(prefix)) found.push(key)
  return found.toSorted()
}

describe.each([
  ['a folder', async () => diskStorage(join(newFolder(), 'not', 'yet'))],
  ['a bucket', async () => s3Storage((await newBucket()).options)],
])('%s', (_, open) => {
  it('returns stored files, whole or in part', async () => {
    const storage = await open()
    expect(await read(storage, 'c/r/a.txt')).toBeNull()
    expect(await keys(storage)).toEqual([])
    await storage.put('c/r/a.txt', bytes('0123456789'))
    await storage.put('c/r/empty.txt', bytes(''))
    await storage.put('c/r/a+b=c#d.*', bytes('odd'))
    expect(await read(storage, 'c/r/a.txt')).toBe('0123456789')
    expect(await read(storage, 'c/r/a.txt', { start: 3, end: 5 })).toBe('345')
    expect(await read(storage, 'c/r/a.txt', { start: 8, end: 9 })).toBe('89')
    expect(await read(storage, 'c/r/empty.txt')).toBe('')
    expect(await read(storage, 'c/r/a+b=c#d.*')).toBe('odd')
    expect(await read(storage, 'c/r')).toBeNull()
    expect(await read(storage, 'c/r/a.txt/b')).toBeNull()
  })

  it('returns large files, whole or in part', async () => {
    const storage = await open()
    const big = new Uint8Array(5_242_880).map((_zero, at) => at % 251)
    await storage.put('c/r/big.bin', big)
    const whole = await allBytes((await storage.read('c/r/big.bin'))!)
    expect(Buffer.compare(whole, big)).toBe(0)
    await storage.put('c/r/blob.bin', new Blob([big]))
    const fromBlob = await allBytes((await storage.read('c/r/blob.bin'))!)
    expect(Buffer.compare(fromBlob, big)).toBe(0)
    const range = { start: 1_000_000, end: 2_999_999 }
    const part = await allBytes((await storage.read('c/r/big.bin', range))!)
    expect(Buffer.compare(part, big.subarray(1_000_000, 3_000_000))).toBe(0)
  })

  it('lists the files below a folder with their sizes and dates', async () => {
    const storage = await open()
    const before = Date.now() - 2000
    for (const key of ['c/r/a', 'c/r/thumbs_a/x_a', 'c/s/b', 'd/r/a']) {
      await storage.put(key, bytes('12345'))
    }
    expect(await keys(storage)).toEqual(['c/r/a', 'c/r/thumbs_a/x_a', 'c/s/b', 'd/r/a'])
    expect(await keys(storage, 'c/r/')).toEqual(['c/r/a', 'c/r/thumbs_a/x_a'])
    for await (const { size, modified } of storage.list('')) {
      expect(size).toBe(5)
      expect(modified).toBeGreaterThan(before)
    }
  })

  it('deletes a file, or a folder with its content, and ignores missing ones', async () => {
    const storage = await open()
    for (const key of ['c/r/a', 'c/r/b', 'c/r/thumbs_a/x_a', 'c/r/thumbs_a/y_a'])
      await storage.put(key, bytes('x'))
    await storage.delete('c/r/a')
    await storage.delete('c/r/a')
    await storage.delete('c/r/thumbs_a/')
    await storage.delete('c/r/thumbs_a/')
    expect(await keys(storage)).toEqual(['c/r/b'])
    await storage.delete('c/r/b')
    await storage.put('c/r/b', bytes('y'))
    expect(await read(storage, 'c/r/b')).toBe('y')
  })

  it.each(['../x', 'c/../../x', '/etc/passwd', 'c/r/a\0', ''])(
    'refuses the key %j',
    async (key) => {
      const storage = await open()
      await expect(storage.put(key, bytes('x'))).rejects.toThrow('not a storage key')
      await expect(storage.delete(key)).rejects.toThrow('not a storage key')
      await expect((async () => storage.read(key))()).rejects.toThrow('not a storage key')
    },
  )
})

test('a folder only contains complete files, and no empty folders', async () => {
  const root = newFolder()
  const storage = diskStorage(root)
  // A folder is in the way: the file is written but can't be renamed.
  mkdirSync(join(root, 'c/r/taken/inside'), { recursive: true })
  await expect(storage.put('c/r/taken', bytes('x'))).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
  expect(readdirSync(join(root, 'c/r'))).toEqual(['taken'])
  rmSync(join(root, 'c'), { recursive: true })
  await storage.put('c/r/a', bytes('x'))
  await storage.delete('c/r/a')
  expect(readdirSync(root)).toEqual([])
})

test('concurrent writes and deletes don’t remove each other’s folder', async () => {
  const storage = diskStorage(newFolder())
  await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      await storage.put(`c/r/f${i}`, bytes('x'))
      if (i % 2) await storage.delete(`c/r/f${i}`)
    }),
  )
  expect(await keys(storage)).toHaveLength(20)
})

test('an unwritable folder throws', async () => {
  const root = newFolder()
  writeFileSync(join(root, 'file'), '')
  const storage = diskStorage(join(root, 'file'))
  await expect(storage.put('c/r/a', bytes('x'))).rejects.toThrow(/ENOTDIR|EEXIST/)
})

test('a bucket that refuses throws', async () => {
  const { options } = await newBucket()
  const storage = s3Storage({ ...options, accessKeyId: 'nobody' })
  await expect(storage.put('c/r/a', bytes('x'))).rejects.toThrow(/access key/i)
  await expect(storage.read('c/r/a')).rejects.toThrow(/access key/i)
  const gone = s3Storage({ ...options, bucket: 'nothing' })
  await expect(gone.put('c/r/a', bytes('x'))).rejects.toThrow(/bucket/i)
  await expect(gone.read('c/r/a')).rejects.toThrow(/bucket/i)
})

test('a bucket that is away is named, with its address', async () => {
  const bucket = await openBucket()
  const { options } = bucket
  const storage = s3Storage(options)
  await bucket.close()
  const away = `the bucket pictures at ${options.endpoint}: connect ECONNREFUSED`
  const key = 'users/ann/face.png'
  await expect(storage.put(key, bytes('face'))).rejects.toThrow(away)
  await expect(storage.read(key)).rejects.toThrow(away)
  await expect(storage.delete(key)).rejects.toThrow(away)
  await expect(keys(storage)).rejects.toThrow(away)
})
