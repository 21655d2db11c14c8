import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import PocketBase from 'pocketbase'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { allBytes, openPostgres, s3Storage } from '#records/index.ts'
import { newMigratedUrl } from '#tests/databases.ts'
import { startOctavo } from '#tests/octavo.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import { runModule } from '#tests/run-module.ts'
import { openBucket } from '#tests/s3.ts'

const command = join(dirname(dirname(import.meta.dirname)), 'server/commands/pictures.ts')
const password = 'moving house with pictures'

type Settings = Record<string, string>

const move = (words: string[], settings: Settings) =>
  runModule(command, ['move', ...words], settings)

async function newPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-pictures-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await copyStarterIndex(folder)
  const bucket = await openBucket()
  onTestFinished(() => bucket.close())
  const { options } = bucket
  const storage = s3Storage(options)
  const s3 = {
    S3_BUCKET: options.bucket,
    S3_ENDPOINT: options.endpoint ?? '',
    S3_ACCESS_KEY_ID: options.accessKeyId,
    S3_SECRET_ACCESS_KEY: options.secretAccessKey,
  }
  const inBucket = async () => {
    const keys: string[] = []
    for await (const { key } of storage.list('')) keys.push(key)
    return keys.toSorted()
  }
  const inFolder = () =>
    readdirSync(join(folder, 'files'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(join(folder, 'files/').length))
      .toSorted()
  return { plain: { DATA_DIR: folder, SIGN_IN_CODE: 'off' }, s3, storage, inBucket, inFolder }
}

async function start(settings: Settings) {
  const octavo = await startOctavo(settings)
  let isOver = false
  const stop = async () => {
    if (!isOver) await octavo.stop()
    isOver = true
  }
  onTestFinished(stop)
  return { url: octavo.url, stop }
}

/** A reader with three covers, one of which has a thumb. @returns what reads them */
async function addCovers(url: string) {
  const client = new PocketBase(url)
  const users = client.collection('users')
  const email = 'reader@example.org'
  await users.create({ email, password, passwordConfirm: password })
  await users.authWithPassword(email, password)
  const shelf = await client
    .collection('bookshelves')
    .create({ name: 'Open', visibility: 'public' })
  const paths: string[] = []
  for (const background of ['red', 'green', 'blue']) {
    const create = { width: 400, height: 600, channels: 3, background } as const
    const image = new File([Uint8Array.from(await sharp({ create }).png().toBuffer())], 'a.png')
    const form = { shelf: shelf.id, title: background, status: 'reading', image }
    const book = await client.collection('user_books').create(form)
    paths.push(new URL(client.files.getURL(book, String(book['image']))).pathname)
  }
  expect((await fetch(`${url}${paths[0]}?thumb=100x0`)).status).toBe(200)
  return (at: string) =>
    Promise.all(
      paths.map(async (path) => {
        const answer = await fetch(at + path)
        return [answer.status, Buffer.from(await answer.arrayBuffer()).toString('base64')]
      }),
    )
}

test('pictures move into a bucket and back, however often it is interrupted', async () => {
  const { plain, s3, storage, inBucket, inFolder } = await newPlace()
  const both = { ...plain, ...s3 }
  const first = await start(plain)
  const covers = await addCovers(first.url)
  const before = await covers(first.url)
  const keys = inFolder().filter((key) => !key.includes('/thumbs_'))
  expect(keys).toHaveLength(3)

  const running = await move(['bucket'], both)
  expect(running).toMatchObject({ code: 1, said: '' })
  expect(running.failed).toMatch(/^The pictures were not moved: Another Octavo is already running/)
  await first.stop()
  const kept = inFolder()
  for (const [words, settings, reason] of [
    [['bucket'], plain, /: set S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY$/],
    [['elsewhere'], both, /: say where to: bucket or folder$/],
    [['bucket'], { ...both, S3_ENDPOINT: 'http://127.0.0.1:9' }, /ECONNREFUSED|connect/],
  ] as const)
    expect((await move([...words], settings)).failed).toMatch(reason)
  expect(inFolder()).toEqual(kept)

  // As a move left it that ended between two pictures, and within the second.
  const [whole = '', half = ''] = keys

  const original = Buffer.from(String(before[0]![1]), 'base64')
  await storage.put(half, original.subarray(0, 9))
  const moved = await move(['bucket'], both)
  expect(moved).toMatchObject({ code: 0, failed: '' })
  expect(moved.said).toContain('3 files were copied into the bucket pictures and compared; 0 were')
  expect(moved.said).toContain('Now start Octavo with the S3 settings.')
  expect(await inBucket()).toEqual(keys)
  expect(inFolder()).toEqual([])
  expect((await move(['bucket'], both)).said).toContain('0 files were copied')
  // Whoever forgets the settings from now on is told.
  await expect(startOctavo(plain)).rejects.toThrow('are in a bucket (pictures at ')

  const second = await start(both)
  expect(await covers(second.url)).toEqual(before)
  await second.stop()
  const back = await move(['folder', '--keep'], both)
  expect(back.said).toContain('The originals were left.')
  expect((await move(['folder'], both)).said).toContain('0 files were copied')
  expect(await inBucket()).toEqual([])
  const third = await start(plain)
  expect(await covers(third.url)).toEqual(before)
  await third.stop()

  const content = await storage.read(whole)
  expect(content && (await allBytes(content))).toBeNull()
  rmSync(join(plain.DATA_DIR, 'files', whole))
  const incomplete = await move(['bucket'], both)
  expect(incomplete).toMatchObject({ code: 1, failed: `Missing in both places: ${whole}` })
  expect(await inBucket()).toEqual(keys.slice(1))
})

test('pictures of a library in PostgreSQL stay while another process uses it', async () => {
  const { plain, s3 } = await newPlace()
  const url = await newMigratedUrl()
  await using other = await openPostgres(url)
  await other.query('SELECT 1')
  const { failed } = await move(['bucket'], { ...plain, ...s3, DATABASE_URL: url })
  expect(failed).toMatch(/^The pictures were not moved: the database at DATABASE_URL is in use/)
})
