import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openFixture } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { inTurn } from './in-turn.ts'

describeMigratedDatabases('what is to be done of readers’ records', (open) => {
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
})
