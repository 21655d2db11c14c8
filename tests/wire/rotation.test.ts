import { decodeJwt, SignJWT } from 'jose'
import { sql } from 'kysely'
import type PocketBase from 'pocketbase'
import { expect, it } from 'vitest'
import { query } from '#records/index.ts'
import { describeDatabases } from '#tests/databases.ts'
import { listen, listener } from './listening.ts'
import { appUrl, openWorld, refusal, signIn, type World } from './world.ts'

const members = '/api/collections/members'

/** @returns whose token it is, '' for nobody's */
async function viewerOf(world: World, token: string): Promise<string> {
  const request = new Request(appUrl, { headers: { Authorization: token } })
  return (await world.records.authenticate(request))?.id ?? ''
}

/** @returns the token that takes the place of the given one */
async function refreshed(world: World, token: string): Promise<string> {
  const client = world.client()
  client.authStore.save(token)
  return (await client.collection('members').authRefresh()).token
}

/** The letters that say that a session was ended for being used with an old token. */
const notices = ({ letters }: World) => letters.filter(({ kind }) => kind === 'sessionReused')

async function openSession(world: World, client: PocketBase): Promise<string> {
  return (await signIn(world, client, 'ann@example.org')).token
}

describeDatabases('a session that is refreshed', (open) => {
  it('R47: ends, and its owner is told, when its old token is used again', async () => {
    const world = await openWorld(open)
    const ann = await world.member('ann')
    const elsewhere = await openSession(world, world.client())
    const old = ann.authStore.token
    const fresh = await refreshed(world, old)
    expect(decodeJwt(fresh)['sid']).toBe(decodeJwt(old)['sid'])
    world.wait(11)
    expect(await viewerOf(world, fresh)).toBe(ann.me.id)
    expect(notices(world)).toEqual([])

    expect(await viewerOf(world, old)).toBe('')
    expect(await viewerOf(world, fresh)).toBe('')
    expect(await viewerOf(world, old)).toBe('')
    await expect.poll(() => notices(world)).toHaveLength(1)
    expect(notices(world)[0]).toMatchObject({
      to: 'ann@example.org',
      collection: 'members',
      record: { id: ann.me.id, name: 'ann' },
    })
    expect(JSON.stringify(notices(world))).not.toMatch(/tokenKey|password/)
    // Another session of the account is none of this one's family.
    expect(await viewerOf(world, elsewhere)).toBe(ann.me.id)
    expect(world.errors).toEqual([])
  })

  it.each(['auth-refresh', 'files/token', 'realtime'])(
    'R47: ends when its old token asks for %s',
    async (door) => {
      const world = await openWorld(open)
      const ann = await world.member('ann')
      const old = ann.authStore.token
      const fresh = await refreshed(world, old)
      world.wait(11)
      const path = door === 'auth-refresh' ? `${members}/${door}` : `/api/${door}`
      const answer = await world.fetch(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: old },
        body: '{"clientId":"x"}',
      })
      expect(answer.status).toBe(door === 'realtime' ? 404 : 401)
      expect(await viewerOf(world, fresh)).toBe('')
    },
  )

  it('R47: goes on in two tabs that refresh at once', async () => {
    const world = await openWorld(open)
    const ann = await world.member('ann')
    const old = ann.authStore.token
    const both = await Promise.all([refreshed(world, old), refreshed(world, old)])
    world.wait(9)
    const late = await refreshed(world, old)
    world.wait(9)
    for (const token of [...both, late]) expect(await viewerOf(world, token)).toBe(ann.me.id)
    const next = await refreshed(world, both[0])
    expect(await viewerOf(world, both[1])).toBe(ann.me.id)
    world.wait(11)
    expect(await viewerOf(world, next)).toBe(ann.me.id)
    expect(notices(world)).toEqual([])
    expect(await viewerOf(world, late)).toBe('')
    expect(await viewerOf(world, next)).toBe('')
  })

  it('R47: lets every token finish its requests for ten seconds, however many tabs open', async () => {
    const world = await openWorld(open)
    const ann = await world.member('ann')
    const tokens = [ann.authStore.token]
    for (let tab = 0; tab < 6; tab++) {
      tokens.push(await refreshed(world, tokens.at(-1)!))
      world.wait(1)
    }
    for (const token of tokens) expect(await viewerOf(world, token)).toBe(ann.me.id)
    world.wait(5)
    // The first was replaced eleven seconds ago, the last but one six.
    expect(await viewerOf(world, tokens.at(-2)!)).toBe(ann.me.id)
    expect(await viewerOf(world, tokens[0]!)).toBe('')
    expect(await viewerOf(world, tokens.at(-1)!)).toBe('')
  })

  it('R47: is not ended by a token that has run out or was not signed here', async () => {
    const world = await openWorld(open)
    const ann = await world.member('ann')
    const old = ann.authStore.token
    world.wait(4 * 86_400)
    const fresh = await refreshed(world, old)
    const key = new TextEncoder().encode('a key of somebody else, long enough')
    const forged = await new SignJWT(decodeJwt(old)).setProtectedHeader({ alg: 'HS256' }).sign(key)
    world.wait(11)
    expect(await viewerOf(world, forged)).toBe('')
    expect(await viewerOf(world, fresh)).toBe(ann.me.id)
    world.wait(86_400)
    expect(await viewerOf(world, old)).toBe('')
    expect(await viewerOf(world, fresh)).toBe(ann.me.id)
    expect(notices(world)).toEqual([])
  })

  it('R47: tells its live connections that it has ended', async () => {
    const world = await openWorld(open)
    const ann = await world.member('ann')
    const old = ann.authStore.token
    ann.authStore.save(await refreshed(world, old))
    const client = listener(await listen(world), ann)
    const heard: unknown[] = []
    await client.realtime.subscribe('@session', (message) => heard.push(message))
    world.wait(11)
    await viewerOf(world, old)
    await expect.poll(() => heard).toEqual([{ action: 'ended' }])
  })

  it('R47: gives a browser its new cookie, and ends when the old cookie comes back', async () => {
    const world = await openWorld(open)
    const ann = await world.member('ann')
    const cookie = (token: string) => `pb_auth=${encodeURIComponent(JSON.stringify({ token }))}`
    const refresh = (value: string) =>
      world.fetch(`${members}/auth-refresh`, {
        method: 'POST',
        headers: { Cookie: value, Origin: appUrl, 'X-Session': 'cookie' },
      })
    const old = cookie(ann.authStore.token)
    const first = await refresh(old)
    const [fresh = ''] = first.headers.get('set-cookie')?.split(';') ?? []
    expect(fresh).toMatch(/^pb_auth=%7B/)
    expect((await refresh(old)).status).toBe(200)
    world.wait(11)
    const refused = await refresh(old)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('set-cookie')).toMatch(/^pb_auth=; .*Max-Age=0/)
    expect((await refresh(fresh)).status).toBe(401)
  })

  it('goes on with a token that was signed before tokens were counted', async () => {
    const world = await openWorld(open)
    const ann = await world.member('ann')
    const { gen: _, ...claims } = decodeJwt(ann.authStore.token)
    const stored = await world.records.find('members', ann.me.id)
    const key = `${String(stored!['tokenKey'])}a secret of thirty-two characters`
    const before = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(new TextEncoder().encode(key))
    world.wait(86_400)
    expect(await viewerOf(world, before)).toBe(ann.me.id)
    const fresh = await refreshed(world, before)
    world.wait(11)
    expect(await viewerOf(world, fresh)).toBe(ann.me.id)
    expect(await viewerOf(world, before)).toBe('')
    expect(await viewerOf(world, fresh)).toBe('')
  })

  it('goes on with its newest token after an older backup was restored', async () => {
    const world = await openWorld(open)
    const ann = await world.member('ann')
    const newest = await refreshed(world, await refreshed(world, ann.authStore.token))
    await world.database.transaction((tx) =>
      query(tx, sql`UPDATE _sessions SET generation = 0, replaced = ''`),
    )
    world.wait(60)
    const next = await refreshed(world, newest)
    world.wait(11)
    expect(await viewerOf(world, next)).toBe(ann.me.id)
    expect((await refusal(refreshed(world, newest))).status).toBe(401)
  })
})
