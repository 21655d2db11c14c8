import { expect, it } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { errorCodes, openFixture, password, rejection, schema, signIn } from './fixture.ts'

const members = schema.get('members')

/** The one whose name is "boss" runs everybody's account. */
async function managed(work: () => Promise<void>): Promise<void> {
  const { update } = members.rules
  members.rules.update = '@request.auth.id != ""'
  members.auth!.manage = '@request.auth.name = "boss"'
  try {
    await work()
  } finally {
    members.rules.update = update
    delete members.auth!.manage
  }
}

describeDatabases('who runs accounts', (open) => {
  it('sees their addresses, and nobody else does', async () => {
    const fixture = await openFixture(open)
    const [ann, boss] = [await fixture.member('ann'), await fixture.member('boss')]
    await ann.collection('albums').create({ name: 'Sea' })
    await managed(async () => {
      const of = async (client: typeof ann) => {
        const list = await client.collection('members').getFullList({ sort: 'name' })
        return list.map(({ email }): unknown => email)
      }
      expect(await of(boss)).toEqual(['ann@example.org', 'boss@example.org'])
      expect(await of(ann)).toEqual(['ann@example.org', undefined])
      expect(await boss.collection('members').getOne(ann.me.id)).toHaveProperty('email')
      expect(await ann.collection('members').getOne(boss.me.id)).not.toHaveProperty('email')
      const [album] = await boss.collection('albums').getFullList({ expand: 'owner' })
      expect(album).toMatchObject({ expand: { owner: { email: 'ann@example.org' } } })
    })
    expect(await boss.collection('members').getOne(ann.me.id)).not.toHaveProperty('email')
  })

  it('changes address, verification and password without the old one', async () => {
    const fixture = await openFixture(open)
    const [ann, boss] = [await fixture.member('ann'), await fixture.member('boss')]
    const next = { email: 'Anna@example.org', verified: false }
    const fresh = { password: 'another horse', passwordConfirm: 'another horse' }
    await managed(async () => {
      expect(await errorCodes(ann.collection('members').update(boss.me.id, next))).toEqual({
        email: 'validation_values_mismatch',
        verified: 'validation_values_mismatch',
      })
      expect(await errorCodes(ann.collection('members').update(boss.me.id, fresh))).toEqual({
        oldPassword: 'validation_required',
      })
      const changed = await boss.collection('members').update(ann.me.id, { ...next, ...fresh })
      expect(changed).toMatchObject({ email: 'anna@example.org', verified: false })
      expect((await rejection(ann.collection('members').authRefresh())).status).toBe(401)
      // What isn't sent stays as it is.
      const named = await boss.collection('members').update(ann.me.id, { name: 'Anna' })
      expect(named).toMatchObject({ name: 'Anna', email: 'anna@example.org', verified: false })
      const proved = await boss.collection('members').update(ann.me.id, { verified: true })
      expect(proved).toMatchObject({ email: 'anna@example.org', verified: true })
      expect(
        await errorCodes(
          boss.collection('members').update(ann.me.id, { email: 'boss@example.org' }),
        ),
      ).toEqual({ email: 'validation_not_unique' })
    })
    const error = await rejection(
      fixture.client().collection('members').authWithPassword('anna@example.org', fresh.password),
    )
    expect(error.response).toHaveProperty('mfaId')
    expect((await signIn(fixture, fixture.client(), 'boss@example.org')).record.id).toBe(boss.me.id)
  })

  it('makes accounts that count as verified', async () => {
    const fixture = await openFixture(open)
    const [ann, boss] = [await fixture.member('ann'), await fixture.member('boss')]
    const account = (email: string) => ({
      email,
      password,
      passwordConfirm: password,
      verified: true,
    })
    await managed(async () => {
      expect(await errorCodes(ann.collection('members').create(account('x@example.org')))).toEqual({
        verified: 'validation_values_mismatch',
      })
      expect(
        await errorCodes(fixture.client().collection('members').create(account('x@example.org'))),
      ).toEqual({
        verified: 'validation_values_mismatch',
      })
      const made = await boss.collection('members').create(account('x@example.org'))
      expect(made).toMatchObject({ email: 'x@example.org', verified: true })
    })
  })
})
