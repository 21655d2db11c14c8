import { expect, it } from 'vitest'
import { collection, Schema } from '#records/index.ts'
import { describeDatabases } from '#tests/databases.ts'
import { errorCodes, openFixture, password, statusAndBody, rejection, schema } from './fixture.ts'

const rules = { list: '', view: '', create: '', update: 'id = @request.auth.id', delete: null }
const auth = { ...schema.get('members').auth!, mfa: { life: 0 } }

/** Readers sign in by their handle or their email, guests by their handle alone. */
function readers(name: string, identityFields: string[]) {
  return collection({
    name,
    type: 'auth',
    fields: [
      { name: 'username', type: 'text' },
      { name: 'bio', type: 'text' },
    ],
    unique: [['username']],
    rules,
    auth: { ...auth, identityFields },
  })
}

const both = new Schema([
  readers('readers', ['username', 'email']),
  readers('guests', ['username']),
  schema.get('members'),
])
const ann = { email: 'ann@example.org', username: 'Ann', password, passwordConfirm: password }

/** The official client takes more of the body in its options. */
const named = (identity: string, more: object, secret = password) => ({
  body: { identity, password: secret, ...more },
})

describeDatabases('an account', (open) => {
  async function start(name: string) {
    const fixture = await openFixture(open, { schema: both, hooks: {} })
    const accounts = fixture.client().collection(name)
    const { id } = await accounts.create(ann)
    const enter = async (identity: string, more: object = {}, secret = password) =>
      (await accounts.authWithPassword(identity, secret, named(identity, more, secret))).record
        .id === id
    return { fixture, accounts, enter }
  }
  const failed = [400, { data: {}, message: 'Failed to authenticate.', status: 400 }]

  it('is signed in to by any field that is for it', async () => {
    const { accounts, enter } = await start('readers')
    expect(await enter('Ann')).toBe(true)
    expect(await enter('ANN@example.org')).toBe(true)
    expect(await enter('Ann', { identityField: 'username' })).toBe(true)
    expect(await enter('ann@example.org', { identityField: 'email' })).toBe(true)
    for (const refusedCall of [
      () => enter('ann'),
      () => enter('Bob'),
      () => enter('Ann', {}, 'wrong'),
      () => enter('Ann', { identityField: 'email' }),
      () => enter('ann@example.org', { identityField: 'username' }),
    ])
      expect(await statusAndBody(refusedCall())).toEqual(failed)
    expect(await errorCodes(enter('Ann', { identityField: 'bio' }))).toEqual({
      identityField: 'validation_in_invalid',
    })
    expect(await errorCodes(enter('', { identityField: 'bio' }, ''))).toEqual({
      identity: 'validation_required',
      password: 'validation_required',
      identityField: 'validation_in_invalid',
    })
    expect(await accounts.listAuthMethods({ fields: 'password,usernamePassword' })).toEqual({
      password: { enabled: true, identityFields: ['username', 'email'] },
      usernamePassword: true,
    })
  })

  it('is its email’s before another’s name', async () => {
    const { accounts, enter } = await start('readers')
    const bob = { ...ann, email: 'bob@example.org', username: ann.email }
    const { id } = await accounts.create({
      ...bob,
      password: 'bobs horse',
      passwordConfirm: 'bobs horse',
    })
    expect(await enter(ann.email)).toBe(true)
    expect((await rejection(enter(ann.email, {}, 'bobs horse'))).status).toBe(400)
    const byName = named(ann.email, { identityField: 'username' }, 'bobs horse')
    const { record } = await accounts.authWithPassword(ann.email, 'bobs horse', byName)
    expect(record.id).toBe(id)
  })

  it('is not signed in to by its email where only its name is for that, nor the other way', async () => {
    const { fixture, accounts, enter } = await start('guests')
    expect(await enter('Ann')).toBe(true)
    expect(await statusAndBody(enter(ann.email))).toEqual(failed)
    expect(await accounts.listAuthMethods({ fields: 'password,emailPassword' })).toEqual({
      password: { enabled: true, identityFields: ['username'] },
      emailPassword: false,
    })
    // Many without a name are not one account, and nobody’s.
    for (const n of [1, 2])
      await accounts.create({ ...ann, username: '', email: `nobody${n}@example.org` })
    expect(await errorCodes(enter(''))).toEqual({ identity: 'validation_required' })
    const members = fixture.client().collection('members')
    await members.create({ ...ann, name: 'Ann' })
    expect(await statusAndBody(members.authWithPassword('Ann', password))).toEqual(failed)
    const byName = named('Ann', { identityField: 'username' })
    expect(await errorCodes(members.authWithPassword('Ann', password, byName))).toEqual({
      identityField: 'validation_in_invalid',
    })
  })
})

it('cannot be told by a field that two may share', () => {
  const shared = () => new Schema([readers('readers', ['bio'])])
  expect(shared).toThrow('readers signs in by bio, which is not unique')
})
