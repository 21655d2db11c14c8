import { serve, type ServerType } from '@hono/node-server'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { TooManyReadsError } from '#records/database/database.ts'
import { describeDatabases } from '#tests/databases.ts'
import { appUrl, attachFixture, nextMail, openFixture, password, type Fixture } from './fixture.ts'

const tooMany = { data: {}, message: 'Too Many Requests.', status: 429 }
const members = '/api/collections/members'
const labels = '/api/collections/labels/records'

interface Ask {
  from?: string
  token?: string
  method?: string
}

function ask(
  fixture: Fixture,
  path: string,
  body: object | undefined,
  { from = '', token, method }: Ask,
) {
  return fixture.fetch(path, {
    method: method ?? (body ? 'POST' : 'GET'),
    headers: {
      'X-Address': from,
      'Content-Type': 'application/json',
      ...(token ? { Authorization: token } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
}

/** Signs in with a password, right or wrong. */
const signIn = (fixture: Fixture, identity: string, secret: string, from: string) =>
  ask(fixture, `${members}/auth-with-password`, { identity, password: secret }, { from })

const signUp = (fixture: Fixture, name: string, from: string, more: object = {}) =>
  ask(
    fixture,
    `${members}/records`,
    { email: `${name}@example.org`, password, passwordConfirm: password, ...more },
    { from },
  )

function tally(answers: readonly Response[]): Record<number, number> {
  const found: Record<number, number> = {}
  for (const { status } of answers) found[status] = (found[status] ?? 0) + 1
  return found
}

const times = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

async function expectTooMany(answer: Response, seconds: number): Promise<void> {
  expect([answer.status, await answer.json()]).toEqual([429, tooMany])
  const wait = Number(answer.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(seconds)
}

describeDatabases('passwords', (open) => {
  it('R38: can be tried five times for an account from one address, by many at once too', async () => {
    const fixture = await openFixture(open)
    await fixture.member('ann')
    for (const identity of ['ann@example.org', 'nobody@example.org']) {
      const guesses = await times(20, () => signIn(fixture, identity, 'wrong guess', '192.0.2.1'))
      expect(tally(guesses)).toEqual({ 400: 5, 429: 15 })
      // The right one is not told from the others then, nor is the account from none.
      await expectTooMany(
        await signIn(fixture, ` ${identity.toUpperCase()}`, password, '192.0.2.1'),
        900,
      )
    }
    expect((await signIn(fixture, 'ann@example.org', password, '192.0.2.2')).status).toBe(401)
    fixture.wait(901)
    expect((await signIn(fixture, 'ann@example.org', password, '192.0.2.1')).status).toBe(401)
  })

  it('R38: are counted for all processes, and a restart forgets nothing', async () => {
    const fixture = await openFixture(open)
    const other = attachFixture(fixture.database)
    const answers = await times(12, (n) =>
      signIn(n % 2 ? fixture : other, 'ann@example.org', 'wrong guess', '192.0.2.1'),
    )
    expect(tally(answers)).toEqual({ 400: 5, 429: 7 })
  })

  it('are counted on by a process whose clock is behind', async () => {
    const fixture = await openFixture(open)
    const behind = attachFixture(fixture.database, { now: () => new Date(Date.now() - 5000) })
    const wrong = (at: Fixture) => signIn(at, 'ann@example.org', 'wrong guess', '192.0.2.1')
    expect(tally(await times(5, () => wrong(fixture)))).toEqual({ 400: 5 })
    expect((await wrong(behind)).status).toBe(429)
    expect((await wrong(fixture)).status).toBe(429)
  })

  it('count no longer once one was right', async () => {
    const fixture = await openFixture(open)
    await fixture.member('ann')
    for (let n = 0; n < 8; n++)
      expect((await signIn(fixture, 'ann@example.org', password, '192.0.2.1')).status).toBe(401)
  })

  it('can be tried fifty times from one network for all accounts together', async () => {
    const fixture = await openFixture(open)
    const answers: Response[] = []
    for (let n = 0; n < 55; n++)
      answers.push(
        await signIn(fixture, `a${n}@example.org`, 'wrong guess', `2001:db8:1:2::${n + 1}`),
      )
    expect(tally(answers)).toEqual({ 400: 50, 429: 5 })
    await expectTooMany(answers.at(-1)!, 900)
    expect((await signIn(fixture, 'b@example.org', 'wrong guess', '2001:db8:1:3::1')).status).toBe(
      400,
    )
  })

  it('that many addresses guess at one account do not lock its owner out', async () => {
    const limits = { passwordAccount: { points: 4, seconds: 3600, delay: 1 } }
    const fixture = await openFixture(open, { limits })
    await fixture.member('ann')
    await times(4, (n) => signIn(fixture, 'ann@example.org', 'wrong guess', `192.0.2.${n}`))
    expect((await signIn(fixture, 'ann@example.org', password, '198.51.100.1')).status).toBe(401)
  })

  it.each(['by itself', 'PATCH', 'PUT'])(
    'that are given as the old one count too: %s',
    async (by) => {
      const fixture = await openFixture(open, { limits: { batch: { points: 100, seconds: 1 } } })
      const ann = await fixture.member('ann')
      const as = { from: '192.0.2.1', token: ann.authStore.token }
      const change = (oldPassword: string) => {
        const body = { oldPassword, password: 'another horse', passwordConfirm: 'another horse' }
        const record = `${members}/records/${ann.me.id}`
        if (by === 'by itself') return ask(fixture, record, body, { ...as, method: 'PATCH' })
        const one =
          by === 'PATCH'
            ? { method: by, url: record, body }
            : { method: by, url: `${members}/records`, body: { ...body, id: ann.me.id } }
        return ask(fixture, '/api/batch', { requests: [one] }, as)
      }
      expect(tally(await times(8, () => change('wrong guess')))).toEqual({ 400: 5, 429: 3 })
      expect((await change(password)).status).toBe(429)
    },
  )
})

describeDatabases('passwords that are given for a new address', (open) => {
  it('count as at sign-in, however many links a session has had sent', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const from = '192.0.2.1'
    const confirm = async (secret: string) => {
      fixture.wait(121)
      await ann.collection('members').requestEmailChange('anna@example.org')
      const { token } = await nextMail(fixture, 'emailChange')
      const body = { token, password: secret }
      return ask(fixture, `${members}/confirm-email-change`, body, { from })
    }
    for (let n = 0; n < 5; n++) expect((await confirm('wrong guess')).status).toBe(400)
    await expectTooMany(await confirm(password), 900)
    await expectTooMany(await signIn(fixture, 'ann@example.org', password, from), 900)
    fixture.wait(901)
    expect((await confirm(password)).status).toBe(204)
  })
})

describeDatabases('codes', (open) => {
  it('can be tried wrong twenty times a day for an account, then rest for a day', async () => {
    const fixture = await openFixture(open)
    await fixture.member('ann')
    const identity = 'ann@example.org'
    async function step() {
      const { mfaId } = (await (await signIn(fixture, identity, password, '')).json()) as {
        mfaId: string
      }
      const { otpId } = await fixture.client().collection('members').requestOTP(identity, { mfaId })
      return { otpId, mfaId, code: fixture.mails.findLast((mail) => mail.otpId === otpId)!.code }
    }
    const guess = (
      { otpId, mfaId }: { otpId: string; mfaId: string },
      code: string,
      from: string,
    ) => ask(fixture, `${members}/auth-with-otp`, { otpId, mfaId, password: code }, { from })
    for (let n = 0; n < 5; n++) {
      const half = await step()
      expect((await guess(half, half.code, '192.0.2.1')).status).toBe(200)
      fixture.wait(601)
    }
    for (let n = 0; n < 4; n++) {
      const half = await step()
      const wrong = String((Number(half.code) + 1) % 1_000_000).padStart(6, '0')
      const answers = await times(5, (i) => guess(half, wrong, `192.0.2.${i}`))
      expect(tally(answers)).toEqual({ 400: 5 })
      fixture.wait(601)
    }
    const half = await step()
    await expectTooMany(await guess(half, half.code, '198.51.100.1'), 86_400)
    expect((await guess(half, half.code, '198.51.100.1')).status).toBe(429)
    await expect.poll(() => fixture.accountMails).toHaveLength(1)
    expect(fixture.accountMails[0]).toMatchObject({ kind: 'otpLockout', to: identity })
    fixture.wait(86_000)
    const later = await step()
    expect((await guess(later, later.code, '198.51.100.1')).status).toBe(429)
    fixture.wait(601)
    const rested = await step()
    expect((await guess(rested, rested.code, '198.51.100.1')).status).toBe(200)
  })
})

describeDatabases('accounts', (open) => {
  it('R38: are made thirty times an hour from one network, mistakes not counted', async () => {
    const fixture = await openFixture(open, { limits: { create: { points: 100, seconds: 5 } } })
    for (const n of [5, 2]) {
      const mistakes = await times(n, (i) =>
        signUp(fixture, `s${i}`, '2001:db8::1', { passwordConfirm: 'x' }),
      )
      expect(tally(mistakes)).toEqual({ 400: n })
    }
    // A family at one table, five at a time.
    for (const round of [0, 1, 2, 3, 4, 5]) {
      const made = await times(5, (n) => signUp(fixture, `m${round}${n}`, `2001:db8::${n}`))
      expect(tally(made)).toEqual({ 200: 5 })
    }
    const refused = await signUp(fixture, 'late', '2001:db8::ffff')
    await expectTooMany(refused, 3600)
    expect((await signUp(fixture, 'late', '2001:db8:0:1::1')).status).toBe(200)
    fixture.wait(3601)
    expect((await signUp(fixture, 'later', '2001:db8::1')).status).toBe(200)
  })

  it('R38: that are there are found out five times an hour, however many are made', async () => {
    const fixture = await openFixture(open)
    await fixture.member('ann')
    const from = '192.0.2.1'
    for (const name of ['bob', 'cid']) expect((await signUp(fixture, name, from)).status).toBe(200)
    const tries = await times(8, () => signUp(fixture, 'ann', from))
    expect(tally(tries)).toEqual({ 400: 5, 429: 3 })
    // A free name would tell which ones are taken.
    await expectTooMany(await signUp(fixture, 'dan', from), 3600)
    expect((await signUp(fixture, 'dan', '192.0.2.2')).status).toBe(200)
  })

  it('are refused fifty times in a quarter of an hour, as each may cost a hash', async () => {
    const limits = { refusedSignUp: { points: 4, seconds: 900 } }
    const fixture = await openFixture(open, { limits })
    const from = '192.0.2.1'
    const mistake = (name: string) => ({
      method: 'POST',
      url: `${members}/records`,
      body: { email: name, password, passwordConfirm: password },
    })
    const requests = [mistake('nowhere'), mistake('nobody')]
    expect((await ask(fixture, '/api/batch', { requests }, { from })).status).toBe(400)
    expect((await signUp(fixture, 'ann', from)).status).toBe(200)
    for (const name of ['no one', 'no body'])
      expect((await signUp(fixture, name, from)).status).toBe(400)
    await expectTooMany(await signUp(fixture, 'bea', from), 900)
    expect((await signUp(fixture, 'bea', '192.0.2.2')).status).toBe(200)
    fixture.wait(901)
    expect((await signUp(fixture, 'bob', from)).status).toBe(200)
  })

  it('are not made faster inside batches', async () => {
    const limits = { signUp: { points: 5, seconds: 3600 } }
    const fixture = await openFixture(open, { limits })
    const batch = (from: number, count: number) => ({
      requests: Array.from({ length: count }, (_, n) => ({
        method: n % 2 ? 'POST' : 'PUT',
        url: `${members}/records`,
        body: { email: `b${from + n}@example.org`, password, passwordConfirm: password },
      })),
    })
    const from = '192.0.2.1'
    expect((await ask(fixture, '/api/batch', batch(0, 6), { from })).status).toBe(429)
    fixture.wait(3601)
    expect((await ask(fixture, '/api/batch', batch(0, 3), { from })).status).toBe(200)
    expect((await ask(fixture, '/api/batch', batch(3, 3), { from: '192.0.2.2' })).status).toBe(200)
    expect((await signUp(fixture, 'x', from)).status).toBe(200)
    expect((await signUp(fixture, 'y', from)).status).toBe(200)
    await expectTooMany(await signUp(fixture, 'z', from), 3600)
  })

  it('are mailed to thirty times in a quarter of an hour from one address', async () => {
    const fixture = await openFixture(open)
    const kinds = ['request-otp', 'request-verification', 'request-password-reset']
    const calls = await times(40, (n) =>
      ask(
        fixture,
        `${members}/${kinds[n % 3]}`,
        { email: `x${n}@example.org` },
        { from: '192.0.2.1' },
      ),
    )
    const { 429: refused, ...passed } = tally(calls)
    expect(refused).toBe(10)
    expect(Object.values(passed).reduce((a, b) => a + b)).toBe(30)
  })
})

describeDatabases('requests', (open) => {
  it('R38: are counted by the one rule that is for them, and by address', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const limits = { api: { points: 30, seconds: 10 } }
    const fixture = await openFixture(open, { limits })
    const from = '192.0.2.1'
    const create = () => ask(fixture, labels, { name: 'x' }, { from })
    const creates = await times(25, create)
    expect(tally(creates)).toEqual({ 200: 20, 429: 5 })
    await expectTooMany(creates.at(-1)!, 5)
    const requests = [{ method: 'POST', url: labels, body: { name: 'x' } }]
    const batches = await times(5, () => ask(fixture, '/api/batch', { requests }, { from }))
    expect(tally(batches)).toEqual({ 200: 3, 429: 2 })
    await expectTooMany(batches.at(-1)!, 1)
    const lists = await times(40, () => ask(fixture, labels, undefined, { from }))
    expect(tally(lists)).toEqual({ 200: 30, 429: 10 })
    await expectTooMany(lists.at(-1)!, 10)
    expect((await ask(fixture, labels, undefined, { from: '192.0.2.2' })).status).toBe(200)
    vi.advanceTimersByTime(10_001)
    expect((await create()).status).toBe(200)
    expect((await ask(fixture, labels, undefined, { from })).status).toBe(200)
  })

  it('of the process itself are not counted, and limits can be turned off', async () => {
    const fixture = await openFixture(open)
    expect(tally(await times(320, () => ask(fixture, '/api/health', undefined, {})))).toEqual({
      200: 320,
    })
    const free = attachFixture(fixture.database, { limits: false })
    const from = '192.0.2.1'
    expect(tally(await times(320, () => ask(free, '/api/health', undefined, { from })))).toEqual({
      200: 320,
    })
    expect(tally(await times(8, (n) => signUp(free, `f${n}`, from)))).toEqual({ 200: 8 })
  })
})

describeDatabases('what is asked before', (open) => {
  it('is not counted, and too many are told so before anything is read', async () => {
    const fixture = await openFixture(open, { limits: { api: { points: 2, seconds: 10 } } })
    const headers = { 'X-Address': '192.0.2.1', 'Content-Type': 'application/json' }
    const send = (method: string, path = labels, body?: string) =>
      fixture.fetch(path, { method, headers, ...(body ? { body } : {}) })
    const preflights = await times(5, () => send('OPTIONS'))
    expect(tally(preflights)).toEqual({ 204: 5 })
    expect(tally(await times(3, () => send('GET')))).toEqual({ 200: 2, 429: 1 })
    expect((await send('OPTIONS')).status).toBe(204)
    await expectTooMany(await send('PATCH', `${labels}/x`, '{'), 10)
    await expectTooMany(await send('GET', '/api/collections/nothing/records'), 10)
  })
})

describeDatabases('subscriptions', (open) => {
  it('cost as much as requests, fifty as much as one', async () => {
    const fixture = await openFixture(open, { limits: { api: { points: 24, seconds: 1000 } } })
    const from = '192.0.2.1'
    const stream = await ask(fixture, '/api/realtime', undefined, { from })
    const { value } = await stream.body!.getReader().read()
    const clientId = /^id:(\w{40})\n/.exec(new TextDecoder().decode(value))?.[1]
    const subscribe = async (count: number) => {
      const subscriptions = Array.from({ length: count }, (_, i) => `labels/${i}`)
      return ask(fixture, '/api/realtime', { clientId, subscriptions }, { from })
    }
    // Twenty and one, then one; what is left is one.
    expect((await subscribe(1000)).status).toBe(204)
    expect((await subscribe(49)).status).toBe(204)
    await expectTooMany(await subscribe(50), 1000)
  })
})

describeDatabases('searches', (open) => {
  const search = `${labels}?filter=${encodeURIComponent('name ~ "x"')}`

  it('that wait are each network’s own, and those of a proxy on this machine nobody’s', async () => {
    const askers: unknown[] = []
    const fixture = await openFixture(async (tables) => {
      const database = await open(tables)
      return {
        ...database,
        search: (text, parameters, asker, scan) => {
          askers.push(asker)
          return database.search(text, parameters, asker, scan)
        },
      }
    })
    const from = ['192.0.2.1', '2001:db8:1:2::3', '127.0.0.1', '::1', '']
    for (const address of from)
      expect((await ask(fixture, search, undefined, { from: address })).status).toBe(200)
    expect(new Set(askers)).toEqual(new Set(['192.0.2.1', '2001:db8:1:2::/64', '']))
  })

  it('are refused to who has too many waiting, with the time to come again', async () => {
    const fixture = await openFixture(async (tables) => {
      const database = await open(tables)
      return {
        ...database,
        search: async (text, parameters, asker, scan) => {
          if (scan !== 'narrow') throw new TooManyReadsError()
          return database.search(text, parameters, asker, scan)
        },
      }
    })
    const refused = await ask(fixture, search, undefined, { from: '192.0.2.1' })
    await expectTooMany(refused, 5)
    const one = `${labels}?filter=${encodeURIComponent('id = "x"')}`
    expect((await ask(fixture, one, undefined, { from: '192.0.2.1' })).status).toBe(200)
  })
})

describeDatabases('a body', (open) => {
  it('R20: that grows too long is stopped while it is read', async () => {
    const fixture = await openFixture(open)
    const server = await new Promise<ServerType>((resolve) => {
      const started = serve(
        { fetch: fixture.app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false },
        () => resolve(started),
      )
    })
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const head = `POST ${labels} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    socket.write(head)
    const chunk = 'x'.repeat(0x10000)
    for (let n = 0; n < 20; n++) socket.write(`10000\r\n${chunk}\r\n`)
    // The body never ends, and still there is an answer.
    const answer = await new Promise<string>((resolve) =>
      socket.once('data', (data) => resolve(data.toString())),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })
})

describeDatabases('other origins', (open) => {
  const origin = 'https://elsewhere.example'

  it('may ask anything, and are told so before', async () => {
    const fixture = await openFixture(open)
    for (const path of [labels, '/api/batch', '/api/nothing']) {
      const answer = await fixture.fetch(path, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'PATCH',
          'Access-Control-Request-Headers': 'authorization,content-type',
        },
      })
      expect(answer.status).toBe(204)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
        'access-control-allow-headers': 'authorization,content-type',
        vary: 'Origin',
      })
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
    }
  })

  it('read answers and refusals, but nothing that the session cookie brought', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const { token } = ann.authStore
    const cookie = `pb_auth=${encodeURIComponent(JSON.stringify({ token }))}`
    const allowed = async (path: string, headers: Record<string, string>) => {
      const answer = await fixture.fetch(path, { headers })
      expect(answer.headers.get('vary')).toContain('Origin')
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
      return answer.headers.get('access-control-allow-origin')
    }
    expect(await allowed(labels, { Origin: origin })).toBe('*')
    expect(await allowed(labels, { Origin: 'null' })).toBe('*')
    expect(await allowed('/api/nothing', { Origin: origin })).toBe('*')
    expect(await allowed(labels, { Origin: origin, Authorization: token })).toBe('*')
    expect(await allowed(labels, { Origin: origin, Authorization: token, Cookie: cookie })).toBe(
      '*',
    )
    expect(await allowed(labels, { Origin: origin, Cookie: cookie })).toBeNull()
    expect(await allowed('/api/nothing', { Origin: origin, Cookie: cookie })).toBeNull()
    expect(await allowed(labels, {})).toBeNull()
    expect(await allowed(labels, { Origin: appUrl })).toBeNull()
    const refused = await fixture.fetch(labels, {
      method: 'POST',
      headers: { Origin: origin, Cookie: cookie, 'Content-Type': 'application/json' },
      body: '{"name":"x"}',
    })
    expect(refused.status).toBe(403)
  })
})
