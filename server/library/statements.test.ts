import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { diskStorage, type Connection, type Database } from '#records/index.ts'
import { addBook, addShelf, openFixture, type Reader, type Fixture } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'

describeMigratedDatabases('what a write asks of the database', (open, dialect) => {
  let database: Database
  let fixture: Fixture
  let reader: Reader
  let shelf: string
  let book: string
  let asked: Parameters<Connection['query']>[] = []
  let clock: number

  beforeEach(async () => {
    database = await open()
    // Every moment is one of its own.
    clock = Date.now()
    const folder = mkdtempSync(join(tmpdir(), 'octavo-statements-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const now = () => new Date((clock += 1000))
    fixture = await openFixture(listeningTo(database), now, diskStorage(folder))
    reader = await fixture.reader('reader')
    shelf = (await addShelf(reader, 'The shelf')).id
    book = (await addBook(reader, shelf, { title: 'Frankenstein', page_count: 300 })).id
    // As many entries as make the free plan look for where they begin.
    await fixture.records.write(async (tx) => {
      for (let n = 0; n < 120; n++)
        await tx.update('user_books', book, { status: n % 2 ? 'reading' : 'paused' })
    })
    asked = []
    return () => fixture.close()
  })

  function listeningTo(to: Database): Database {
    const heard =
      (at: Connection): Connection['query'] =>
      (...question) => {
        asked.push(question)
        return at.query(...question)
      }
    return {
      ...to,
      query: heard(to),
      transaction: (work) => to.transaction((tx) => work({ ...tx, query: heard(tx) })),
    }
  }

  const edit = (change: object) => reader.client.collection('user_books').update(book, change)
  const isbn = '9780141439471'
  const writes = {
    'a new book': () => addBook(reader, shelf, { title: 'Dracula', isbn }),
    'a rating': () => edit({ rating: 4 }),
    'a page': () => edit({ progress: 120 }),
    'a status': () => edit({ status: 'completed' }),
  }
  /** With who asks; PostgreSQL is also told of what others may want to hear. */
  const atMost = {
    sqlite: { 'a new book': 31, 'a rating': 11, 'a page': 23, 'a status': 30 },
    postgres: { 'a new book': 34, 'a rating': 13, 'a page': 25, 'a status': 32 },
  }[dialect]
  const each = Object.entries(writes) as [keyof typeof writes, () => Promise<unknown>][]

  test.each(each)('%s takes few statements', async (name, write) => {
    await write()
    expect(asked.map(([text]) => text).slice(atMost[name])).toEqual([])
  })

  test('of a batch of new books nothing is asked for each but its rules, whether it is new, and what is written', async () => {
    const many = async (count: number) => {
      asked = []
      const batch = reader.client.createBatch()
      for (let n = 0; n < count; n++)
        batch.collection('user_books').create({ shelf, title: `${count}.${n}`, status: 'planning' })
      await batch.send()
      return asked.length
    }
    // Whether the shelf is theirs, the create rule, whether they have the book and have read it, the
    // book and its entry.
    expect((await many(20)) - (await many(10))).toBe(6 * 10)
  })

  test.each(each)('%s reads what it needs by an index', async (_, write) => {
    await write()
    const plans = await Promise.all(
      asked.map(async ([text, parameters]) => {
        if (dialect === 'postgres') return []
        const rows = await database.query(`EXPLAIN QUERY PLAN ${text}`, parameters)
        return rows.map((row) => String(row[3]))
      }),
    )
    // A row that is not there yet is made of what was sent.
    const walks = plans
      .flat()
      .filter((step) =>
        /^SCAN (?!CONSTANT ROW|2-ROW VALUES|facts$|latest$|t0$|\(subquery)/.test(step),
      )
    expect(walks).toEqual([])
    for (const [text] of asked) expect(text).not.toMatch(/COUNT\(\*\)\s+FROM user_books/)
  })

  test('the end of a removal reads nothing of what has no files', async () => {
    await reader.client.collection('bookshelves').delete(shelf)
    clock += 31 * 86_400_000
    asked = []
    expect(await fixture.records.sweepTrash()).toBe(1)
    const read = asked.map(([text]) => text).filter((text) => /"_removedRecords"/.test(text))
    expect(read).not.toEqual([])
    expect(read.filter((text) => /\bdata\b/.test(text))).toEqual([])
  })
})
