import { once } from 'node:events'
import { readdirSync, utimesSync } from 'node:fs'
import { basename, join } from 'node:path'
import type PocketBase from 'pocketbase'
import type { ClientResponseError, RecordModel } from 'pocketbase'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import type { Octavo } from '#tests/octavo.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'
import { engines, openInstallation } from './installation.ts'

const writers = 4
const kills = 3

/** The width of the picture that each record was last acknowledged with, by the record's id. */
type Acknowledged = Map<string, number | 'deleted'>

// 9 s: the server is killed and starts again.
test.for(engines)(
  'R3: keeps every picture it acknowledged when it is killed during uploads (%s)',
  { timeout: 300_000 },
  async (engine) => {
    const { dataDir, post, start } = await openInstallation(engine)
    let octavo = await start()
    const token = await signUp(octavo, post)
    const shelf = await signedIn(octavo, token)
      .collection('bookshelves')
      .create({ name: 'Pictures', visibility: 'private' })
    const acknowledged: Acknowledged = new Map()

    for (let round = 0; round < kills; round++) {
      await uploadUntilKilled(octavo, token, shelf.id, acknowledged)
      octavo = await start()
      expect(await missing(octavo, token, acknowledged)).toEqual([])
    }
    await expectSwept(octavo, token, dataDir, async (whileStopped) => {
      await octavo.stop()
      whileStopped()
      octavo = await start()
      return octavo
    })
  },
)

const pictures = new Map<number, Promise<Buffer>>()

/** A picture that is known by its width, and takes more than one write. */
function picture(width: number): Promise<Buffer> {
  const made = pictures.get(width) ?? newPicture(width)
  pictures.set(width, made)
  return made
}

function newPicture(width: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const create = { width, height: 200, channels: 3, background: '#888', noise } as const
  return sharp({ create }).png().toBuffer()
}

async function uploadUntilKilled(
  octavo: Octavo,
  token: string,
  shelf: string,
  acknowledged: Acknowledged,
): Promise<void> {
  const ended = once(octavo.process, 'exit')
  let left = 5 + Math.floor(Math.random() * 30)
  async function write(writer: number): Promise<void> {
    const books = signedIn(octavo, token).collection('user_books')
    for (let n = 0; ; n++) {
      const width = 100 + writer * 10 + (n % 4) * 2
      const image = async (more: number) =>
        new File([new Uint8Array(await picture(width + more))], 'cover.png')
      const book = await books.create({
        title: `Volume ${writer} ${n} ${crypto.randomUUID()}`,
        shelf,
        status: 'reading',
        image: await image(0),
      })
      acknowledged.set(book.id, width)
      // Anywhere in what the others are doing.
      if (--left === 0) setTimeout(() => octavo.process.kill('SIGKILL'), Math.random() * 40)
      await books.update(book.id, { image: await image(1) })
      acknowledged.set(book.id, width + 1)
      if (n % 4 !== 3) continue
      await books.delete(book.id)
      acknowledged.set(book.id, 'deleted')
    }
  }
  // Every writer ends with an error: status 0, the connection that was cut.
  const failures = await Promise.all(
    Array.from({ length: writers }, (_, writer) =>
      write(writer).catch((error: ClientResponseError) => error),
    ),
  )
  expect(failures, octavo.output()).toEqual(
    failures.map(() => expect.objectContaining({ status: 0 })),
  )
  await ended
}

const listed = (client: PocketBase) =>
  client.collection('user_books').getFullList<RecordModel>({ batch: 500 })

/** That no record is without its whole picture. @returns what was acknowledged and is not so */
async function missing(
  octavo: Octavo,
  token: string,
  acknowledged: Acknowledged,
): Promise<unknown[]> {
  const client = signedIn(octavo, token)
  const books = await listed(client)
  const widths = new Map(
    await Promise.all(
      books.map(async (book): Promise<[string, number]> => {
        const address = client.files.getURL(book, String(book['image']))
        const answer = await fetch(address, { headers: { Authorization: token } })
        expect([book.id, answer.status]).toEqual([book.id, 200])
        const bytes = Buffer.from(await answer.arrayBuffer())
        const { info } = await sharp(bytes, { failOn: 'warning' })
          .raw()
          .toBuffer({ resolveWithObject: true })
        return [book.id, info.width]
      }),
    ),
  )
  // What was under way at the kill may have happened or not: the next picture, or the deletion.
  const wrong = [...acknowledged].filter(([id, state]) => {
    const width = widths.get(id)
    if (state === 'deleted') return width !== undefined
    return width === undefined ? false : width < state || width > state + 1
  })
  const lost = [...acknowledged].filter(([id, state]) => state !== 'deleted' && !widths.has(id))
  expect(lost.length).toBeLessThanOrEqual(writers)
  for (const [id] of lost) acknowledged.set(id, 'deleted')
  return wrong
}

/** What the kills left over is gone once it is old, and nothing else is. */
async function expectSwept(
  octavo: Octavo,
  token: string,
  dataDir: string,
  restart: (whileStopped: () => void) => Promise<Octavo>,
): Promise<void> {
  // Pictures of books that can still come back are kept with them.
  const removed = `${octavo.url}/api/v1/library/removed`
  const emptied = await fetch(removed, { method: 'DELETE', headers: { Authorization: token } })
  expect(emptied.ok).toBe(true)
  const names = (await listed(signedIn(octavo, token))).map((book) => String(book['image']))
  const stored = () =>
    readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  // Stopped, or a picture that is being taken away would be gone between being listed and touched.
  const again = await restart(() => {
    for (const path of stored()) utimesSync(path, 0, 0)
  })
  await vi.waitFor(
    () =>
      expect(
        stored()
          .map((path) => basename(path))
          .toSorted(),
      ).toEqual(names.toSorted()),
    { timeout: 20_000, interval: 20 },
  )
  expect(await missing(again, token, new Map())).toEqual([])
}
