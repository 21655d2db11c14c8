import { expect, test } from 'vitest'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { openFixture } from '#tests/access/fixture.ts'
import { readerOfSecret } from './secrets.ts'

describeMigratedDatabases('a private feed', (open) => {
  test('says when it was last used, after the clock was set back too', async () => {
    const fixture = await openFixture(await open())
    const reader = await fixture.reader('lamplight')
    const feeds = reader.client.collection('private_feeds')
    const { id, secret } = await feeds.create<{ id: string; secret: string }>()
    const useAt = async (time: string) => {
      expect(await readerOfSecret(fixture.database, secret, new Date(time))).toBe(reader.id)
      return (await feeds.getOne<{ last_used: string }>(id)).last_used
    }
    expect(await useAt('2026-03-03T12:00:00Z')).toBe('2026-03-03 12:00:00.000Z')
    expect(await useAt('2026-03-03T12:30:00Z')).toBe('2026-03-03 12:00:00.000Z')
    expect(await useAt('2026-03-03T13:01:00Z')).toBe('2026-03-03 13:01:00.000Z')
    expect(await useAt('2026-03-01T12:00:00Z')).toBe('2026-03-01 12:00:00.000Z')
    await fixture.close()
  })
})
