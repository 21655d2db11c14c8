/**
 * The most this machine can give for the notes of ./notes-data.ts: node:http and prepared
 * statements, no rules, no checks, as durable as the record service.
 */
import type { IncomingMessage } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { randomId, serveBare } from './bare-server.ts'

const [, , file = '', collectionId = ''] = process.argv
const db = new DatabaseSync(file)
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536')

interface Note {
  body: string
  created: string
  id: string
  labels: string
  open: number
  owner: string
  stars: number
  title: string
  updated: string
}

const columns = 'body, created, id, labels, open, owner, stars, title, updated'
const one = db.prepare(`SELECT ${columns} FROM notes WHERE id = ?`)
const page = db.prepare(
  `SELECT ${columns} FROM notes WHERE owner = ? ORDER BY stars DESC, id LIMIT 30`,
)
const count = db.prepare('SELECT COUNT(*) AS total FROM notes WHERE owner = ?')
const insert = db.prepare(
  `INSERT INTO notes (id, owner, title, body, labels, stars, open, created, updated)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
)
const update = db.prepare('UPDATE notes SET stars = ?, updated = ? WHERE id = ?')

const text = JSON.stringify
const collection = `"collectionId":${text(collectionId)},"collectionName":"notes"`

function json(note: Note): string {
  return `{"body":${text(note.body)},${collection},"created":"${note.created}","id":"${note.id}","labels":${note.labels},"open":${note.open === 1},"owner":"${note.owner}","stars":${note.stars},"title":${text(note.title)},"updated":"${note.updated}"}`
}

function list(owner: string): string {
  const items = (page.all(owner) as unknown as Note[]).map(json).join()
  const { total } = count.get(owner) as { total: number }
  return `{"items":[${items}],"page":1,"perPage":30,"totalItems":${total},"totalPages":${Math.ceil(total / 30)}}\n`
}

type Sent = Omit<Note, 'labels' | 'open'> & { labels: string[]; open: boolean }

function create(note: Sent): string {
  const id = randomId()
  const now = new Date().toISOString().replace('T', ' ')
  const [labels, open] = [text(note.labels), Number(note.open)]
  insert.run(id, note.owner, note.title, note.body, labels, note.stars, open, now, now)
  return json({ ...note, id, labels, open, created: now, updated: now })
}

function batch(sent: string): string {
  const { requests } = JSON.parse(sent) as { requests: { body: Sent }[] }
  db.exec('BEGIN IMMEDIATE')
  const answers = requests.map(({ body }) => `{"status":200,"body":${create(body)}}`)
  db.exec('COMMIT')
  return `[${answers.join()}]\n`
}

function change(id: string, sent: string): string {
  const { stars } = JSON.parse(sent) as Note
  update.run(stars, new Date().toISOString().replace('T', ' '), id)
  return `${json(one.get(id) as unknown as Note)}\n`
}

function answer({ method, url = '' }: IncomingMessage, sent: string): string {
  const id = url.slice(url.lastIndexOf('/') + 1)
  if (url === '/api/batch') return batch(sent)
  if (method === 'POST') return `${create(JSON.parse(sent) as Sent)}\n`
  if (method === 'PATCH') return change(id, sent)
  const owner = /filter=owner%3D%22(\w+)%22/.exec(url)?.[1]
  return owner ? list(owner) : `${json(one.get(id) as unknown as Note)}\n`
}

serveBare(answer)
