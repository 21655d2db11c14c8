import { expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { ApiError } from '../errors.ts'
import { passwordAttempts } from './attempts.ts'
import { Limits, limitTables } from './index.ts'

describeDatabases('a rule with a delay', (open) => {
  test('delays attempts beyond the limit, for one account from all networks', async () => {
    const database = await open()
    await database.transaction(async (tx) => {
      for (const statement of limitTables(database.dialect.name)) await tx.query(statement)
    })
    const waits: number[] = []
    const limits = new Limits({
      database,
      secret: 'x'.repeat(32),
      now: () => 0,
      rules: { passwordAccount: { points: 4, seconds: 3600, delay: 300 } },
      timers: { wait: async (milliseconds) => waits.push(milliseconds) },
    })
    const tryAs = (account: string, from: number) =>
      limits.attempt(passwordAttempts(`192.0.2.${from}`, account), async () => {
        throw new ApiError(400)
      })
    for (let from = 0; from < 4; from++)
      await expect(tryAs('ann', from)).rejects.toMatchObject({ status: 400 })
    expect(waits).toEqual([])
    await expect(tryAs('ann', 5)).rejects.toMatchObject({ status: 400 })
    expect(waits).toEqual([300])
    await expect(tryAs('ben', 5)).rejects.toMatchObject({ status: 400 })
    expect(waits).toEqual([300])
  })
})
