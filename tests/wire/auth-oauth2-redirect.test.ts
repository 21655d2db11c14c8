import type PocketBase from 'pocketbase'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { openProvider, type OpenIdProvider } from '#tests/openid.ts'
import { clients, serveFixture, realtimeClient } from './realtime-client.ts'
import { attachFixture, openFixture, rejection } from './fixture.ts'

const person = { sub: 'g-1', email: 'ann@example.org', email_verified: true, name: 'Ann' }
const redirectUrls: string[] = []

let google: OpenIdProvider
beforeAll(async () => {
  google = await openProvider(redirectUrls)
  google.people.set(person.sub, person)
})
afterAll(() => google.close())

const options = () => ({ oauth2: { members: { providers: [google.provider], redirectUrls } } })

/** What the window does that the client opens: to the provider and back, and on to the last page. */
async function follow(
  url: string,
  headers: Record<string, string> = {},
): Promise<[number, string]> {
  const back = await google.visit(url, person.sub)
  const answer = await fetch(back, { redirect: 'manual', headers })
  return [answer.status, answer.headers.get('location') ?? '']
}

describeDatabases('a client with a window', (open, dialect) => {
  it.each(Object.keys(clients))('signs in through it (%s)', async (version) => {
    const fixture = await openFixture(open, options())
    const url = await serveFixture(fixture)
    redirectUrls.push(`${url}/api/oauth2-redirect`)
    const client = realtimeClient(url, undefined, clients[version])
    const { record, meta } = await client.collection('members').authWithOAuth2({
      provider: 'google',
      urlCallback: async (address) => {
        expect(await follow(address)).toEqual([307, '/api/oauth2-redirect/success'])
      },
    })
    expect(record).toMatchObject({ email: person.email, verified: true })
    expect(meta).toMatchObject({ isNew: true })
    await client.collection('members').authRefresh()
    const page = await fetch(`${url}/api/oauth2-redirect/success`)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toContain('You can close this window.')
  })

  it('is told of a refusal', async () => {
    const fixture = await openFixture(open, options())
    const url = await serveFixture(fixture)
    const error = await rejection(
      realtimeClient(url)
        .collection('members')
        .authWithOAuth2({
          provider: 'google',
          urlCallback: async (address) => {
            const state = new URL(address).searchParams.get('state') ?? ''
            const body = new URLSearchParams({ state, error: 'access_denied' })
            const answer = await fetch(`${url}/api/oauth2-redirect`, {
              method: 'POST',
              redirect: 'manual',
              body,
            })
            expect([answer.status, answer.headers.get('location')]).toEqual([
              303,
              '/api/oauth2-redirect/failure',
            ])
            const page = await fetch(`${url}/api/oauth2-redirect/failure`)
            expect(await page.text()).toContain('try again')
          },
        }),
    )
    expect(String(error.originalError)).toContain('access_denied')
  })

  it('is told once, on its own network’s behalf, and only while it waits', async () => {
    const fixture = await openFixture(open, options())
    const url = await serveFixture(fixture)
    redirectUrls.push(`${url}/api/oauth2-redirect`)
    const send = async (state: string, headers = {}) => {
      const query = new URLSearchParams({ state, code: 'x' })
      const address = `${url}/api/oauth2-redirect?${query}`
      const answer = await fetch(address, { redirect: 'manual', headers })
      return answer.headers.get('location')
    }
    const failure = '/api/oauth2-redirect/failure'
    const waiting = realtimeClient(url)
    const waits = (client: PocketBase) => client.realtime.subscribe('labels/*', () => undefined)
    await waits(waiting)
    expect(await send(waiting.realtime.clientId)).toBe(failure)
    const bare = await fetch(`${url}/api/oauth2-redirect`, { redirect: 'manual' })
    expect(bare.headers.get('location')).toBe(failure)
    const client = realtimeClient(url)
    const { record } = await client.collection('members').authWithOAuth2({
      provider: 'google',
      urlCallback: async (address) => {
        const state = new URL(address).searchParams.get('state') ?? ''
        expect(await send(state, { 'X-Address': '192.0.2.7' })).toBe(failure)
        expect(await follow(address)).toEqual([307, '/api/oauth2-redirect/success'])
        expect(await send(state)).toBe(failure)
      },
    })
    expect(record).toMatchObject({ email: person.email })
    // What was sent to nobody here may be for another process, where there can be one.
    expect(await send('x'.repeat(40))).toBe(
      dialect === 'sqlite' ? failure : '/api/oauth2-redirect/success',
    )
    expect(fixture.errors).toEqual([])
  })

  it('is told nothing that no provider says, and neither is another process', async () => {
    const fixture = await openFixture(open, options())
    const url = await serveFixture(fixture)
    const client = realtimeClient(url)
    const heard: unknown[] = []
    await client.realtime.subscribe('@oauth2', (word: unknown) => void heard.push(word))
    const mine = client.realtime.clientId
    const long = 'x'.repeat(4097)
    const words = [
      { state: mine, code: long },
      { state: mine, code: 'x', error: long },
      { state: 'x'.repeat(40), code: long },
      { state: `${mine}x`, code: 'x' },
      { state: long, code: 'x' },
      { state: [mine], code: 'x' },
      { state: { [mine]: 1 }, code: 'x' },
      { state: `${mine.slice(0, -1)}\uD83E`, code: 'x' },
    ]
    for (const word of words) {
      const answer = await fetch(`${url}/api/oauth2-redirect`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(word),
      })
      expect(answer.headers.get('location')).toBe('/api/oauth2-redirect/failure')
    }
    expect(heard).toEqual([])
    expect(fixture.errors).toEqual([])
  })

  it.runIf(dialect === 'postgres')('hears of it from another process', async () => {
    const fixture = await openFixture(open, options())
    const [here, there] = [
      await serveFixture(fixture),
      await serveFixture(attachFixture(fixture.database, options())),
    ]
    redirectUrls.push(`${here}/api/oauth2-redirect`)
    const { record } = await realtimeClient(here)
      .collection('members')
      .authWithOAuth2({
        provider: 'google',
        urlCallback: async (address) => {
          const back = await google.visit(address, person.sub)
          await fetch(`${there}${back.pathname}${back.search}`, { redirect: 'manual' })
        },
      })
    expect(record).toMatchObject({ email: person.email })
  })
})
