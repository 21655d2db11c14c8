import { expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { TooManyReadsError } from './database.ts'
import { currentBudget, meter, withBudget, type RequestBudget } from './request-budget.ts'

function openPayer(network: string, max = Number.POSITIVE_INFINITY) {
  let spent = 0
  const payer: RequestBudget = {
    network,
    began: 0,
    setAccount: () => undefined,
    charge: (milliseconds) => void (spent += milliseconds),
    refuseIfSpent() {
      if (spent >= max) throw new TooManyReadsError()
    },
  }
  return { payer, spent: () => spent, pays: <T>(work: () => T) => withBudget(payer, work) }
}

/** Takes some hundredths of a second. */
const dear = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
  SELECT COUNT(*) FROM n`

describeDatabases('R43: the time of statements', (open) => {
  test('is charged to the request, and to nobody for the process itself', async () => {
    const db = await open()
    const [ann, bob] = [openPayer('ann'), openPayer('bob')]
    await Promise.all([
      ann.pays(() => db.query(dear)),
      bob.pays(() => db.search(dear)),
      db.query(dear),
    ])
    expect(ann.spent()).toBeGreaterThan(5)
    expect(bob.spent()).toBeGreaterThan(5)
    // One after another, so that none waits for a connection. The machine may be busy during some,
    // and those that PostgreSQL answers before this process is idle cost nothing.
    const spent: number[] = []
    const most = async () => {
      const cat = openPayer('cat')
      await cat.pays(() => db.query('SELECT 1'))
      spent.push(cat.spent())
      return Math.max(...spent)
    }
    await expect.poll(most, { interval: 1 }).toBeGreaterThan(0)
    expect(Math.min(...spent)).toBeLessThan(ann.spent())
  })

  test('in writes is charged to each writer, even if they are committed together', async () => {
    const db = await open()
    await db.transaction((tx) => tx.query('CREATE TABLE notes (id INTEGER)'))
    const [ann, bob, cat] = [openPayer('ann'), openPayer('bob'), openPayer('cat')]
    const payers: unknown[] = []
    const write = (text: string) =>
      db.transaction(async (tx) => {
        tx.afterCommit(() => payers.push(currentBudget()))
        await tx.query('INSERT INTO notes VALUES (1)')
        await tx.query(text)
      })
    await Promise.all([
      ann.pays(() => write('SELECT 1')),
      bob.pays(() => write(dear)),
      cat.pays(() => write('SELECT 1')),
    ])
    await expect.poll(() => payers.length).toBe(3)
    // Events after the commit are charged to nobody.
    expect(payers).toEqual([undefined, undefined, undefined])
    // The machine may be busy during one of the others.
    expect(bob.spent()).toBeGreaterThan(Math.min(ann.spent(), cat.spent()))
  })

  test('isn’t used for a search whose budget ran out while it waited', async () => {
    const db = await open()
    const { pays } = openPayer('ann', 1)
    const searches = await pays(() =>
      Promise.allSettled(Array.from({ length: 10 }, () => db.search(dear, [], 'ann'))),
    )
    const refused = searches.filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThanOrEqual(6)
    expect(refused.length).toBeLessThan(10)
    expect(await db.search('SELECT 7', [], 'ann')).toEqual([[7]])
  })
})

test('R43: the application can charge for work it does elsewhere', () => {
  const ann = openPayer('ann')
  ann.pays(() => meter())?.(12)
  expect(ann.spent()).toBe(12)
  expect(meter()).toBeUndefined()
})
