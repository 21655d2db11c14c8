import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '#records/index.ts'
import { subscribe } from '#tests/access/subscriber.ts'
import { secret } from '#tests/access/fixture.ts'
import { newMigratedUrl, newPostgresUrl } from '#tests/databases.ts'
import { hasPgBouncer, startPgBouncer } from '#tests/pgbouncer.ts'
import { runModule } from '#tests/run-module.ts'
import { cookieOf, ownRecord, signedIn, signUp } from '#tests/signed-in.ts'
import { openInstallation } from './installation.ts'

const doctor = join(dirname(dirname(import.meta.dirname)), 'server/commands/doctor.ts')

describe.runIf(hasPgBouncer)('behind PgBouncer', () => {
  test('two processes in transaction mode answer everything and deliver every event', async () => {
    const direct = await newPostgresUrl()
    const settings = {
      DATABASE_URL: await startPgBouncer(direct, 'transaction', onTestFinished),
      DATABASE_DIRECT_URL: direct,
      SECRET: secret,
    }
    const first = await openInstallation('PostgreSQL', settings)
    const one = await first.start()
    const other = await (await openInstallation('PostgreSQL', settings)).start()
    const token = await signUp(one, first.post)
    const client = signedIn(one, token)
    const events = await subscribe(
      { fetch: (path, init) => fetch(other.url + path, init) },
      token,
      ['bookshelves/*'],
    )
    onTestFinished(() => events.close())
    const cookie = await cookieOf(one, token)
    const name = String((await ownRecord(client))['username'])
    const pages = [`/u/${name}`, '/explore', `/u/${name}/books`, '/users']
    const statuses = new Map<number, number>()
    // More at once than the pooler has connections, so that each gets every one of them.
    async function browse(): Promise<void> {
      for (let n = 0; n < 10; n++) {
        const { url } = n % 2 ? one : other
        const { status } = await fetch(url + pages[n % pages.length], { headers: { cookie } })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    async function write(): Promise<void> {
      for (let n = 0; n < 20; n++)
        await client.collection('bookshelves').create({ name: `Shelf ${n}`, visibility: 'private' })
    }
    const busy = Promise.all([write(), ...Array.from({ length: 8 }, browse)])
    const heard = await events.until('Shelf 19')
    await busy
    expect(heard.map(({ action, record }) => `${action} ${record.name}`)).toEqual(
      Array.from({ length: 19 }, (_, n) => `create Shelf ${n}`),
    )
    expect([...statuses]).toEqual([[200, 80]])
    expect(one.output() + other.output()).not.toContain('"level":50')

    const env = { ...settings, DATA_DIR: first.dataDir, SMTP_URL: first.post.url }
    const { said } = await runModule(doctor, [], env)
    expect(said).toMatch(
      /^ok {5}Database: PostgreSQL can be read, also through the pooler, schema/m,
    )
  })

  test.for(['transaction', 'statement'] as const)(
    'a pooler in %s mode is refused where PostgreSQL itself belongs',
    async (mode) => {
      const DATABASE_URL = await startPgBouncer(await newMigratedUrl(), mode, onTestFinished)
      const { start, dataDir, post } = await openInstallation('PostgreSQL', { DATABASE_URL })
      const advice =
        /answers instead of PostgreSQL: set DATABASE_DIRECT_URL to .* to the pooler\n?$/m
      await expect(start()).rejects.toThrow(advice)
      const env = { DATABASE_URL, DATA_DIR: dataDir, SMTP_URL: post.url }
      const { code, said } = await runModule(doctor, [], env)
      expect(code).toBe(1)
      expect(said).toMatch(/^WRONG {2}Database: a connection pooler .*: set DATABASE_DIRECT_URL/m)
    },
  )

  test('a pooler in session mode serves like PostgreSQL itself', async () => {
    const url = await startPgBouncer(await newMigratedUrl(), 'session', onTestFinished)
    await using database = await openPostgres(url)
    expect(await database.query('SELECT 1')).toEqual([[1]])
  })

  test('reads through it have a timeout, and leave none to other clients', async () => {
    const direct = await newMigratedUrl()
    const pooledUrl = await startPgBouncer(direct, 'transaction', onTestFinished)
    await using database = await openPostgres(direct, { pooledUrl, within: 300 })
    await expect(database.query('SELECT pg_sleep(2)')).rejects.toThrow('the read took too long')
    expect(await database.query('SHOW jit')).toEqual([['off']])
    await using plain = await openPostgres(direct, { pooledUrl })
    const timeout = await plain.transaction((tx) =>
      tx.query(`SELECT reset_val FROM pg_settings WHERE name = 'statement_timeout'`),
    )
    expect(timeout).toEqual([['0']])
    expect(await database.query('SELECT name FROM pg_prepared_statements')).toEqual([])
  })

  test('a pooler in front of another database is refused before anything is changed', async () => {
    const DATABASE_URL = await startPgBouncer(await newMigratedUrl(), 'transaction', onTestFinished)
    const DATABASE_DIRECT_URL = await newPostgresUrl()
    const settings = { DATABASE_URL, DATABASE_DIRECT_URL }
    const { start } = await openInstallation('PostgreSQL', settings)
    await expect(start()).rejects.toThrow(
      /the connection pooler leads to another database. Check that DATABASE_URL leads to/,
    )
    await using untouched = await openPostgres(DATABASE_DIRECT_URL)
    const tables = `SELECT count(*)::text FROM pg_tables WHERE schemaname = 'public'`
    expect(await untouched.query(tables)).toEqual([['0']])
  })
})
