import { expect, it } from 'vitest'
import { isLocalHostname } from '#server/network/client-address.ts'
import { describeDatabases } from '#tests/databases.ts'
import { openFixture, password } from './fixture.ts'

const sofa = 'http://192.168.1.7:3000'

describeDatabases('an application opened at another address of its machine', (open) => {
  /** A sign-in as a browser sends it over plain HTTP. @returns its status */
  async function enter(host: string, origin: string | undefined, isHome = true): Promise<number> {
    const fixture = await openFixture(open, isHome ? { isOwnAddress: isLocalHostname } : {})
    await fixture.member('ann')
    const answer = await fixture.app.request(`${host}/api/collections/members/auth-with-password`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Session': 'cookie',
        ...(origin && { Origin: origin }),
      },
      body: JSON.stringify({ identity: 'ann@example.org', password }),
    })
    return answer.status
  }

  it.each([sofa, 'http://10.0.0.2', 'http://[fd00::7]:3000', 'http://169.254.1.1:8080'])(
    'signs in from pages of %s there',
    async (address) => {
      expect(await enter(address, address)).toBe(200)
    },
  )

  it.each([
    ['another site', sofa, 'http://evil.example'],
    ['another port', sofa, 'http://192.168.1.7:4000'],
    ['another scheme', sofa, 'https://192.168.1.7:3000'],
    ['another device', sofa, 'http://192.168.1.8:3000'],
    ['no origin', sofa, undefined],
    ['a page without an origin', sofa, 'null'],
    ['a name that was rebound', 'http://evil.example:3000', 'http://evil.example:3000'],
    [
      'a name that looks like an address',
      'http://192.168.1.7.evil.example',
      'http://192.168.1.7.evil.example',
    ],
    ['a public address', 'http://203.0.113.9:3000', 'http://203.0.113.9:3000'],
  ])('refuses %s', async (_, host, origin) => {
    expect(await enter(host, origin)).toBe(403)
  })

  it('is told which page it refused', async () => {
    const refused: string[] = []
    const fixture = await openFixture(open, { onForeignOrigin: (origin) => refused.push(origin) })
    const signIn = (headers: Record<string, string>) =>
      fixture.app.request(`${sofa}/api/collections/members/auth-with-password`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Session': 'cookie', ...headers },
        body: JSON.stringify({ identity: 'ann@example.org', password }),
      })
    for (const headers of [{ Origin: sofa }, {}]) expect((await signIn(headers)).status).toBe(403)
    expect(refused).toEqual([sofa, ''])
  })

  it('refuses every other address once APP_URL is set', async () => {
    expect(await enter(sofa, sofa, false)).toBe(403)
  })
})
