import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { databaseBytes, statisticsFile, statisticsTables } from '#tests/koreader-device.ts'
import { readStatisticsDatabase } from './statistics-database.ts'

const now = Date.parse('2026-03-05T12:00:00Z') / 1000
const start = Date.parse('2026-03-01T23:59:00Z') / 1000

function read(bytes: Uint8Array) {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-statistics-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  return readStatisticsDatabase(path, now)
}

const emma = { md5: 'e1', title: 'Emma', authors: 'Jane Austen\nSomebody Else' }
const page = (number: number) => ({
  md5: 'e1',
  page: number,
  start: start + 60 * number,
  seconds: 30,
  pages: 400,
})

test('reads the page times of each document by day', () => {
  const untouched = { md5: 'u1', title: 'Unread', authors: '' }
  expect(read(statisticsFile([emma, untouched], [page(1), page(0)]))).toEqual([
    {
      document: 'e1',
      title: 'Emma',
      authors: ['Jane Austen', 'Somebody Else'],
      days: [
        { day: '2026-03-01', times: [[0, start, 30, 400]] },
        { day: '2026-03-02', times: [[1, start + 60, 30, 400]] },
      ],
    },
  ])
})

test('one document under two titles has the times of both', () => {
  const again = { ...emma, title: 'Emma (Penguin)' }
  const file = databaseBytes(statisticsTables, (db) => {
    for (const { title, authors, md5 } of [emma, again])
      db.prepare('INSERT INTO book (title, authors, md5) VALUES (?, ?, ?)').run(title, authors, md5)
    db.exec(
      `INSERT INTO page_stat_data VALUES (1, 5, ${start}, 30, 400), (2, 5, ${start}, 50, 400)`,
    )
  })
  expect(read(file)).toMatchObject([{ title: 'Emma', days: [{ times: [[5, start, 50, 400]] }] }])
})

test('leaves out rows that make no sense', () => {
  const file = databaseBytes(statisticsTables, (db: DatabaseSync) => {
    db.exec(`INSERT INTO book (title, authors, md5) VALUES ('Emma', NULL, 'e1'), ('x', '', 'a/b'),
      ('y', '', NULL), (x'00', x'00', 'e2')`)
    const add = db.prepare('INSERT INTO page_stat_data VALUES (?, ?, ?, ?, ?)')
    add.run(1, 1, start, 30, 400)
    add.run(1, 2, 'now', 30, 400)
    add.run(1, 2, 12, 30, 400)
    add.run(1, 2, now + 30 * 86_400, 30, 400)
    add.run(1, 2, start, 0, 400)
    add.run(1, 3, start, -5, 400)
    add.run(1, -1, start, 30, 400)
    add.run(1, 1e9, start, 30, 400)
    add.run(1, 4, start + 5, 1e9, -1)
    add.run(2, 1, start, 30, 400)
    add.run(9, 1, start, 30, 400)
  })
  expect(read(file)).toMatchObject([
    {
      document: 'e1',
      title: 'Emma',
      authors: [],
      days: [
        {
          times: [
            [1, start, 30, 400],
            [4, start + 5, 86_400, 0],
          ],
        },
      ],
    },
  ])
})

const unreadable = 'This file can’t be read.'
const book = 'CREATE TABLE book (id integer PRIMARY KEY, title text, authors text, md5 text);'
const one = `INSERT INTO book VALUES (1, 'Emma', '', 'e1');`
const columns = 'id_book integer, page integer, start_time integer, duration integer'

test.each([
  ['no tables', ''],
  ['another program’s tables', 'CREATE TABLE books (id INTEGER)'],
  [
    'a view that never ends',
    `${book} ${one} CREATE VIEW page_stat_data AS WITH RECURSIVE n(id) AS (
      SELECT 1 UNION ALL SELECT id + 1 FROM n)
      SELECT 1 AS id_book, id AS page, ${start} AS start_time, 9 AS duration, 9 AS total_pages FROM n`,
  ],
  [
    'a computed column',
    `${book} CREATE TABLE page_stat_data (${columns},
      total_pages AS (length(hex(zeroblob(page * 1000000)))))`,
  ],
  ['a virtual table', `${book} CREATE VIRTUAL TABLE page_stat_data USING fts5(id_book)`],
  ['other columns', `${book} CREATE TABLE page_stat_data (${columns})`],
  [
    'definitions without an end',
    `${book} CREATE TABLE page_stat_data (${columns}, total_pages integer,
      ${Array.from({ length: 1900 }, (_, n) => `"${'c'.repeat(300)}${n}" integer`).join()})`,
  ],
  [
    'more rows than anyone reads pages',
    `${book} ${one} CREATE TABLE page_stat_data (${columns}, total_pages integer);
      INSERT INTO page_stat_data WITH RECURSIVE n(id) AS (
        SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 500001)
      SELECT 1, id, ${start}, 9, 9 FROM n`,
  ],
])('refuses a file with %s', (_, statements) => {
  const file = databaseBytes(statements)
  expect(() => read(file)).toThrow(unreadable)
})

test('one number that is too large costs its own row alone', () => {
  const file = databaseBytes(statisticsTables, (db) => {
    db.exec(`INSERT INTO book (title, authors, md5) VALUES ('Emma', '', 'e1')`)
    const large = '9223372036854775807'
    db.exec(`INSERT INTO page_stat_data VALUES (1, 5, ${start}, 30, 400), (1, 6, ${large}, 30, 400),
      (1, ${large}, ${start}, 30, 400), (${large}, 7, ${start}, 30, 400)`)
  })
  expect(read(file)).toMatchObject([{ days: [{ times: [[5, start, 30, 400]] }] }])
})

test('refuses a damaged file, and what is no database', () => {
  const file = statisticsFile(
    [emma],
    Array.from({ length: 2000 }, (_, n) => page(n)),
  )
  for (const bytes of [Buffer.from('no database'), Buffer.alloc(0), file.subarray(0, 9000)])
    expect(() => read(bytes)).toThrow(unreadable)
  file.fill(0xff, 4096)
  expect(() => read(file)).toThrow(unreadable)
})

test('what a file does by itself never runs', () => {
  const file = databaseBytes(`${statisticsTables}
    INSERT INTO book (title, authors, md5) VALUES ('Emma', '', 'e1');
    INSERT INTO page_stat_data VALUES (1, 1, ${start}, 30, 400);
    CREATE TRIGGER evil AFTER INSERT ON book BEGIN DELETE FROM page_stat_data; END;
    CREATE VIEW other AS SELECT randomblob(1000000000) FROM book;`)
  expect(read(file)).toHaveLength(1)
})
