import { beforeEach, expect, it } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { appUrl, openFixture, type Fixture } from './fixture.ts'

const members = '/api/collections/members'
const cookie = (token: string) =>
  `pb_auth=${encodeURIComponent(JSON.stringify({ token, record: { id: 'x' } }))}`

describeDatabases('a request with several session cookies', (open) => {
  let fixture: Fixture
  let [ann, eve]: string[] = []
  let own = ''
  beforeEach(async () => {
    fixture = await openFixture(open)
    const [one, two] = [await fixture.member('ann'), await fixture.member('eve')]
    own = one.me.id
    ;[ann, eve] = [one.authStore.token, two.authStore.token]
  })

  /** @returns whom the cookies sign in, '' for nobody */
  async function signedIn(...cookies: string[]): Promise<string> {
    const request = new Request(appUrl, { headers: { Cookie: cookies.join('; ') } })
    return (await fixture.records.authenticate(request))?.id ?? ''
  }

  it('R49: is nobody’s when two of them are live sessions, whichever comes first', async () => {
    expect(await signedIn(cookie(ann!))).toBe(own)
    expect(await signedIn(cookie(eve!), cookie(ann!))).toBe('')
    expect(await signedIn(cookie(ann!), 'theme=dark', cookie(eve!))).toBe('')
    const sent = { Cookie: `${cookie(eve!)}; ${cookie(ann!)}`, Origin: appUrl }
    const doors = [
      ['POST', `${members}/auth-refresh`, 401],
      ['GET', `${members}/sessions`, 401],
      ['DELETE', `${members}/records/${own}`, 404],
      ['POST', '/api/files/token', 401],
    ] as const
    for (const [method, path, status] of doors) {
      const answer = await fixture.fetch(path, { method, headers: sent })
      expect([path, answer.status]).toEqual([path, status])
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
    expect(await signedIn(cookie(ann!))).toBe(own)
  })

  it('R49: is its reader’s when the others are no live session', async () => {
    const ended = cookie(eve!)
    await fixture.records.endSessions((await viewer(fixture, eve!))!.id)
    for (const other of [ended, cookie('nonsense'), 'pb_auth=', 'pb_auth=%', cookie(ann!)]) {
      expect(await signedIn(other, cookie(ann!))).toBe(own)
      expect(await signedIn(cookie(ann!), other)).toBe(own)
    }
    expect(await signedIn(ended, cookie('nonsense'))).toBe('')
    // A tab that has just refreshed may send the session's old token beside the new one.
    const headers = { Authorization: ann! }
    const answer = await fixture.fetch(`${members}/auth-refresh`, { method: 'POST', headers })
    const { token } = (await answer.json()) as { token: string }
    expect(token).not.toBe(ann)
    expect(await signedIn(cookie(ann!), cookie(token))).toBe(own)
  })

  it('R49: is nobody’s when there are more of them than are tried', async () => {
    const planted = (count: number) =>
      Array.from({ length: count }, (_, n) => cookie(`planted.${n}`))
    expect(await signedIn(...planted(3), cookie(ann!))).toBe(own)
    expect(await signedIn(...planted(4), cookie(ann!))).toBe('')
    expect(await signedIn(cookie(ann!), ...planted(200))).toBe('')
  })

  it('R49: is drawn as the page of the same reader', async () => {
    const cookies = (...all: string[]) =>
      fixture.records.sessionCookies(new Request(appUrl, { headers: { Cookie: all.join('; ') } }))
    const both = 'shelf-view=list; theme=dark'
    expect(await cookies('shelf-view=list', cookie(ann!), 'theme=dark')).toBe(
      `shelf-view=list; ${cookie(ann!)}; theme=dark`,
    )
    expect(await cookies(cookie(eve!), 'shelf-view=list', cookie(ann!), 'theme=dark')).toBe(both)
    expect(await cookies('pb_auth=x', 'shelf-view=list', cookie(ann!), 'theme=dark')).toBe(
      `shelf-view=list; ${cookie(ann!)}; theme=dark`,
    )
    // Sent twice it is the same session, and the page gets it once.
    expect(await cookies(cookie(ann!), 'pb_auth=x', cookie(ann!), cookie(ann!))).toBe(cookie(ann!))
    expect(await cookies('pb_auth=x', 'theme=dark', 'pb_auth=')).toBe('theme=dark')
    // A single one goes on as it came: the API says what it is worth.
    expect(await cookies('pb_auth=x', 'theme=dark')).toBe('pb_auth=x; theme=dark')
    expect(await fixture.records.sessionCookies(new Request(appUrl))).toBe('')
  })
})

const viewer = ({ records }: Fixture, token: string) =>
  records.authenticate(new Request(appUrl, { headers: { Authorization: token } }))
