/**
 * The most this machine can give for the notes of ./notes-data.ts: node:http and prepared
 * statements, no rules, no checks, as durable as the record service.
 */
import type { IncomingMessage } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { serveBare } from './bare-server.ts'

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
let made = 0

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

function create(sent: string): string {
  const note = JSON.parse(sent) as Omit<Note, 'labels' | 'open'> & {
    labels: string[]
    open: boolean
  }
  const id = `c${String(made++).padStart(14, '0')}`
  const now = new Date().toISOString().replace('T', ' ')
  const [labels, open] = [text(note.labels), Number(note.open)]
  insert.run(id, note.owner, note.title, note.body, labels, note.stars, open, now, now)
  return `${json({ ...note, id, labels, open, created: now, updated: now })}\n`
}

function change(id: string, sent: string): string {
  const { stars } = JSON.parse(sent) as Note
  update.run(stars, new Date().toISOString().replace('T', ' '), id)
  return `${json(one.get(id) as unknown as Note)}\n`
}

function answer({ method, url = '' }: IncomingMessage, sent: string): string {
  const id = url.slice(url.lastIndexOf('/') + 1)
  if (method === 'POST') return create(sent)
  if (method === 'PATCH') return change(id, sent)
  const owner = /filter=owner%3D%22(\w+)%22/.exec(url)?.[1]
  return owner ? list(owner) : `${json(one.get(id) as unknown as Note)}\n`
}

serveBare(answer)
