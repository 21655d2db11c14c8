import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { newPostgresUrl } from '#tests/databases.ts'
import type { Database } from '../database/database.ts'
import { openPostgres } from '../database/postgres.ts'
import { query } from '../database/query.ts'
import { subscribersOf, Registry } from './registry.ts'
import { realtimeTables } from './tables.ts'
import { parseTopic } from './topic.ts'

const channel = 'notes_id/*'
const topic = parseTopic('notes/*', () => 'notes_id')

async function open(): Promise<Database> {
  const database = await openPostgres(await newPostgresUrl())
  onTestFinished(() => database.close())
  await makeTables(database)
  return database
}

async function makeTables(database: Database): Promise<void> {
  for (const statement of realtimeTables('postgres')) await database.query(statement)
}

const heard = (database: Database) => database.transaction((tx) => subscribersOf(tx, [channel]))

test('a failed write is reported to those who wait for it, and to no later caller', async () => {
  const database = await open()
  const registry = new Registry(database, () => undefined)
  registry.start(1)
  await query(database, sql`DROP TABLE _audiences, _news`)
  registry.note(topic, 'ann', true)
  await expect(registry.settled()).rejects.toThrow('_audiences')
  await makeTables(database)
  await registry.settled()
  // A client whose subscription failed is disconnected and reconnects.
  registry.note(topic, 'ann', false)
  registry.note(topic, 'ann', true)
  await registry.settled()
  expect(await heard(database)).toEqual([{ channel, topic: 'notes/*', audience: 'ann' }])
})
