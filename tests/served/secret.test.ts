import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailboxLink } from '#server/mail/mailbox.ts'
import { startOctavo, type Octavo } from '#tests/octavo.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import { ownRecord, signedIn, signIn, signUp } from '#tests/signed-in.ts'
import { openMailServer, type MailServer } from '#tests/smtp.ts'

const root = dirname(dirname(import.meta.dirname))
const folder = mkdtempSync(join(tmpdir(), 'octavo-secret-'))

let octavo: Octavo
let post: MailServer
beforeAll(async () => {
  post = await openMailServer()
  await copyStarterIndex(folder)
  octavo = await startOctavo({ DATA_DIR: folder, SMTP_URL: post.url })
})
afterAll(async () => {
  await octavo.stop()
  await post.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The documented commands between the stop and the start, run on this test's folder. */
function rotate(): void {
  const operating = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  const [, commands] = /systemctl stop octavo\n([^`]*)systemctl start octavo/.exec(operating) ?? []
  expect(commands).toBeTruthy()
  const here = commands!.replaceAll('/var/lib/octavo', folder)
  execFileSync('sh', ['-ec', here])
}

/** The path of the mailbox, which has its key. */
const mailbox = () =>
  mailboxLink({ smtpUrl: undefined }, readFileSync(join(folder, 'secret'), 'utf8'))

test('a new secret ends sessions, links and the mailbox key, and keeps the library', async () => {
  const before = await signUp(octavo, post, 'ann')
  const client = signedIn(octavo, before)
  const { id } = await ownRecord(client)
  const users = client.collection('users')
  const square = sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
  const picture = new File([new Uint8Array(await square.png().toBuffer())], 'teal.png')
  const { avatar } = await users.update(id, { avatar: picture })
  const settings = await client.collection('settings').getFirstListItem(`user = "${id}"`)
  await client.collection('settings').update(settings.id, { isPrivate: true })
  const shelves = client.collection('bookshelves')
  const shelf = await shelves.create({ name: 'Kept', visibility: 'private' })
  const pictureWith = async (token: string) => {
    const path = `/api/files/users/${id}/${String(avatar as unknown)}?token=${token}`
    return (await fetch(octavo.url + path)).status
  }
  const fileToken = await client.files.getToken()
  expect(await pictureWith(fileToken)).toBe(200)
  await users.requestPasswordReset('ann@example.org')
  const { text = '' } = await post.nextMail('ann@example.org')
  const link = /[\w-]+\.[\w-]+\.[\w-]+$/m.exec(text)?.[0] ?? ''
  expect(link).not.toBe('')
  const key = mailbox()

  await octavo.stop()
  rotate()
  octavo = await startOctavo({ DATA_DIR: folder, SMTP_URL: post.url })

  expect(mailbox()).not.toBe(key)
  const stale = signedIn(octavo, before)
  await expect(stale.collection('users').authRefresh()).rejects.toMatchObject({ status: 401 })
  const refused = stale.collection('bookshelves').getOne(shelf.id)
  await expect(refused).rejects.toMatchObject({ status: 404 })
  expect(await pictureWith(fileToken)).toBe(404)
  const reset = stale.collection('users').confirmPasswordReset(link, 'so new it is', 'so new it is')
  await expect(reset).rejects.toMatchObject({ status: 400 })

  const after = signedIn(octavo, await signIn(octavo, post, 'ann'))
  expect((await after.collection('bookshelves').getOne(shelf.id))['name']).toBe('Kept')
  expect(await pictureWith(await after.files.getToken())).toBe(200)
  const { subject } = await post.nextMail('ann@example.org')
  expect(subject).toMatch(/new sign-in/i)
})
