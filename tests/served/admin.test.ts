import { dirname, join } from 'node:path'
import PocketBase, { type ClientResponseError } from 'pocketbase'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '#records/index.ts'
import type { AdminCheck, AdminLogEntry, AdminReaders, AdminSite } from '#shared/admin.ts'
import { startOctavo, type Octavo } from '#tests/octavo.ts'
import { runModule } from '#tests/run-module.ts'
import { openMailServer } from '#tests/smtp.ts'

const commands = join(dirname(dirname(import.meta.dirname)), 'server/commands')
const password = 'keeper of the keys'
const admin = '/api/v1/admin'

async function open(settings: Record<string, string> = {}) {
  const octavo = await startOctavo({ SIGN_IN_CODE: 'off', ...settings })
  onTestFinished(async () => void (await octavo.stop()))
  return octavo
}

async function reader({ url }: Octavo, username: string) {
  const client = new PocketBase(url)
  client.autoCancellation(false)
  const email = `${username}@example.org`
  const form = { email, username, password, passwordConfirm: password }
  await client.collection('users').create(form)
  await client.collection('users').authWithPassword(email, password)
  return client
}

const run = ({ dataDir }: Octavo, module: string, ...words: string[]) =>
  runModule(join(commands, `${module}.ts`), words, {
    DATA_DIR: dataDir,
    APP_URL: 'http://octavo.test',
  })

const get = async <T>(client: PocketBase, path: string) =>
  (await client.send<{ data: T }>(admin + path, {})).data
const post = <T>(client: PocketBase, path: string, body = {}) =>
  client.send<{ data: T }>(admin + path, { method: 'POST', body })
const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: unknown) => (error as ClientResponseError).status,
  )

test('a reader whom a command has made an administrator sees the site, and what commands did', async () => {
  const mailServer = await openMailServer()
  onTestFinished(() => mailServer.close())
  const octavo = await open({
    SMTP_URL: mailServer.url,
    GOOGLE_CLIENT_ID: 'x',
    GOOGLE_CLIENT_SECRET: 'y',
  })
  const ada = await reader(octavo, 'ada')
  await reader(octavo, 'bob')
  expect(await statusOf(get(ada, '/site'))).toBe(404)
  await run(octavo, 'readers', 'admin', 'ada')
  await run(octavo, 'readers', 'hide', 'bob')
  await run(octavo, 'moderate', 'unhide', 'bob')
  await run(octavo, 'readers', 'change-email', 'bob', 'not an address')

  const site = await get<AdminSite>(ada, '/site')
  expect(site).toMatchObject({ readers: 2, providers: ['Google'], mails: { hasServer: true } })
  const { items: checks } = await get<{ items: AdminCheck[] }>(ada, '/checks')
  expect(checks.filter(({ isWell }) => !isWell)).toEqual([])
  expect(checks.map(({ name }) => name)).toEqual([
    'Data folder',
    'Database',
    'Disk',
    'Mail',
    'Pictures',
    'Backups',
  ])
  const { items } = await get<{ items: AdminLogEntry[] }>(ada, '/log')
  expect(items.map(({ actor, act, subject }) => [actor, act, subject])).toEqual([
    ['', 'unhide', 'bob'],
    ['', 'hide', 'bob'],
    ['', 'makeAdmin', 'ada'],
  ])

  expect(await statusOf(post(ada, '/test-mail'))).toBe(403)
  await post(ada, '/confirmation', { password })
  const sent = await post<{ to: string; failure: string }>(ada, '/test-mail')
  expect(sent.data).toEqual({ to: 'ada@example.org', failure: '' })
  const mail = await mailServer.nextMail('ada@example.org')
  expect(mail.subject).toBe('A test email from Octavo')
  await mailServer.close()
  const failed = await post<{ failure: string }>(ada, '/test-mail')
  expect(failed.data.failure).not.toBe('')
  const after = await get<{ items: AdminCheck[] }>(ada, '/checks')
  expect(after.items.find(({ name }) => name === 'Mail')).toMatchObject({ isWell: false })
})

test('a password that was guessed at too often is not asked for any more', async () => {
  const octavo = await open({ RATE_LIMITS: 'on' })
  const ada = await reader(octavo, 'ada')
  await run(octavo, 'readers', 'admin', 'ada')
  const guess = (word: string) => statusOf(post(ada, '/confirmation', { password: word }))
  for (let n = 0; n < 5; n++) expect(await guess('not the password')).toBe(400)
  expect(await guess(password)).toBe(429)
  const signIn = new PocketBase(octavo.url).collection('users')
  expect(await statusOf(signIn.authWithPassword('ada@example.org', password))).toBe(429)
})

test('pages through ten thousand readers', async () => {
  const octavo = await open()
  const ada = await reader(octavo, 'ada')
  await run(octavo, 'readers', 'admin', 'ada')
  const database = openSqlite(join(octavo.dataDir, 'octavo.db'))
  await database.transaction(async (tx) => {
    const columns =
      'id, username, username_key, email, name, "tokenKey", password, created, updated'
    const n = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)'
    const name = `printf('reader%05d', i)`
    const created = `strftime('%Y-%m-%d %H:%M:%S.000Z', 1000000000 + i * 60, 'unixepoch')`
    await tx.query(`INSERT INTO users (${columns}) ${n}
      SELECT ${name}, ${name}, ${name}, ${name} || '@example.org', '', ${name}, '', ${created}, ${created} FROM n`)
    await tx.query(`INSERT INTO settings (id, "user", "isPrivate") ${n}
      SELECT ${name}, ${name}, FALSE FROM n`)
  })
  await database.close()
  const list = (query: string) => get<AdminReaders>(ada, `/readers${query}`)
  const first = await list('')
  expect(first).toMatchObject({ totalItems: 10_001, totalPages: 201, perPage: 50 })
  expect(first.items.map(({ username }) => username).slice(0, 3)).toEqual([
    'ada',
    'reader10000',
    'reader09999',
  ])
  const last = await list('?page=201')
  expect(last.items.map(({ username }) => username)).toEqual(['reader00001'])
  expect((await list('?sort=name&page=3')).items[0]!.username).toBe('reader00100')
  expect(await list('?q=READER0999&sort=name')).toMatchObject({
    totalItems: 10,
    items: Array.from({ length: 10 }, (_, i) => ({ username: `reader0999${i}` })),
  })
})
