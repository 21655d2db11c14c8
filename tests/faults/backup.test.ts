import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type PocketBase from 'pocketbase'
import sharp from 'sharp'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { childEnv } from '#tests/child-env.ts'
import { newMigratedUrl, newPostgresUrl } from '#tests/databases.ts'
import {
  engines,
  keepAddingBooks,
  newFolder,
  runCommand,
  tryCommand,
} from '#tests/faults/backups.ts'
import { startOctavo } from '#tests/octavo.ts'
import { isReachable } from '#tests/postgres.ts'
import { copyLibrary, copyStarterIndex } from '#tests/prepared.ts'
import { openMailServer } from '#tests/smtp.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'

const root = dirname(dirname(import.meta.dirname))
const command = join(root, 'server/commands/backup.ts')

/** Root may read everything, so it becomes an account that may not. */
const asNobody =
  process.getuid?.() === 0
    ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
    : undefined
const canBecomeNobody =
  asNobody !== undefined &&
  spawnSync(asNobody[0]!, [...asNobody.slice(1), 'true']).status === 0 &&
  isReachable(root)

/** @returns the paths of the backups in a folder, the newest last */
function entries(folder: string): string[] {
  const names = readdirSync(folder).toSorted()
  for (const name of names) expect(name).toMatch(/^octavo-\d{8}T\d{6}Z$/)
  return names.map((name) => join(folder, name))
}

const onlyEntry = (folder: string) => {
  const [entry, ...more] = entries(folder)
  expect(more).toEqual([])
  return entry!
}

/** Covers every field of a record. */
const hashOf = (record: object) => createHash('sha256').update(JSON.stringify(record)).digest('hex')

describe.for(engines)('backups made while readers write ($engine)', ({ engine, possible }) => {
  // 6 s: two servers, two backups and a restore, each a process.
  test.runIf(possible)(
    'R12, R13: the newest is restored with one command, with every write acknowledged before it',
    { timeout: 120_000 },
    async () => {
      const post = await openMailServer()
      onTestFinished(() => post.close())
      const isSqlite = engine === 'SQLite'
      const settings = { SMTP_URL: post.url, PLAN_DEFAULT: 'premium' }
      const DATA_DIR = newFolder()
      await copyStarterIndex(DATA_DIR)
      if (isSqlite) await copyLibrary(join(DATA_DIR, 'octavo.db'))
      const env = { ...settings, DATA_DIR, DATABASE_URL: isSqlite ? '' : await newMigratedUrl() }
      const first = await startOctavo(env)
      onTestFinished(async () => void (await first.stop()))
      const token = await signUp(first, post)
      const client = signedIn(first, token)
      const shelf = await client
        .collection('bookshelves')
        .create({ name: 'Kept safe', visibility: 'public' })
      const paint = sharp({ create: { width: 60, height: 90, channels: 3, background: '#963' } })
      const image = new File([new Uint8Array(await paint.png().toBuffer())], 'cover.png')
      const pictured = await client
        .collection('user_books')
        .create({ title: 'With a picture', shelf: shelf.id, status: 'planning', image })
      const address = `/api/files/user_books/${pictured.id}/${String(pictured['image'])}`
      await addReadings(client, String(pictured['book_key']))
      const life = await readingLife(client)
      const bytes = Buffer.from(await (await fetch(first.url + address)).arrayBuffer())
      expect(bytes.length).toBeGreaterThan(100)

      const writing = keepAddingBooks(client, shelf.id)
      const backups = newFolder()
      let promised = 0
      for (const nth of [1, 2]) {
        await expect.poll(() => writing.acknowledged.length).toBeGreaterThan(promised + 3)
        promised = writing.acknowledged.length
        // It is named after the second, and the one before may have the same.
        await expect
          .poll(() => runCommand('backup', backups, env))
          .toEqual({ code: 0, said: expect.stringMatching(/and 1 picture\n$/) as string })
        expect(entries(backups)).toHaveLength(nth)
      }
      // The machine is gone, in the middle of its writes.
      first.process.kill('SIGKILL')
      await expect(writing.done).rejects.toMatchObject({ status: 0 })

      const backup = entries(backups).at(-1)!
      const files = readdirSync(backup, { recursive: true, encoding: 'utf8' })
      expect(files.some((name) => name.endsWith(String(pictured['image'])))).toBe(true)
      const open = ['', ...files].filter((name) => statSync(join(backup, name)).mode & 0o077)
      expect(open).toEqual([])
      const elsewhere = {
        ...settings,
        DATA_DIR: newFolder(),
        DATABASE_URL: isSqlite ? '' : await newPostgresUrl(),
      }
      expect(await runCommand('restore', backup, elsewhere)).toMatchObject({ code: 0 })
      await copyStarterIndex(elsewhere.DATA_DIR)
      const second = await startOctavo(elsewhere)
      onTestFinished(async () => void (await second.stop()))
      const restored = signedIn(second, token)
      const books = await restored.collection('user_books').getFullList({ batch: 500 })
      const found = new Map(books.map((book) => [book.id, hashOf(book)]))
      const before = writing.acknowledged.slice(0, promised)
      expect(before.map(({ id }) => found.get(id))).toEqual(before.map(hashOf))
      expect([...found.keys()]).toContain(pictured.id)
      expect(await readingLife(restored)).toEqual(life)
      const { book_count: count } = await restored.collection('bookshelves').getOne(shelf.id)
      expect(count).toBe(books.length)
      const picture = await fetch(second.url + address)
      expect(Buffer.from(await picture.arrayBuffer()).equals(bytes)).toBe(true)
      await second.stop()

      // What is there already is never overwritten.
      const again = await runCommand('restore', backup, elsewhere)
      expect(again).toEqual({ code: 1, said: expect.stringMatching(/is not empty/) as string })
    },
  )
})

/** Days as precise as they are known, two times that overlap, and what stands beside them. */
async function addReadings(client: PocketBase, book_key: string): Promise<void> {
  for (const form of [
    { started: '2023-05-23', finished: '2023-06-07', outcome: 'finished' },
    { started: '2009', finished: '', outcome: 'finished' },
    { started: '2010-02', finished: '2010-05', outcome: 'finished' },
    { started: '2010-03', finished: '2010-04-30', outcome: 'dropped', rating: 4 },
  ])
    await client.collection('readings').create({ book_key, ...form })
  await client.collection('quotes').create({ book_key, text: 'One sentence.', page: 12 })
  const [reading] = await client.collection('readings').getFullList()
  const pages = { day: '2023-05-24', unit: 'pages', from: 1, to: 40, reading: reading!.id }
  await client.collection('progress_log').create({ book_key, ...pages })
}

/** Everything of it, with ids and times. */
function readingLife(client: PocketBase) {
  const [sort, filter] = ['id', 'book_key ~ "with a picture"']
  return Promise.all(
    ['readings', 'quotes', 'progress_log'].map((name) =>
      client.collection(name).getFullList({ sort, filter }),
    ),
  )
}

describe('what cannot be restored is refused before anything is written', () => {
  let made: { folder: string; data: string }

  beforeAll(async () => {
    const data = mkdtempSync(join(tmpdir(), 'octavo-backup-'))
    await copyLibrary(join(data, 'octavo.db'))
    made = { folder: mkdtempSync(join(tmpdir(), 'octavo-backup-')), data }
    const { code, said } = await tryCommand('backup', made.folder, { DATA_DIR: data })
    if (code !== 0) throw new Error(said)
    return () => {
      rmSync(made.folder, { recursive: true, force: true })
      rmSync(data, { recursive: true, force: true })
    }
  })

  /** A copy of the good backup, spoiled. */
  function spoiled(spoil: (backup: string) => void): string {
    const folder = newFolder()
    const copy = spawnSync('cp', ['-r', onlyEntry(made.folder), join(folder, 'backup')])
    expect(copy.status).toBe(0)
    spoil(join(folder, 'backup'))
    return join(folder, 'backup')
  }

  /** Tries to restore where nothing is. @returns with it, whether something is there now */
  async function attempt(backup: string, env: Record<string, string> = {}) {
    const DATA_DIR = join(newFolder(), 'data')
    const { code, said } = await tryCommand('restore', backup, { DATA_DIR, ...env })
    return { code, lines: said.trim().split('\n'), touched: existsSync(DATA_DIR) }
  }
  const refusal = (words: RegExp) => ({
    code: 1,
    lines: [expect.stringMatching(words) as string],
    touched: false,
  })

  const changeManifest = (change: object) => (backup: string) => {
    const file = join(backup, 'manifest.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as object
    writeFileSync(file, JSON.stringify({ ...manifest, ...change }))
  }

  test.for<[string, (backup: string) => void, RegExp]>([
    ['a changed byte', (b) => flip(join(b, 'octavo.db')), /octavo\.db has changed/],
    ['a newer schema', changeManifest({ schema: 10_000 }), /newer Octavo/],
    ['another database', changeManifest({ database: 'postgres' }), /set DATABASE_URL/],
  ])('%s', async ([, spoil, words]) => {
    expect(await attempt(spoiled(spoil))).toEqual(refusal(words))
  })

  test('a backup of SQLite where PostgreSQL is set', async () => {
    const env = { DATABASE_URL: 'postgres://localhost/x' }
    expect(await attempt(onlyEntry(made.folder), env)).toEqual(refusal(/unset DATABASE_URL/))
  })

  test.runIf(canBecomeNobody)('a backup that this account may not read', () => {
    const line = [...asNobody!, process.execPath, command, 'restore', onlyEntry(made.folder)]
    const env = { ...childEnv, DATA_DIR: join(newFolder(), 'data') }
    const { status, stderr } = spawnSync(line[0]!, line.slice(1), { encoding: 'utf8', env })
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^Nothing was restored: this account may not read the backup \(EACCES: .*\): run the command as the account that made it, or as root\n$/,
      ),
    ])
  })

  /** Becomes a program that sees an empty disk of 64 KB at a folder. */
  const onSmallDisk = (folder: string) => [
    'unshare',
    '-rm',
    'sh',
    '-c',
    `mount -t tmpfs -o size=64k tmpfs '${folder}' && exec "$@"`,
    'sh',
  ]
  const [program = '', ...words] = onSmallDisk(tmpdir())
  const canMount = spawnSync(program, [...words, 'true']).status === 0

  test.runIf(canMount)('a disk without room, and how much is needed', () => {
    const small = newFolder()
    const onIt = (deed: string, place: string, DATA_DIR: string) => {
      const line = [...onSmallDisk(small), process.execPath, command, deed, place]
      const env = { ...childEnv, DATA_DIR }
      return spawnSync(line[0]!, line.slice(1), { encoding: 'utf8', env }).stderr
    }
    const room = `${small} has room for 0 MB\n`
    expect(onIt('backup', small, made.data)).toMatch(
      /^Nothing was backed up: the backup may take \d+ MB, and /,
    )
    expect(onIt('backup', small, made.data)).toContain(room)
    expect(onIt('restore', onlyEntry(made.folder), small)).toMatch(
      /^Nothing was restored: the library may take \d+ MB, and /,
    )
    expect(onIt('restore', onlyEntry(made.folder), small)).toContain(room)
  })

  test.runIf(existsSync('/proc/self'))('a place where no folder can be', async () => {
    const { code, said } = await tryCommand('backup', '/proc/nope', { DATA_DIR: made.data })
    expect([code, said]).toEqual([1, expect.stringMatching(/^Nothing was backed up: .*\/proc/)])
  })

  test('a folder in use', async () => {
    const { code, said } = await tryCommand('restore', onlyEntry(made.folder), {
      DATA_DIR: made.data,
    })
    expect([code, said]).toEqual([1, expect.stringMatching(/is not empty/)])
  })

  test('nothing to back up', async () => {
    const env = { DATA_DIR: join(newFolder(), 'nothing') }
    const into = newFolder()
    const { code, said } = await tryCommand('backup', into, env)
    expect([code, said]).toEqual([1, expect.stringMatching(/nothing to back up/)])
    expect(readdirSync(into)).toEqual([])
  })

  test('an interrupted restore is gone on with, and Octavo does not start before', async () => {
    const DATA_DIR = newFolder()
    writeFileSync(join(DATA_DIR, '.restoring'), '')
    await expect(startOctavo({ DATA_DIR })).rejects.toThrow(/was interrupted; run it again/)
    expect(await runCommand('restore', onlyEntry(made.folder), { DATA_DIR })).toMatchObject({
      code: 0,
    })
    await copyStarterIndex(DATA_DIR)
    const octavo = await startOctavo({ DATA_DIR })
    expect(await octavo.stop()).toBe(0)
  })

  test('R15: does not start on a damaged database, and says how to restore', async () => {
    const DATA_DIR = newFolder()
    await tryCommand('restore', onlyEntry(made.folder), { DATA_DIR })
    flip(join(DATA_DIR, 'octavo.db'))
    await expect(startOctavo({ DATA_DIR })).rejects.toThrow(/npm run restore -- <backup>/)
  })
})

test('a lost picture is named, and stops neither a backup nor its restore', async () => {
  const DATA_DIR = newFolder()
  await copyLibrary(join(DATA_DIR, 'octavo.db'))
  using database = new DatabaseSync(join(DATA_DIR, 'octavo.db'))
  database.exec(`INSERT INTO _files VALUES ('users', 'ann', 'face.png', 'ann', '', 9, 9),
    ('users', 'bob', 'face.png', 'bob', '', 3, 9)`)
  mkdirSync(join(DATA_DIR, 'files/users/bob'), { recursive: true })
  writeFileSync(join(DATA_DIR, 'files/users/bob/face.png'), 'bob')
  const into = newFolder()
  expect(await tryCommand('backup', into, { DATA_DIR })).toEqual({
    code: 3,
    said: expect.stringMatching(
      /^Backed up to .*and 1 pictureWithout 1 picture, which was missing or damaged: users\/ann\/face\.png$/,
    ) as string,
  })
  const elsewhere = { DATA_DIR: join(newFolder(), 'data') }
  expect(await tryCommand('restore', onlyEntry(into), elsewhere)).toEqual({
    code: 0,
    said: expect.stringMatching(
      /^Restored into .*and 1 pictureThe backup was made without 1 picture, which was missing or damaged: users\/ann\/face\.png$/,
    ) as string,
  })
  expect(readFileSync(join(elsewhere.DATA_DIR, 'files/users/bob/face.png'), 'utf8')).toBe('bob')
})

/** Damages a page of a database. */
function flip(file: string): void {
  const bytes = readFileSync(file)
  bytes.fill(0xa5, 2 * 4096, 3 * 4096)
  writeFileSync(file, bytes)
}
