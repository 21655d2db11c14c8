import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { diskStorage, openPostgres, openSqlite, s3Storage, type Database } from '#records/index.ts'
import { newPostgresUrl } from '#tests/databases.ts'
import { openBucket } from '#tests/s3.ts'
import { markBucketUsed } from '../storage/data-folder.ts'
import { migrate, schemaOf } from '../migrations/migrate.ts'
import { accounts } from '../migrations/0002-accounts.ts'
import { files } from '../migrations/0004-files.ts'
import { first } from '../migrations/0001-first.ts'
import { realtime } from '../migrations/0003-realtime.ts'
import { backUp } from './back-up.ts'
import { restore } from './restore.ts'

const pictures = ['users/ann/face_1.png', 'user_books/moby/cover_1.jpg', 'user_books/moby/back.jpg']
const firstPicture = `files/${pictures[0]}`

const textOf = (key: string) => `the bytes of ${key}`

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-restore-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface Place {
  dataDir: string
  databaseUrl: string | undefined
  s3: undefined
}

const openAt = ({ dataDir, databaseUrl }: Place) =>
  databaseUrl ? openPostgres(databaseUrl) : Promise.resolve(openSqlite(join(dataDir, 'octavo.db')))

/** Three pictures, the rows that name them, and a secret. */
async function fill(place: Place, prepare: (database: Database) => Promise<void>): Promise<void> {
  writeFileSync(join(place.dataDir, 'secret'), 'a secret of more than 32 characters\n')
  const database = await openAt(place)
  await prepare(database)
  const storage = diskStorage(join(place.dataDir, 'files'))
  for (const key of pictures) {
    await storage.put(key, Buffer.from(textOf(key)))
    const [collection, record, name] = key.split('/')
    await database.transaction((tx) =>
      tx.query(
        `INSERT INTO _files VALUES ('${collection}', '${record}', '${name}', '', '', ${textOf(key).length}, 9)`,
      ),
    )
  }
  await database.close()
}

/** @returns the part of a manifest that counts these pictures */
const counts = (keys: string[]) => ({
  pictures: { count: keys.length, bytes: keys.map(textOf).join('').length },
})

/** @returns the sum of a file as `sha256sum` says it */
const sumOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Changes the lines of a backup's list of sums. */
const relist = (change: (lines: string[]) => string[]) => (backup: string) => {
  const list = join(backup, 'SHA256SUMS')
  const lines = readFileSync(list, 'utf8').split('\n').filter(Boolean)
  writeFileSync(
    list,
    change(lines)
      .map((line) => `${line}\n`)
      .join(''),
  )
}

const unlist = (path: string) => relist((lines) => lines.filter((line) => !line.endsWith(path)))

/** Lists a file with the sum it has now, in place of the line it has. */
const listAnew = (path: string) => (backup: string) => {
  unlist(`  ${path}`)(backup)
  relist((lines) => [...lines, `${sumOf(join(backup, path))}  ${path}`])(backup)
}

/** Changes the manifest, and its sum along with it. */
const remanifest = (change: object) => (backup: string) => {
  const file = join(backup, 'manifest.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(file, JSON.stringify({ ...manifest, ...change }))
  listAnew('manifest.json')(backup)
}

const link = (path: string) => (backup: string) => {
  const elsewhere = join(newFolder(), 'elsewhere')
  renameSync(join(backup, path), elsewhere)
  symlinkSync(elsewhere, join(backup, path))
}

const each =
  (...changes: ((backup: string) => void)[]) =>
  (backup: string) =>
    changes.forEach((change) => change(backup))

describe.for(['sqlite', 'postgres'] as const)('a backup of %s', (engine) => {
  const databaseFile = engine === 'sqlite' ? 'octavo.db' : 'octavo.dump'
  const after: (() => Promise<void> | void)[] = []
  let good: string
  let emptyUrl: string | undefined
  /** The database at it. */
  let target: Database | undefined

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-restore-'))
    after.push(() => rmSync(folder, { recursive: true, force: true }))
    const newUrl = () => newPostgresUrl((finish) => void after.push(finish))
    const databaseUrl = engine === 'postgres' ? await newUrl() : undefined
    emptyUrl = engine === 'postgres' ? await newUrl() : undefined
    if (emptyUrl) {
      target = await openPostgres(emptyUrl)
      const opened = target
      after.push(() => opened.close())
    }
    const place = { dataDir: join(folder, 'data'), databaseUrl, s3: undefined }
    mkdirSync(place.dataDir)
    await fill(place, migrate)
    good = (await backUp(place, folder)).folder
  })
  afterAll(async () => {
    for (const finish of after.toReversed()) await finish()
  })

  /** @returns a place to which the good backup can be restored */
  const emptyPlace = (): Place => ({
    dataDir: join(newFolder(), 'data'),
    databaseUrl: emptyUrl,
    s3: undefined,
  })

  const damages: [string, (backup: string) => void, RegExp][] = [
    [
      'whose sums file was cut between two lines',
      relist((lines) => lines.slice(0, 2)),
      /the backup is incomplete: SHA256SUMS does not list manifest\.json$/,
    ],
    [
      'whose sums file was cut within a line',
      (backup) => {
        const list = join(backup, 'SHA256SUMS')
        truncateSync(list, readFileSync(list).length - 1)
      },
      /the backup is incomplete: SHA256SUMS ends in the middle of a line$/,
    ],
    [
      'whose sums file lacks pictures',
      relist((lines) => lines.filter((line) => !line.includes('/moby/'))),
      /holds files\/user_books\/moby\/\S+, which SHA256SUMS does not list: move it away$/,
    ],
    [
      'that lacks pictures and their lines',
      each(
        relist((lines) => lines.filter((line) => !line.includes('/moby/'))),
        (backup) => rmSync(join(backup, 'files/user_books'), { recursive: true }),
      ),
      /the backup is incomplete: manifest\.json counts 3 pictures, SHA256SUMS lists 1$/,
    ],
    [
      'that lacks a picture, its line and its count',
      each(
        unlist(firstPicture),
        (backup) => rmSync(join(backup, firstPicture)),
        remanifest(counts(pictures.slice(1))),
      ),
      /the backup is incomplete: its database names the picture users\/ann\/face_1\.png/,
    ],
    [
      'that holds a picture nobody names',
      each(
        (backup) => cpSync(join(backup, firstPicture), join(backup, `${firstPicture}.png`)),
        listAnew(`${firstPicture}.png`),
        remanifest(counts([...pictures, pictures[0]!])),
      ),
      /its database does not name the picture users\/ann\/face_1\.png\.png$/,
    ],
    ['without the line of its database', unlist(databaseFile), /does not list octavo\.(db|dump)$/],
    [
      'whose database changed, without its line',
      each((backup) => flip(join(backup, databaseFile)), unlist(databaseFile)),
      /does not list octavo\.(db|dump)$/,
    ],
    ['without the line of its secret', unlist('secret'), /does not list secret$/],
    ['without the line of its manifest', unlist('manifest.json'), /not list manifest\.json$/],
    ['with an empty sums file', relist(() => []), /does not list manifest\.json$/],
    ['without a sums file', (b) => rmSync(join(b, 'SHA256SUMS')), /is not an Octavo backup/],
    ['without a manifest', (b) => rmSync(join(b, 'manifest.json')), /is not an Octavo backup/],
    ...[databaseFile, firstPicture, 'secret'].flatMap<(typeof damages)[number]>((path) => [
      [`whose ${path} was cut`, (b) => truncateSync(join(b, path), 9), changed(path)],
      [`whose ${path} is empty`, (b) => truncateSync(join(b, path)), changed(path)],
      [`whose ${path} was modified`, (b) => flip(join(b, path)), changed(path)],
      [`whose ${path} is missing`, (b) => rmSync(join(b, path)), missing(path)],
      [`whose ${path} is a link`, link(path), /octavo.*|face.*|secret is not a regular file/],
      [
        `whose ${path} is listed twice`,
        (b) => appendFileSync(join(b, 'SHA256SUMS'), `${sumOf(join(b, path))}  ${path}\n`),
        new RegExp(`SHA256SUMS lists ${path} twice$`),
      ],
    ]),
    ['whose sums file is a link', link('SHA256SUMS'), /SHA256SUMS is not a regular file/],
    ['whose folder of pictures is a link', link('files'), /files is not a regular file/],
    [
      'whose manifest was modified',
      (b) => appendFileSync(join(b, 'manifest.json'), ' '),
      changed('manifest.json'),
    ],
    [
      'whose manifest counts other bytes',
      remanifest({ pictures: { count: 3, bytes: 1 } }),
      /manifest\.json counts 1 bytes of pictures, the backup holds \d+$/,
    ],
    [
      'whose manifest counts other pictures',
      remanifest({ pictures: { count: 2, bytes: 1 } }),
      /manifest\.json counts 2 pictures, SHA256SUMS lists 3$/,
    ],
    [
      'whose manifest says another schema',
      remanifest({ schema: 1 }),
      /manifest\.json says schema 1, its database has schema \d+$/,
    ],
    [
      'whose manifest says there is no secret',
      remanifest({ secret: false }),
      /SHA256SUMS lists secret, which is not part of this backup$/,
    ],
    [
      'with a file nobody lists',
      (b) => writeFileSync(join(b, 'files/notes.txt'), ''),
      /holds files\/notes\.txt, which SHA256SUMS does not list: move it away$/,
    ],
    [
      'with a listed file of no backup',
      each((b) => writeFileSync(join(b, 'notes.txt'), ''), listAnew('notes.txt')),
      /SHA256SUMS lists notes\.txt, which is not part of this backup$/,
    ],
    ...['../passwd', 'files/../../passwd', '/etc/passwd', 'files//a', 'files\\a'].map<
      (typeof damages)[number]
    >((path) => [
      `with the path ${path}`,
      (b) => appendFileSync(join(b, 'SHA256SUMS'), `${'0'.repeat(64)}  ${path}\n`),
      /SHA256SUMS has a line that no Octavo backup has/,
    ]),
  ]

  it.for(damages)('R45: %s is refused before anything is written', async ([, damage, words]) => {
    const backup = join(newFolder(), 'backup')
    cpSync(good, backup, { recursive: true })
    damage(backup)
    const before = readdirSync(backup, { recursive: true, encoding: 'utf8' }).toSorted()
    const place = emptyPlace()
    await expect(restore(place, backup)).rejects.toThrow(words)
    expect(existsSync(place.dataDir)).toBe(false)
    // Looking at a backup leaves nothing in it, either.
    expect(readdirSync(backup, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual(before)
    if (engine === 'sqlite') return
    expect(await target?.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`)).toEqual([])
  })

  it('skips lost pictures, lists them, and is restored without them', async () => {
    const databaseUrl = engine === 'postgres' ? await newPostgresUrl() : undefined
    const source = { dataDir: newFolder(), databaseUrl, s3: undefined }
    await fill(source, migrate)
    const [lost, other] = [pictures[0]!, pictures[1]!]
    rmSync(join(source.dataDir, 'files', lost))
    const { folder, manifest } = await backUp(source, newFolder())
    expect(manifest).toMatchObject({ missing: [lost], pictures: { count: 2 } })
    const url = engine === 'postgres' ? await newPostgresUrl() : undefined
    const place = { ...emptyPlace(), databaseUrl: url }
    expect(await restore(place, folder)).toMatchObject({ missing: [lost] })
    expect(readFileSync(join(place.dataDir, 'files', other), 'utf8')).toBe(textOf(other))
    remanifest({ missing: [lost, `${lost}.png`] })(folder)
    await expect(restore({ ...emptyPlace(), databaseUrl: url }, folder)).rejects.toThrow(
      `its database does not name the picture ${lost}.png`,
    )
  })

  it('keeps back devices’ statistics, as they may have got later ones', async () => {
    const databaseUrl = engine === 'postgres' ? await newPostgresUrl() : undefined
    const source = { dataDir: newFolder(), databaseUrl, s3: undefined }
    await fill(source, async (database) => {
      await migrate(database)
      const files = `('a', 'koreader/statistics.sqlite3'), ('b', 'note.txt')`
      await database.transaction((tx) =>
        tx.query(`INSERT INTO device_files (id, path) VALUES ${files}`),
      )
    })
    const { folder } = await backUp(source, newFolder())
    const url = engine === 'postgres' ? await newPostgresUrl() : undefined
    const place = { ...emptyPlace(), databaseUrl: url }
    await restore(place, folder)
    const database = await openAt(place)
    onTestFinished(() => database.close())
    const rows = await database.query('SELECT id, withheld FROM device_files ORDER BY id')
    expect(rows.map(([id, withheld]) => [id, Boolean(withheld)])).toEqual([
      ['a', true],
      ['b', false],
    ])
  })

  it('leaves out a picture that is cut short, and lists it', async () => {
    const databaseUrl = engine === 'postgres' ? await newPostgresUrl() : undefined
    const source = { dataDir: newFolder(), databaseUrl, s3: undefined }
    await fill(source, migrate)
    const short = pictures[0]!
    writeFileSync(join(source.dataDir, 'files', short), 'the')
    for (const linked of [true, false]) {
      const { folder, manifest } = await backUp(source, newFolder(), { linked })
      expect(manifest).toMatchObject({ missing: [short], pictures: { count: 2 } })
      expect(existsSync(join(folder, 'files', short))).toBe(false)
    }
  })

  it('R45: one that is whole is restored, of an older schema and through a link, too', async () => {
    const databaseUrl = engine === 'postgres' ? await newPostgresUrl() : undefined
    const old = { dataDir: newFolder(), databaseUrl, s3: undefined }
    await fill(old, (database) => migrate(database, [first, accounts, realtime, files]))
    const { folder } = await backUp(old, newFolder())
    const latest = join(newFolder(), 'latest')
    symlinkSync(folder, latest)
    const url = engine === 'postgres' ? await newPostgresUrl() : undefined
    const place = { ...emptyPlace(), databaseUrl: url }
    expect(await restore(place, latest)).toMatchObject({ schema: 4, pictures: { count: 3 } })
    expect(readFileSync(join(place.dataDir, firstPicture), 'utf8')).toBe(textOf(pictures[0]!))
    const database = await openAt(place)
    onTestFinished(() => database.close())
    expect(await schemaOf(database)).toBe(4)
    await migrate(database)
    expect(await database.query('SELECT COUNT(*) FROM _files')).toEqual([[3]])
  })
})

it('a backup leaves out a picture that is deleted while it is made', async () => {
  const place = { dataDir: newFolder(), databaseUrl: undefined, s3: undefined }
  await fill(place, migrate)
  const deleted = pictures[0]!
  const { manifest } = await backUp(place, newFolder(), {
    progress: (step, done) => {
      if (step !== 'pictures' || done !== 1) return
      using database = new DatabaseSync(join(place.dataDir, 'octavo.db'))
      database.exec(`DELETE FROM _files WHERE name = 'face_1.png'`)
      rmSync(join(place.dataDir, 'files', deleted), { force: true })
    },
  })
  expect(manifest).toMatchObject({ missing: [], pictures: { count: 2 } })
})

it('a backup from a bucket skips the pictures it does not have, and fails while it is away', async () => {
  const bucket = await openBucket()
  const source = {
    dataDir: newFolder(),
    databaseUrl: undefined,
    s3: { endpoint: undefined, ...bucket.options },
  }
  await fill({ ...source, s3: undefined }, migrate)
  const there = pictures[1]!
  await s3Storage(bucket.options).put(there, Buffer.from(textOf(there)))
  const { manifest } = await backUp(source, newFolder())
  expect(manifest.missing.toSorted()).toEqual([pictures[2], pictures[0]])
  await bucket.close()
  const into = newFolder()
  await expect(backUp(source, into)).rejects.toThrow(
    `the bucket pictures at ${bucket.options.endpoint}: connect ECONNREFUSED`,
  )
  expect(readdirSync(into)).toEqual([])
  // Without the bucket's settings, every picture would count as lost.
  rmSync(join(source.dataDir, 'files'), { recursive: true })
  markBucketUsed(source.dataDir, source.s3)
  await expect(backUp({ ...source, s3: undefined }, into)).rejects.toThrow(/are in a bucket/)
  expect(readdirSync(into)).toEqual([])
})

const changed = (path: string) => new RegExp(`the backup is damaged: ${path} has changed$`)
const missing = (path: string) => new RegExp(`the backup is incomplete: ${path} is missing$`)

/** Changes a byte in the middle of a file. */
function flip(file: string): void {
  const bytes = readFileSync(file)
  const middle = bytes.length >> 1
  bytes[middle] = ~(bytes[middle] ?? 0)
  writeFileSync(file, bytes)
}
