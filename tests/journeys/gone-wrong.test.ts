import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { afterRetries, openVisitor, untilHydrated } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }
const contact = 'help@octavo.example'

const { octavo, post } = await openOctavo({ PUBLIC_CONTACT_EMAIL: contact })

const main = (page: Page) => page.getByRole('main')

async function seeError(page: Page, status: string, sentence: string): Promise<void> {
  await main(page).getByRole('heading', { name: status, exact: true }).waitFor()
  await main(page).getByText(sentence, { exact: true }).waitFor()
  expect(await main(page).getByRole('button', { name: 'Go Back' }).isVisible()).toBe(true)
  expect(await main(page).getByRole('link', { name: 'Home' }).getAttribute('href')).toBe('/')
}

describe('on a phone', () => {
  test('an address that leads nowhere says so, and leads back and home', async () => {
    const { page, allow } = await openVisitor(octavo.url, { viewport: phone })
    allow(/status of 404/)
    await page.goto('/pricing')
    const answer = await page.goto('/nothing-here')
    expect(answer?.status()).toBe(404)
    expect(await page.title()).toBe('404 | Octavo')
    await seeError(page, '404', "The page you're looking for doesn't exist.")
    await main(page).getByRole('button', { name: 'Go Back' }).click()
    await page.getByRole('heading', { name: 'Pricing' }).waitFor()

    await page.goto('/u/nobody-at-all')
    await seeError(page, '404', 'User profile not found.')
    await page.goto('/shelf/aaaaaaaaaaaaaaa/nothing')
    await main(page).getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Custom Shelves' }).waitFor()

    await page.goto('/book/no-such-book-9780000000002')
    await seeError(page, '404', "Sorry! we cannot find the book you're looking for.")
  })

  test('messages stand at the bottom, three at most, and go by themselves', async () => {
    const { page } = await openReader({ octavo, post }, 'loud', { viewport: phone })
    await page.goto('/account/settings')
    const front = page.locator('[data-sonner-toast][data-front=true]')
    for (const [index, value] of ['private', 'public', 'private', 'public'].entries()) {
      const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
      await page.getByLabel('Who can see your profile').selectOption(value)
      await saved
      // Under the pointer they stay.
      if (index === 0) await front.hover()
    }
    const list = page.locator('[data-sonner-toaster]')
    const place = await list.evaluate((box) => ({
      y: box.getAttribute('data-y-position'),
      x: box.getAttribute('data-x-position'),
      width: getComputedStyle(box).getPropertyValue('--width').trim(),
      gap: getComputedStyle(box).getPropertyValue('--gap').trim(),
    }))
    expect(place).toEqual({ y: 'bottom', x: 'center', width: '356px', gap: '14px' })
    const shown = page.locator('[data-sonner-toast][data-visible=true]')
    expect(await shown.count()).toBe(3)
    expect(await shown.first().getAttribute('data-rich-colors')).toBe('true')
    await front.getByRole('button', { name: 'Close message' }).click()
    await page.mouse.move(0, 0)
    await page.locator('[data-sonner-toast]').first().waitFor({ state: 'detached' })
  })
})

describe('on a desktop', () => {
  test('Go Back leads home when there is nothing before', async () => {
    const { context, page, allow } = await openVisitor(octavo.url, { viewport: desktop })
    allow(/status of 404/)
    await page.goto('/contact')
    // A tab of its own, as from a link in a mail.
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      page.evaluate(() => void open('/nothing-here', '_blank', 'noopener')),
    ])
    await tab.getByRole('heading', { name: '404' }).waitFor()
    await tab.getByRole('main').getByRole('button', { name: 'Go Back' }).click()
    await expect.poll(() => new URL(tab.url()).pathname).toBe('/')
  })

  // 10 s: five failures, each met from a screen of its own.
  test('what fails on the way says so, and another try may go well', async () => {
    const { page, allow } = await openVisitor(octavo.url, { viewport: desktop })
    allow(/status of (401|50\d)|Failed to load resource/)
    const somethingWrong = 'Something went wrong. Please try again.'
    const noBook = 'Failed to retrieve book details.'
    const noProfile = 'failed to get requested profile data.'
    const book = { from: '/explore', api: '**/api/v1/book-info/isbn/**', link: 'a[href^="/book/"]' }
    const person = {
      from: '/users',
      api: '**/api/collections/profile/records?*',
      link: 'a[href="/u/known"]',
    }
    await openReader({ octavo, post }, 'known')
    await page.clock.install()
    for (const { on, status, says } of [
      { on: book, status: 0, says: noBook },
      { on: book, status: 503, says: noBook },
      { on: person, status: 0, says: noProfile },
      { on: person, status: 500, says: noProfile },
      { on: person, status: 401, says: somethingWrong },
    ]) {
      await page.goto(on.from)
      const body = { status, message: 'The disk of this machine is full.', data: {} }
      await page.route(on.api, (route) =>
        status === 0 ? route.abort() : route.fulfill({ status, json: body }),
      )
      await untilHydrated(main(page).locator(on.link).first())
      await main(page).locator(on.link).first().click()
      await afterRetries(page, main(page).getByText(says, { exact: true }))
      await seeError(page, String(status || 500), says)
      expect(await page.title()).toBe(`${status || 500} | Octavo`)
      const again = main(page).getByRole('button', { name: 'Try again' })
      // What was refused stays refused.
      const mayRetry = status !== 401
      expect(await again.count()).toBe(mayRetry ? 1 : 0)
      await page.unroute(on.api)
      if (mayRetry) {
        await again.click()
        await again.waitFor({ state: 'detached' })
        await main(page).getByRole('heading', { level: 1 }).waitFor()
        await page.goBack()
      } else await main(page).getByRole('button', { name: 'Go Back' }).click()
      await page.waitForURL(`**${on.from}`)
      await main(page).locator(on.link).first().click()
      await page.waitForURL(/\/(u|book)\//)
      await expect.poll(() => main(page).getByRole('button', { name: 'Go Back' }).count()).toBe(0)
    }
  })
})

test('the footer helps, and names whom to write to', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/explore')
  const footer = page.getByRole('contentinfo')
  expect(await footer.innerText()).toMatch(/© Octavo[^]*Need help\? Write to/)
  for (const [name, href] of [
    ['Contact', '/contact'],
    ['Privacy Policy', '/privacy'],
    ['Terms of Service', '/terms'],
    [contact, `mailto:${contact}`],
  ] as const)
    expect(await footer.getByRole('link', { name }).getAttribute('href')).toBe(href)
})

test('without a connection a page stays, and goes on once there is one', async () => {
  const { page, allow } = await openVisitor(octavo.url)
  // Whether the browser is right is asked of the server.
  allow(/ERR_INTERNET_DISCONNECTED \(\S+\/api\/health\)/)
  await page.goto('/pricing')
  const menu = page.getByRole('button', { name: 'Menu' })
  await untilHydrated(menu)
  await page.context().setOffline(true)
  await menu.click()
  await page.context().setOffline(false)
  await menu.click()
  await page.getByRole('dialog').waitFor()
  await page.getByRole('region', { name: /^Notifications/ }).waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.getByRole('heading', { name: 'Pricing' }).isVisible()).toBe(true)
})
