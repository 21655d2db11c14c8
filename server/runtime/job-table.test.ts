import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { named, number, text } from '#records/index.ts'
import { modify, query } from '#server/storage/query.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { claimDue, retryDelay, tableJobs, type RetriedTable } from './job-table.ts'
import { runAllJobs } from './jobs.ts'

const claim = 1000
const table: RetriedTable<{ user: string; book_key: string; tries: number }> = {
  name: 'book_completions',
  key: ['user', 'book_key'],
  columns: { user: text, book_key: text, tries: number },
  time: (milliseconds) => milliseconds,
  claim,
  latest: 100_000,
  tries: 'tries',
  retries: { delays: [2000, 4000] },
}

describeMigratedDatabases('the jobs of a table', (open) => {
  async function openTable(jobs: Record<string, readonly string[]>) {
    const database = await open()
    await database.transaction(async (tx) => {
      for (const [user, keys] of Object.entries(jobs))
        for (const key of keys)
          await modify(
            tx,
            table.name,
            sql`INSERT INTO book_completions ("user", book_key, source, due)
              VALUES (${user}, ${key}, 'catalogue', 0)`,
          )
    })
    const states = async () =>
      named(
        await query(database, sql`SELECT book_key, tries, due FROM book_completions ORDER BY 1`),
        { key: text, tries: number, due: number },
      )
    return { database, states }
  }

  test('are shared by processes that claim at once', async () => {
    const keys = Array.from({ length: 20 }, (_, n) => `book${String(n).padStart(2, '0')}`)
    const { database } = await openTable({ ann: keys })
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => claimDue(database, table, { now: 500, atMost: 3 })),
    )
    const claimed = claims.flat().map(({ book_key }) => book_key)
    expect(new Set(claimed).size).toBe(claimed.length)
    const rest = await claimDue(database, table, { now: 500, atMost: 20 })
    expect([...claimed, ...rest.map(({ book_key }) => book_key)].toSorted()).toEqual(keys)
  })

  test('are due again when the claim of a process that was killed has ended', async () => {
    const { database } = await openTable({ ann: ['emma'] })
    const now = 500
    expect(await claimDue(database, table, { now })).toMatchObject([{ book_key: 'emma' }])
    expect(await claimDue(database, table, { now: now + claim - 1 })).toEqual([])
    expect(await claimDue(database, table, { now: now + claim })).toHaveLength(1)
  })

  test('are due although they were put off by a clock that was ahead', async () => {
    const { database } = await openTable({ ann: ['emma'] })
    await claimDue(database, table, { now: 500_000 })
    expect(await claimDue(database, table, { now: 500 })).toHaveLength(1)
  })

  test('that fail are tried again later, each time after a longer pause', async () => {
    const { database, states } = await openTable({ ann: ['emma'] })
    let now = 500
    const failures: string[] = []
    const jobs = tableJobs(database, table, {
      now: () => now,
      run: () => Promise.reject(new Error('away')),
      failed: ({ tries }, error) => failures.push(`${tries}: ${String(error)}`),
    })
    for (const due of [2500, 6500, 10_500]) {
      await runAllJobs(jobs)
      expect(await states()).toMatchObject([{ due }])
      now = due
    }
    expect(failures).toEqual(['0: Error: away', '1: Error: away', '2: Error: away'])
  })

  test('of one owner are done one after the other, and those of others meanwhile', async () => {
    const { database } = await openTable({ ann: ['emma', 'persuasion'], bob: ['sanditon'] })
    const jobs = tableJobs(database, table, {
      concurrency: 3,
      owner: 'user',
      now: () => 500,
      run: async () => undefined,
    })
    const [first, second] = [await jobs.next(), await jobs.next()]
    expect(new Set([first?.user, second?.user])).toEqual(new Set(['ann', 'bob']))
    expect(await jobs.next()).toBeUndefined()
    const { signal } = new AbortController()
    await Promise.all([jobs.run(first!, signal), jobs.run(second!, signal)])
    expect(await jobs.next()).toMatchObject({ user: 'ann', book_key: 'persuasion' })
  })

  test('keep what their work has written about the next time', async () => {
    const { database, states } = await openTable({ ann: ['emma'] })
    const jobs = tableJobs(database, table, {
      now: () => 500,
      async run() {
        await database.transaction((tx) =>
          modify(tx, table.name, sql`UPDATE book_completions SET due = 9000`),
        )
        throw new Error('too late')
      },
      failed: () => undefined,
    })
    await runAllJobs(jobs)
    expect(await states()).toEqual([{ key: 'emma', tries: 0, due: 9000 }])
  })
})

test('delays end with the longest, and vary by their spread', () => {
  const retries = { delays: [1000, 2000, 4000], spread: 0.25 }
  for (let tries = 0; tries < 20; tries++) {
    const middle = retries.delays[Math.min(tries, 2)]!
    expect(retryDelay(retries, tries)).toBeGreaterThanOrEqual(middle * 0.75)
    expect(retryDelay(retries, tries)).toBeLessThanOrEqual(middle * 1.25)
  }
  expect(retryDelay(retries, 3)).not.toBe(retryDelay(retries, 3))
})
