import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { number, text } from '../database/columns.ts'
import type { Db, Dialect, Transaction } from '../database/database.ts'
import { modify, query } from '../database/query.ts'
import { newId } from '../random.ts'
import type { Collection } from '../schema/collection.ts'
import { textType } from '../schema/table.ts'
import type { StoredRecord } from '../schema/values.ts'

/** Trusted devices of one account; the least recently used is dropped first. */
const maxDevices = 10

const randomLength = 16
const macLength = 16

/** The table of trusted devices, and the session columns for the browser and its device. */
export function deviceTables(dialect: Dialect['name']): string[] {
  const text = `${textType(dialect)} NOT NULL`
  return [
    `CREATE TABLE _devices (id ${text} PRIMARY KEY, collection ${text}, record ${text},
      hash ${text}, agent ${text}, created BIGINT NOT NULL, used BIGINT NOT NULL,
      expires BIGINT NOT NULL)`,
    `CREATE UNIQUE INDEX _devices_record ON _devices (record, hash)`,
    `CREATE INDEX _devices_expires ON _devices (expires)`,
    `ALTER TABLE _sessions ADD COLUMN agent ${text} DEFAULT ''`,
    `ALTER TABLE _sessions ADD COLUMN device ${text} DEFAULT ''`,
  ]
}

/** A browser where its owner signs in without a code. */
export interface Device {
  id: string
  created: number
  used: number
  expires: number
  agent: string
}

/** The device trust that a browser brings along or asks for. */
export interface DeviceTrust {
  /** Its device tokens, for any accounts, not yet verified. */
  tokens: readonly string[]
  /** Whether the browser should be trusted from now on. */
  isRequested: boolean
}

export const noTrust: DeviceTrust = { tokens: [], isRequested: false }

/**
 * Trusts the browser in which an account has just signed in with its password and code.
 *
 * @param known tokens the browser sent; those for this account are replaced
 * @returns the device's id, and the token for the browser to keep. The database stores only its
 *   hash
 */
export async function trustDevice(
  tx: Transaction,
  collection: Collection,
  account: StoredRecord,
  input: { secret: string; now: number; life: number; agent: string; known: readonly string[] },
): Promise<{ id: string; token: string }> {
  const { secret, now, life, agent } = input
  const id = newId()
  const token = newToken(secret, account)
  await modify(tx, '_devices', sql`DELETE FROM _devices WHERE expires <= ${now}`)
  for (const old of tokensOf(account, input.known, secret))
    await modify(
      tx,
      '_devices',
      sql`DELETE FROM _devices WHERE record = ${account.id} AND hash = ${hashOf(old)}`,
    )
  const others = await query(
    tx,
    sql`SELECT id FROM _devices WHERE record = ${account.id} ORDER BY used DESC, id`,
  )
  for (const [oldest] of others.slice(maxDevices - 1))
    await modify(tx, '_devices', sql`DELETE FROM _devices WHERE id = ${String(oldest)}`)
  await modify(
    tx,
    '_devices',
    sql`INSERT INTO _devices (id, collection, record, hash, agent, created, used, expires) VALUES (${id}, ${collection.id}, ${account.id}, ${hashOf(token)}, ${agent}, ${now}, ${now}, ${now + life * 1000})`,
  )
  return { id, token }
}

/**
 * @param account as it is stored now; tokens made with an earlier key are invalid
 * @returns the id of the trusted device that one of the tokens belongs to; '' if none
 */
export async function findDevice(
  db: Db,
  collection: Collection,
  account: StoredRecord,
  { tokens }: DeviceTrust,
  { secret, now }: { secret: string; now: number },
): Promise<string> {
  if (!collection.auth?.trust) return ''
  for (const token of tokensOf(account, tokens, secret)) {
    const [row] = await query(
      db,
      sql`SELECT id FROM _devices WHERE record = ${account.id} AND hash = ${hashOf(token)} AND expires > ${now}`,
      { id: text },
    )
    if (row) return row.id
  }
  return ''
}

/** @returns whether the device is still trusted; records the use if so */
export async function touchDevice(tx: Transaction, id: string, now: number): Promise<boolean> {
  const used = await modify(
    tx,
    '_devices',
    sql`UPDATE _devices SET used = ${now} WHERE id = ${id} AND expires > ${now} RETURNING id`,
  )
  return used.length > 0
}

/** @returns the account's trusted devices, most recently used first */
export async function listDevices(db: Db, record: string, now: number): Promise<Device[]> {
  return query(
    db,
    sql`SELECT id, created, used, expires, agent FROM _devices WHERE record = ${record} AND expires > ${now} ORDER BY used DESC, id`,
    { id: text, created: number, used: number, expires: number, agent: text },
  )
}

/** @returns whether the account had such a device */
export async function deleteDevice(tx: Transaction, record: string, id: string): Promise<boolean> {
  const gone = await modify(
    tx,
    '_devices',
    sql`DELETE FROM _devices WHERE id = ${id} AND record = ${record} RETURNING id`,
  )
  return gone.length > 0
}

/** The tokens that were made for this account with its current key. */
function tokensOf(account: StoredRecord, tokens: readonly string[], secret: string): string[] {
  return tokens.filter((token) => {
    const bytes = Buffer.from(token, 'base64url')
    if (bytes.length !== randomLength + macLength) return false
    const random = bytes.subarray(0, randomLength)
    return timingSafeEqual(bytes.subarray(randomLength), mac(secret, account, random))
  })
}

function newToken(secret: string, account: StoredRecord): string {
  const random = randomBytes(randomLength)
  return Buffer.concat([random, mac(secret, account, random)]).toString('base64url')
}

function mac(secret: string, account: StoredRecord, random: Buffer): Buffer {
  const hmac = createHmac('sha256', secret)
  hmac.update(`device ${account.id} ${String(account['tokenKey'])} `).update(random)
  return hmac.digest().subarray(0, macLength)
}

/** The token is random, so it needs no salt and no slow hash. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
