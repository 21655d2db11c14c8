import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt, SignJWT } from 'jose'
import { expect, it, onTestFinished } from 'vitest'
import { diskStorage } from '#records/index.ts'
import { describeDatabases } from '#tests/databases.ts'
import {
  passwordStep,
  nextMail,
  openFixture,
  password,
  type Fixture,
  type OpenDatabase,
} from './fixture.ts'

const email = 'ann@example.org'
const members = '/api/collections/members'
const next = { password: 'another horse', passwordConfirm: 'another horse' }

type Kind = 'auth' | 'file' | 'verification' | 'passwordReset' | 'emailChange' | 'otp' | 'mfa'
type Tokens = Readonly<Record<Kind, string>>

/** Where something that stands for an account is taken, and what kind is meant for it. */
interface Door {
  takes: Kind
  /** The answer to any other. */
  refuses: number
  /** The answer to its own. */
  opens: number
  enter(token: string): Promise<Response>
}

/** Ann, halfway through another sign-in, with one of everything that was ever made for her. */
async function openHouse(open: OpenDatabase) {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-tokens-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const fixture = await openFixture(open, { files: diskStorage(folder) })
  const ann = await fixture.member('ann')
  const own = ann.collection('members')
  const album = await ann.collection('albums').create({ name: 'Secret', secret: true })
  const file = new File(['kept'], 'note.txt')
  const picture = await ann.collection('pictures').create({ album: album.id, file })
  await fixture.records.write((tx) => tx.update('members', ann.me.id, { verified: false }))
  await own.requestVerification(email)
  await own.requestPasswordReset(email)
  await own.requestEmailChange('anna@example.org')
  const mfa = await passwordStep(fixture.client(), email)
  const { otpId: otp } = await own.requestOTP(email, { mfaId: mfa })
  const code = fixture.mails.findLast((mail) => mail.otpId === otp)!.code
  const tokens: Tokens = {
    auth: ann.authStore.token,
    file: await ann.files.getToken(),
    verification: (await nextMail(fixture, 'verification')).token,
    passwordReset: (await nextMail(fixture, 'passwordReset')).token,
    emailChange: (await nextMail(fixture, 'emailChange')).token,
    otp,
    mfa,
  }
  const address = `/api/files/pictures/${picture.id}/${String(picture['file'])}`
  return { fixture, ann, tokens, doors: doorsOf(fixture, tokens, code, address) }
}

function doorsOf(
  fixture: Fixture,
  { mfa, otp }: Tokens,
  code: string,
  file: string,
): Record<string, Door> {
  const post = (path: string, body: object, headers = {}) =>
    fixture.fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const call = (name: string, body: object) => post(`${members}/${name}`, body)
  const cookie = (token: string) =>
    `pb_auth=${encodeURIComponent(JSON.stringify({ token, record: {} }))}`
  return {
    'a session’s header': {
      takes: 'auth',
      refuses: 401,
      opens: 200,
      enter: (token) => post(`${members}/auth-refresh`, {}, { Authorization: token }),
    },
    'a session’s header, for a file token': {
      takes: 'auth',
      refuses: 401,
      opens: 200,
      enter: (token) => post('/api/files/token', {}, { Authorization: `Bearer ${token}` }),
    },
    'a session’s header, for a file': {
      takes: 'auth',
      refuses: 404,
      opens: 200,
      enter: (token) => fixture.fetch(file, { headers: { Authorization: token } }),
    },
    'a session’s cookie': {
      takes: 'auth',
      refuses: 404,
      opens: 200,
      enter: (token) => fixture.fetch(file, { headers: { Cookie: cookie(token) } }),
    },
    'a file’s address': {
      takes: 'file',
      refuses: 404,
      opens: 200,
      enter: (token) => fixture.fetch(`${file}?token=${encodeURIComponent(token)}`),
    },
    'the page that verifies': {
      takes: 'verification',
      refuses: 400,
      opens: 204,
      enter: (token) => call('confirm-verification', { token }),
    },
    'the page for a new password': {
      takes: 'passwordReset',
      refuses: 400,
      opens: 204,
      enter: (token) => call('confirm-password-reset', { token, ...next }),
    },
    'the page for a new address': {
      takes: 'emailChange',
      refuses: 400,
      opens: 204,
      enter: (token) => call('confirm-email-change', { token, password }),
    },
    'the code’s id': {
      takes: 'otp',
      refuses: 400,
      opens: 200,
      enter: (token) => call('auth-with-otp', { otpId: token, password: code, mfaId: mfa }),
    },
    'the first step’s id': {
      takes: 'mfa',
      refuses: 400,
      opens: 200,
      enter: (token) => call('auth-with-otp', { otpId: otp, password: code, mfaId: token }),
    },
  }
}

/** What every door answers to tokens that are not for it, and what it should. */
async function outcomes(doors: Record<string, Door>, pairs: (door: Door) => [string, string][]) {
  const answers: Record<string, number> = {}
  const expected: Record<string, number> = {}
  for (const [name, door] of Object.entries(doors))
    for (const [kind, token] of pairs(door)) {
      answers[`${kind} at ${name}`] = (await door.enter(token)).status
      expected[`${kind} at ${name}`] = door.refuses
    }
  return { answers, expected }
}

describeDatabases('a token', (open) => {
  it('R32: is good for what it was made for alone', async () => {
    const { tokens, doors } = await openHouse(open)
    const { answers, expected } = await outcomes(doors, ({ takes }) =>
      Object.entries(tokens).filter(([kind]) => kind !== takes),
    )
    expect(Object.keys(answers)).toHaveLength(10 * 6)
    expect(answers).toEqual(expected)
  })

  it.each(Object.entries(doorsOf({} as Fixture, {} as Tokens, '', '')))(
    'opens %s',
    async (name, { takes, opens }) => {
      const { tokens, doors } = await openHouse(open)
      expect((await doors[name]!.enter(tokens[takes])).status).toBe(opens)
    },
  )

  it('that was tampered with, or is for somebody else, opens nothing', async () => {
    const { fixture, ann, tokens, doors } = await openHouse(open)
    const bob = await fixture.member('bob')
    const sign = (claims: object, secret: string) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .sign(new TextEncoder().encode(secret))
    const bad: [string, string][] = [
      ['nothing', ''],
      ['nonsense', 'nonsense'],
      ['much', 'x'.repeat(5000)],
      ['an object', '[object Object]'],
      ['a list', '["a"]'],
    ]
    for (const [kind, token] of Object.entries(tokens)) {
      bad.push([`${kind} cut short`, token.slice(0, -1)])
      if (!token.includes('.')) continue
      const claims = decodeJwt(token)
      const [, body, sign_] = token.split('.')
      const none = Buffer.from('{"alg":"none"}').toString('base64url')
      bad.push([`${kind} unsigned`, `${none}.${body}.`])
      bad.push([`${kind} with no algorithm`, `${none}.${body}.${sign_}`])
      bad.push([`${kind} of an empty key`, await sign(claims, ' ')])
      for (const type of ['auth', 'file'])
        bad.push([`${kind} as ${type}`, await sign({ ...claims, type }, 'a secret')])
    }
    const { answers, expected } = await outcomes(doors, () => bad)
    expect(answers).toEqual(expected)

    const bobs = await fixture.fetch(`${members}/records/${ann.me.id}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', Authorization: bob.authStore.token },
      body: '{"name":"x"}',
    })
    expect(bobs.status).toBe(404)
  })

  it('opens nothing any more once its time has come', async () => {
    const { fixture, tokens, doors } = await openHouse(open)
    fixture.wait(40 * 86_400)
    const { answers, expected } = await outcomes(doors, ({ takes }) => [[takes, tokens[takes]]])
    expect(answers).toEqual(expected)
  })

  it.each([
    ['its account is deleted', (house: House) => remove(house)],
    ['the password is another', (house: House) => changePassword(house)],
  ])('opens nothing any more once %s', async (_, change) => {
    const house = await openHouse(open)
    await change(house)
    const { answers, expected } = await outcomes(house.doors, ({ takes }) => [
      [takes, house.tokens[takes]],
    ])
    expect(answers).toEqual(expected)
  })
})

type House = Awaited<ReturnType<typeof openHouse>>

async function remove({ ann }: House): Promise<void> {
  await ann.collection('members').delete(ann.me.id)
}

async function changePassword({ ann }: House): Promise<void> {
  await ann.collection('members').update(ann.me.id, { ...next, oldPassword: password })
}
