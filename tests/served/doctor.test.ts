import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { s3Storage } from '#records/index.ts'
import { version } from '#server/runtime/version.ts'
import { childEnv } from '#tests/child-env.ts'
import { newMigratedUrl } from '#tests/databases.ts'
import { startOctavo } from '#tests/octavo.ts'
import { copyLibrary, copyStarterIndex } from '#tests/prepared.ts'
import { runModule } from '#tests/run-module.ts'
import { openBucket } from '#tests/s3.ts'
import { openMailServer } from '#tests/smtp.ts'

const command = join(dirname(dirname(import.meta.dirname)), 'server/commands/doctor.ts')

/** @returns the lines of the command, and its exit code */
async function doctor(env: Record<string, string>, ...words: string[]) {
  const { code, said, failed } = await runModule(command, words, env)
  return { code, lines: [...said.split('\n'), ...failed.split('\n')].filter(Boolean) }
}

test.for(['sqlite', 'postgres'] as const)(
  'npm run doctor finds what is wrong, and what is not, on %s',
  async (engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-doctor-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    await copyStarterIndex(folder)
    const url = engine === 'postgres' ? await newMigratedUrl() : ''
    if (!url) await copyLibrary(join(folder, 'octavo.db'))
    const post = await openMailServer()
    const bucket = await openBucket()
    const { options } = bucket
    const env = {
      DATA_DIR: folder,
      DATABASE_URL: url,
      SMTP_URL: post.url,
      S3_BUCKET: options.bucket,
      S3_ENDPOINT: options.endpoint ?? '',
      S3_ACCESS_KEY_ID: options.accessKeyId,
      S3_SECRET_ACCESS_KEY: options.secretAccessKey,
    }
    const words = [command, '--mail', 'you@example.org']
    const well = await promisify(execFile)(process.execPath, words, {
      env: { ...childEnv, ...env },
    })
    expect({ failed: well.stderr, lines: well.stdout.trim().split('\n') }).toEqual({
      failed: '',
      lines: [
        `ok     Octavo: version ${version}, Node ${process.versions.node}`,
        'ok     Settings: all are valid',
        `ok     Data folder: ${folder} is writable`,
        expect.stringMatching(/^ok {5}Database: .*can be read, schema \d+$/),
        expect.stringMatching(/^ok {5}Disk: [\d.]+ GB free$/),
        'ok     Mail: a test email is on its way to you@example.org',
        'ok     Pictures: files in the bucket pictures can be written, read and deleted',
        'ok     Backups: none are scheduled, as BACKUP_TO is not set',
      ],
    })
    expect((await post.nextMail('you@example.org')).text).toContain('Octavo can send email.')

    await Promise.all([post.close(), bucket.close()])
    const ill = await doctor(env)
    expect(ill.code).toBe(1)
    expect(ill.lines.slice(-3, -1)).toEqual([
      expect.stringMatching(/^WRONG {2}Mail: .*ECONNREFUSED.*\. To do: check SMTP_URL/),
      expect.stringMatching(/^WRONG {2}Pictures: .*ECONNREFUSED.*\. To do: check the S3 settings/),
    ])

    const unsent = await doctor({ ...env, SMTP_URL: '' }, '--mail', 'you@example.org')
    expect(unsent.lines).toContainEqual(
      expect.stringMatching(/^WRONG {2}Mail: no test email was sent, as SMTP_URL is not set\./),
    )

    const octavo = await startOctavo(env)
    onTestFinished(async () => void (await octavo.stop()))
    await expect.poll(() => octavo.output()).toMatch(/The mail server of SMTP_URL cannot be used/)
    await expect.poll(() => octavo.output()).toMatch(/The bucket of S3_BUCKET cannot be used/)
    expect(octavo.output()).toContain(`the bucket pictures at ${options.endpoint}: connect`)
    expect(await octavo.stop()).toBe(0)

    const withoutBucket = { DATA_DIR: folder, DATABASE_URL: url }
    await expect(startOctavo(withoutBucket)).rejects.toThrow(
      /Octavo cannot start: The pictures of .* are in a bucket \(pictures at http/,
    )
    expect((await doctor(withoutBucket)).lines).toContainEqual(
      expect.stringMatching(/^WRONG {2}Pictures: The pictures of .* are in a bucket/),
    )

    const local = { DATA_DIR: join(folder, 'nowhere'), DATABASE_URL: url }
    const lost = await doctor(local)
    expect(lost).toMatchObject({ code: 1 })
    const wrong = lost.lines.filter((line) => line.startsWith('WRONG'))
    expect(wrong).toEqual([
      `WRONG  Data folder: Octavo hasn't been started here yet: there is no folder ${local.DATA_DIR}. To do: npm start creates the library; if there is one elsewhere, set DATA_DIR or DATABASE_URL`,
    ])
    expect(readdirSync(folder)).not.toContain('nowhere')
    expect(await doctor({ ...env, S3_BUCKET: '' })).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^S3_BUCKET must be set together with/)],
    })
  },
)

test('npm run doctor says that Octavo hasn’t been started in an empty folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { code, lines } = await doctor(
    { DATA_DIR: folder, BACKUP_TO: join(folder, 'to') },
    '--deep',
  )
  expect(code).toBe(1)
  expect(lines.filter((line) => line.startsWith('WRONG'))).toEqual([
    `WRONG  Database: Octavo hasn't been started here yet: there is no database at ${folder}/octavo.db. To do: npm start creates the library; if there is one elsewhere, set DATA_DIR or DATABASE_URL`,
  ])
  mkdirSync(join(folder, 'files/users'), { recursive: true })
  const { lines: lost } = await doctor({ DATA_DIR: folder })
  expect(lost.join()).not.toContain('started')
  expect(lost.join()).toMatch(/octavo\.db is missing, but the folder holds pictures/)
})

test('npm run doctor tells how the last scheduled backup went', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await copyLibrary(join(folder, 'octavo.db'))
  using database = new DatabaseSync(join(folder, 'octavo.db'))
  const BACKUP_TO = join(folder, 'to')
  const lastLine = async () => (await doctor({ DATA_DIR: folder, BACKUP_TO })).lines.at(-1)
  expect(await lastLine()).toBe(
    `ok     Backups: none in ${BACKUP_TO} yet; the server makes the first one when it runs`,
  )
  const name = 'octavo-scheduled-20260314T020000Z'
  mkdirSync(join(BACKUP_TO, name), { recursive: true })
  const now = Date.now()
  database
    .prepare(
      `INSERT INTO backup_schedules (folder, id, created, attempted, result, name, made)
        VALUES (?, 'x', ?, ?, 'made', ?, ?)`,
    )
    .run(BACKUP_TO, now, now, name, now)
  expect(await lastLine()).toBe(
    `ok     Backups: the newest, ${BACKUP_TO}/${name}, is 0 minutes old`,
  )
  database.exec(`UPDATE backup_schedules SET result = 'failed', failure = 'no room'`)
  expect(await lastLine()).toMatch(
    /^WRONG {2}Backups: the last attempt, 0 minutes ago, failed: no room\. To do: /,
  )
})

test('npm run doctor -- --deep compares pictures with the database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await copyLibrary(join(folder, 'octavo.db'))
  const bucket = await openBucket()
  onTestFinished(() => bucket.close())
  const { options } = bucket
  const settings = {
    S3_BUCKET: options.bucket,
    S3_ENDPOINT: options.endpoint ?? '',
    S3_ACCESS_KEY_ID: options.accessKeyId,
    S3_SECRET_ACCESS_KEY: options.secretAccessKey,
  }
  using database = new DatabaseSync(join(folder, 'octavo.db'))
  const files = join(folder, 'files')
  const lastOf = async (env: Record<string, string>) => {
    const { code, lines } = await doctor({ DATA_DIR: folder, ...env }, '--deep')
    return [code, lines.at(-1)]
  }
  expect(await lastOf({})).toEqual([
    0,
    'ok     Stored pictures: all 0 that the database names are there',
  ])
  database.exec(`INSERT INTO _files VALUES ('users', 'ann', 'face.png', 'ann', '', 4, 9),
    ('users', 'bob', 'face.png', 'bob', '', 4, 9)`)
  mkdirSync(join(files, 'users/bob'), { recursive: true })
  writeFileSync(join(files, 'users/bob/face.png'), 'bo')
  mkdirSync(join(files, 'users/eve'))
  writeFileSync(join(files, 'users/eve/face.png'), 'eve')
  const twoHoursAgo = Date.now() / 1000 - 7200
  utimesSync(join(files, 'users/eve/face.png'), twoHoursAgo, twoHoursAgo)
  expect(await lastOf({})).toEqual([
    1,
    `WRONG  Stored pictures: missing: 1 (users/ann/face.png); of another size: 1 (users/bob/face.png); the database names 2 pictures; no record names these files: 1 (users/eve/face.png). To do: copy them from files in a backup to ${files}, or have their readers replace them`,
  ])
  await s3Storage(options).put('users/ann/face.png', Buffer.from('anna'))
  expect(await lastOf(settings)).toEqual([
    1,
    'WRONG  Stored pictures: missing: 1 (users/bob/face.png); the database names 2 pictures. To do: copy them from files in a backup to the bucket, or have their readers replace them',
  ])
})
