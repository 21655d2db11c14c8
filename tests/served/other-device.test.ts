import { spawnSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { closeBrowser, openVisitor } from '#tests/browser.ts'
import { startOctavo } from '#tests/octavo.ts'

const email = 'sofa@example.org'
const password = 'a quiet afternoon'

/** A network of two: this machine, and a device that has nothing but a cable to it. */
const network = { here: '10.213.77.1', there: '10.213.77.2', name: `octavo${process.pid}` }
const { here, there, name } = network
const cable = { here: `oct${process.pid}`, there: `ocd${process.pid}` }

const ip = (words: string) => spawnSync('ip', words.split(' ')).status === 0

afterAll(closeBrowser)
// The cable goes along with it.
afterAll(() => void ip(`netns del ${name}`))
const isConnected =
  process.platform === 'linux' &&
  ip(`netns add ${name}`) &&
  ip(`link add ${cable.here} type veth peer name ${cable.there} netns ${name}`) &&
  ip(`addr add ${here}/30 dev ${cable.here}`) &&
  ip(`link set ${cable.here} up`) &&
  ip(`-n ${name} addr add ${there}/30 dev ${cable.there}`) &&
  ip(`-n ${name} link set ${cable.there} up`) &&
  ip(`-n ${name} link set lo up`)
if (!isConnected)
  console.warn('Skipped: a second network needs iproute2 and the right to make a namespace')

// 8 s: a browser of its own, in a network of its own.
test.runIf(isConnected)(
  'a device of the home network signs up, hears live updates and sets a new password',
  async () => {
    const octavo = await startOctavo()
    onTestFinished(async () => void (await octavo.stop()))
    const site = `http://${here}:${new URL(octavo.url).port}`
    const [, mailbox = ''] =
      new RegExp(`^On other devices: ${site} \\(emails at (\\S+)\\)$`, 'm').exec(octavo.output()) ??
      []
    expect(mailbox).toContain(`${site}/mailbox?key=`)
    const through = ['ip', 'netns', 'exec', name]
    const { context, page, allow } = await openVisitor(site, { through })
    // Browsers say so of every page at such an address.
    allow(/Cross-Origin-Opener-Policy header has been ignored/)
    const mails = await context.newPage()
    await mails.goto(mailbox)

    async function enterCode(screen: Page): Promise<void> {
      await screen.getByRole('heading', { name: 'Two-Step Verification' }).waitFor()
      await screen.getByText('This site has no mail server', { exact: false }).waitFor()
      const code = mails.locator('output').first()
      // The mailbox looks for new mails by itself.
      await code.waitFor()
      await screen.getByLabel('Code').fill(await code.innerText())
    }

    await page.goto('/signup')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm password').fill(password)
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await enterCode(page)
    await page.waitForURL('**/welcome')
    await page.getByRole('button', { name: /^Account of / }).click()
    const username = /@(\S+)/.exec(await page.getByText(/signed in as/).innerText())?.[1] ?? ''
    await page.keyboard.press('Escape')

    const second = await context.newPage()
    await second.goto(`/u/${username}/shelves`)
    await second.getByRole('heading', { name: 'Shelves' }).first().waitFor()
    const cookies = await context.cookies(site)
    expect(cookies.some(({ name, httpOnly }) => name === 'pb_auth' && httpOnly)).toBe(true)
    // As the page itself writes, with the session in its cookie.
    const made = await page.evaluate(async () => {
      const answer = await fetch('/api/collections/bookshelves/records', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'By the sofa', visibility: 'public' }),
      })
      return answer.status
    })
    expect(made).toBe(200)
    await second.getByText('By the sofa').first().waitFor()

    await context.clearCookies({ name: 'pb_auth' })
    await page.goto('/auth/forgot-password')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: /link/i }).click()
    await page.getByText('This site has no mail server', { exact: false }).waitFor()
    const link = mails.getByRole('link', { name: 'Open its link' }).first()
    await link.waitFor()
    expect(await link.getAttribute('href')).toContain(`${site}/auth/reset-password?token=`)
    await mails.goto((await link.getAttribute('href')) ?? '')
    await mails.getByLabel('New password', { exact: true }).waitFor()
  },
)
