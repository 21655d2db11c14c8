import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { accessibilityViolations, openVisitor } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader, password } from '#tests/reader.ts'

const changed = 'another afternoon'

const { octavo, post, mailedCode } = await openOctavo()

/** The next mail with a link: the same in its text and behind the button of its page. */
async function mailedLink(email: string): Promise<string> {
  const { text = '', html = '' } = await post.nextMail(email)
  const link = /http:\S+\/auth\/\S+/.exec(text)?.[0]
  if (!link) return mailedLink(email)
  expect(html).toContain(`href="${link}"`)
  return new URL(link).pathname + new URL(link).search
}

const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

/** The whole way in: password and code. */
async function signIn(page: Page, email: string, secret: string): Promise<void> {
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(secret)
  await button(page, 'Login').click()
  await heading(page, 'Two-Step Verification').waitFor()
  await field(page, 'Code').fill(await mailedCode(email))
  await page.waitForURL(/\/(explore|account\/edit)$/)
}

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }

describe('on a phone', () => {
  it('sets a new password by mail, and says the same to whoever has no account', async () => {
    const reader = await openReader({ octavo, post }, 'forgetful', { viewport: phone })
    const visitor = await openVisitor(octavo.url, { viewport: phone })
    const { page } = visitor
    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await heading(page, 'Forgot password?').waitFor()
    await expect.poll(() => page.title()).toBe('Forgot password | Octavo')
    await button(page, 'Send link').click()
    await page.getByText('Must be a valid email address.').waitFor()

    const said: string[] = []
    for (const email of ['nobody@example.org', reader.email]) {
      await field(page, 'Email').fill(email)
      await button(page, 'Send link').click()
      await heading(page, 'Check your email').waitFor()
      said.push((await page.getByRole('main').innerText()).replace(email, ''))
      if (email !== reader.email)
        await page.getByRole('link', { name: 'Use another email' }).click()
    }
    expect(said[0]).toBe(said[1])
    expect(await accessibilityViolations(page)).toEqual([])

    const link = await mailedLink(reader.email)
    await page.goto(link)
    await heading(page, 'Set a new password').waitFor()
    await field(page, 'New password').fill('short')
    await field(page, 'Confirm password').fill('shorter')
    await button(page, 'Set password').click()
    await page.getByText('Password must be at least 8 character(s)', { exact: true }).waitFor()
    await field(page, 'New password').fill(changed)
    // Said as it is typed: a press would still be checked when the next word is there.
    await field(page, 'Confirm password').fill(`${changed}s`)
    await page.getByText('Passwords do not match').waitFor()
    await field(page, 'Confirm password').fill(changed)
    await button(page, 'Set password').click()
    await heading(page, 'Your password has been changed').waitFor()

    // Whoever was signed in with the old one is no longer.
    reader.allow(/status of 40[13]/)
    await reader.page.goto('/account/settings')
    await reader.page.waitForURL(/\/login\?origin=/)

    await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
    await signIn(page, reader.email, changed)

    visitor.allow(/status of 400/)
    await page.goto(link)
    await field(page, 'New password').fill(password)
    await field(page, 'Confirm password').fill(password)
    await button(page, 'Set password').click()
    await heading(page, 'This link no longer works').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('link', { name: 'Ask for a new link' }).click()
    await heading(page, 'Forgot password?').waitFor()
  })

  it('moves an account to another address, with its password and a word to the old one', async () => {
    const reader = await openReader({ octavo, post }, 'mover', { viewport: phone })
    const { page, email } = reader
    const next = 'moved@example.org'
    await page.goto('/account/edit')
    reader.allow(/status of 40[013]/)
    await button(page, 'Change email').click()
    await page.waitForFunction(() => document.activeElement?.getAttribute('type') === 'email')
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await page.getByText('This is already your email.').waitFor()
    await field(page, 'New email').fill('nowhere')
    await button(page, 'Send link').click()
    await page.getByText('Must be a valid email address.').waitFor()
    await field(page, 'New email').fill(next)
    await button(page, 'Send link').click()
    await page.getByText(`We’ve sent a link to ${next}`).waitFor()

    await page.goto(await mailedLink(next))
    await heading(page, 'Confirm your new email').waitFor()
    await field(page, 'Password').fill('not the password')
    await button(page, 'Use this email').click()
    await expect.poll(() => field(page, 'Password').getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => field(page, 'Password').inputValue()).toBe('not the password')
    await field(page, 'Password').fill(password)
    await button(page, 'Use this email').click()
    await heading(page, 'Your email has been changed').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await expect
      .poll(() => post.mailsTo(email).some(({ text = '' }) => text.includes(next)))
      .toBe(true)
    await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
    await signIn(page, next, password)
  })
})

describe('on a desktop', () => {
  it('confirms an address that nobody has shown to be theirs', async () => {
    const reader = await openReader({ octavo, post }, 'unproved', { viewport: desktop })
    const { page, email } = reader
    await page.goto('/account/settings')
    await heading(page, 'Settings').waitFor()
    await expect.poll(() => page.getByText('Confirm your email').count()).toBe(0)

    doubt(reader.id)
    await page.reload()
    await button(page, 'Send link').click()
    await page.getByText('We’ve sent you a link. It expires after 30 minutes.').waitFor()
    const link = await mailedLink(email)
    await page.goto(link)
    await heading(page, 'Confirm your email').waitFor()
    await button(page, 'Confirm email').click()
    await heading(page, 'Your email is confirmed').waitFor()
    await page.getByRole('link', { name: 'Continue' }).click()
    await page.waitForURL(`${octavo.url}/explore`)
    await page.goto('/account/settings')
    await heading(page, 'Settings').waitFor()
    await expect.poll(() => page.getByText('Confirm your email').count()).toBe(0)

    reader.allow(/status of 400/)
    await page.goto(link)
    await button(page, 'Confirm email').click()
    await heading(page, 'This link no longer works').waitFor()
    for (const damaged of [link.slice(0, -90), '/auth/confirm-verification']) {
      await page.goto(damaged)
      await heading(page, 'This link no longer works').waitFor()
    }
  })

  it('takes a new password from who knows the old one', async () => {
    const reader = await openReader({ octavo, post }, 'careful', { viewport: desktop })
    const { page } = reader
    reader.allow(/status of 40[013]/)
    await page.goto('/account/edit')
    await button(page, 'Change password').click()
    await field(page, 'Current password').fill('not the password')
    await field(page, 'New password').fill(changed)
    await field(page, 'Confirm password').fill(changed)
    await button(page, 'Change password').click()
    const current = field(page, 'Current password')
    await expect.poll(() => current.getAttribute('aria-invalid')).toBe('true')
    await page.getByText('This is not your current password.').waitFor()
    await current.fill(password)
    await button(page, 'Change password').click()
    await page.getByText('Your password has been changed. Sign in again.').waitFor()
    await page.waitForURL(/\/login\?origin=/)
    await signIn(page, reader.email, changed)
    await heading(page, 'Edit Profile').waitFor()
  })
})

/** Signing in proves an address, so an account whose address is not proved is made by hand. */
function doubt(id: string): void {
  const database = new DatabaseSync(join(octavo.dataDir, 'octavo.db'), { timeout: 5000 })
  const { changes } = database.prepare('UPDATE users SET verified = 0 WHERE id = ?').run(id)
  database.close()
  expect(Number(changes)).toBe(1)
}
