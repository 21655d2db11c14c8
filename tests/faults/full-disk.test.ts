import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { ZipFile } from 'yazl'
import { startOctavo, type Octavo } from '#tests/octavo.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'
import { openMailServer } from '#tests/smtp.ts'

/** A process that sees a disk of its own where the folder is; nobody's rights are needed for it. */
const onSmallDisk = (folder: string, megabytes = 48) => [
  'unshare',
  '-rm',
  'sh',
  '-c',
  `mount -t tmpfs -o size=${megabytes}m tmpfs '${folder}' && exec "$@"`,
  'sh',
]
const [command = '', ...words] = onSmallDisk(tmpdir())
const canMount = spawnSync(command, [...words, 'true']).status === 0

test.runIf(canMount)(
  'R4, R50: a full disk takes no writes and loses none; readers can still delete and sign out',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-full-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const post = await openMailServer()
    onTestFinished(() => post.close())
    const env = { DATA_DIR: folder, SMTP_URL: post.url, PLAN_DEFAULT: 'premium' }
    const octavo = await startOctavo(env, onSmallDisk(folder))
    onTestFinished(async () => void (await octavo.stop()))
    const token = await signUp(octavo, post)
    const client = signedIn(octavo, token)
    const shelf = await client
      .collection('bookshelves')
      .create({ name: 'The last place', visibility: 'public' })
    const books = client.collection('user_books')
    const book = { shelf: shelf.id, status: 'reading' }
    const kept = [await books.create({ ...book, title: 'While there was room' })]

    const [old, older] = [
      await books.create({ ...book, title: 'Not needed', image: await paint() }),
      await books.create({ ...book, title: 'Neither' }),
    ]
    kept.push(old, older)
    const leaver = await signUp(octavo, post, 'leaver')
    const reserve = () => existsSync(seen(octavo, join(folder, 'reserve')))
    await expect.poll(reserve).toBe(true)

    const empty = fillDisk(octavo, folder)
    const refused = { status: 507, response: { message: expect.stringMatching(/saved/) as string } }
    // What was set aside before may still take a few.
    const squeeze = async () => {
      for (let n = 0; n < 2000; n++)
        kept.push(
          await books.create({ ...book, title: `Volume ${n}`, description: 'x'.repeat(2000) }),
        )
    }
    await expect(squeeze()).rejects.toMatchObject(refused)
    await expect(books.create({ ...book, title: 'One too many' })).rejects.toMatchObject(refused)
    const picture = { ...book, title: 'And its picture', image: await paint() }
    await expect(books.create(picture)).rejects.toMatchObject(refused)

    const ids = async () => (await books.getFullList({ batch: 500 })).map(({ id }) => id).toSorted()
    const all = () => kept.map(({ id }) => id).toSorted()
    expect(await ids()).toEqual(all())
    expect((await fetch(octavo.url)).status).toBe(200)
    expect((await fetch(`${octavo.url}/api/health`)).status).toBe(200)
    const ready = async () => (await fetch(`${octavo.url}/api/ready`)).status
    await expect.poll(ready).toBe(503)
    expect(octavo.output()).toContain('is full: readers can only read and delete')

    // Deleting, in a batch too, emptying what can be undone, and signing out go on.
    await books.delete(old.id)
    const batch = client.createBatch()
    batch.collection('user_books').delete(older.id)
    await batch.send()
    kept.splice(kept.indexOf(old), 2)
    const removed = `${octavo.url}/api/v1/library/removed`
    const emptied = await fetch(removed, { method: 'DELETE', headers: { Authorization: token } })
    expect(emptied.status).toBeLessThan(300)
    await signOut(octavo, leaver)

    empty()
    await expect.poll(ready).toBe(200)
    kept.push(
      await books.create({ ...book, title: 'DiskSpace again' }),
      await books.create(picture),
    )
    expect(await ids()).toEqual(all())
    expect((await client.collection('bookshelves').getOne(shelf.id))['book_count']).toBe(
      kept.length,
    )
    for (const name of ['octavo.db', 'octavo.db-wal'])
      copyFileSync(seen(octavo, join(folder, name)), join(folder, name))
    const database = new DatabaseSync(join(folder, 'octavo.db'))
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    database.close()
  },
)

test.runIf(canMount)('R58: an import leaves room for what others write', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-import-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const post = await openMailServer()
  onTestFinished(() => post.close())
  const env = { DATA_DIR: folder, SMTP_URL: post.url, PLAN_DEFAULT: 'premium' }
  const octavo = await startOctavo(env, onSmallDisk(folder, 160))
  onTestFinished(async () => void (await octavo.stop()))
  const imports = signedIn(octavo, await signUp(octavo, post, 'hoarder')).collection('imports')
  const other = signedIn(octavo, await signUp(octavo, post))
  const shelf = await other
    .collection('bookshelves')
    .create({ name: 'The last place', visibility: 'private' })
  const over = new AbortController()
  const write = async () => {
    for (let n = 0; !over.signal.aborted; n++)
      await other
        .collection('user_books')
        .create({ shelf: shelf.id, status: 'reading', title: `Volume ${n}` })
  }
  const writing = write()
  const within = () => readdirSync(seen(octavo, join(folder, 'importing')))

  const large = new File([Buffer.alloc(90 * 1_048_576, 'Emma,Jane Austen\n')], 'large.csv')
  await expect(imports.create({ file: large })).rejects.toMatchObject({ status: 507 })
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from(await large.arrayBuffer()), 'large.csv')
  zip.end()
  const bomb = new File([await buffer(zip.outputStream as Readable)], 'large.zip')
  const { id } = await imports.create({ file: bomb })
  await expect
    .poll(() => imports.getOne(id))
    .toMatchObject({ state: 'failed', error: expect.stringMatching(/^There isn’t enough space/) })
  await expect.poll(within).toEqual([])
  over.abort()
  await writing
})

/** A path as the process sees it. */
const seen = (octavo: Octavo, path: string) => `/proc/${octavo.process.pid}/root${path}`

/** Takes all room there is. @returns what gives it back */
function fillDisk(octavo: Octavo, folder: string): () => void {
  const ballast = seen(octavo, join(folder, 'ballast'))
  writeFileSync(ballast, '')
  for (const size of [1_048_576, 4096, 1])
    expect(() => {
      for (;;) appendFileSync(ballast, Buffer.alloc(size))
    }).toThrow('ENOSPC')
  return () => rmSync(ballast)
}

async function signOut({ url }: Octavo, token: string): Promise<void> {
  const headers = { Authorization: token }
  const sessions = `${url}/api/collections/users/sessions`
  expect((await fetch(sessions, { method: 'DELETE', headers })).status).toBeLessThan(300)
  expect((await fetch(sessions, { headers })).status).not.toBe(200)
}

async function paint(): Promise<File> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const create = { width: 300, height: 300, channels: 3, background: '#888', noise } as const
  const bytes = await sharp({ create }).png().toBuffer()
  return new File([new Uint8Array(bytes)], 'cover.png')
}
