import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { afterRetries, openVisitor } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
const desktop = { viewport: { width: 1280, height: 800 } }
const operator = 'operator@octavo.example'

const { octavo, post } = await openOctavo({ PUBLIC_CONTACT_EMAIL: operator })

const card = (page: Page, name: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: name })

const menuOf = (page: Page) => page.getByRole('button', { name: 'Profile menu' })

async function choose(page: Page, item: string): Promise<void> {
  await menuOf(page).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Answers of the server fail, as they do when it is in trouble. */
async function fail(page: Page, address: RegExp): Promise<void> {
  const body = JSON.stringify({ data: {}, message: 'Something went wrong.', status: 500 })
  await page.route(address, (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body }),
  )
}

test('where nobody has signed up yet, there is nothing to go back to', async () => {
  const { page } = await openVisitor(octavo.url, phone)
  await page.goto('/users')
  await page.getByRole('heading', { name: 'No readers yet' }).waitFor()
  expect(await page.getByRole('link', { name: 'Show all readers' }).count()).toBe(0)
  // Nor is one's own name news to oneself.
  const first = await openReader({ octavo, post }, 'first-of-all')
  await first.page.goto('/users')
  await first.page.getByRole('heading', { name: 'You’re the first one here' }).waitFor()
  await page.reload()
  await card(page, 'first-of-all').waitFor()
})

test.each([
  ['phone', phone],
  ['desktop', desktop],
] as const)('an owner sees their own profile, on a %s', async (name, options) => {
  const { page, home } = await openReader({ octavo, post }, `owner-${name}`, options)
  await page.goto(home)
  await page.getByText('No activity to show!').waitFor()
  for (const stat of ['Avg Rating', 'Books Read', 'Pages Read'])
    await page.getByText(stat).waitFor()
  expect(await page.getByText('Shelves Created').isVisible()).toBe(name === 'desktop')
  await page.getByRole('main').getByText('You', { exact: true }).waitFor()
  if (name === 'desktop') {
    const shortcuts = page.getByRole('navigation', { name: 'Library Shortcuts' })
    await shortcuts.getByText('You', { exact: true }).waitFor()
    const settings = page.getByRole('navigation', { name: 'Account' })
    await settings.getByRole('link', { name: 'Settings' }).waitFor()
  }
})

describe('on a phone', () => {
  const open = (name: string) => openReader({ octavo, post }, name, phone)

  test('a visitor finds readers by name, and none who hide', async () => {
    const ann = await open('annabel')
    const shelf = await ann.shelve('All I have')
    for (const title of ['Emma', 'Persuasion']) await ann.add(shelf, title)
    const bob = await open('bob')
    await bob.shelve('Not for you', 'private')

    const { page, allow } = await openVisitor(octavo.url, phone)
    await page.clock.install()
    await page.goto('/users?sort=a-z')
    await page.getByRole('heading', { name: 'Discover users with similar taste' }).waitFor()
    expect(await page.title()).toBe('Users | Octavo')
    await card(page, 'annabel').getByText('2 books · 1 shelf').waitFor()
    await card(page, 'bob').getByText('0 books · 0 shelves').waitFor()
    const sort = page.getByRole('combobox', { name: 'Sort' })
    expect(await sort.locator('option').allInnerTexts()).toEqual(['Newest', 'A-Z'])

    const box = page.getByRole('searchbox', { name: 'Search readers by name' })
    await expect
      .poll(async () => {
        await box.fill('anna')
        return new URL(page.url()).search
      })
      .toBe('?q=anna&sort=a-z')
    await card(page, 'bob').waitFor({ state: 'hidden' })
    await sort.selectOption('Newest')
    await expect.poll(() => new URL(page.url()).search).toBe('?q=anna')
    await box.fill('nobody at all')
    await page.getByText('No readers found.').waitFor()
    await page.getByRole('link', { name: 'Show all readers' }).click()
    await card(page, 'bob').waitFor()
    await expect.poll(() => box.inputValue()).toBe('')

    allow(/status of 500/)
    await fail(page, /\/api\/v1\/users/)
    await box.fill('somebody')
    await afterRetries(page, page.getByText('failed to get the list of users.'))
    await page.unrouteAll()
    await box.fill('annabel')
    await card(page, 'annabel').getByRole('link').click()
    await page.getByRole('heading', { name: 'Activity Timeline' }).waitFor()
    expect(await page.title()).toBe('annabel’s profile | Octavo')
  })

  test('a profile is reported once, with a reason', async () => {
    const eve = await open('eve')
    const fay = await open('fay')
    const { page, allow } = eve
    allow(/status of 409/)
    await page.goto(fay.home)
    await choose(page, 'Report')
    const dialog = page.getByRole('dialog', { name: 'Report profile' })
    const send = dialog.getByRole('button', { name: 'Send report' })
    await send.click()
    await dialog.getByText('Choose a reason.').waitFor()
    await dialog.getByRole('combobox', { name: 'Reason' }).selectOption('Something else')
    await send.click()
    await dialog.getByText('Tell us what’s wrong.').waitFor()
    await dialog.getByRole('textbox', { name: 'Details' }).fill('The picture is mine.')
    await send.click()
    await page.getByText('Thank you. We’ve sent your report.').waitFor()
    const mail = await post.nextMail(operator)
    expect(mail.subject).toBe('A profile was reported: fay')
    expect(mail.text).toContain('The picture is mine.')

    await choose(page, 'Report')
    await dialog.getByRole('combobox', { name: 'Reason' }).selectOption('Spam or advertising')
    await dialog.getByRole('textbox', { name: 'Details' }).fill('Kept while it is refused.')
    await send.click()
    await dialog.getByText('You’ve already reported this profile.').waitFor()
    expect(await dialog.getByRole('textbox', { name: 'Details' }).inputValue()).toBe(
      'Kept while it is refused.',
    )
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    // A visitor signs in first.
    const visitor = await openVisitor(octavo.url, phone)
    await visitor.page.goto(fay.home)
    await choose(visitor.page, 'Report')
    await visitor.page.waitForURL(/\/login\?origin=/)
  })
})

describe('on a desktop', () => {
  const open = (name: string) => openReader({ octavo, post }, name, desktop)

  test('a reader finds who has a taste like theirs, and why', async () => {
    const cid = await open('cid')
    const dee = await open('dee')
    await cid.page.goto('/users?sort=similar')
    await cid.page.getByText('Not enough to compare yet').waitFor()
    for (const reader of [cid, dee]) {
      const shelf = await reader.shelve('All I have')
      await reader.add(shelf, 'Emma', { rating: 10, status: 'completed' })
      await reader.add(shelf, 'Dracula', { rating: 7 })
    }
    await cid.page.goto('/users')
    await cid.page.getByRole('combobox', { name: 'Sort' }).selectOption('Similar taste')
    const reason = '2 books in common, you both gave Emma five stars'
    await card(cid.page, 'dee').getByText(reason).waitFor()
    expect(new URL(cid.page.url()).search).toBe('?sort=similar')
  })

  test('an owner keeps the tabs of their own profile out of sight', async () => {
    const gus = await open('gus')
    const { page, context } = gus
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(gus.home)
    await page.getByText('No activity to show!').waitFor()
    await choose(page, 'Copy Link')
    await page.getByText('copied', { exact: true }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(octavo.url + gus.home)

    const tabs = page.getByRole('navigation', { name: 'Profile' })
    await choose(page, 'Hide Menu')
    await tabs.waitFor({ state: 'hidden' })
    await page.reload()
    await tabs.waitFor({ state: 'hidden' })
    await choose(page, 'Open Menu')
    await tabs.getByRole('link', { name: 'Wishlist' }).waitFor()

    const other = await context.newPage()
    await other.goto(gus.home)
    const shelf = await gus.shelve('All I have')
    await gus.add(shelf, 'Emma', { status: 'planning' })
    // The page follows by itself.
    await other.getByText('Added Emma to All I have').waitFor()
    await other.close()

    await choose(page, 'Edit')
    await page.getByRole('heading', { name: 'Edit Profile' }).waitFor()
    await page.goto(gus.home)
    await page.reload()
    await menuOf(page).click()
    expect(await page.getByRole('menuitem', { name: 'Report' }).count()).toBe(0)
  })
})
