import { cpSync, mkdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { fillLibrary } from './library.ts'
import { isShort } from './measure.ts'
import { signedIn, startProduct } from './product.ts'
import { recount, seed, type Seeded } from './seed.ts'
import type { ServerProcess } from './server-process.ts'
import { median, table } from './table.ts'
import { newBook, records } from './writes.ts'

const times = isShort ? 3 : 300
const logRows = isShort ? 300 : 30_000

/** Asks a server once, and throws unless it is answered. */
type Line = (server: ServerProcess, turn: number) => Promise<void>

/**
 * What a reading log costs: the same requests for a reader with 500 books, one with 10,000, and one
 * who also logged them. The three take turns, so that a busy moment slows all of them.
 *
 * @param only how the names of the lines begin that are measured
 */
export async function readingLife(folder: string, only = ''): Promise<string> {
  const places = ['few', 'many', 'life'].map((name) => join(folder, name))
  const [few = '', many = '', life = ''] = places
  mkdirSync(few)
  const file = (place: string) => join(place, 'octavo.db')
  const seeded = await seed(file(few))
  const token = await signedIn(file(few), seeded.user)
  cpSync(few, many, { recursive: true })
  fillLibrary(file(many), seeded.user, seeded.shelves[4])
  cpSync(many, life, { recursive: true })
  addReadingLife(file(life), seeded.user)

  await using small = await startProduct(few)
  await using large = await startProduct(many)
  await using logged = await startProduct(life)
  const servers = [small, large, logged]
  const head = ['Line', '500 books, ms', '10 000 books, ms', 'with the log, ms', 'ratio to 10 000']
  const rows = [[...head, 'ratio to 500']]
  for (const [name, line] of Object.entries(lines(seeded, token, keyOf(file(few), seeded)))) {
    if (!name.startsWith(only)) continue
    const taken = servers.map((): number[] => [])
    for (let turn = -times / 3; turn < times; turn++)
      for (const [place, server] of servers.entries()) {
        const start = performance.now()
        await line(server, turn + times)
        if (turn >= 0) taken[place]!.push(performance.now() - start)
      }
    const [a = Number.NaN, b = Number.NaN, c = Number.NaN] = taken.map(median)
    rows.push([name, ...[a, b, c, c / b, c / a].map((value) => value.toFixed(2))])
  }
  return `## A reading life

One reader's requests, one after the other, p50: with 500 books, with 10 000 books, and with 30 000 rows of progress, 12 000 readings and 3 000 quotes to these, tags, notes and reviews on every third. The last two columns divide the third figure by the second and by the first: what the log costs, and what it costs together with the books. What counts or searches all of a reader's books takes longer the more there is; the rest should not.

${table(rows)}
`
}

function lines(seeded: Seeded, token: string, key: string): Record<string, Line> {
  const { user, shelf, record } = seeded
  const json = { 'Content-Type': 'application/json' }
  const ask = async ({ origin }: ServerProcess, path: string, method = 'GET', body?: object) => {
    const answer = await fetch(origin + path, {
      method,
      headers: { Authorization: token, ...(body && json) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${text.slice(0, 300)}`)
  }
  const get =
    (path: string): Line =>
    (server) =>
      ask(server, path)
  const edit =
    (change: (turn: number) => object): Line =>
    (server, turn) =>
      ask(server, `${records}/${record}`, 'PATCH', change(turn))
  const list = (collection: string, filter: string, sort: string, more = {}) => {
    const query = new URLSearchParams({ filter, sort, perPage: '15', ...more })
    return get(`/api/collections/${collection}/records?${query.toString()}`)
  }
  const name = `reader-${Number(user.slice(1))}`
  return {
    'one record': get(`${records}/${record}`),
    'a shelf of 100, best first': list('user_books', `shelf = "${shelf}"`, '-rating,id'),
    'My Books, best first': list('user_books', `user = "${user}"`, '-rating,id'),
    'page of the profile': get(`/u/${name}`),
    'the profile': list('profile', `username = "${name}"`, ''),
    'the timeline': list('activities', `user = "${user}"`, '-created'),
    'add a book': (server, turn) =>
      ask(server, records, 'POST', {
        ...newBook(seeded),
        title: `Another book, number ${turn}`,
      }),
    'rate a book': edit((turn) => ({ rating: (turn % 10) + 1 })),
    'save a page': edit((turn) => ({ status: 'reading', progress: (turn % 90) + 1 })),
    'finish a book, or begin it again': edit((turn) => ({
      status: turn % 2 ? 'reading' : 'completed',
    })),
    'readings of a book': list('readings', `user = "${user}" && book_key = "${key}"`, '-started'),
    'the diary': get(`/api/v1/users/${name}/diary`),
    'the statistics of a year': get(`/api/v1/users/${name}/stats?year=2020`),
    'the statistics of all time': get(`/api/v1/users/${name}/stats`),
    tags: get(`/api/v1/users/${name}/tags`),
    'search of own books, by a title': get('/api/v1/library/search?q=volume%203501'),
    'search of own books, by a note': get('/api/v1/library/search?q=lighthouse&titles=false'),
  }
}

function keyOf(file: string, { record }: Seeded): string {
  const db = new DatabaseSync(file, { readOnly: true })
  const row = db.prepare('SELECT book_key FROM user_books WHERE id = ?').get(record)
  db.close()
  return String(row?.['book_key'])
}

/** Adds what a reader logs in ten years. */
function addReadingLife(file: string, user: string): void {
  const db = new DatabaseSync(file)
  const days = `DATE('2016-01-01', '+' || (n % 3600) || ' days')`
  const stamp = `${days} || ' 20:00:00.000Z'`
  const id = (kind: string) => `'${kind}' || printf('%014d', n)`
  const counted = (rows: number) =>
    `WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < ${rows - 1}),
      own AS (SELECT book_key, ROW_NUMBER() OVER (ORDER BY id) - 1 AS place, COUNT(*) OVER () AS many
        FROM user_books WHERE "user" = '${user}')`
  const books = `c JOIN own ON own.place = c.n % own.many`
  db.exec(`BEGIN;
    UPDATE user_books SET tags = '["tag ' || (rowid % 40) || '","shelf of oak"]',
        notes = 'Lent in May. ' || title || ' ends at sea, number ' || rowid || '.',
        review = 'Slow at first, and then it is over before one knows.'
      WHERE "user" = '${user}' AND rowid % 3 = 0;
    UPDATE user_books SET notes = 'The keeper of the lighthouse counts ferries.'
      WHERE id IN (SELECT id FROM user_books WHERE "user" = '${user}' ORDER BY id LIMIT 5);
    ${counted(logRows * 0.4)} INSERT INTO readings (id, "user", book_key, started, finished, outcome, source, created, updated)
      SELECT ${id('r')}, '${user}', own.book_key, ${days}, ${days}, 'finished', 'import', ${stamp}, ${stamp} FROM ${books};
    ${counted(logRows)} INSERT INTO progress_log (id, "user", book_key, day, at, unit, "from", "to", source)
      SELECT ${id('l')}, '${user}', own.book_key, ${days}, ${stamp}, 'pages', n % 200, n % 200 + 20, 'app' FROM ${books};
    ${counted(logRows / 10)} INSERT INTO quotes (id, "user", book_key, text, created, updated)
      SELECT ${id('q')}, '${user}', own.book_key, 'A sentence of some length from page ' || n, ${stamp}, ${stamp} FROM ${books};
    COMMIT`)
  recount(db)
  db.exec('ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}
