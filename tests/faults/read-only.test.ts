import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { startOctavo } from '#tests/octavo.ts'
import { isReachable } from '#tests/postgres.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'
import { openMailServer } from '#tests/smtp.ts'

/** Root may write everywhere: it becomes an account that may not. */
const isRoot = process.getuid?.() === 0
const nobody = 65_534
const asNobody = isRoot
  ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']
  : []
const [command, ...words] = [...asNobody, 'true']
const canTry =
  spawnSync(command ?? '', words).status === 0 && (!isRoot || isReachable(import.meta.dirname))

test.runIf(canTry)(
  'R5: refuses pictures while their folder is read-only, and takes them once it can be written',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-read-only-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    await copyStarterIndex(folder)
    const made = readdirSync(folder).map((name) => join(folder, name))
    if (isRoot) for (const path of [folder, ...made]) chownSync(path, nobody, nobody)
    const post = await openMailServer()
    onTestFinished(() => post.close())
    const octavo = await startOctavo({ DATA_DIR: folder, SMTP_URL: post.url }, asNobody)
    onTestFinished(async () => void (await octavo.stop()))
    const client = signedIn(octavo, await signUp(octavo, post))
    const shelf = await client
      .collection('bookshelves')
      .create({ name: 'Under glass', visibility: 'private' })
    const books = client.collection('user_books')
    const book = { shelf: shelf.id, status: 'reading' }
    const create = { width: 60, height: 90, channels: 3, background: '#888' } as const
    const bytes = new Uint8Array(await sharp({ create }).png().toBuffer())
    const image = () => new File([bytes], 'cover.png')
    const first = await books.create({ ...book, title: 'Before', image: image() })

    const pictures = join(folder, 'files')
    chmodSync(pictures, 0o555)
    chmodSync(join(pictures, first.collectionId), 0o555)
    const refused = { status: 507, response: { message: expect.stringMatching(/saved/) as string } }
    await expect(
      books.create({ ...book, title: 'Meanwhile', image: image() }),
    ).rejects.toMatchObject(refused)
    await books.create({ ...book, title: 'Without a picture' })
    expect((await books.getFullList({ sort: 'title' })).map(({ title }) => String(title))).toEqual([
      'Before',
      'Without a picture',
    ])

    chmodSync(pictures, 0o755)
    chmodSync(join(pictures, first.collectionId), 0o755)
    const again = await books.create({ ...book, title: 'Meanwhile', image: image() })
    expect(again['image']).toBeTruthy()
  },
)
