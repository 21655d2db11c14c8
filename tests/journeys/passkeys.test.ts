import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityViolations, forgetSession, openVisitor } from '#tests/browser.ts'
import { addAuthenticator } from '#tests/browser-authenticator.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { password } from '#tests/reader.ts'

const { octavo, post, newAccount, mailedCode } = await openOctavo()
const phone = { width: 390, height: 844 }

async function givePassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
  await page.getByRole('heading', { name: 'Two-Step Verification' }).waitFor()
}

// 15 s: four sign-ins.
it('a passkey is added, signs in alone and in place of the code, and is removed', async () => {
  const email = 'keyed@example.org'
  await newAccount(email)
  const { page, context, allow } = await openVisitor(octavo.url, { viewport: phone })
  allow(/status of 40[01]/)
  const main = page.getByRole('main')
  const authenticator = await addAuthenticator(page)
  await page.goto('/login?origin=%2Faccount%2Fconnections')
  await givePassword(page, email)
  await page.getByLabel('Code').fill(await mailedCode(email))
  await page.waitForURL(`${octavo.url}/account/connections`)

  // Added with the password, by a name.
  await main.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('My phone')
  await dialog.getByLabel('Current password', { exact: true }).fill('not my password')
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.locator('input[aria-invalid=true]').waitFor()
  expect(await authenticator.keys()).toEqual([])
  await dialog.getByLabel('Current password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const row = main
    .getByRole('list', { name: 'Passkeys' })
    .getByRole('listitem')
    .filter({ hasText: 'My phone' })
  await row.getByText('Not used yet').waitFor()
  expect(await authenticator.keys()).toMatchObject([{ rpId: 'localhost' }])
  expect(await accessibilityViolations(page)).toEqual([])

  expect((await post.nextMail(email)).subject).toBe('A passkey can now sign you in to Octavo')

  // Alone, without a code.
  const mails = post.mailsTo(email).length
  await forgetSession(page)
  await page.goto('/login?origin=%2Faccount%2Fconnections')
  await main.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(`${octavo.url}/account/connections`)
  await row.getByText('Last used').waitFor()
  expect(post.mailsTo(email)).toHaveLength(mails)

  // In place of the code.
  await forgetSession(page)
  await page.goto('/login?origin=%2Faccount%2Fconnections')
  await givePassword(page, email)
  await main.getByRole('button', { name: 'Use a passkey instead' }).click()
  await page.waitForURL(`${octavo.url}/account/connections`)

  // Renamed over a session that has run out, which a passkey begins again.
  await main.getByRole('button', { name: 'Rename My phone' }).click()
  const rename = page.getByRole('dialog', { name: 'Rename' })
  await rename.getByLabel('Name').fill('Old phone')
  await context.clearCookies({ name: 'pb_auth' })
  await rename.getByRole('button', { name: 'Save' }).click()
  const again = page.getByRole('dialog', { name: 'Your session has ended' })
  await again.getByText(email).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await again.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await again.waitFor({ state: 'detached' })
  const renamed = main.getByRole('listitem').filter({ hasText: 'Old phone' })
  await renamed.waitFor()

  // And removed.
  await page.goto('/account/connections')
  await renamed.getByRole('button', { name: 'Remove', exact: true }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText('You can no longer sign in with Old phone.').waitFor()
  await question.getByRole('button', { name: 'Remove' }).click()
  await renamed.waitFor({ state: 'detached' })

  // The authenticator still has it, the site does not.
  await forgetSession(page)
  await page.goto('/login')
  await main.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('alert').getByText('This passkey was not accepted.').waitFor()
  await authenticator.forget()
  await main.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('alert').getByText('No passkey was used.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/login')
})
