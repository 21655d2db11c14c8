import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import rules from '#shared/sentences/rules.json' with { type: 'json' }
import { accessibilityViolations, forgetSession, openVisitor } from '#tests/browser.ts'
import { startOctavo } from '#tests/octavo.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { password } from '#tests/reader.ts'

const phone = { viewport: { width: 390, height: 844 } }
const command = join(dirname(dirname(import.meta.dirname)), 'server/commands/readers.ts')

const { octavo } = await openOctavo({ SIGN_UPS: 'invitation', SIGN_IN_CODE: 'off' })
const closed = await startOctavo({ SIGN_UPS: 'closed' })
afterAll(async () => void (await closed.stop()))

/** @returns the link that the operator hands to somebody */
async function invitation(): Promise<string> {
  const env = { ...process.env, DATA_DIR: octavo.dataDir, APP_URL: octavo.url }
  const { stdout } = await promisify(execFile)(process.execPath, [command, 'invite'], { env })
  return stdout.trim()
}

const press = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click()

async function fillIn(page: Page, email: string, secret = password): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
}

async function signUp(page: Page, email: string): Promise<void> {
  await fillIn(page, email)
  await page.getByLabel('Confirm password').fill(password)
  await press(page, 'Sign Up')
}

/** No screen speaks of what nobody is asked for. */
async function saysNothingOfCodes(page: Page): Promise<void> {
  expect(await page.locator('body').innerText()).not.toMatch(/\bcodes?\b/i)
}

// 5 s: a server of its own, and two accounts.
it('lets somebody in with an invitation, and with the password alone from then on', async () => {
  const visitor = await openVisitor(octavo.url, phone)
  const { page } = visitor
  for (const path of ['/', '/privacy', '/pricing']) {
    await page.goto(path)
    await saysNothingOfCodes(page)
    expect(await page.getByRole('main').locator('a[href="/signup"]').count()).toBe(0)
  }
  await page.goto('/login')
  await page.getByRole('main').getByRole('link', { name: 'Sign Up' }).click()
  await page.getByText(rules.invitationRequired).waitFor()
  expect(await page.getByLabel('Email').count()).toBe(0)
  expect(await accessibilityViolations(page)).toEqual([])

  const link = await invitation()
  await page.goto(link)
  await signUp(page, 'ann@example.org')
  await page.waitForURL(`${octavo.url}/welcome`)
  await page.goto('/account/edit')
  await page.getByText('Notices go to ann@example.org.').waitFor()
  await saysNothingOfCodes(page)
  await page.goto('/account/settings')
  await page.getByRole('list', { name: 'Open sessions' }).waitFor()
  await saysNothingOfCodes(page)

  await forgetSession(page)
  visitor.allow(/status of 400/)
  await page.goto('/login')
  await fillIn(page, 'ann@example.org', 'not the password')
  await press(page, 'Login')
  await page.getByText('Login Error').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Login')
  await page.waitForURL(`${octavo.url}/explore`)
})

it('says that an invitation is used up, and keeps what was typed', async () => {
  const link = await invitation()
  const first = await openVisitor(octavo.url, phone)
  await first.page.goto(link)
  await signUp(first.page, 'bea@example.org')
  await first.page.waitForURL(`${octavo.url}/welcome`)
  const second = await openVisitor(octavo.url, phone)
  second.allow(/status of 400/)
  await second.page.goto(link)
  await signUp(second.page, 'cid@example.org')
  await second.page.getByText(rules.invitationSpent).waitFor()
  expect(await second.page.getByLabel('Email').inputValue()).toBe('cid@example.org')
  expect(await accessibilityViolations(second.page)).toEqual([])
})

it('says that nobody can sign up, and leads to signing in', async () => {
  const { page } = await openVisitor(closed.url, phone)
  await page.goto('/')
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
  await page.getByRole('heading', { name: 'Login' }).waitFor()
  expect(await page.getByRole('main').getByRole('link', { name: 'Sign Up' }).count()).toBe(0)
  await page.goto('/signup?invitation=whatever')
  await page.getByText(answers.signUpsClosed).waitFor()
  expect(await page.getByLabel('Email').count()).toBe(0)
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
  await page.waitForURL(/\/login/)
})
