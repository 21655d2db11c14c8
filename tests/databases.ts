import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, inject, onTestFinished } from 'vitest'
import type { Database } from '#records/database/database.ts'
import { openPostgres } from '#records/database/postgres.ts'
import { openSqlite } from '#records/database/sqlite.ts'
import { suiteCleanup, type OnCleanup } from './cleanup.ts'

/**
 * Declares the suite twice: once on SQLite, once on PostgreSQL.
 *
 * @param suite gets `open`, which gives a new empty database on every call. What is opened inside
 *   a test or beforeEach is closed and removed after that test, what is opened in beforeAll after
 *   the suite.
 */
export function describeDatabases(
  name: string,
  suite: (open: () => Promise<Database>, dialect: 'sqlite' | 'postgres') => void,
): void {
  const engines = { sqlite: newSqliteFile, postgres: newPostgresUrl }
  for (const dialect of ['sqlite', 'postgres'] as const) {
    describe(`${name} (${dialect})`, () => {
      const onCleanup = suiteCleanup()
      suite(async () => {
        const place = await engines[dialect](onCleanup)
        const database = dialect === 'sqlite' ? openSqlite(place) : await openPostgres(place)
        const close = once(() => database.close())
        onCleanup(close)
        return { ...database, close }
      }, dialect)
    })
  }
}

/** @returns the path of a SQLite file that does not exist yet, in a folder of its own */
export async function newSqliteFile(onCleanup: OnCleanup = onTestFinished): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-test-'))
  onCleanup(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'octavo.db')
}

/** @returns the address of a new, empty PostgreSQL database, removed when the test ends */
export async function newPostgresUrl(onCleanup: OnCleanup = onTestFinished): Promise<string> {
  const admin = inject('postgres')
  const url = await newPostgresDatabase(admin)
  const name = new URL(url).pathname.slice(1)
  onCleanup(() => run(admin, `DROP DATABASE ${name} WITH (FORCE)`))
  return url
}

/**
 * @param url of a database that nobody is connected to
 * @returns the address of a new database that holds the same, removed when the test ends
 */
export async function copyPostgres(
  url: string,
  onCleanup: OnCleanup = onTestFinished,
): Promise<string> {
  const copy = await newPostgresUrl(onCleanup)
  const [from, to] = [url, copy].map((one) => new URL(one).pathname.slice(1))
  const admin = inject('postgres')
  await run(admin, `DROP DATABASE ${to}`)
  await run(admin, `CREATE DATABASE ${to} TEMPLATE ${from}`)
  return copy
}

/**
 * @param admin address of the run's server, `inject('postgres')`
 * @returns the address of a new, empty database that lives as long as the server
 */
async function newPostgresDatabase(admin: string): Promise<string> {
  const name = `t_${randomBytes(6).toString('hex')}`
  await run(admin, `CREATE DATABASE ${name}`)
  return admin.replace('/postgres?', `/${name}?`)
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}
