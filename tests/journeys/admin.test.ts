import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSqlite } from '#records/index.ts'
import { accessibilityViolations } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader, password } from '#tests/reader.ts'
import { runModule } from '#tests/run-module.ts'

const { octavo, post } = await openOctavo()
const command = join(dirname(dirname(import.meta.dirname)), 'server/commands/readers.ts')
const sections = ['', '/invitations', '/reports', '/jobs', '/health', '/log']

const makeAdmin = (username: string) =>
  runModule(command, ['admin', username], {
    DATA_DIR: octavo.dataDir,
    APP_URL: 'http://octavo.test',
  })

/** Ten thousand readers, each a minute younger than the one before. */
async function fill(): Promise<void> {
  const database = openSqlite(join(octavo.dataDir, 'octavo.db'))
  await database.transaction(async (tx) => {
    const columns =
      'id, username, username_key, email, name, "tokenKey", password, created, updated'
    const n = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)'
    const name = `printf('reader%05d', i)`
    const created = `strftime('%Y-%m-%d %H:%M:%S.000Z', 1000000000 + i * 60, 'unixepoch')`
    await tx.query(`INSERT INTO users (${columns}) ${n}
      SELECT ${name}, ${name}, ${name}, ${name} || '@example.org', '', ${name}, '', ${created}, ${created} FROM n`)
    await tx.query(`INSERT INTO settings (id, "user", "isPrivate") ${n}
      SELECT ${name}, ${name}, FALSE FROM n`)
  })
  await database.close()
}

/** @returns the sources of all scripts that a page loads from now on */
function scriptsOf(page: Page): Promise<string>[] {
  const found: Promise<string>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') found.push(response.text().catch(() => ''))
  })
  return found
}

// 20 s: ten thousand readers, six sections in two widths and themes.
test('an administrator finds a reader among ten thousand, and looks after the site', async () => {
  await fill()
  const { page, context, allow, email } = await openReader({ octavo, post }, 'keeper')
  // The browser says so of each refusal that asks for the password.
  allow(/status of 40[03]/)
  await makeAdmin('keeper')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/explore')
  await page.getByRole('button', { name: 'Account of keeper' }).click()
  await page.getByRole('menuitem', { name: 'Administration' }).click()
  await page.getByRole('heading', { name: 'Administration', level: 1 }).waitFor()
  await page.getByText('10,001 readers').waitFor()
  expect(await page.getByRole('row').count()).toBe(51)
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('Page 2 of 201').waitFor()
  await page.getByRole('searchbox').fill('READER0999')
  await page.getByText('10 readers', { exact: true }).waitFor()
  await page.getByLabel('Sort').selectOption('By username')
  await page.getByRole('row').nth(1).getByText('reader09990', { exact: true }).waitFor()

  const manage = page.getByRole('button', { name: 'Manage reader09991' })
  await manage.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'reader09991' })
  await dialog.getByRole('button', { name: 'Hide profile' }).click()
  const question = page.getByRole('dialog', { name: 'Confirm your password' })
  const field = question.getByLabel('Password', { exact: true })
  await field.waitFor()
  expect(await field.evaluate((node) => node === document.activeElement)).toBe(true)
  expect(await accessibilityViolations(page)).toEqual([])
  await question.getByLabel('Password', { exact: true }).fill('not the password')
  await page.keyboard.press('Enter')
  await question.getByText('Wrong password. Try again.').waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  // Nothing was done, and the dialog below is still there.
  await dialog.getByRole('button', { name: 'Hide profile' }).click()
  await question.getByLabel('Password', { exact: true }).fill(password)
  await question.getByRole('button', { name: 'Confirm' }).click()
  await question.waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Show profile again' }).waitFor()
  await dialog.getByRole('button', { name: 'Make a reset link' }).click()
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(/\/auth\/reset-password\?token=/)
  await dialog.getByLabel('Type reader09991').fill('reader')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByText('That is not the username.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByLabel('Type reader09991').fill('reader09991')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('9 readers', { exact: true }).waitFor()

  await page.getByRole('link', { name: 'Invitations' }).click()
  await page.getByText('No open invitations.').waitFor()
  await page.getByLabel('Works for').selectOption('30 days')
  await page.getByRole('button', { name: 'Make an invitation' }).click()
  await page.getByLabel('Link').waitFor()
  await page.getByRole('button', { name: /^Withdraw the invitation/ }).click()
  await page.getByText('No open invitations.').waitFor()

  await page.getByRole('link', { name: 'Health' }).click()
  await page
    .getByText('the mail server accepts the account in SMTP_URL', { exact: false })
    .waitFor()
  await page.getByRole('button', { name: 'Send me a test email' }).click()
  await page.getByText(`A test email is on its way to ${email}.`).waitFor()
  expect((await post.nextMail(email)).subject).toBe('A test email from Octavo')

  await page.getByRole('link', { name: 'Activity log' }).click()
  await page.getByRole('row').nth(1).getByText('Sent a test email').waitFor()
  const done = await page.getByRole('row').allInnerTexts()
  expect(done.slice(1).map((row) => row.replaceAll(/\s+/g, ' '))).toEqual([
    expect.stringContaining('keeper Sent a test email keeper'),
    expect.stringContaining('keeper Withdrew an invitation'),
    expect.stringContaining('keeper Made an invitation'),
    expect.stringContaining('keeper Deleted the account reader09991'),
    expect.stringContaining('keeper Made a reset link reader09991'),
    expect.stringContaining('keeper Hid the profile reader09991'),
    expect.stringContaining('A command Made an administrator keeper'),
  ])

  for (const width of [390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const section of sections) {
      await page.goto(`/admin${section}`)
      await page.getByRole('heading', { name: 'Administration', level: 1 }).waitFor()
      if (section === '/health') await page.getByRole('button', { name: 'Check again' }).waitFor()
      const isWide = () =>
        document.documentElement.scrollWidth > document.documentElement.clientWidth
      expect(await page.evaluate(isWide), `${section} at ${width}`).toBe(false)
      expect(await accessibilityViolations(page), `${section} at ${width}`).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await accessibilityViolations(page, 'colours'), `${section} dark`).toEqual([])
      await page.emulateMedia({ colorScheme: 'light' })
    }
  }
})

test('others find nothing at /admin, and nothing of it in their scripts', async () => {
  const reader = await openReader({ octavo, post }, 'passer-by')
  reader.allow(/status of 404/)
  const { page } = reader
  const scripts = scriptsOf(page)
  for (const section of sections) {
    const answer = await page.goto(`/admin${section}`)
    expect(answer!.status(), section).toBe(404)
    await page.getByRole('heading', { name: '404' }).waitFor()
    expect(await page.title()).not.toContain('Administration')
  }
  await page.goto('/explore')
  await page.getByRole('button', { name: 'Account of passer-by' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Administration' }).count()).toBe(0)
  // From a page that is open, too.
  await page.evaluate(() => history.pushState(null, '', '/admin'))
  await page.reload()
  await page.getByRole('heading', { name: '404' }).waitFor()
  const sources = await Promise.all(scripts)
  expect(sources.length).toBeGreaterThan(5)
  for (const source of sources) expect(source).not.toMatch(/api\/v1\/admin|confirmTitle/)
})
