import { sql, type RawBuilder } from 'kysely'
import {
  flag,
  named,
  number,
  orNull,
  storedEmail,
  text,
  type Database,
  type Row,
} from '#records/index.ts'
import { columnsOf } from '#server/collections/select.ts'
import type { AdminReadersForm } from '#shared/admin-form.ts'
import { adminPageSize } from '#shared/admin.ts'
import { toPage, type Page } from '#shared/directory.ts'
import { schema } from '#server/collections/schema.ts'
import { query } from '#server/storage/query.ts'

/** A reader as the operator sees them. */
export interface Reader {
  id: string
  username: string
  email: string
  name: string
  /** Whether the reader has confirmed the email. */
  isVerified: boolean
  since: Date
  /** When a session or the library was last used; null if never. */
  seen: Date | null
  shelves: number
  /** Entries on shelves. */
  books: number
  pictures: number
  /** Total bytes of pictures. */
  space: number
  /** Open sessions. */
  sessions: number
  /** Whether the reader keeps the profile private. */
  isPrivate: boolean
  /** Whether the operator hides the profile. */
  isHidden: boolean
  /** Whether the reader administers the site. */
  isAdmin: boolean
  isPremium: boolean
  /** Whether an account elsewhere, such as Google's, signs in to this one. */
  isLinked: boolean
}

/** @returns all readers, by username */
export async function listReaders(database: Database, now: Date): Promise<Reader[]> {
  return toReaders(await query(database, sql`${readers(now)} ORDER BY u.username`))
}

/**
 * Lists one page of the readers whose username, email or name contains a text, whatever its case.
 *
 * @param viewer id of the administrator, who waits for a turn like any search
 */
export async function searchReaders(
  database: Database,
  { q, sort, page }: AdminReadersForm,
  viewer: string,
  now: Date,
): Promise<Page<Reader>> {
  const { dialect } = database
  const ask = (statement: RawBuilder<unknown>) => {
    const { sql: text, parameters } = dialect.compile(statement)
    return database.search(text, parameters as Parameters<Database['search']>[1], viewer)
  }
  const pattern = sql`${`%${q.replace(/[\\%_]/g, '\\$&')}%`}`
  const columns = ['username', 'email', 'name']
  const matches = columns.map((column) => dialect.like(sql.ref(`u.${column}`), pattern))
  const found = q ? sql`(${sql.join(matches, sql` OR `)})` : sql`TRUE`
  const order = sort === 'name' ? sql`u.username_key, u.id` : sql`u.created DESC, u.id`
  // Of the page's readers alone, what they have is counted.
  const ids = await ask(
    sql`SELECT u.id FROM users u WHERE ${found} ORDER BY ${order}
      LIMIT ${sql.lit(adminPageSize)} OFFSET ${(page - 1) * adminPageSize}`,
  )
  const [total] = named(await ask(sql`SELECT COUNT(*) FROM users u WHERE ${found}`), {
    readers: number,
  })
  const shown = named(ids, { id: text }).map(({ id }) => id)
  const rows = shown.length ? await ask(sql`${readers(now, shown)} ORDER BY ${order}`) : []
  return toPage(toReaders(rows), page, adminPageSize, total!.readers)
}

/**
 * @param name a username or an email, in any case
 * @returns null if there is no such reader
 */
export async function lookUpReader(
  database: Database,
  name: string,
  now: Date,
): Promise<Reader | null> {
  const word = name.trim()
  const isEmail = word.includes('@')
  const column = sql.ref(isEmail ? 'email' : 'username')
  const value = isEmail ? storedEmail(word) : word.toLowerCase()
  const [found] = await query(database, sql`SELECT id FROM users WHERE ${column} = ${value}`, {
    id: text,
  })
  if (!found) return null
  const [reader] = toReaders(await query(database, readers(now, [found.id])))
  return reader ?? null
}

/** {@link lookUpReader} for a command. @throws if there is no such reader */
export async function findReader(database: Database, name: string, now: Date): Promise<Reader> {
  const reader = await lookUpReader(database, name, now)
  if (!reader) throw new Error(`there is no reader ${name}`)
  return reader
}

/** @param ids to read only these readers */
function readers(now: Date, ids?: readonly string[]): RawBuilder<unknown> {
  const of = (column: string) => (ids ? sql`WHERE ${sql.ref(column)} IN (${sql.join(ids)})` : sql``)
  const { sessionIdle = 0, sessionLife = 0 } = schema.get('users').auth ?? {}
  const [idle, old] = [sessionIdle, sessionLife].map((seconds) => now.getTime() - seconds * 1000)
  return sql`SELECT u.id, u.username, u.email, u.name, u.verified, u.created,
      s.used, b.updated, a.created, h.shelves, b.books, f.files, f.bytes, s.sessions,
      t."isPrivate", t."isHidden", p.status, x.record, u."isAdmin"
    FROM users u
    LEFT JOIN settings t ON t."user" = u.id
    LEFT JOIN (SELECT record, MAX(used) AS used,
        SUM(CASE WHEN used > ${idle} AND created > ${old} THEN 1 ELSE 0 END) AS sessions
      FROM _sessions ${of('record')} GROUP BY record) s ON s.record = u.id
    LEFT JOIN (SELECT "user", MAX(updated) AS updated, COUNT(*) AS books FROM user_books
      ${of('user')} GROUP BY "user") b ON b."user" = u.id
    LEFT JOIN (SELECT "user", MAX(created) AS created FROM activities
      ${of('user')} GROUP BY "user") a ON a."user" = u.id
    LEFT JOIN (SELECT "user", COUNT(*) AS shelves FROM bookshelves
      ${of('user')} GROUP BY "user") h ON h."user" = u.id
    LEFT JOIN (SELECT account, COUNT(*) AS files, SUM(size) AS bytes FROM _files
      ${of('account')} GROUP BY account) f ON f.account = u.id
    LEFT JOIN (SELECT "user", MAX(CASE WHEN status = 'active' THEN status END) AS status
      FROM subscriptions ${of('user')} GROUP BY "user") p ON p."user" = u.id
    LEFT JOIN (SELECT record FROM "_externalAuths" ${of('record')} GROUP BY record) x
      ON x.record = u.id
    ${of('u.id')}`
}

/** The columns of {@link readers}. */
const readerColumns = {
  ...columnsOf('users', 'id', 'username', 'email', 'name'),
  isVerified: flag,
  since: (created: Row[number]) => new Date(text(created)),
  used: orNull(number),
  updated: orNull(text),
  entered: orNull(text),
  shelves: number,
  books: number,
  pictures: number,
  space: number,
  sessions: number,
  isPrivate: flag,
  isHidden: flag,
  isPremium: (status: Row[number]) => status === 'active',
  isLinked: (account: Row[number]) => account !== null,
  isAdmin: flag,
}

function toReaders(rows: readonly Row[]): Reader[] {
  return named(rows, readerColumns).map(({ used, updated, entered, ...reader }) => {
    // Sessions store a number, records a text.
    const seen = [used, updated, entered].filter((time) => time !== null).map(toTime)
    return { ...reader, seen: seen.length > 0 ? new Date(Math.max(...seen)) : null }
  })
}

const toTime = (time: string | number) => new Date(time).getTime()
