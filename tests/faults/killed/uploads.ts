import type PocketBase from 'pocketbase'
import type { RecordModel } from 'pocketbase'
import sharp from 'sharp'
import { expect } from 'vitest'
import type { Octavo } from '#tests/octavo.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'
import type { MailServer } from '#tests/smtp.ts'
import { untilCut, type Work } from './work.ts'

const writers = 4

/** The width of the picture that each record was last acknowledged with, by the record's id. */
type Acknowledged = Map<string, number | 'deleted'>

/** A reader whose books get pictures, and lose them. */
export interface Uploads extends Work {
  /** Empties the trash: pictures of books that can still come back are kept with them. */
  emptyTrash(octavo: Octavo): Promise<void>
  /** @returns the names of the pictures that there should be */
  names(octavo: Octavo): Promise<string[]>
}

export async function openUploads(first: Octavo, post: MailServer): Promise<Uploads> {
  const token = await signUp(first, post, 'uploading')
  const shelf = await signedIn(first, token)
    .collection('bookshelves')
    .create({ name: 'Pictures', visibility: 'private' })
  const acknowledged: Acknowledged = new Map()
  return {
    begin: (octavo) => {
      let left = 5 + Math.floor(Math.random() * 30)
      return untilCut(octavo, writers, (isEnough, writer) =>
        upload(octavo, token, shelf.id, writer, acknowledged, () => {
          // Anywhere in what the others are doing.
          if (--left === 0) setTimeout(isEnough, Math.random() * 40)
        }),
      )
    },
    expectKept: (octavo) => expectWhole(octavo, token, shelf.id, acknowledged),
    async emptyTrash({ url }) {
      const headers = { Authorization: token }
      const emptied = await fetch(`${url}/api/v1/library/removed`, { method: 'DELETE', headers })
      expect(emptied.ok).toBe(true)
    },
    async names(octavo) {
      return (await listed(signedIn(octavo, token), shelf.id)).map((book) => String(book['image']))
    },
  }
}

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

async function upload(
  octavo: Octavo,
  token: string,
  shelf: string,
  writer: number,
  acknowledged: Acknowledged,
  onCreated: () => void,
): Promise<never> {
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
    onCreated()
    await books.update(book.id, { image: await image(1) })
    acknowledged.set(book.id, width + 1)
    if (n % 4 !== 3) continue
    await books.delete(book.id)
    acknowledged.set(book.id, 'deleted')
  }
}

/** @returns the books on a shelf */
const listed = (client: PocketBase, shelf: string) =>
  client.collection('user_books').getFullList<RecordModel>({
    batch: 500,
    filter: client.filter('shelf = {:shelf}', { shelf }),
  })

/** Asserts that no record is without its whole picture, and each has one it was acknowledged with. */
async function expectWhole(
  octavo: Octavo,
  token: string,
  shelf: string,
  acknowledged: Acknowledged,
): Promise<void> {
  const client = signedIn(octavo, token)
  const books = await listed(client, shelf)
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
  // Each writer's last request may have been stored before the kill: the next picture, or the deletion.
  const wrong = [...acknowledged].filter(([id, state]) => {
    const width = widths.get(id)
    if (state === 'deleted') return width !== undefined
    return width === undefined ? false : width < state || width > state + 1
  })
  const lost = [...acknowledged].filter(([id, state]) => state !== 'deleted' && !widths.has(id))
  expect(lost.length).toBeLessThanOrEqual(writers)
  for (const [id] of lost) acknowledged.set(id, 'deleted')
  expect(wrong).toEqual([])
}
