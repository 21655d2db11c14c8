import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { markBucketUsed, readSecret, requireKnownPictures, StartError } from './data-folder.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-folder-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

describe('the secret', () => {
  test('is made once, for its owner alone', () => {
    const secret = readSecret(folder, undefined)
    expect(secret.length).toBeGreaterThanOrEqual(32)
    expect(readSecret(folder, undefined)).toBe(secret)
    expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe(`${secret}\n`)
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['secret'])
  })

  test('is the configured one, and none is kept', () => {
    const configured = 'c'.repeat(32)
    expect(readSecret(folder, configured)).toBe(configured)
    expect(readdirSync(folder)).toEqual([])
  })

  test.each(['', '\n', 'half of o'])('that was cut short (%j) ends the start', (kept) => {
    writeFileSync(join(folder, 'secret'), kept)
    expect(() => readSecret(folder, undefined)).toThrow(StartError)
    expect(() => readSecret(folder, undefined)).toThrow(/secret is damaged/)
    expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe(kept)
  })

  test('that cannot be read ends the start', () => {
    const inTheWay = join(folder, 'file')
    writeFileSync(inTheWay, '')
    expect(() => readSecret(inTheWay, undefined)).toThrow(/secret .*cannot be read/)
  })
})

describe('a folder whose pictures are in a bucket', () => {
  const s3 = { bucket: 'pictures', endpoint: 'https://minio.example.org' }

  test('is refused without the S3 settings, until its note is deleted', () => {
    requireKnownPictures({ dataDir: folder, s3: undefined })
    expect(markBucketUsed(folder, s3)).toBe(true)
    requireKnownPictures({ dataDir: folder, s3 })
    const refused = () => requireKnownPictures({ dataDir: folder, s3: undefined })
    expect(refused).toThrow(StartError)
    expect(refused).toThrow(
      /are in a bucket \(pictures at https:\/\/minio\.example\.org, since \d{4}-\d\d-\d\d\): set S3_BUCKET .*\/uses-bucket$/,
    )
    rmSync(join(folder, 'uses-bucket'))
    expect(refused).not.toThrow()
  })

  test('is not one that still has pictures', () => {
    mkdirSync(join(folder, 'files/users'), { recursive: true })
    expect(markBucketUsed(folder, s3)).toBe(false)
    expect(readdirSync(folder)).toEqual(['files'])
  })
})
