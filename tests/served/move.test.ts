import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { RecordModel } from 'pocketbase'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgres, openSqlite, type Database } from '#records/index.ts'
import { childEnv } from '#tests/child-env.ts'
import { newMigratedUrl, newPostgresUrl } from '#tests/databases.ts'
import { startOctavo } from '#tests/octavo.ts'
import { copyLibrary, copyStarterIndex } from '#tests/prepared.ts'
import { runModule } from '#tests/run-module.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'
import { openMailServer } from '#tests/smtp.ts'

const server = join(dirname(dirname(import.meta.dirname)), 'server')
const backup = join(server, 'commands/backup.ts')

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-move-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs the command as npm does. */
async function run(
  command: string,
  words: readonly string[],
  env: Record<string, string>,
): Promise<{ code: unknown; said: string }> {
  const child = spawn(process.execPath, [join(server, command), ...words], {
    env: { ...childEnv, ...env },
  })
  const ended = once(child, 'close')
  const [said, failed] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  return { code, said: said + failed }
}

const move = (env: Record<string, string>, to = 'postgres') =>
  run('commands/backup.ts', [`move-to-${to}`], env)

/** The same within this process. */
async function tryToMove(env: Record<string, string>, to = 'postgres') {
  const { code, said, failed } = await runModule(backup, [`move-to-${to}`], env)
  return { code, said: `${said}${failed}\n` }
}

const refused = (words: RegExp) => ({ code: 1, said: expect.stringMatching(words) as string })

/** Every row of every table in its text, by table; but for those of one database alone. */
async function contents(open: () => Promise<Database>, tables: string): Promise<unknown> {
  const database = await open()
  try {
    const all: Record<string, string[]> = {}
    for (const [table] of await database.query(tables)) {
      const rows = await database.query(`SELECT * FROM "${String(table)}"`)
      const plain = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value)
      all[String(table)] = rows.map((row) => JSON.stringify(row.map(plain))).toSorted()
    }
    return all
  } finally {
    await database.close()
  }
}

const inSqlite = (file: string) =>
  contents(
    () => Promise.resolve(openSqlite(file)),
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> '_migrations' ORDER BY name`,
  )
const inPostgres = (url: string) =>
  contents(
    () => openPostgres(url),
    `SELECT tablename FROM pg_tables WHERE schemaname = 'public'
      AND tablename NOT IN ('_migrations', '_audiences', '_news') ORDER BY tablename`,
  )

// 14 s: every command and every server is a process.
test('R14: moves a library from SQLite to PostgreSQL and back', { timeout: 120_000 }, async () => {
  const post = await openMailServer()
  onTestFinished(() => post.close())
  const DATA_DIR = newFolder()
  await copyStarterIndex(DATA_DIR)
  const env = { DATA_DIR, SMTP_URL: post.url, PLAN_DEFAULT: 'premium' }
  const first = await startOctavo(env)
  onTestFinished(async () => void (await first.stop()))
  const token = await signUp(first, post)
  const before = signedIn(first, token)
  const shelf = await before
    .collection('bookshelves')
    .create({ name: 'Grown “up” \\ 本', visibility: 'public' })
  const paint = sharp({ create: { width: 60, height: 90, channels: 3, background: '#963' } })
  const image = new File([new Uint8Array(await paint.png().toBuffer())], 'cover.png')
  const book = await before.collection('user_books').create({
    title: "L'Été — \t𝒜 \\u0000",
    authors: ['Ann "A" Author', 'b\\c'],
    shelf: shelf.id,
    status: 'reading',
    page_count: 300,
    image,
  })
  await before.collection('user_books').update(book.id, { progress: 12, rating: 4.5 })
  const gone = await before
    .collection('user_books')
    .create({ title: 'Taken away', shelf: shelf.id, status: 'planning' })
  await before.collection('user_books').delete(gone.id)
  const books = () => before.collection('user_books').getFullList<RecordModel>()
  const kept = await books()

  const DATABASE_URL = await newPostgresUrl()
  const running = await move({ DATA_DIR, DATABASE_URL })
  expect(running).toEqual(refused(/^Nothing was moved: Another Octavo is already running/))
  await first.stop()

  const file = join(DATA_DIR, 'octavo.db')
  const bytes = readFileSync(file)
  const moved = await move({ DATA_DIR, DATABASE_URL })
  expect(moved).toMatchObject({ code: 0 })
  expect(moved.said).toMatch(/^user_books: 1 row$/m)
  expect(readFileSync(file).equals(bytes)).toBe(true)
  expect(await inPostgres(DATABASE_URL)).toEqual(await inSqlite(file))

  const lost =
    /The library of \S+ is in PostgreSQL \(.*\): set DATABASE_URL, or delete .*uses-postgres\s/
  const again = await move({ DATA_DIR, DATABASE_URL })
  expect(again).toEqual(refused(/the library of \S+ is already in PostgreSQL \(.*\)\n$/))
  await expect(startOctavo(env)).rejects.toThrow(lost)
  expect(await run('commands/backup.ts', ['backup', newFolder()], env)).toEqual(refused(lost))
  expect(await run('commands/moderate.ts', ['list'], env)).toEqual(refused(lost))
  const second = await startOctavo({ ...env, DATABASE_URL })
  onTestFinished(async () => void (await second.stop()))
  const after = signedIn(second, token)
  expect(await after.collection('user_books').getFullList<RecordModel>()).toEqual(kept)
  const cover = after.files.getURL(book, String(book['image']))
  expect((await fetch(cover, { headers: { Authorization: token } })).status).toBe(200)
  const body = { collection: 'user_books', ids: [gone.id] }
  await after.send('/api/v1/library/restore', { method: 'POST', body })
  expect(await after.collection('user_books').getOne(gone.id)).toMatchObject({
    title: 'Taken away',
  })
  await after.collection('user_books').update(book.id, { progress: 13 })
  await after.collection('user_books').delete(gone.id)
  const grown = await after.collection('user_books').getFullList<RecordModel>()

  const connected = await move({ DATA_DIR, DATABASE_URL }, 'sqlite')
  expect(connected).toEqual(refused(/^Nothing was moved: Another Octavo is already running/))
  const elsewhere = await move({ DATA_DIR: newFolder(), DATABASE_URL }, 'sqlite')
  expect(elsewhere).toEqual(refused(/^Nothing was moved: the database at DATABASE_URL is in use/))
  await second.stop()
  const inTheWay = await move({ DATA_DIR, DATABASE_URL }, 'sqlite')
  expect(inTheWay).toEqual(refused(/octavo\.db already exists: move it away\n$/))
  expect(readFileSync(file).equals(bytes)).toBe(true)
  renameSync(file, `${file}.before`)
  const stored = await inPostgres(DATABASE_URL)
  const back = await move({ DATA_DIR, DATABASE_URL }, 'sqlite')
  expect(back).toMatchObject({ code: 0 })
  expect(back.said).toMatch(/^user_books: 1 row$/m)
  expect(readdirSync(DATA_DIR).filter((name) => name.includes('moving'))).toEqual([])
  expect(await inSqlite(file)).toEqual(stored)
  expect(await inPostgres(DATABASE_URL)).toEqual(stored)

  const third = await startOctavo(env)
  onTestFinished(async () => void (await third.stop()))
  const home = signedIn(third, token)
  expect(await home.collection('user_books').getFullList<RecordModel>()).toEqual(grown)
  await home.send('/api/v1/library/restore', { method: 'POST', body })
  expect((await home.collection('user_books').getList()).totalItems).toBe(2)
})

test('a lost DATABASE_URL, or a lost octavo.db, is not answered with an empty library', async () => {
  const begun = newFolder()
  await copyStarterIndex(begun)
  const octavo = await startOctavo({ DATA_DIR: begun, DATABASE_URL: await newMigratedUrl() })
  await octavo.stop()
  await expect(startOctavo({ DATA_DIR: begun })).rejects.toThrow(/is in PostgreSQL/)
  rmSync(join(begun, 'uses-postgres'))
  await (await startOctavo({ DATA_DIR: begun })).stop()

  mkdirSync(join(begun, 'files/users'), { recursive: true })
  truncateSync(join(begun, 'octavo.db'))
  const backUp = () => run('commands/backup.ts', ['backup', newFolder()], { DATA_DIR: begun })
  const empty =
    /octavo\.db is empty, but the folder holds pictures: .*DATABASE_URL.*restore a backup/
  await expect(startOctavo({ DATA_DIR: begun })).rejects.toThrow(empty)
  expect(await backUp()).toEqual(refused(empty))
  rmSync(join(begun, 'octavo.db'))
  await expect(startOctavo({ DATA_DIR: begun })).rejects.toThrow(/octavo\.db is missing, but/)
  expect(await backUp()).toEqual(refused(/octavo\.db is missing, but/))
})

test('what cannot be moved is said in one line, and nothing is', async () => {
  const DATA_DIR = newFolder()
  const DATABASE_URL = await newPostgresUrl()
  expect(await tryToMove({ DATA_DIR })).toEqual(
    refused(/^Nothing was moved: set DATABASE_URL .*\n$/),
  )
  expect(await tryToMove({ DATA_DIR, DATABASE_URL })).toEqual(refused(/there is nothing to move/))

  await copyLibrary(join(DATA_DIR, 'octavo.db'))
  const database = openSqlite(join(DATA_DIR, 'octavo.db'))
  const change = (statement: string) => database.transaction((tx) => tx.query(statement))
  await change('CREATE TABLE unknown (id TEXT)')
  expect(await tryToMove({ DATA_DIR, DATABASE_URL })).toEqual(
    refused(/"unknown" does not exist\n$/),
  )
  await change('DROP TABLE unknown')
  await change('DELETE FROM _migrations WHERE number > 5')
  expect(await tryToMove({ DATA_DIR, DATABASE_URL })).toEqual(
    refused(/the SQLite database has schema 5, /),
  )
  await database.close()
  expect(await inPostgres(DATABASE_URL)).toEqual({})

  const empty = newFolder()
  const back = (env: Record<string, string>) => tryToMove({ DATA_DIR: empty, ...env }, 'sqlite')
  expect(await back({})).toEqual(refused(/^Nothing was moved: set DATABASE_URL .*\n$/))
  expect(await back({ DATABASE_URL })).toEqual(refused(/there is nothing to move/))
  const stranger = await newMigratedUrl()
  const stored = await openPostgres(stranger)
  const alter = (statement: string) => stored.transaction((tx) => tx.query(statement))
  await alter('CREATE TABLE zebra (id TEXT)')
  await stored.close()
  expect(await back({ DATABASE_URL: stranger })).toEqual(refused(/no such table: zebra\n$/))
  expect(readdirSync(empty).filter((name) => name.startsWith('octavo.db'))).toEqual([])
})
