import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Dialect, Statement, Transaction } from '../database/database.ts'
import { text, texts } from '../database/columns.ts'
import { bind, placeholder } from '../database/placeholder.ts'
import { modify } from '../database/query.ts'
import { ApiError, failedTo, hasFields, type FieldErrors } from '../errors.ts'
import type { TokenScope } from '../filter/request.ts'
import { memo } from '../memo.ts'
import { randomKey } from '../random.ts'
import { formatDate, timeOf } from '../schema/coerce.ts'
import {
  collection,
  type Collection,
  type Schema,
  type TokenOptions,
} from '../schema/collection.ts'
import { asWritten } from '../schema/field.ts'
import { errors } from '../schema/validate.ts'
import { toRecord, type StoredRecord } from '../schema/values.ts'
import type { Hooks } from '../write/change.ts'

const own = 'user = @request.auth.id'

/** Characters after the prefix: about 238 bits. */
const length = 40

/**
 * The collection of API tokens, each a record of the account that made it. Only the answer to its
 * create has the `token`; a hash of it is stored. Deleting the record revokes the token, and so does
 * a new password or email.
 *
 * @param accounts the name of the collection whose accounts make them
 */
export function apiTokens(accounts: string, tokens: TokenOptions) {
  return collection({
    name: 'api_tokens',
    tokens,
    sessionOnly: true,
    fields: [
      {
        name: 'user',
        type: 'relation',
        collection: accounts,
        required: true,
        cascadeDelete: true,
        fill: 'viewer',
        writable: 'create',
      },
      { name: 'name', type: 'text', required: true, max: 60 },
      {
        name: 'scope',
        type: 'select',
        values: ['read', 'write'],
        required: true,
        writable: 'create',
      },
      // Names; empty for all.
      {
        name: 'collections',
        type: 'json',
        maxSize: 4096,
        holds: asWritten<string[]>,
        writable: 'create',
      },
      { name: 'expires', type: 'date', writable: 'create' },
      { name: 'last_used', type: 'date', writable: 'never' },
      { name: 'hash', type: 'text', max: 64, readable: 'nobody', writable: 'never' },
      { name: 'created', type: 'autodate', onUpdate: false },
    ],
    unique: [['hash']],
    rules: {
      list: own,
      view: own,
      create: `@request.auth.id != "" && ${own}`,
      update: own,
      delete: own,
    },
  })
}

/** @returns the schema's collection of API tokens; undefined if it has none */
export function tokensOf(schema: Schema): (Collection & { tokens: TokenOptions }) | undefined {
  return schema.collections.find(
    (one): one is Collection & { tokens: TokenOptions } => one.tokens !== undefined,
  )
}

/** A random token needs no slow hash. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/**
 * The application's hooks with those of API tokens, each of which is checked, made and shown once.
 */
export function withTokenHooks(
  hooks: Readonly<Record<string, Hooks>>,
  schema: Schema,
  now: () => Date,
): Readonly<Record<string, Hooks>> {
  const found = tokensOf(schema)
  if (!found) return hooks
  const { name, tokens } = found
  const given = hooks[name]
  const own: Hooks = {
    ...given,
    async prepare(change, tx) {
      await given?.prepare?.(change, tx)
      const { before, after, request } = change
      if (before || !after || !request) return
      const wrong: FieldErrors = {}
      after['collections'] ??= []
      const named = namesIn(schema, after['collections'])
      if (!named) wrong['collections'] = errors.collections
      after['collections'] = named ?? []
      const expires = String(after['expires'])
      if (expires && expires <= formatDate(now())) wrong['expires'] = errors.past
      after['expires'] = expires || formatDate(new Date(now().getTime() + tokens.life * 1000))
      if (hasFields(wrong)) throw new ApiError(400, failedTo.create, wrong)
      const token = tokens.prefix + randomKey(length)
      after['hash'] = hashOf(token)
      change.revealed = { token }
    },
  }
  return { ...hooks, [name]: own }
}

/** @returns the names in the schema's spelling, each once; undefined if one isn't a collection's */
function namesIn(schema: Schema, sent: unknown): string[] | undefined {
  if (!Array.isArray(sent)) return undefined
  const known = new Set(schema.collections.map(({ name }) => name))
  const isKnown = (name: unknown): name is string => typeof name === 'string' && known.has(name)
  return sent.every(isKnown) ? [...new Set(sent)].toSorted() : undefined
}

/** A token that is still good, with its account as it is stored now. */
export interface ApiToken {
  id: string
  scope: TokenScope
  /** Milliseconds since 1970. */
  expires: number
  /** Milliseconds since 1970; 0 if never. */
  used: number
  /** The account's collection. */
  collection: Collection
  record: StoredRecord
}

const readStatement = memo((schema: Schema) =>
  memo((dialect: Dialect) => ({
    hash: statementBy(schema, dialect, 'hash'),
    id: statementBy(schema, dialect, 'id'),
  })),
)

function statementBy(schema: Schema, dialect: Dialect, by: 'hash' | 'id'): Statement {
  const accounts = accountsOf(schema)
  const columns = sql.join(accounts.fields.map(({ name }) => sql.ref(`account.${name}`)))
  const value = placeholder<string>((key) => key)
  const column = sql.ref(`token.${by}`)
  return dialect.compile(
    sql`SELECT token.id, token.scope, token.collections, token.expires, token.last_used, ${columns}
      FROM api_tokens AS token JOIN ${sql.table(accounts.name)} AS account
      ON account.id = token."user" WHERE ${column} = ${value} AND ${column} <> ''`,
  )
}

function accountsOf(schema: Schema): Collection {
  const user = tokensOf(schema)!.fields.find(({ name }) => name === 'user')
  return schema.get(user?.type === 'relation' ? user.collection : '')
}

/** @returns whether a credential is an API token rather than a session's */
export function isApiToken(schema: Schema, token: string): boolean {
  const prefix = tokensOf(schema)?.tokens.prefix
  return prefix !== undefined && token.startsWith(prefix)
}

/** @returns the API token; null if it was never made, was revoked, or has expired */
export function readApiToken(
  db: Db,
  schema: Schema,
  token: string,
  now: number,
): Promise<ApiToken | null> {
  return read(db, schema, 'hash', hashOf(token), now)
}

/** @returns the API token with this id; null if it was revoked or has expired */
export function readApiTokenById(
  db: Db,
  schema: Schema,
  id: string,
  now: number,
): Promise<ApiToken | null> {
  return read(db, schema, 'id', id, now)
}

async function read(
  db: Db,
  schema: Schema,
  by: 'hash' | 'id',
  key: string,
  now: number,
): Promise<ApiToken | null> {
  const statement = readStatement(schema)(db.dialect)[by]
  const [row] = await db.query(statement.sql, bind(statement.parameters, key))
  if (!row) return null
  const [id, level, collections = null, ends = null, used = null, ...account] = row
  const expires = timeOf(text(ends))
  if (expires <= now) return null
  const accounts = accountsOf(schema)
  return {
    id: String(id),
    scope: {
      level: level === 'write' ? level : 'read',
      collections: texts(collections),
    },
    expires,
    used: timeOf(text(used)),
    collection: accounts,
    record: toRecord(accounts, account),
  }
}

/** Notes that a token was used. No event says so, as its record changes for nobody else. */
export async function touchApiToken(tx: Transaction, id: string, now: Date): Promise<void> {
  await modify(
    tx,
    'api_tokens',
    sql`UPDATE api_tokens SET last_used = ${formatDate(now)} WHERE id = ${id}`,
  )
}

/** Revokes all tokens of an account, which must sign in again. */
export async function endApiTokens(
  tx: Transaction,
  schema: Schema,
  account: string,
): Promise<void> {
  if (tokensOf(schema))
    await modify(tx, 'api_tokens', sql`DELETE FROM api_tokens WHERE "user" = ${account}`)
}
