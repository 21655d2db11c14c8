import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import PocketBase from 'pocketbase'
import { expect, onTestFinished, test } from 'vitest'
import { svgPicture } from '#tests/access/crawl/hidden.ts'
import { newMigratedUrl } from '#tests/databases.ts'
import { startOctavo } from '#tests/octavo.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import { runModule } from '#tests/run-module.ts'

const command = join(dirname(dirname(import.meta.dirname)), 'server/commands/compact.ts')
const password = 'leaving no page behind'

/** In everything that the reader who leaves has typed or sent, but the username. */
const canary = 'xqzcanary'

async function newFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-compact-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await copyStarterIndex(folder)
  return folder
}

/** @returns the files of a folder that have the word among their bytes */
function traces(folder: string, word = canary): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => contentOf(join(folder, name)).includes(word))
    .toSorted()
}

/** @returns nothing for a folder, or a file that the server has deleted meanwhile */
function contentOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EISDIR' || code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

/** A reader with something of every kind. */
async function openReader(url: string, username: string, word: string) {
  const client = new PocketBase(url)
  client.autoCancellation(false)
  const email = `${word}@example.org`
  const users = client.collection('users')
  const form = { email, password, passwordConfirm: password, username, name: word }
  const { id } = await users.create(form)
  await users.authWithPassword(email, password)
  await users.update(id, { avatar: svgPicture(word) })
  await users.requestVerification(email)
  const shelves = client.collection('bookshelves')
  const shelf = await shelves.create({ name: word, visibility: 'private' })
  const books = client.collection('user_books')
  // Enough that deleting them frees whole pages.
  for (let n = 0; n < 40; n++)
    await books.create({
      shelf: shelf.id,
      status: 'reading',
      page_count: 100,
      title: `${word} ${n}`,
      authors: [word],
      tags: [word],
      notes: word.repeat(50),
      review: word,
    })
  const [book] = await books.getFullList({ filter: `title = "${word} 1"` })
  await books.update(book!.id, { progress: 9, image: svgPicture(word) })
  await client.collection('quotes').create({ book_key: book!['book_key'], text: word })
  // In the trash.
  await books.delete(book!.id)
  const file = new File([`Title\n${word} imported\n`], `${word}.csv`)
  const imported = await client.collection('imports').create({ file })
  await expect
    .poll(async () => (await client.collection('imports').getOne(imported.id))['state'])
    .toBe('waiting')
  return { id, client, books }
}

/** @param size such as `900 kB` or `1.2 MB` */
function kilobytesOf(size = ''): number {
  const [number, unit] = size.split(' ')
  return Number(number) * (unit === 'MB' ? 1000 : 1)
}

test('nothing of a deleted reader is left in the data folder after compacting, but the username', async () => {
  const folder = await newFolder()
  const env = { DATA_DIR: folder, SIGN_IN_CODE: 'off' }
  const octavo = await startOctavo(env)
  onTestFinished(async () => void (await octavo.stop()))
  const leaving = await openReader(octavo.url, 'xqz.leaver', canary)
  const staying = await openReader(octavo.url, 'staying', 'staying')
  await expect.poll(() => traces(join(folder, 'mail'))).not.toEqual([])
  const everywhere = traces(folder)
  expect(everywhere.some((name) => name.startsWith('octavo.db'))).toBe(true)
  expect(everywhere.some((name) => name.startsWith('files/'))).toBe(true)
  const rows = await staying.books.getFullList()

  await leaving.client.collection('users').delete(leaving.id)
  // All that is left is what the database doesn't overwrite.
  await expect
    .poll(() => traces(folder).filter((name) => !name.startsWith('octavo.db')))
    .toEqual([])
  // The rows of an import are deleted a few at a time, after their reader.
  using database = new DatabaseSync(join(folder, 'octavo.db'), { readOnly: true })
  const rowsLeft = database.prepare(
    'SELECT COUNT(*) AS n FROM import_rows WHERE import NOT IN (SELECT id FROM imports)',
  )
  await expect.poll(() => rowsLeft.get()).toEqual({ n: 0 })
  database.close()
  const { code, said, failed } = await runModule(command, [], env)
  expect([code, failed]).toEqual([0, ''])
  const [, from, to] = /^Compacted octavo\.db from (.+) to (.+)\.$/.exec(said) ?? []
  expect(kilobytesOf(to)).toBeLessThan(kilobytesOf(from))
  expect(traces(folder)).toEqual([])
  // Nobody else can take it for 30 days.
  expect(traces(folder, 'xqz.leaver')).toEqual(['octavo.db'])

  // The running server goes on with the file, and whoever stays has lost nothing.
  expect(await staying.books.getFullList()).toEqual(rows)
  await staying.books.create({ ...rows[0], id: '', title: 'After', isbn: '' })
  expect(traces(folder, 'staying').some((name) => name.startsWith('mail/'))).toBe(true)
})

test('a library in PostgreSQL is not compacted, nor one that is not there', async () => {
  const folder = await newFolder()
  const other = await runModule(command, [], {
    DATA_DIR: folder,
    DATABASE_URL: await newMigratedUrl(),
  })
  expect(other).toMatchObject({ code: 1, said: '' })
  expect(other.failed).toMatch(/^The database was not compacted: the library is in PostgreSQL/)
  const missing = await runModule(command, [], { DATA_DIR: folder })
  expect(missing.failed).toMatch(/^The database was not compacted: there is no database at /)
  expect(readdirSync(folder)).not.toContain('octavo.db')
})
