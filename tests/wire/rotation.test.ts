import { decodeJwt, SignJWT } from 'jose'
import { sql } from 'kysely'
import type PocketBase from 'pocketbase'
import { expect, it, onTestFinished, vi } from 'vitest'
import { query } from '#records/index.ts'
import { withBudget } from '#records/database/request-budget.ts'
import { describeDatabases } from '#tests/databases.ts'
import { serveFixture, realtimeClient } from './realtime-client.ts'
import { appUrl, openFixture, rejection, signIn, type Fixture } from './fixture.ts'

const members = '/api/collections/members'

/** @returns whose token it is, '' for nobody's */
async function viewerOf(fixture: Fixture, token: string): Promise<string> {
  const request = new Request(appUrl, { headers: { Authorization: token } })
  return (await fixture.records.authenticate(request))?.id ?? ''
}

/** @returns the token that takes the place of the given one */
async function refreshed(fixture: Fixture, token: string): Promise<string> {
  const client = fixture.client()
  client.authStore.save(token)
  return (await client.collection('members').authRefresh()).token
}

/** The letters that say that a session was ended for being used with an old token. */
const notices = ({ accountMails }: Fixture) =>
  accountMails.filter(({ kind }) => kind === 'sessionReused')

async function openSession(fixture: Fixture, client: PocketBase): Promise<string> {
  return (await signIn(fixture, client, 'ann@example.org')).token
}

describeDatabases('a session that is refreshed', (open) => {
  it('R47: ends, and its owner is told, when its old token is used again', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const elsewhere = await openSession(fixture, fixture.client())
    const old = ann.authStore.token
    const fresh = await refreshed(fixture, old)
    expect(decodeJwt(fresh)['sid']).toBe(decodeJwt(old)['sid'])
    fixture.wait(11)
    expect(await viewerOf(fixture, fresh)).toBe(ann.me.id)
    expect(notices(fixture)).toEqual([])

    expect(await viewerOf(fixture, old)).toBe('')
    expect(await viewerOf(fixture, fresh)).toBe('')
    expect(await viewerOf(fixture, old)).toBe('')
    await expect.poll(() => notices(fixture)).toHaveLength(1)
    expect(notices(fixture)[0]).toMatchObject({
      to: 'ann@example.org',
      collection: 'members',
      record: { id: ann.me.id, name: 'ann' },
    })
    expect(JSON.stringify(notices(fixture))).not.toMatch(/tokenKey|password/)
    // Another session of the account is none of this one's family.
    expect(await viewerOf(fixture, elsewhere)).toBe(ann.me.id)
    expect(fixture.errors).toEqual([])
  })

  it.each(['auth-refresh', 'files/token', 'realtime'])(
    'R47: ends when its old token asks for %s',
    async (door) => {
      const fixture = await openFixture(open)
      const ann = await fixture.member('ann')
      const old = ann.authStore.token
      const fresh = await refreshed(fixture, old)
      fixture.wait(11)
      const path = door === 'auth-refresh' ? `${members}/${door}` : `/api/${door}`
      const answer = await fixture.fetch(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: old },
        body: '{"clientId":"x"}',
      })
      expect(answer.status).toBe(door === 'realtime' ? 404 : 401)
      expect(await viewerOf(fixture, fresh)).toBe('')
    },
  )

  it('R47: goes on in two tabs that refresh at once', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const old = ann.authStore.token
    const both = await Promise.all([refreshed(fixture, old), refreshed(fixture, old)])
    fixture.wait(9)
    const late = await refreshed(fixture, old)
    fixture.wait(9)
    for (const token of [...both, late]) expect(await viewerOf(fixture, token)).toBe(ann.me.id)
    const next = await refreshed(fixture, both[0])
    expect(await viewerOf(fixture, both[1])).toBe(ann.me.id)
    fixture.wait(11)
    expect(await viewerOf(fixture, next)).toBe(ann.me.id)
    expect(notices(fixture)).toEqual([])
    expect(await viewerOf(fixture, late)).toBe('')
    expect(await viewerOf(fixture, next)).toBe('')
  })

  it('R47: lets every token finish its requests for ten seconds, however many tabs open', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const tokens = [ann.authStore.token]
    for (let tab = 0; tab < 6; tab++) {
      tokens.push(await refreshed(fixture, tokens.at(-1)!))
      fixture.wait(1)
    }
    for (const token of tokens) expect(await viewerOf(fixture, token)).toBe(ann.me.id)
    fixture.wait(5)
    // The first was replaced eleven seconds ago, the last but one six.
    expect(await viewerOf(fixture, tokens.at(-2)!)).toBe(ann.me.id)
    expect(await viewerOf(fixture, tokens[0]!)).toBe('')
    expect(await viewerOf(fixture, tokens.at(-1)!)).toBe('')
  })

  it('R47: ends when its old token is used after the clock was set back', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const old = ann.authStore.token
    const fresh = await refreshed(fixture, old)
    fixture.wait(-3600)
    expect(await viewerOf(fixture, fresh)).toBe(ann.me.id)
    expect(await viewerOf(fixture, old)).toBe('')
    expect(await viewerOf(fixture, fresh)).toBe('')
  })

  it('R47: goes on after the server was stopped while requests were under way', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const old = ann.authStore.token
    const fresh = await refreshed(fixture, old)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    onTestFinished(() => void vi.useRealTimers())
    fixture.wait(3600)
    for (const token of [old, fresh]) expect(await viewerOf(fixture, token)).toBe(ann.me.id)
    expect(await viewerOf(fixture, await refreshed(fixture, old))).toBe(ann.me.id)
    fixture.wait(11)
    expect(await viewerOf(fixture, old)).toBe('')
    expect(await viewerOf(fixture, fresh)).toBe('')
  })

  it('R47: goes on for a request that a busy server answers late', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const old = ann.authStore.token
    const fresh = await refreshed(fixture, old)
    fixture.wait(25)
    const lateBy = (seconds: number) => {
      const began = performance.now() - seconds * 1000
      const payer = { network: '', began, setAccount() {}, charge() {}, refuseIfSpent() {} }
      return withBudget(payer, () => viewerOf(fixture, old))
    }
    expect(await lateBy(20)).toBe(ann.me.id)
    expect(await viewerOf(fixture, fresh)).toBe(ann.me.id)
    expect(await lateBy(10)).toBe('')
    expect(await viewerOf(fixture, fresh)).toBe('')
  })

  it('R47: is not ended by a token that has run out or was not signed here', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const old = ann.authStore.token
    fixture.wait(4 * 86_400)
    const fresh = await refreshed(fixture, old)
    const key = new TextEncoder().encode('a key of somebody else, long enough')
    const forged = await new SignJWT(decodeJwt(old)).setProtectedHeader({ alg: 'HS256' }).sign(key)
    fixture.wait(11)
    expect(await viewerOf(fixture, forged)).toBe('')
    expect(await viewerOf(fixture, fresh)).toBe(ann.me.id)
    fixture.wait(86_400)
    expect(await viewerOf(fixture, old)).toBe('')
    expect(await viewerOf(fixture, fresh)).toBe(ann.me.id)
    expect(notices(fixture)).toEqual([])
  })

  it('R47: tells its live connections that it has ended', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const old = ann.authStore.token
    ann.authStore.save(await refreshed(fixture, old))
    const client = realtimeClient(await serveFixture(fixture), ann)
    const heard: unknown[] = []
    await client.realtime.subscribe('@session', (message) => heard.push(message))
    fixture.wait(11)
    await viewerOf(fixture, old)
    await expect.poll(() => heard).toEqual([{ action: 'ended' }])
  })

  it('R47: gives a browser its new cookie, and ends when the old cookie comes back', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const cookie = (token: string) => `pb_auth=${encodeURIComponent(JSON.stringify({ token }))}`
    const refresh = (value: string) =>
      fixture.fetch(`${members}/auth-refresh`, {
        method: 'POST',
        headers: { Cookie: value, Origin: appUrl, 'X-Session': 'cookie' },
      })
    const old = cookie(ann.authStore.token)
    const first = await refresh(old)
    const [fresh = ''] = first.headers.get('set-cookie')?.split(';') ?? []
    expect(fresh).toMatch(/^pb_auth=%7B/)
    expect((await refresh(old)).status).toBe(200)
    fixture.wait(11)
    const refused = await refresh(old)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('set-cookie')).toMatch(/^pb_auth=; .*Max-Age=0/)
    expect((await refresh(fresh)).status).toBe(401)
  })

  it('goes on with a token that was signed before tokens were counted', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const { gen: _, ...claims } = decodeJwt(ann.authStore.token)
    const stored = await fixture.records.find('members', ann.me.id)
    const key = `${String(stored!['tokenKey'])}a secret of thirty-two characters`
    const before = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(new TextEncoder().encode(key))
    fixture.wait(86_400)
    expect(await viewerOf(fixture, before)).toBe(ann.me.id)
    const fresh = await refreshed(fixture, before)
    fixture.wait(11)
    expect(await viewerOf(fixture, fresh)).toBe(ann.me.id)
    expect(await viewerOf(fixture, before)).toBe('')
    expect(await viewerOf(fixture, fresh)).toBe('')
  })

  it('goes on with its newest token after an older backup was restored', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const newest = await refreshed(fixture, await refreshed(fixture, ann.authStore.token))
    await fixture.database.transaction((tx) =>
      query(tx, sql`UPDATE _sessions SET generation = 0, replaced = ''`),
    )
    fixture.wait(60)
    const next = await refreshed(fixture, newest)
    fixture.wait(11)
    expect(await viewerOf(fixture, next)).toBe(ann.me.id)
    expect((await rejection(refreshed(fixture, newest))).status).toBe(401)
  })
})
