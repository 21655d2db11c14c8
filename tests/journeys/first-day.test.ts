import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { closeBrowser, openVisitor } from '#tests/browser.ts'
import { newPostgresUrl } from '#tests/databases.ts'
import { startOctavo, type Octavo } from '#tests/octavo.ts'
import { openMailServer, type MailServer } from '#tests/smtp.ts'

const email = 'reader@example.org'
const password = 'a quiet afternoon'

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  describe(`the first day of a reader (${engine})`, () => {
    let octavo: Octavo
    let post: MailServer
    const endings: (() => Promise<void> | void)[] = []

    beforeAll(async () => {
      post = await openMailServer()
      octavo = await startOctavo({
        SMTP_URL: post.url,
        DATABASE_URL: engine === 'SQLite' ? '' : await newPostgresUrl((end) => endings.push(end)),
      })
    })
    afterAll(async () => {
      const code = await octavo.stop()
      if (code !== 0) throw new Error(`Octavo ended with ${code}`)
      await post.close()
      for (const end of endings) await end()
      await closeBrowser()
    })

    /** The six digits of the newest mail. */
    async function mailedCode(): Promise<string> {
      const mail = await post.nextMail(email)
      const code = /\b\d{6}\b/.exec(mail.text ?? '')?.[0]
      expect(code, mail.text).toBeDefined()
      return code!
    }

    async function enterCode(page: Page): Promise<void> {
      await page.getByRole('heading', { name: 'Two-Step Verification' }).waitFor()
      await page.getByLabel('Code').fill(await mailedCode())
    }

    async function openMenu(page: Page): Promise<void> {
      await page.getByRole('button', { name: /^Account of / }).click()
    }

    // 10 s: a whole first day, in two tabs.
    it('goes from the landing page to a page read, seen live in a second tab', async () => {
      const { context, page } = await openVisitor(octavo.url)
      await page.goto('/')
      await page.getByRole('main').getByRole('link', { name: 'Sign Up' }).click()
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByLabel('Confirm password').fill(password)
      await page.getByRole('button', { name: 'Sign Up' }).click()
      await enterCode(page)

      await page.waitForURL('**/welcome')
      await page.getByRole('link', { name: 'Look around' }).click()
      // The welcome has a search of its own, which stays until Explore is there.
      await page.getByRole('heading', { name: 'Explore', level: 1 }).waitFor()
      await page.getByRole('combobox', { name: 'Search the catalogue' }).fill('frankenstein')
      await page.keyboard.press('Enter')
      await page.waitForURL(/q=frankenstein/)
      await page.getByRole('link', { name: 'Frankenstein', exact: true }).first().click()
      await page.getByRole('heading', { name: 'Frankenstein', level: 1 }).waitFor()

      await page.getByRole('button', { name: 'Add to shelf' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'New Shelf' }).click()
      await dialog.getByLabel('Name').fill('Gothic nights')
      await dialog.getByRole('button', { name: 'Create shelf' }).click()
      await dialog.getByRole('radio', { name: 'Reading' }).click()
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByText('Added Frankenstein to Gothic nights').waitFor()

      await openMenu(page)
      const signedIn = await page.getByText(/signed in as/).innerText()
      const username = /@(\S+)/.exec(signedIn)?.[1] ?? ''
      await page.keyboard.press('Escape')
      const second = await context.newPage()
      await second.goto(`/u/${username}`)
      await second.getByText('Started Reading').waitFor()

      await page.goto(`/u/${username}/books`)
      await page.getByRole('button', { name: /^Frankenstein: Reading/ }).click()
      await page.getByLabel('Page', { exact: true }).fill('57')
      await page.getByRole('button', { name: 'Save' }).click()
      await second.getByText('Read 57 page of Frankenstein').waitFor()

      await openMenu(page)
      await page.getByRole('menuitem', { name: 'Logout' }).click()
      await page.waitForURL(`${octavo.url}/`)
      // A guarded page asks to sign in, and is where the reader is brought back to.
      await page.goto('/account/settings')
      await page.waitForURL(`${octavo.url}/login?origin=%2Faccount%2Fsettings`)
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Login' }).click()
      await enterCode(page)
      await page.waitForURL(`${octavo.url}/account/settings`)
      await page.getByLabel('Who can see your profile').selectOption('private')
      await page.getByText('updated', { exact: true }).waitFor()
      await page.goto(`/u/${username}`)
      await page.getByText('Read 57 page of Frankenstein').waitFor()
      expect(post.mailsTo(email)).toHaveLength(2)
    })
  })
}
