import { expect, it } from 'vitest'
import type { Viewer } from '#records/index.ts'
import { describeDatabases } from '#tests/databases.ts'
import { appUrl, openFixture, password, signIn, type Fixture } from './fixture.ts'

const wrong = 'wrong horse'

async function viewerOf(fixture: Fixture, token: string): Promise<Viewer> {
  const request = new Request(appUrl, { headers: { Authorization: token } })
  return (await fixture.records.authenticate(request))!
}

describeDatabases('a session in which the password is given again', (open) => {
  it('knows when that was, and no other session of the account does', async () => {
    const fixture = await openFixture(open)
    const { records } = fixture
    const ann = await fixture.member('ann')
    const here = await viewerOf(fixture, ann.authStore.token)
    const elsewhere = await viewerOf(
      fixture,
      (await signIn(fixture, fixture.client(), 'ann@example.org')).token,
    )
    expect(await records.confirmedAt(here)).toBeNull()
    await records.confirmPassword(here, password, '')
    const first = await records.confirmedAt(here)
    expect(first).toBeInstanceOf(Date)
    expect(await records.confirmedAt(elsewhere)).toBeNull()
    fixture.wait(60)
    expect(await records.confirmedAt(here)).toEqual(first)
    await records.confirmPassword(here, password, '')
    expect((await records.confirmedAt(here))!.getTime() - first!.getTime()).toBeGreaterThan(59_999)
  })

  it('keeps it when its token is refreshed, and not past its end', async () => {
    const fixture = await openFixture(open)
    const { records } = fixture
    const ann = await fixture.member('ann')
    const viewer = await viewerOf(fixture, ann.authStore.token)
    await records.confirmPassword(viewer, password, '')
    const { token } = await ann.collection('members').authRefresh()
    expect(await records.confirmedAt(await viewerOf(fixture, token))).not.toBeNull()
    await records.endSession(viewer)
    expect(await records.confirmedAt(viewer)).toBeNull()
    await expect(records.confirmPassword(viewer, password, '')).rejects.toMatchObject({
      status: 401,
    })
  })

  it('was not confirmed if the clock has been set back since', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const viewer = await viewerOf(fixture, ann.authStore.token)
    await fixture.records.confirmPassword(viewer, password, '')
    fixture.wait(-3600)
    expect(await fixture.records.confirmedAt(viewer)).toBeNull()
  })

  it('counts wrong passwords together with those of sign-ins', async () => {
    const fixture = await openFixture(open)
    const { records } = fixture
    const ann = await fixture.member('ann')
    const viewer = await viewerOf(fixture, ann.authStore.token)
    for (let n = 0; n < 5; n++)
      await expect(records.confirmPassword(viewer, wrong, '10.1.1.1')).rejects.toMatchObject({
        status: 400,
        data: { password: { code: 'validation_invalid_old_password' } },
      })
    await expect(records.confirmPassword(viewer, password, '10.1.1.1')).rejects.toMatchObject({
      status: 429,
    })
    expect(await records.confirmedAt(viewer)).toBeNull()
    const attempt = await fixture.fetch('/api/collections/members/auth-with-password', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'x-address': '10.1.1.1' },
      body: JSON.stringify({ identity: 'ann@example.org', password }),
    })
    expect(attempt.status).toBe(429)
    fixture.wait(15 * 60)
    await records.confirmPassword(viewer, password, '10.1.1.1')
    expect(await records.confirmedAt(viewer)).not.toBeNull()
  })
})
