import sharp from 'sharp'
import { expect } from 'vitest'
import type { Octavo } from '#tests/octavo.ts'
import { ownRecord, signedIn, signUp } from '#tests/signed-in.ts'
import type { MailServer } from '#tests/smtp.ts'

const batches = 2
const batchSize = 50

interface Reader {
  name: string
  id: string
  token: string
  cover: string
  avatar: string
}

/** What is left of a reader, as the reader finds it. */
interface Left {
  books: number
  activities: number
  shelves: number
  cover: number
  avatar: number
}

const untouched: Left = {
  books: batches * batchSize + 1,
  activities: batches * batchSize + 1,
  shelves: 1,
  cover: 200,
  avatar: 200,
}
const cleared: Left = { books: 0, activities: 0, shelves: 1, cover: 404, avatar: 200 }
const gone: Left = { books: 0, activities: 0, shelves: 0, cover: 404, avatar: 404 }

/** Readers who clear and who delete their account when the server is killed. */
export async function openAccounts(octavo: Octavo, post: MailServer, round: number) {
  const clearing = await settle(octavo, post, `clearing-${round}`)
  const leaving = await settle(octavo, post, `leaving-${round}`)
  expect(await look(octavo, leaving)).toEqual(untouched)
  return {
    /** The name of the one picture that is there afterwards. */
    picture: clearing.avatar.split('/').at(-1)!,
    /** Begins. @returns once both are cut off or answered: what is found afterwards is what counts */
    begin: () =>
      Promise.allSettled([clear(octavo, clearing), leave(octavo, leaving)]).then(() => undefined),
    /** Asserts that each was done wholly or not at all, and can be asked for again. */
    async expectWhole(next: Octavo): Promise<void> {
      expect([untouched, cleared]).toContainEqual(await look(next, clearing))
      expect([untouched, gone]).toContainEqual(await look(next, leaving))
      await clear(next, clearing)
      expect(await look(next, clearing)).toEqual(cleared)
      if ((await look(next, leaving)).shelves) await leave(next, leaving)
      expect(await look(next, leaving)).toEqual(gone)
      const again = signedIn(next, leaving.token).collection('users').authRefresh()
      await expect(again).rejects.toMatchObject({ status: 401 })
    },
  }
}

const clear = (octavo: Octavo, reader: Reader) =>
  signedIn(octavo, reader.token).send('/api/v1/account/reset', { method: 'POST' })

const leave = (octavo: Octavo, reader: Reader) =>
  signedIn(octavo, reader.token).collection('users').delete(reader.id)

/** An account with a picture, a shelf, many books, and a cover for one of them. */
async function settle(octavo: Octavo, post: MailServer, name: string): Promise<Reader> {
  const token = await signUp(octavo, post, name)
  const client = signedIn(octavo, token)
  const { id } = await ownRecord(client)
  const picture = await paint()
  const user = await client.collection('users').update(id, { avatar: picture })
  const shelf = await client
    .collection('bookshelves')
    .create({ name: 'Night shift', visibility: 'public' })
  const book = { shelf: shelf.id, status: 'reading' }
  for (let n = 0; n < batches; n++) {
    const batch = client.createBatch()
    for (let m = 0; m < batchSize; m++)
      batch.collection('user_books').create({ ...book, title: `Volume ${n} ${m}` })
    await batch.send()
  }
  const covered = await client
    .collection('user_books')
    .create({ ...book, title: 'The last one', image: picture })
  const cover = client.files.getURL(covered, String(covered['image']))
  const avatar = client.files.getURL(user, String(user['avatar']))
  return { name, id, token, cover: new URL(cover).pathname, avatar: new URL(avatar).pathname }
}

async function paint(): Promise<File> {
  const drawn = sharp({ create: { width: 8, height: 8, channels: 3, background: '#936' } })
  return new File([new Uint8Array(await drawn.png().toBuffer())], 'picture.png')
}

async function look(octavo: Octavo, reader: Reader): Promise<Left> {
  const client = signedIn(octavo, reader.token)
  const filter = client.filter('user = {:id}', { id: reader.id })
  const count = async (collection: string) =>
    (await client.collection(collection).getList(1, 1, { filter })).totalItems
  const status = async (path: string) => (await fetch(octavo.url + path)).status
  return {
    books: await count('user_books'),
    activities: await count('activities'),
    shelves: await count('bookshelves'),
    cover: await status(reader.cover),
    avatar: await status(reader.avatar),
  }
}
