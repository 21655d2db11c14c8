import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newSqliteFile } from '#tests/databases.ts'
import { QueryTimeoutError } from './database.ts'
import { openSqlite, refuseOldSqlite } from './sqlite.ts'

/** A database with one table whose `id` is unique. */
async function openNotes(limits?: Parameters<typeof openSqlite>[1]) {
  const file = await newSqliteFile()
  const database = openSqlite(file, limits)
  onTestFinished(() => database.close())
  await database.transaction((tx) => tx.query('CREATE TABLE notes (id TEXT PRIMARY KEY)'))
  const add = (id: string) =>
    database.transaction(async (tx) => {
      await tx.query('INSERT INTO notes VALUES (?)', [id])
      return id
    })
  const stored = async () => (await database.query('SELECT id FROM notes ORDER BY id')).flat()
  return { file, database, add, stored }
}

test.each(['first', 'later'])(
  'of transactions committed together, the %s one that fails rolls back only itself',
  async (place) => {
    const { database, add, stored } = await openNotes()
    const fails = () =>
      database.transaction(async (tx) => {
        await tx.query('INSERT INTO notes VALUES (?)', ['lost'])
        throw new Error('on second thought')
      })
    const works = place === 'first' ? [fails, () => add('a')] : [() => add('a'), fails]
    const ends = await Promise.allSettled([...works, () => add('b')].map((work) => work()))
    expect(ends.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
    ])
    expect(await stored()).toEqual(['a', 'b'])
  },
)

test('transactions committed together see earlier writes, and none is stored twice', async () => {
  const { add, stored } = await openNotes()
  const ends = await Promise.allSettled(Array.from({ length: 200 }, (_, i) => add(`n${i % 100}`)))
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(100)
  expect(await stored()).toHaveLength(100)
})

test('a transaction resolves only once it can be read, and a failed one has no effects', async () => {
  const { database, stored } = await openNotes()
  const told: [string, unknown[]][] = []
  const write = (id: string) =>
    database.transaction(async (tx) => {
      tx.afterCommit(() => void stored().then((ids) => told.push([id, ids])))
      await tx.query('INSERT INTO notes VALUES (?)', [id])
    })
  const ends = await Promise.allSettled([write('a'), write('b'), write('b'), write('c')])
  expect(ends.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  await stored()
  const all = ['a', 'b', 'c']
  expect(told).toEqual(all.map((id) => [id, all]))
})

test('when SQLite rolls back a shared commit, all its transactions fail', async () => {
  const { database, add, stored } = await openNotes()
  const breaks = () => database.transaction((tx) => tx.query('ROLLBACK'))
  const ends = await Promise.allSettled([add('a'), breaks(), add('b')])
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  expect(await stored()).toEqual(['b'])
})

test('commits wait for the disk unless none of their transactions need be durable', async () => {
  const { database } = await openNotes()
  // In SQLite's numbers, 1 is NORMAL and 2 is FULL.
  const levels = (durable: boolean[]) =>
    Promise.all(
      durable.map((isDurable) =>
        database.transaction(async (tx) => (await tx.query('PRAGMA synchronous'))[0]?.[0], {
          isDurable,
        }),
      ),
    )
  expect(await levels([false, false, true, false])).toEqual([1, 1, 2, 2])
  expect(await levels([false])).toEqual([1])
  expect(await levels([true, false])).toEqual([2, 2])
})

/** Locks the file as another process would. @returns a function that unlocks it */
function hold(file: string): () => void {
  const other = new DatabaseSync(file)
  other.exec('BEGIN EXCLUSIVE')
  return () => other.close()
}

test('while another process has the file locked, reads go on and writes wait', async () => {
  const { file, add, stored } = await openNotes()
  const letGo = hold(file)
  const writes = Promise.all(['a', 'b'].map(add))
  for (let n = 0; n < 5; n++) expect(await stored()).toEqual([])
  letGo()
  expect(await writes).toEqual(['a', 'b'])
  expect(await stored()).toEqual(['a', 'b'])
})

test('a file locked for too long fails all waiting writes, but no later ones', async () => {
  const { file, add, stored } = await openNotes({ lockTimeout: 0 })
  const letGo = hold(file)
  const ends = await Promise.allSettled(['a', 'b'].map(add))
  expect(ends).toEqual(
    ends.map(() => ({ status: 'rejected', reason: expect.objectContaining({ errcode: 5 }) })),
  )
  letGo()
  expect(await add('c')).toBe('c')
  expect(await stored()).toEqual(['c'])
})

test('reads outside of a transaction see only committed data', async () => {
  const { database, add, stored } = await openNotes()
  await add('a')
  const seen = await database.transaction(async (tx) => {
    await tx.query('INSERT INTO notes VALUES (?)', ['b'])
    return [await stored(), (await tx.query('SELECT id FROM notes ORDER BY id')).flat()]
  })
  expect(seen).toEqual([['a'], ['a', 'b']])
  expect(await stored()).toEqual(['a', 'b'])
})

test('outside of a transaction nothing can be written', async () => {
  const { database, stored } = await openNotes()
  for (const text of [
    `INSERT INTO notes VALUES ('a')`,
    `WITH one(id) AS (VALUES ('a')) INSERT INTO notes SELECT id FROM one`,
  ])
    await expect(database.query(text)).rejects.toThrow('readonly')
  expect(await stored()).toEqual([])
})

/** A join of three billion pairs. */
const endless = 'SELECT COUNT(*) FROM notes a, notes b, notes c WHERE in_time()'

test('a search that takes too long is aborted, and others are answered meanwhile', async () => {
  const { database, add, stored } = await openNotes({ statementTimeout: 500 })
  await Promise.all(Array.from({ length: 1500 }, (_, i) => add(`n${i}`)))
  const told: string[] = []
  const tell = (name: string) => () => void told.push(name)
  const search = database.search(endless)
  const others = [stored(), add('one more'), stored()].map((one) => one.then(tell('other')))
  await expect(search.finally(tell('search'))).rejects.toThrow(QueryTimeoutError)
  await Promise.all(others)
  expect(told).toEqual(['other', 'other', 'other', 'search'])
  expect(await database.search('SELECT COUNT(*) FROM notes')).toEqual([[1501]])
})

test('a search sees committed data, reports its errors, and can’t write', async () => {
  const { database, add } = await openNotes()
  await add('a')
  expect(await database.search('SELECT id FROM notes WHERE id = ?', ['a'])).toEqual([['a']])
  await add('b')
  expect(await database.search('SELECT COUNT(*) FROM notes')).toEqual([[2]])
  await expect(database.search('SELECT missing FROM notes')).rejects.toThrow('no such column')
  await expect(database.search(`INSERT INTO notes VALUES ('c')`)).rejects.toThrow('readonly')
})

test('R43: a narrow search that turns out slow is moved to a thread, and others are answered', async () => {
  const { database, add, stored } = await openNotes({ statementTimeout: 1000 })
  await Promise.all(Array.from({ length: 1500 }, (_, i) => add(`n${i}`)))
  const told: string[] = []
  const tell = (name: string) => () => void told.push(name)
  const search = database.search(endless, [], 'ann', 'narrow')
  const others = [stored(), stored()].map((one) => one.then(tell('other')))
  await expect(search.finally(tell('search'))).rejects.toThrow(QueryTimeoutError)
  await Promise.all(others)
  expect(told).toEqual(['other', 'other', 'search'])
  const [[max]] = (await database.search(
    'SELECT MAX(id) FROM notes WHERE in_time()',
    [],
    'ann',
    'narrow',
  )) as [[string]]
  expect(max).toBe('n999')
})

test('a search that takes too long within one text is aborted, too', async () => {
  const among = async (text: string, limits = {}) => {
    const { database, add } = await openNotes(limits)
    await add('a'.repeat(1_000_000))
    return database.search('SELECT octet_length(id) FROM notes WHERE like_in_time(id, ?)', [text])
  }
  const endless = among(`%${'a'.repeat(3000)}b%`, { statementTimeout: 200 })
  await expect(endless).rejects.toThrow(QueryTimeoutError)
  expect(await among('%A%')).toEqual([[1_000_000]])
})

test('closing a database ends searches under way', async () => {
  const database = openSqlite(await newSqliteFile())
  await database.transaction(async (tx) => {
    await tx.query('CREATE TABLE notes (id INTEGER PRIMARY KEY)')
    for (let id = 0; id < 1500; id++) await tx.query('INSERT INTO notes VALUES (?)', [id])
  })
  const searches = Promise.allSettled([1, 2, 3, 4, 5].map(() => database.search(endless)))
  await database.close()
  const ends = await searches
  expect(ends.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'))
})

test('a long log is checkpointed and restarted, and nothing is lost', async () => {
  const file = await newSqliteFile()
  const database = openSqlite(file)
  await database.transaction((tx) => tx.query('CREATE TABLE notes (id INTEGER, text TEXT)'))
  let written = 0
  const add = () => {
    const note = [written++, 'x'.repeat(3000)]
    return database.transaction((tx) => tx.query('INSERT INTO notes VALUES (?, ?)', note))
  }
  await Promise.all(Array.from({ length: 6000 }, add))
  const other = new DatabaseSync(file)
  const log = other.prepare('PRAGMA wal_checkpoint(NOOP)')
  // Each note takes a page of the log, so without a restart it would be longer.
  const isAnew = async () => {
    await add()
    return Number(log.get()?.['log']) < written
  }
  await expect.poll(isAnew).toBe(true)
  expect(statSync(file).size).toBeGreaterThan(4000 * 3000)
  expect(await database.query('SELECT COUNT(DISTINCT id) FROM notes')).toEqual([[written]])
  other.close()
  await database.close()
  const after = new DatabaseSync(file)
  expect(after.prepare('SELECT COUNT(*) AS n FROM notes').get()).toEqual({ n: written })
  after.close()
})

test.each(['3.7.0', '3.50.4', '3.51.2'])('R40: refuses SQLite %s', (version) => {
  expect(() => refuseOldSqlite(version)).toThrow(`SQLite ${version} can damage its log`)
})

test.each(['3.51.3', '3.53.4', '4.0.0', process.versions.sqlite ?? ''])(
  'R40: accepts SQLite %s',
  (version) => {
    expect(() => refuseOldSqlite(version)).not.toThrow()
  },
)

test('watching reports writes by another process, but neither its reads nor own writes', async () => {
  const { file, database, add } = await openNotes()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  let heard = 0
  const stop = database.watch?.(() => heard++)
  const heardInASecond = () => {
    vi.advanceTimersByTime(1000)
    return heard
  }
  await add('own')
  const looks = openSqlite(file)
  expect(await looks.query('SELECT id FROM notes')).toEqual([['own']])
  await looks.close()
  expect(heardInASecond()).toBe(0)
  const writes = openSqlite(file)
  onTestFinished(() => writes.close())
  await writes.transaction((tx) => tx.query(`INSERT INTO notes VALUES ('other')`))
  expect(heardInASecond()).toBe(1)
  expect(heardInASecond()).toBe(1)
  stop?.()
  await writes.transaction((tx) => tx.query(`INSERT INTO notes VALUES ('late')`))
  expect(heardInASecond()).toBe(1)
})

test('a write while the database is closing is refused', async () => {
  const database = openSqlite(await newSqliteFile())
  const closing = database.close()
  const late = database.transaction((tx) => tx.query('CREATE TABLE late (id TEXT)'))
  await expect(late).rejects.toThrow('not open')
  await closing
})
