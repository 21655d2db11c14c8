import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PocketBase, { type ClientResponseError } from 'pocketbase'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { newPostgresUrl } from '#tests/databases.ts'
import { startOctavo, type Octavo } from '#tests/octavo.ts'
import { openPostOffice, type PostOffice } from '#tests/smtp.ts'

const password = 'burning the midnight oil'
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

test.for(['SQLite', 'PostgreSQL'])(
  'clearing or deleting an account, cut off anywhere, has happened or not (%s)',
  { timeout: 300_000 },
  async (engine) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'octavo-left-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const post = await openPostOffice()
    onTestFinished(() => post.close())
    const env = {
      DATA_DIR: dataDir,
      DATABASE_URL: engine === 'SQLite' ? '' : await newPostgresUrl(),
      SMTP_URL: post.url,
      PLAN_DEFAULT: 'premium',
    }
    let octavo = await startOctavo(env)
    onTestFinished(async () => void (await octavo.stop()))

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
      octavo = await startOctavo(env)

      expect([untouched, cleared]).toContainEqual(await look(octavo, clearing))
      expect([untouched, gone]).toContainEqual(await look(octavo, leaving))
      // What was cut off can be asked for again.
      await clear(octavo, clearing)
      expect(await look(octavo, clearing)).toEqual(cleared)
      if ((await look(octavo, leaving)).shelves) await leave(octavo, leaving)
      expect(await look(octavo, leaving)).toEqual(gone)
      const again = signedIn(octavo, leaving).collection('users').authRefresh()
      await expect(again).rejects.toMatchObject({ status: 401 })
    }
  },
)

const clear = (octavo: Octavo, reader: Reader) =>
  signedIn(octavo, reader).send('/api/v1/account/reset', { method: 'POST' })

const leave = (octavo: Octavo, reader: Reader) =>
  signedIn(octavo, reader).collection('users').delete(reader.id)

function signedIn({ url }: Octavo, { token }: { token: string }): PocketBase {
  const client = new PocketBase(url)
  client.autoCancellation(false)
  client.authStore.save(token)
  return client
}

/** An account with a picture, a shelf, many books, and a cover for one of them. */
async function settle(octavo: Octavo, post: PostOffice, name: string): Promise<Reader> {
  const { id, token } = await signUp(octavo, post, `${name}@example.org`)
  const client = signedIn(octavo, { token })
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

async function signUp(octavo: Octavo, post: PostOffice, email: string) {
  const users = new PocketBase(octavo.url).collection('users')
  const { id } = await users.create({ email, password, passwordConfirm: password })
  const halfway: unknown = await users.authWithPassword(email, password).catch((error) => error)
  const { mfaId } = (halfway as ClientResponseError).response as { mfaId: string }
  const { otpId } = await users.requestOTP(email, { mfaId })
  const code = /\b\d{6}\b/.exec((await post.nextMail(email)).text ?? '')?.[0] ?? ''
  return { id, token: (await users.authWithOTP(otpId, code, { mfaId })).token }
}

async function look(octavo: Octavo, reader: Reader): Promise<Left> {
  const client = signedIn(octavo, reader)
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
