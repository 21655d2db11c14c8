import { expect, it } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { collectEvents, serveFixture, realtimeClient } from './realtime-client.ts'
import {
  appUrl,
  openFixture,
  password,
  statusAndBody,
  schema,
  type Fixture,
  type OpenDatabase,
} from './fixture.ts'

const email = 'ann@example.org'
const members = '/api/collections/members'
const failed = { data: {}, message: 'Failed to authenticate.', status: 400 }
const noToken = {
  data: {},
  message: 'The request requires valid record authorization token.',
  status: 401,
}
const missing = { data: {}, message: "The requested resource wasn't found.", status: 404 }
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1'

/** A browser of the application's own pages, with its cookies. */
function browser(fixture: Fixture, agent = phone) {
  const jar = new Map<string, string>()
  async function send(path: string, body?: object, method = body ? 'POST' : 'GET') {
    const answer = await fixture.fetch(members + path, {
      method,
      headers: {
        'Content-Type': 'application/json',
        'X-Session': 'cookie',
        'User-Agent': agent,
        Origin: appUrl,
        Cookie: [...jar].map((pair) => pair.join('=')).join('; '),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (/Max-Age=0\b/.test(set)) jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }
  const first = (identity = email, secret = password) =>
    send('/auth-with-password', { identity, password: secret })
  async function second(mfaId: string, body: object = {}, identity = email) {
    const asked = await send('/request-otp', { email: identity, mfaId })
    const { otpId } = (await asked.json()) as { otpId: string }
    const code = fixture.mails.findLast((mail) => mail.otpId === otpId)?.code
    return send('/auth-with-otp', { otpId, mfaId, password: code, ...body })
  }
  return {
    jar,
    send,
    first,
    second,
    /** The first step alone. @returns the id of the sign-in half done */
    async half(identity = email) {
      return ((await (await first(identity)).json()) as { mfaId: string }).mfaId
    },
    /** Both steps. @returns the last answer */
    async signIn(body: object = {}, identity = email) {
      const { mfaId } = (await (await first(identity)).json()) as { mfaId: string }
      return second(mfaId, body, identity)
    },
    /** @returns whether the password alone signed in */
    async isTrusted(identity = email) {
      jar.delete('pb_auth')
      const answer = await first(identity)
      const body = (await answer.json()) as { mfaId?: string; record?: { email: string } }
      expect([answer.status, Boolean(body.mfaId) !== Boolean(body.record)]).toEqual([200, true])
      return Boolean(body.record) && jar.has('pb_auth')
    },
    async open() {
      const answer = await send('/sessions')
      return (await answer.json()) as Record<'sessions' | 'devices', Listed[]>
    },
  }
}

interface Listed {
  id: string
  agent: string
  used: string
  isCurrent: boolean
}

const trusting = { trustDevice: true }

async function enter(open: OpenDatabase): Promise<Fixture> {
  const fixture = await openFixture(open)
  for (const name of ['ann', 'bob'])
    await fixture
      .client()
      .collection('members')
      .create({ email: `${name}@example.org`, password, passwordConfirm: password })
  return fixture
}

describeDatabases('a trusted device', (open) => {
  it('is asked for no code for thirty days, and no other is trusted for it', async () => {
    const fixture = await enter(open)
    const [mine, other] = [browser(fixture), browser(fixture)]
    expect(await mine.isTrusted()).toBe(false)
    const answer = await mine.signIn(trusting)
    const cookie = answer.headers.getSetCookie().find((set) => set.startsWith('pb_device='))
    expect(cookie).toMatch(
      /^pb_device=[\w-]{43}; Path=\/api; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
    )
    // Nothing in the database lets anybody make the cookie again.
    const kept = JSON.stringify(await fixture.database.query('SELECT * FROM _devices'))
    expect(kept).not.toContain(mine.jar.get('pb_device'))
    expect(await mine.isTrusted()).toBe(true)
    await other.signIn()
    expect(other.jar.has('pb_device')).toBe(false)
    expect(await other.isTrusted()).toBe(false)

    fixture.wait(30 * 86_400)
    expect(await mine.isTrusted()).toBe(false)
    await mine.signIn()
    expect((await mine.open()).devices).toEqual([])
    await other.signIn(trusting)
    const rows = await fixture.database.query('SELECT id FROM _devices')
    expect(rows).toHaveLength(1)
  })

  it('still needs the password', async () => {
    const fixture = await enter(open)
    const mine = browser(fixture)
    await mine.signIn(trusting)
    mine.jar.delete('pb_auth')
    const answer = await mine.first(email, 'wrong guess')
    expect([answer.status, await answer.json()]).toEqual([400, failed])
    expect(mine.jar.has('pb_auth')).toBe(false)
  })

  it('is one for each account that trusts it', async () => {
    const fixture = await enter(open)
    const mine = browser(fixture)
    await mine.signIn(trusting)
    expect(await mine.isTrusted('bob@example.org')).toBe(false)
    await mine.signIn(trusting, 'bob@example.org')
    expect(await mine.isTrusted('bob@example.org')).toBe(true)
    expect(await mine.isTrusted()).toBe(true)
    expect((await mine.open()).devices).toHaveLength(1)
  })

  it('is one however often it is trusted', async () => {
    const fixture = await enter(open)
    const [mine, other] = [browser(fixture), browser(fixture)]
    await other.signIn(trusting)
    const halves = [await mine.half(), await mine.half()]
    await mine.signIn(trusting, 'bob@example.org')
    for (const half of halves) expect((await mine.second(half, trusting)).status).toBe(200)
    expect((await mine.open()).devices).toHaveLength(2)
    expect(await other.isTrusted()).toBe(true)
    expect(await mine.isTrusted('bob@example.org')).toBe(true)
  })

  it('is one of ten: of more, the one unused longest is forgotten', async () => {
    const fixture = await enter(open)
    const [mine, other, bobs] = [
      browser(fixture),
      browser(fixture, 'Firefox/140.0'),
      browser(fixture),
    ]
    await bobs.signIn(trusting, 'bob@example.org')
    await mine.signIn(trusting)
    const [first] = (await mine.open()).devices
    fixture.wait(60)
    await fixture.database.transaction(async (tx) => {
      for (let n = 1; n < 10; n++)
        await tx.query(
          `INSERT INTO _devices (id, collection, record, hash, agent, created, used, expires)
            SELECT '${10 - n}', collection, record, 'h${n}', 'n${n}', created, used + ${n}, expires
            FROM _devices WHERE id = '${first!.id}'`,
        )
    })
    expect(await mine.isTrusted()).toBe(true)
    await other.signIn(trusting)
    const { devices } = await other.open()
    const older = ['n9', 'n8', 'n7', 'n6', 'n5', 'n4', 'n3', 'n2']
    expect(devices.map(({ agent }) => agent)).toEqual(['Firefox/140.0', phone, ...older])
    expect(await mine.isTrusted()).toBe(true)
    expect(await bobs.isTrusted('bob@example.org')).toBe(true)
  })

  it('is asked for its code again where devices are trusted no more', async () => {
    const fixture = await enter(open)
    const [mine, other] = [browser(fixture), browser(fixture)]
    await mine.signIn(trusting)
    const auth = schema.get('members').auth!
    const { trust } = auth
    delete auth.trust
    try {
      expect(await mine.isTrusted()).toBe(false)
      expect((await other.signIn(trusting)).status).toBe(200)
      expect(other.jar.has('pb_device')).toBe(false)
    } finally {
      Object.assign(auth, { trust })
    }
    expect(await mine.isTrusted()).toBe(true)
  })

  it.each(['', 'x', '.'.repeat(50), 'A'.repeat(43), `${'A'.repeat(43)}.${'B'.repeat(43)}`])(
    'is not to be made up (%s)',
    async (token) => {
      const fixture = await enter(open)
      const mine = browser(fixture)
      await mine.signIn(trusting)
      mine.jar.set('pb_device', token)
      expect(await mine.isTrusted()).toBe(false)
    },
  )

  it('is trusted no more after a new password, "sign out everywhere" or its removal', async () => {
    const fixture = await enter(open)
    const mine = browser(fixture)
    const ends = [
      async () => void (await mine.send('/sessions', undefined, 'DELETE')),
      async () => {
        const [device] = (await mine.open()).devices
        expect(device).toMatchObject({ agent: phone, isCurrent: true })
        const gone = await mine.send(`/trusted-devices/${device!.id}`, undefined, 'DELETE')
        expect(gone.status).toBe(204)
        expect((await mine.open()).devices).toEqual([])
      },
      async () => {
        const refreshed = await mine.send('/auth-refresh', {})
        const { record } = (await refreshed.json()) as { record: { id: string } }
        const next = { password: 'another horse', passwordConfirm: 'another horse' }
        const body = { ...next, oldPassword: password }
        const changed = await mine.send(`/records/${record.id}`, body, 'PATCH')
        expect(changed.status).toBe(200)
      },
    ]
    for (const end of ends.slice(0, 2)) {
      await mine.signIn(trusting)
      expect(await mine.isTrusted()).toBe(true)
      await end()
      expect(await mine.isTrusted()).toBe(false)
      fixture.wait(601)
    }
    await mine.signIn(trusting)
    await ends[2]!()
    mine.jar.delete('pb_auth')
    const answer = await mine.first(email, 'another horse')
    expect(await answer.json()).toEqual({ mfaId: expect.any(String) as string })
  })

  it('means nothing to a client that holds its own token', async () => {
    const fixture = await enter(open)
    const mine = browser(fixture)
    await mine.signIn(trusting)
    const answer = await fixture.fetch(`${members}/auth-with-password`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Cookie: `pb_device=${mine.jar.get('pb_device')}`,
      },
      body: JSON.stringify({ identity: email, password }),
    })
    expect([answer.status, await answer.json()]).toEqual([
      401,
      { mfaId: expect.any(String) as string },
    ])
  })
})

describeDatabases('open sessions', (open) => {
  it('are listed for their owner alone, and ended one by one', async () => {
    const fixture = await enter(open)
    const [mine, other, bobs] = [
      browser(fixture),
      browser(fixture, 'Firefox/140.0'),
      browser(fixture),
    ]
    await mine.signIn()
    fixture.wait(60)
    await other.signIn()
    await bobs.signIn({}, 'bob@example.org')
    const { sessions } = await mine.open()
    expect(sessions.map(({ agent, isCurrent }) => [agent, isCurrent])).toEqual([
      ['Firefox/140.0', false],
      [phone, true],
    ])
    expect(Object.keys(sessions[0]!).toSorted()).toEqual([
      'agent',
      'created',
      'id',
      'isCurrent',
      'used',
    ])
    const [its] = sessions
    // Somebody else's is not there, as one that never was.
    for (const id of [its!.id, 'x'.repeat(30), 'a%00b']) {
      const answer = await bobs.send(`/sessions/${id}`, undefined, 'DELETE')
      expect([answer.status, await answer.json()]).toEqual([404, missing])
    }
    expect((await other.send('/auth-refresh', {})).status).toBe(200)
    expect((await mine.send(`/sessions/${its!.id}`, undefined, 'DELETE')).status).toBe(204)
    const cookie = other.jar.get('pb_auth')!
    const answer = await other.send('/auth-refresh', {})
    expect([answer.status, await answer.json()]).toEqual([401, noToken])
    // The browser forgets what is worth nothing, and its pages are told.
    expect(other.jar.has('pb_auth')).toBe(false)
    expect(answer.headers.get('x-session')).toBe('none')
    other.jar.set('pb_auth', cookie)
    expect((await other.send('/sessions')).status).toBe(401)
    expect((await mine.open()).sessions).toHaveLength(1)
  })

  it('tell when they were used last, to the hour', async () => {
    const fixture = await enter(open)
    const mine = browser(fixture)
    await mine.signIn()
    const used = async () => {
      const [session] = (await mine.open()).sessions
      return Date.parse(session!.used)
    }
    const begun = await used()
    fixture.wait(3500)
    await mine.open()
    // Waits for what would be written.
    await fixture.records.close()
    expect(await used()).toBe(begun)
    fixture.wait(200)
    await mine.open()
    await expect.poll(used).toBeGreaterThan(begun + 3_600_000)
  })

  it('tell when they were used last after the clock was set back', async () => {
    const fixture = await enter(open)
    const mine = browser(fixture)
    await mine.signIn()
    const used = async () => Date.parse((await mine.open()).sessions[0]!.used)
    const ahead = await used()
    fixture.wait(-1800)
    await expect.poll(used).toBeLessThan(ahead)
  })

  it('are nobody else’s to see or end', async () => {
    const fixture = await enter(open)
    const visitor = browser(fixture)
    for (const [path, method] of [
      ['/sessions', 'GET'],
      ['/sessions', 'DELETE'],
      ['/sessions/x', 'DELETE'],
      ['/trusted-devices/x', 'DELETE'],
    ] as const) {
      const answer = await visitor.send(path, undefined, method)
      expect([answer.status, await answer.json()]).toEqual([401, noToken])
    }
    const [mine, bobs] = [browser(fixture), browser(fixture)]
    await mine.signIn(trusting)
    await bobs.signIn(trusting, 'bob@example.org')
    const [device] = (await mine.open()).devices
    const answer = await bobs.send(`/trusted-devices/${device!.id}`, undefined, 'DELETE')
    expect([answer.status, await answer.json()]).toEqual([404, missing])
    expect(await mine.isTrusted()).toBe(true)
    // Nor does another site's page end them with the cookie.
    const foreign = await fixture.fetch(`${members}/sessions`, {
      method: 'DELETE',
      headers: { Cookie: `pb_auth=${mine.jar.get('pb_auth')}`, Origin: 'https://evil.example' },
    })
    expect(foreign.status).toBe(403)
  })

  it('leave no cookie behind once a sign-in was refused, and stay where it came from elsewhere', async () => {
    const fixture = await enter(open)
    const mine = browser(fixture)
    await mine.signIn()
    const foreign = await fixture.fetch(`${members}/auth-with-password`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Session': 'cookie',
        Cookie: `pb_auth=${mine.jar.get('pb_auth')}`,
        Origin: 'https://evil.example',
      },
      body: JSON.stringify({ identity: email, password: 'wrong guess' }),
    })
    expect([foreign.status, foreign.headers.get('set-cookie')]).toEqual([403, null])
    const answer = await mine.first(email, 'wrong guess')
    expect([answer.status, await answer.json()]).toEqual([400, failed])
    expect(mine.jar.has('pb_auth')).toBe(false)
  })

  it('R32: end everywhere at once: a stolen cookie is worth nothing then', async () => {
    const fixture = await enter(open)
    const [mine, thief] = [browser(fixture), browser(fixture, 'curl/8')]
    await mine.signIn(trusting)
    for (const [name, value] of mine.jar) thief.jar.set(name, value)
    expect((await thief.send('/auth-refresh', {})).status).toBe(200)
    const stolen = new Map(thief.jar)
    expect((await mine.send('/sessions', undefined, 'DELETE')).status).toBe(204)
    expect(mine.jar.has('pb_auth')).toBe(false)
    for (const path of ['/auth-refresh', '/records']) {
      for (const [name, value] of stolen) thief.jar.set(name, value)
      const answer = await thief.send(path, path === '/records' ? undefined : {})
      const text = await answer.text()
      expect(text).not.toContain(email)
    }
    for (const [name, value] of stolen) thief.jar.set(name, value)
    expect(await thief.isTrusted()).toBe(false)
  })

  it('tell their listeners when they are ended from elsewhere', async () => {
    const fixture = await enter(open)
    const url = await serveFixture(fixture)
    const ann = await fixture.member('eve')
    const ended: unknown[] = []
    const client = realtimeClient(url, ann)
    const told = new Promise<void>((resolve) => {
      void client.realtime.subscribe('@session', (message: unknown) => {
        ended.push(message)
        resolve()
      })
    })
    const heard = await collectEvents(client, 'labels', '*')
    await fixture.records.write((tx) => tx.create('labels', { name: 'blue' }))
    expect(await heard.next()).toBe('create blue')
    await fixture.records.endSessions(ann.me.id)
    await told
    expect(ended).toEqual([{ action: 'ended' }])
  })

  it('refuses a client of PocketBase that is signed out', async () => {
    const fixture = await enter(open)
    expect(await statusAndBody(fixture.client().send(`${members}/sessions`, {}))).toEqual([
      401,
      noToken,
    ])
  })
})
