import { expect, it } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { nextMail, openFixture, signIn } from './fixture.ts'

const owl = '🦉'

async function openDoor(open: Parameters<typeof openFixture>[0]) {
  const fixture = await openFixture(open, { limits: false })
  const ask = async (path: string, body: object) => {
    const answer = await fixture.fetch(`/api/collections/members/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, text: await answer.text() }
  }
  const email = 'ann@example.org'
  return {
    signUp: (password: string) => ask('records', { email, password, passwordConfirm: password }),
    // 401 is the first of two steps, done.
    signIn: (password: string) => ask('auth-with-password', { identity: email, password }),
  }
}

describeDatabases('a password', (open) => {
  it.each<[string, string, string[]]>([
    ['71 letters', 'x'.repeat(71), ['x'.repeat(70), `${'x'.repeat(70)}y`, 'X'.repeat(71)]],
    ['284 bytes', owl.repeat(71), [`${owl.repeat(70)}🦊`, owl.repeat(70), owl.repeat(18)]],
    ['letters of two bytes', 'é'.repeat(40), [`${'é'.repeat(39)}è`, 'e\u0301'.repeat(35)]],
    ['composed letters', 'caf\u00E9 noir', ['cafe\u0301 noir', 'cafe noir', 'CAF\u00C9 NOIR']],
    ['letters in parts', 'cafe\u0301 noir', ['caf\u00E9 noir', 'cafe noir']],
    ['spaces around', '  two words  ', ['two words', ' two words ', '  two words\u00A0 ']],
    ['full width', '１２３４５６７８', ['12345678', '１２３４５６７９']],
    ['what cannot be seen', 'horse\u200Bhorse', ['horsehorse', 'horse\u200Chorse']],
    ['from right to left', 'סיסמה-חזקה', ['\u202Eסיסמה-חזקה', 'הקזח-המסיס']],
    ['look-alikes', 'раssword', ['password', 'pаsswоrd']],
    ['control characters', 'a\tb\nc\u007Fd\u0001e', ['abcde', 'a\tb\nc\u007Fd\u0001']],
    ['markup', `<b>"';--\\%_</b>`, ['<b>', '&lt;b&gt;&quot;']],
  ])('of %s is compared byte by byte', async (_, password, others) => {
    const door = await openDoor(open)
    expect((await door.signUp(password)).status).toBe(200)
    for (const other of others) {
      const { status, text } = await door.signIn(other)
      expect([status, text], JSON.stringify(other)).toEqual([
        400,
        '{"data":{},"message":"Failed to authenticate.","status":400}\n',
      ])
    }
    expect((await door.signIn(password)).status).toBe(401)
  })

  it.each<[string, string]>([
    ['7 letters', 'x'.repeat(7)],
    ['7 letters of four bytes', owl.repeat(7)],
    ['72 letters', 'x'.repeat(72)],
    ['72 letters of four bytes', owl.repeat(72)],
    ['many letters', 'x'.repeat(20_000)],
    ['nothing', ''],
  ])('of %s is refused at its field', async (_, password) => {
    const door = await openDoor(open)
    const { status, text } = await door.signUp(password)
    expect(status).toBe(400)
    expect(Object.keys((JSON.parse(text) as { data: object }).data)).toContain('password')
    // Not cut down to something that fits, either.
    expect((await door.signIn(password.slice(0, 71) || 'x')).status).toBe(400)
  })

  it('may not have half a character, which would be any other half', async () => {
    const door = await openDoor(open)
    expect((await door.signUp('half a \uD83E letter')).status).toBe(400)
    expect((await door.signUp('half a \uFFFD letter')).status).toBe(200)
    expect((await door.signIn('half a \uFFFD letter')).status).toBe(401)
  })

  it('of owls is good wherever it has to be given', async () => {
    const fixture = await openFixture(open, { limits: false })
    const ann = await fixture.member('ann')
    const password = owl.repeat(71)
    const members = fixture.client().collection('members')
    await members.requestPasswordReset('ann@example.org')
    const { token } = await nextMail(fixture, 'passwordReset')
    await members.confirmPasswordReset(token, password, password)
    const { record } = await signIn(fixture, ann, 'ann@example.org', password)
    await ann.collection('members').requestEmailChange('owl@example.org')
    const change = await nextMail(fixture, 'emailChange')
    await members.confirmEmailChange(change.token, password)
    await signIn(fixture, ann, 'owl@example.org', password)
    const next = { password: 'correct horse', passwordConfirm: 'correct horse' }
    const changed = ann.collection('members').update(record.id, { ...next, oldPassword: password })
    await expect(changed).resolves.toMatchObject({ id: record.id })
  })
})
