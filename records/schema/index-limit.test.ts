import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { insertRow } from '../write/rows.ts'
import { collection } from './collection.ts'
import { tableSql } from './table.ts'
import { validate } from './validate.ts'

const rules = { list: null, view: null, create: null, update: null, delete: null }
const songs = collection({
  name: 'songs',
  fields: [
    { name: 'code', type: 'text' },
    { name: 'singer', type: 'text' },
    { name: 'title', type: 'text' },
    { name: 'words', type: 'text' },
  ],
  unique: [['code'], ['singer', 'title']],
  rules,
})

/** Text that can't be compressed. */
const noise = (bytes: number) =>
  `é${randomBytes(bytes).toString('base64url')}`.slice(0, Math.max(0, bytes - 1))
const song = (code: number, singer: number, title: number) => ({
  id: noise(15),
  code: noise(code),
  singer: noise(singer),
  title: noise(title),
  words: noise(5000),
})
const wrong = (record: ReturnType<typeof song>) =>
  validate(songs, record, new Set(['code', 'singer', 'title', 'words']))

describeDatabases('unique values', (open) => {
  it('are stored up to their maximum length', async () => {
    const database = await open()
    const record = song(2600, 1300, 1300)
    expect(wrong(record)).toEqual({})
    await database.transaction(async (tx) => {
      for (const statement of tableSql(songs, tx.dialect)) await tx.query(statement)
      await insertRow(tx, songs, record)
    })
    expect(await database.query('SELECT code, title FROM songs')).toEqual([
      [record.code, record.title],
    ])
  })
})

it('a value too long for its unique index is refused with a limit in bytes', () => {
  const tooLong = (maxSize: number) => ({
    code: 'validation_content_size_limit',
    message: `The maximum allowed content size is ${maxSize} bytes.`,
    params: { maxSize },
  })
  expect(wrong(song(2601, 1301, 0))).toEqual({ code: tooLong(2600), singer: tooLong(1300) })
})
