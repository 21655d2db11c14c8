import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, inject, onTestFinished } from 'vitest'
import type { Database, Dialect } from '#records/database/database.ts'
import { postgres } from '#records/database/postgres-dialect.ts'
import { openPostgres } from '#records/database/postgres.ts'
import { sqlite } from '#records/database/sqlite-dialect.ts'
import { openSqlite } from '#records/database/sqlite.ts'
import { migrate } from '#server/migrations/migrate.ts'
import { suiteCleanup, type OnCleanup } from './cleanup.ts'
import { copyLibrary } from './prepared.ts'
import { reuseDatabases } from './reused-databases.ts'

/** The statements that make tables. */
export type Tables = (dialect: Dialect) => readonly string[]
/** Gives a new empty database, or one with these tables, which tests use one after another. */
type OpenDatabase = (tables?: Tables) => Promise<Database>
type Suite = (open: OpenDatabase, dialect: 'sqlite' | 'postgres') => void
type NewPlace = (onCleanup: OnCleanup) => Promise<string>

/**
 * Declares the suite twice: once on SQLite, once on PostgreSQL.
 *
 * @param suite gets `open`, which gives an empty database on every call. What is opened inside a
 *   test or beforeEach is closed after that test, what is opened in beforeAll after the suite.
 */
export function describeDatabases(name: string, suite: Suite): void {
  const newPlaces = { sqlite: newSqliteFile, postgres: newPostgresUrl }
  describeEach(name, (dialect, onCleanup) =>
    suite(
      (tables) =>
        tables
          ? reused(dialect, newPlaces[dialect], tables)(onCleanup)
          : openPlace(dialect, newPlaces[dialect], onCleanup),
      dialect,
    ),
  )
}

/** The same with databases that have the product's tables. */
export function describeMigratedDatabases(name: string, suite: Suite): void {
  const newPlaces = { sqlite: newMigratedFile, postgres: newMigratedUrl }
  describeEach(name, (dialect, onCleanup) =>
    suite(() => reused(dialect, newPlaces[dialect])(onCleanup), dialect),
  )
}

/** The same on SQLite alone, for what no database decides, such as how a file is read. */
export function describeMigratedSqlite(name: string, suite: Suite): void {
  describe(`${name} (sqlite)`, () => {
    const onCleanup = suiteCleanup()
    suite(() => reused('sqlite', newMigratedFile)(onCleanup), 'sqlite')
  })
}

function describeEach(
  name: string,
  declare: (dialect: 'sqlite' | 'postgres', onCleanup: OnCleanup) => void,
): void {
  for (const dialect of ['sqlite', 'postgres'] as const)
    describe(`${name} (${dialect})`, () => {
      declare(dialect, suiteCleanup())
    })
}

type Take = (onCleanup: OnCleanup) => Promise<Database>
const takes = { sqlite: new Map<string, Take>(), postgres: new Map<string, Take>() }
const dialects = { sqlite, postgres }

/** @param tables those that a new place lacks; the product's are there */
function reused(dialect: 'sqlite' | 'postgres', newPlace: NewPlace, tables?: Tables): Take {
  const key = tables?.(dialects[dialect]).join(';') ?? 'the product'
  const take =
    takes[dialect].get(key) ??
    reuseDatabases(async (onEnd) => {
      const database = await openPlace(dialect, newPlace, onEnd)
      if (tables) await makeTables(database, tables)
      return database
    })
  takes[dialect].set(key, take)
  return take
}

export async function makeTables(database: Database, tables: Tables): Promise<void> {
  await database.transaction(async (tx) => {
    for (const statement of tables(tx.dialect)) await tx.query(statement)
  })
}

async function openPlace(
  dialect: 'sqlite' | 'postgres',
  newPlace: NewPlace,
  onCleanup: OnCleanup,
): Promise<Database> {
  const place = await newPlace(onCleanup)
  const database = dialect === 'sqlite' ? openSqlite(place) : await openPostgres(place)
  const close = once(() => database.close())
  onCleanup(close)
  return { ...database, close }
}

/** A migrated PostgreSQL database that is copied as long as the run lasts. */
const migratedUrl = once(async () => {
  const url = await newPostgresDatabase(inject('postgres'))
  const database = await openPostgres(url)
  await migrate(database)
  await database.close()
  return url
})

async function newMigratedFile(onCleanup: OnCleanup): Promise<string> {
  const file = await newSqliteFile(onCleanup)
  await copyLibrary(file)
  return file
}

/** @returns the address of a new PostgreSQL database with the product's schema */
export async function newMigratedUrl(onCleanup: OnCleanup = onTestFinished): Promise<string> {
  return copyPostgres(await migratedUrl(), onCleanup)
}

/** @returns the path of a SQLite file that does not exist yet, in a folder of its own */
export async function newSqliteFile(onCleanup: OnCleanup = onTestFinished): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-test-'))
  onCleanup(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'octavo.db')
}

/** @returns the address of a new, empty PostgreSQL database, removed when the test ends */
export function newPostgresUrl(onCleanup: OnCleanup = onTestFinished): Promise<string> {
  return newPostgres(onCleanup)
}

/**
 * @param url of a database that nobody is connected to
 * @returns the address of a new database that holds the same, removed when the test ends
 */
export function copyPostgres(url: string, onCleanup: OnCleanup = onTestFinished): Promise<string> {
  return newPostgres(onCleanup, new URL(url).pathname.slice(1))
}

async function newPostgres(onCleanup: OnCleanup, template?: string): Promise<string> {
  const admin = inject('postgres')
  const url = await newPostgresDatabase(admin, template)
  const name = new URL(url).pathname.slice(1)
  onCleanup(() => run(admin, `DROP DATABASE ${name} WITH (FORCE)`))
  return url
}

/**
 * @param admin address of the run's server, `inject('postgres')`
 * @param template name of the database that the new one is a copy of
 * @returns the address of a new database that lives as long as the server
 */
async function newPostgresDatabase(admin: string, template = 'template1'): Promise<string> {
  const name = `t_${randomBytes(6).toString('hex')}`
  await run(admin, `CREATE DATABASE ${name} TEMPLATE ${template}`)
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

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => (done ??= work())
}
