import { once } from 'node:events'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Octavo } from '#tests/octavo.ts'
import { ownRecord, signedIn, signUp } from '#tests/signed-in.ts'
import type { MailServer } from '#tests/smtp.ts'
import { engines, openInstallation } from './installation.ts'

const batches = 4
const batchSize = 50

/** How many other answers come before the process is killed: from at once to well into the work. */
const moments = [0, 2, 8]

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

// 10 s: the server is killed and starts again several times.
test.for(engines)(
  'R1: clears or deletes an account wholly or not at all when it is killed (%s)',
  { timeout: 300_000 },
  async (engine) => {
    const { post, start } = await openInstallation(engine)
    let octavo = await start()

    for (const moment of moments) {
      const clearing = await settle(octavo, post, `clearing-${moment}`)
      const leaving = await settle(octavo, post, `leaving-${moment}`)
      expect(await look(octavo, leaving)).toEqual(untouched)

      const ended = once(octavo.process, 'exit')
      // Cut off or answered: what is found afterwards is what counts.
      const work = [clear(octavo, clearing), leave(octavo, leaving)].map((deed) =>
        deed.catch(() => undefined),
      )
      for (let n = 0; n < moment; n++) await fetch(`${octavo.url}/api/health`)
      octavo.process.kill('SIGKILL')
      await Promise.all([ended, ...work])
      octavo = await start()

      expect([untouched, cleared]).toContainEqual(await look(octavo, clearing))
      expect([untouched, gone]).toContainEqual(await look(octavo, leaving))
      // What was cut off can be asked for again.
      await clear(octavo, clearing)
      expect(await look(octavo, clearing)).toEqual(cleared)
      if ((await look(octavo, leaving)).shelves) await leave(octavo, leaving)
      expect(await look(octavo, leaving)).toEqual(gone)
      const again = signedIn(octavo, leaving.token).collection('users').authRefresh()
      await expect(again).rejects.toMatchObject({ status: 401 })
    }
  },
)

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
