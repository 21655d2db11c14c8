import { beforeEach, expect, test } from 'vitest'
import type { Connection, Database } from '#records/index.ts'
import { addBook, addShelf, openWorld, type Reader, type World } from '#tests/access/world.ts'
import { describeDatabases } from '#tests/databases.ts'

describeDatabases('what a write asks of the database', (open, dialect) => {
  let database: Database
  let world: World
  let reader: Reader
  let shelf: string
  let book: string
  let asked: Parameters<Connection['query']>[] = []

  beforeEach(async () => {
    database = await open()
    // Every moment is one of its own.
    let clock = Date.now()
    world = await openWorld(listeningTo(database), () => new Date((clock += 1000)))
    reader = await world.reader('reader')
    shelf = (await addShelf(reader, 'The shelf')).id
    book = (await addBook(reader, shelf, { title: 'Frankenstein', page_count: 300 })).id
    // As many entries as make the free plan look for where they begin.
    await world.records.write(async (tx) => {
      for (let n = 0; n < 120; n++)
        await tx.update('user_books', book, { status: n % 2 ? 'reading' : 'paused' })
    })
    asked = []
    return () => world.close()
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
    sqlite: { 'a new book': 15, 'a rating': 4, 'a page': 13, 'a status': 13 },
    postgres: { 'a new book': 16, 'a rating': 5, 'a page': 14, 'a status': 14 },
  }[dialect]
  const each = Object.entries(writes) as [keyof typeof writes, () => Promise<unknown>][]

  test.each(each)('%s takes few statements', async (name, write) => {
    await write()
    expect(asked.map(([text]) => text).slice(atMost[name])).toEqual([])
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
    const walks = plans.flat().filter((step) => /^SCAN (?!CONSTANT ROW|t0$|\(subquery)/.test(step))
    expect(walks).toEqual([])
    for (const [text] of asked) expect(text).not.toMatch(/COUNT\(\*\)\s+FROM user_books/)
  })
})
