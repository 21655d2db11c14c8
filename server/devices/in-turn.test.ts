import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openFixture } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { inTurn } from './in-turn.ts'

describeMigratedDatabases('what is to be done of readers’ records', (open, dialect) => {
  test('comes in turn, however much one of them has', async () => {
    const fixture = await openFixture(await open())
    const [busy, other] = [await fixture.reader('busy'), await fixture.reader('other')]
    const add = (user: string, document: string) =>
      fixture.records.write((tx) => tx.create('device_books', { user, document, pending: true }))
    for (const document of ['a', 'b', 'c']) await add(busy.id, document)
    await add(other.id, 'd')
    const next = inTurn(fixture.database, 'device_books', sql`pending`)
    const found: string[] = []
    for (let i = 0; i < 4; i++) {
      const one = await fixture.records.find('device_books', (await next())!)
      found.push(one!.user)
      // One that failed is still to be done.
      if (i > 0)
        await fixture.records.write((tx) => tx.update('device_books', one!.id, { pending: false }))
    }
    expect(new Set(found.slice(0, 2))).toEqual(new Set([busy.id, other.id]))
    await fixture.close()
  })

  test.runIf(dialect === 'sqlite')('is found by an index, however much waits', async () => {
    const database = await open()
    const asked = vi.spyOn(database, 'query')
    await inTurn(database, 'device_books', sql`pending`)()
    await inTurn(database, 'device_files', sql`tries > 0`)()
    const plans = await Promise.all(
      asked.mock.calls.map(([text, parameters]) =>
        database.query(`EXPLAIN QUERY PLAN ${text}`, parameters),
      ),
    )
    expect(plans.map((steps) => steps.map((step) => step[3]))).toEqual([
      [expect.stringMatching(/^SEARCH device_books USING .*INDEX device_books_pending/)],
      [expect.stringMatching(/^SEARCH device_files USING .*INDEX device_files_tries/)],
    ])
  })
})
