import { expect, it } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { openFixture, password } from './fixture.ts'

const hour = 3600
const jumps = [hour, -hour, 400 * 24 * hour, -400 * 24 * hour]

describeDatabases('a clock that jumps', (open) => {
  it.each(jumps)('R24: by %i seconds keeps nobody from writing or signing in', async (seconds) => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const before = await ann.collection('labels').create({ name: 'before' })
    fixture.wait(seconds)
    // A session that has run out is answered as a visitor's, and begun again.
    const again = await fixture.member('bob')
    const after = await again.collection('labels').create({ name: 'after' })
    await again.collection('labels').update(after.id, { name: 'later' })
    const ids = (await again.collection('labels').getFullList()).map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([before.id, after.id]))
    expect(fixture.errors).toEqual([])
  })

  it('R24: back does not keep out whom the limits let in again before', async () => {
    const fixture = await openFixture(open)
    await fixture.member('ann')
    const guess = async (word: string) => {
      const answer = await fixture.fetch('/api/collections/members/auth-with-password', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Address': '192.0.2.1' },
        body: JSON.stringify({ identity: 'ann@example.org', password: word }),
      })
      return answer.status
    }
    for (let n = 0; n < 5; n++) expect(await guess('wrong')).toBe(400)
    expect(await guess(password)).toBe(429)
    fixture.wait(-400 * 24 * hour)
    expect(await guess(password)).toBe(401)
  })
})
