import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { authKey, hashKey } from '#server/devices/password.ts'
import { burst } from './load.ts'
import { isShort } from './measure.ts'
import { startProduct } from './product.ts'
import { readerOf, seed } from './seed.ts'
import { percentile, table } from './table.ts'

/** Devices, of a reader each, and milliseconds from an answer to a device's next push. */
const [devices, pause] = isShort ? [4, 10] : [50, 240]
const seconds = isShort ? 0.2 : 15
const key = authKey('the same on all devices')

/**
 * How long KOReader waits for its progress to be taken, at some 200 pushes a second that each move a
 * book. Devices give up after five seconds.
 */
export async function devicePushes(folder: string): Promise<string> {
  const file = join(folder, 'octavo.db')
  await seed(file, devices)
  connectDevices(file)
  await using candidate = await startProduct(folder)
  const url = new URL('/kosync/syncs/progress', candidate.origin)
  let sent = 0
  const push = () => pushRequest(url, sent % devices, sent++ / (devices * 100))
  const rows = [['pushes a second', 'median, ms', 'p99, ms', 'slowest, ms', 'books moved']]
  for (const round of isShort ? [0] : [0, 1, 2]) {
    const { requests, times, seconds: taken } = await burst(url, devices, seconds, push, 200, pause)
    // The first is not looked at: the code isn't compiled yet.
    if (round === 0 && !isShort) continue
    const share = (p: number) => percentile(times, p).toFixed(1)
    const moved = String(countMoved(file))
    rows.push([(requests / taken).toFixed(0), share(0.5), share(0.99), share(1), moved])
  }
  return `## Devices

${devices} readers’ devices push their place in a book with \`PUT /kosync/syncs/progress\`.

${table(rows)}
`
}

/** A connection for each reader, and a document that is one of their books. */
function connectDevices(file: string): void {
  const db = new DatabaseSync(file)
  const connect = db.prepare(
    `INSERT INTO connections (id, "user", kind, name, username, secret) VALUES (?, ?, 'koreader', 'Kobo', ?, ?)`,
  )
  const bind = db.prepare(
    `INSERT INTO device_books (id, "user", connection, document, book_key)
      SELECT ?, "user", ?, ?, book_key FROM user_books WHERE "user" = ? AND page_count > 0
        AND status NOT IN ('completed', 'dropped') LIMIT 1`,
  )
  db.exec('BEGIN')
  for (let n = 0; n < devices; n++) {
    const { id: user, username } = readerOf(n)
    const id = `d${String(n).padStart(14, '0')}`
    connect.run(id, user, username, hashKey(key))
    bind.run(id, id, `document${n}`, user)
  }
  db.exec('COMMIT')
  db.close()
}

function countMoved(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true })
  const row = db.prepare("SELECT COUNT(*) AS moved FROM progress_log WHERE source = 'device'").get()
  db.close()
  return Number(row?.['moved'])
}

/** What KOReader writes. */
function pushRequest(url: URL, device: number, percentage: number): Buffer {
  const body = JSON.stringify({
    document: `document${device}`,
    progress: '/body/DocFragment[12]/body/p[34]/text().0',
    percentage: Math.min(1, percentage),
    device: 'Kobo_spaBW',
    device_id: '1A2B3C4D5E6F',
  })
  return Buffer.from(
    `PUT ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nAccept: application/vnd.koreader.v1+json\r\nx-auth-user: ${readerOf(device).username}\r\nx-auth-key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
