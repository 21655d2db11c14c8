import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { query } from '#server/storage/query.ts'
import type { ImportRecord } from '#shared/import.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { goodreads, useImports } from '#tests/imports.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'

const catalogue = await openFederatedStarter()
const tableOf = (rows: number) =>
  `Title,Author\n${Array.from({ length: rows }, (_, n) => `Volume ${n},Ann Other\n`).join('')}`

describeMigratedDatabases('the queue of imports', (open) => {
  const of = useImports(open, catalogue)

  const count = async (what: 'import_rows' | 'import_work') =>
    Number((await query(of.world.database, sql`SELECT COUNT(*) FROM ${sql.table(what)}`))[0]?.[0])
  const begin = (content: string, who = of.reader) =>
    who.client
      .collection<ImportRecord>('imports')
      .create({ file: new File([content], 'export.csv') })

  test('R57: runs one import of each reader at a time, so that none waits for another’s', async () => {
    const other = await of.world.reader('other')
    const first = await begin(tableOf(300))
    const second = await begin(tableOf(300))
    const small = await begin(goodreads, other)
    await of.work()
    const ends = await Promise.all([
      of.get(small.id, other).then(({ updated }) => updated),
      of.get(first.id).then(({ updated }) => updated),
      of.get(second.id).then(({ updated }) => updated),
    ])
    expect(ends).toEqual(ends.toSorted())
  })

  test('R57: an import that is deleted stops, and its rows go', async () => {
    const { id } = await begin(tableOf(5000))
    const work = of.work()
    await expect.poll(async () => (await of.get(id)).total).toBeGreaterThan(0)
    await of.reader.client.collection('imports').delete(id)
    await of.check()
    await work
    expect([await count('import_rows'), await count('import_work')]).toEqual([0, 0])
    await expect.poll(() => of.files()).toEqual([])
  })

  test('R57: a file is given up after two tries that ended the process', async () => {
    const { id } = await begin(goodreads)
    const crash = () =>
      of.world.database.transaction((tx) =>
        query(
          tx,
          sql`INSERT INTO import_work (import, worker, until, tries) VALUES (${id}, '', 0, 1)
            ON CONFLICT (import) DO UPDATE SET tries = import_work.tries + 1`,
        ),
      )
    await crash()
    await crash()
    await of.work()
    expect(await of.get(id)).toMatchObject({
      state: 'failed',
      total: 0,
      error: 'We stopped after two tries, as something went wrong both times.',
    })
    const other = await of.send(goodreads)
    expect(other).toMatchObject({ state: 'waiting', total: 5 })
    expect(await count('import_work')).toBe(0)
  })

  test('R57: another process’s import is left to it until that has ended', async () => {
    const { id } = await begin(goodreads)
    const claim = (host: string, until: number) =>
      of.world.database.transaction((tx) =>
        query(
          tx,
          sql`INSERT INTO import_work (import, worker, until, tries)
            VALUES (${id}, ${JSON.stringify([host, 1, 'x'])}, ${until}, 1)
            ON CONFLICT (import) DO UPDATE SET until = ${until}`,
        ),
      )
    await claim('elsewhere.example', Date.now() + 60_000)
    const other = await of.world.reader('other')
    const small = await begin(goodreads, other)
    const work = of.work()
    await expect.poll(async () => (await of.get(small.id, other)).state).toBe('waiting')
    expect(await of.get(id)).toMatchObject({ state: 'reading', total: 0 })
    await claim('elsewhere.example', 0)
    await work
    expect(await of.get(id)).toMatchObject({ state: 'waiting', total: 5 })
  })

  test('R57: a claim of a clock that was days ahead holds nothing', async () => {
    const { id } = await begin(goodreads)
    const worker = JSON.stringify(['elsewhere.example', 1, 'x'])
    await of.world.database.transaction((tx) =>
      query(
        tx,
        sql`INSERT INTO import_work (import, worker, until, tries)
          VALUES (${id}, ${worker}, ${Date.now() + 3 * 86_400_000}, 1)`,
      ),
    )
    await of.work()
    expect(await of.get(id)).toMatchObject({ state: 'waiting', total: 5 })
  })

  test('R58: column names can’t multiply a file on disk', async () => {
    const header = Array.from({ length: 998 }, (_, n) => `${n}${'x'.repeat(180)}`).join(',')
    const failed = await of.send(`Title,Author,${header}\n${`t,a${',a'.repeat(998)}\n`.repeat(50)}`)
    expect(failed).toMatchObject({
      state: 'failed',
      error: 'The rows of this file take far more space than the file itself.',
      total: 0,
      invalid: 0,
      file: '',
    })
    expect(await count('import_rows')).toBe(0)
    await expect.poll(() => of.files()).toEqual([])
  })

  test('R58: what an import takes is bounded, and given back when it has ended', async () => {
    const review = 'A fine book. '.repeat(1000)
    const file = goodreads.replace('Lovely', review)
    const { id } = await of.send(file)
    const size = async () => {
      const [row] = await query(
        of.world.database,
        sql`SELECT SUM(LENGTH(source) + LENGTH("read")) FROM import_rows`,
      )
      return Number(row?.[0])
    }
    const before = await size()
    expect(before).toBeGreaterThan(2 * review.length)
    expect(before).toBeLessThan(3 * file.length + 5 * 1024)
    expect(of.files()).toHaveLength(1)
    const done = await of.step(id, { state: 'applying' })
    expect(done).toMatchObject({ state: 'done', file: '', applied: 3 })
    expect(await size()).toBeLessThan(review.length)
    await expect.poll(() => of.files()).toEqual([])
    expect((await of.rows(id)).map(({ read }) => read?.title)).toContain('Pride and Prejudice')
    expect(await of.step(id, { state: 'undone' })).toMatchObject({ state: 'undone', applied: 0 })
    expect(await of.books()).toEqual([])
  })

  test('R58: a reader’s imports take 200 MB together', async () => {
    const { id } = await of.send(goodreads)
    await of.world.records.write((tx) => tx.update('imports', id, { stored: 199_999_999 }))
    expect(await of.send(goodreads)).toMatchObject({
      state: 'failed',
      error: 'Your imports take more than 200 MB. Finish or delete one, then try again.',
    })
    await of.reader.client.collection('imports').delete(id)
    expect(await of.send(goodreads)).toMatchObject({ state: 'waiting' })
  })

  test('is undone only once its books are gone', async () => {
    const { id } = await of.send(goodreads)
    await of.step(id, { state: 'applying' })
    const asked = await of.reader.client
      .collection<ImportRecord>('imports')
      .update(id, { state: 'undone' })
    expect(asked).toMatchObject({ state: 'undoing', applied: 3 })
    await of.work()
    expect(await of.get(id)).toMatchObject({ state: 'undone', applied: 0 })
  })
})
