import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openSqlite } from '#records/index.ts'
import { accessibilityViolations, forgetSession, openVisitor } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openProvider } from '#tests/openid.ts'
import { runModule } from '#tests/run-module.ts'

const root = dirname(dirname(import.meta.dirname))

const redirectUrls: string[] = []
const library = await openProvider(redirectUrls)
afterAll(() => library.close())
const { octavo } = await openOctavo({
  PASSWORD_SIGN_IN: 'off',
  OIDC_NAME: 'Town Library',
  OIDC_ISSUER: library.provider.issuer,
  OIDC_CLIENT_ID: library.provider.clientId,
  OIDC_CLIENT_SECRET: library.provider.clientSecret,
})
redirectUrls.push(`${octavo.url}/auth/oidc`)

it('a site without passwords asks for none, on no screen', async () => {
  const email = 'reader@example.org'
  library.people.set('reader', { sub: 'reader', email, email_verified: true })
  library.whoever = 'reader'
  const { page, allow } = await openVisitor(octavo.url, { viewport: { width: 390, height: 844 } })
  allow(/status of 40[03]/)
  const main = page.getByRole('main')
  for (const path of ['/auth/forgot-password', '/login', '/signup']) {
    await page.goto(path)
    await main.getByText('This site doesn’t use passwords.').waitFor()
    expect(await main.getByRole('textbox').count()).toBe(0)
    expect(await accessibilityViolations(page)).toEqual([])
  }
  await page.goto('/lite')
  await main.getByText('You sign in on the full site.').waitFor()
  expect(await main.getByRole('textbox').count()).toBe(0)
  await main.getByRole('link', { name: 'Full site' }).click()
  await main.getByRole('button', { name: 'Continue with Town Library' }).click()
  await page.waitForURL(`${octavo.url}/welcome`)
  await page.goto('/account/edit')
  await main.getByText('It comes from your sign-in provider').waitFor()
  await main.getByRole('heading', { name: 'Email' }).waitFor()
  expect(await main.getByRole('heading', { name: 'Password' }).count()).toBe(0)
  // The last way in stays.
  await page.goto('/account/connections')
  await main.getByRole('button', { name: 'Unlink' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click()
  await page.getByText('This is your only way to sign in.').waitFor()
  await forgetSession(page)
  await page.goto('/login')
  await main.getByRole('button', { name: 'Continue with Town Library' }).click()
  await page.waitForURL(`${octavo.url}/explore`)

  // An administrator confirms what changes the site by having just signed in.
  const settings = { DATA_DIR: octavo.dataDir, APP_URL: 'http://octavo.test' }
  await runModule(join(root, 'server/commands/readers.ts'), ['admin', email], settings)
  await page.goto('/explore')
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Administration' }).click()
  await main.getByRole('link', { name: 'Invitations' }).click()
  await main.getByText('No open invitations.').waitFor()
  await main.getByRole('button', { name: 'Make an invitation' }).click()
  await main.getByRole('button', { name: /^Withdraw the invitation/ }).click()
  await main.getByText('No open invitations.').waitFor()
  const database = openSqlite(join(octavo.dataDir, 'octavo.db'))
  await database.transaction((tx) => tx.query('UPDATE _sessions SET created = created - 960000'))
  await database.close()
  await main.getByRole('button', { name: 'Make an invitation' }).click()
  await page.getByText('Sign out and in again to change something here.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Password' }).count()).toBe(0)
  await main.getByText('No open invitations.').waitFor()
})
