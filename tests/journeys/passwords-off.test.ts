import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import {
  accessibilityViolations,
  forgetSession,
  openVisitor,
  untilHydrated,
} from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openProvider } from '#tests/openid.ts'
import { runModule } from '#tests/run-module.ts'

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

const command = join(dirname(dirname(import.meta.dirname)), 'server/commands/readers.ts')
const env = { DATA_DIR: octavo.dataDir, APP_URL: octavo.url }

it('a site without passwords asks for none, on no screen', async () => {
  const email = 'reader@example.org'
  library.people.set('reader', { sub: 'reader', email, email_verified: true })
  library.whoever = 'reader'
  const { page, allow } = await openVisitor(octavo.url, { viewport: { width: 390, height: 844 } })
  allow(/status of 400/)
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
  // An administrator who has just signed in is asked for nothing more.
  expect((await runModule(command, ['admin', email], env)).code).toBe(0)
  await page.goto('/admin/invitations')
  const invite = main.getByRole('button', { name: 'Make an invitation' })
  await untilHydrated(invite)
  await invite.click()
  await main.getByLabel('Link').waitFor()
  // The last way in stays.
  await page.goto('/account/connections')
  await main.getByRole('button', { name: 'Unlink' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click()
  await page.getByText('This is your only way to sign in.').waitFor()
  await forgetSession(page)
  await page.goto('/login')
  await main.getByRole('button', { name: 'Continue with Town Library' }).click()
  await page.waitForURL(`${octavo.url}/explore`)
})
