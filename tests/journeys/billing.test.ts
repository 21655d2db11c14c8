import { afterAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import { visitorViewSearch } from '#shared/visitor-view.ts'
import { accessibilityViolations, openVisitor } from '#tests/browser.ts'
import { startOctavo } from '#tests/octavo.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'
import { openStripe } from '#tests/stripe.ts'

const freeForAll =
  'This site doesn’t take payments: everyone has Free Forever, with 5 bookshelves and the newest 100 entries of their timeline.'
const premiumForAll =
  'Everyone on this site has everything: unlimited bookshelves, an unlimited timeline and every colour.'

const stripe = await openStripe({ SPRING: 50 })
afterAll(() => stripe.close())
const { octavo, post } = await openOctavo({
  STRIPE_SECRET_KEY: stripe.key,
  STRIPE_WEBHOOK_SECRET: stripe.secret,
  STRIPE_API_URL: stripe.url,
})
stripe.webhook = `${octavo.url}/api/v1/stripe/webhook`

const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })
const plan = (page: Page) => page.getByRole('group', { name: 'Manage Subscription', exact: true })
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }

/** What the drawer of a phone, or the menu of a desktop, offers about the plan. */
async function offered(page: Page, isPhone: boolean): Promise<string[]> {
  const opener = isPhone ? 'Menu' : /^Account of/
  await page.getByRole('banner').getByRole('button', { name: opener }).click()
  const place = isPhone ? page.getByRole('dialog') : page.getByRole('menu')
  const found = place.getByText(/^(Subscribe|Manage.*)$/)
  await found.first().waitFor()
  const texts = await found.allInnerTexts()
  await page.keyboard.press('Escape')
  await place.waitFor({ state: 'hidden' })
  return texts
}

// 5 s: goes to the payment provider and back at every step.
it('is paid by the month, managed, cancelled, and over; all that is there stays', async () => {
  const reader = await openReader({ octavo, post }, 'scholar', { viewport: phone })
  const { page } = reader
  await page.goto('/account/settings')
  await plan(page).getByText('Inactive').waitFor()
  expect(await offered(page, true)).toEqual(['Subscribe'])
  expect(await page.getByLabel('Forest').isDisabled()).toBe(true)
  await says(page, 'Choosing a colour is part of Premium Scholar.')
  for (let n = 1; n <= 5; n++) await reader.shelve(`Shelf ${n}`)
  await expect(reader.shelve('Shelf 6')).rejects.toThrow(answers.shelfLimit)
  await plan(page).getByRole('link', { name: 'Subscribe' }).click()

  await button(page, 'Subscribe').click()
  await says(page, 'Pay $5.00 a month')
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.waitForURL(`${octavo.url}/account/settings`)
  await plan(page).getByText('Active', { exact: true }).waitFor()
  await reader.shelve('Shelf 6')
  expect(await offered(page, true)).toEqual(['Manage'])
  const accent = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--rubric'))
  const before = await accent()
  await page.getByText('Forest', { exact: true }).click()
  await says(page, 'updated')
  expect(await accent()).not.toBe(before)
  expect(await accessibilityViolations(page)).toEqual([])
  // The server's own page has it, so the first paint does.
  const painted = async () => (await page.request.get('/explore')).text()
  expect(await painted()).toContain('data-accent="forest"')

  await plan(page).getByRole('button', { name: 'Manage' }).click()
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByRole('link', { name: 'Return to Octavo' }).click()
  await page.waitForURL(`${octavo.url}/account/settings`)
  await says(page, /^You’ve cancelled it. It stays active until [A-Z][a-z]{2} \d\d?, \d{4}\.$/)
  await reader.shelve('Shelf 7')

  const [session] = stripe.all('billing_portal.session')
  const bought = stripe.all('subscription').find((one) => one.customer === session?.customer)!
  bought['status'] = 'canceled'
  await stripe.tell('customer.subscription.deleted', bought)
  await page.reload()
  await plan(page).getByText('Inactive').waitFor()
  expect(await plan(page).getByRole('link').getAttribute('href')).toBe('/pricing')
  expect(await accent()).toBe(before)
  expect(await painted()).not.toContain('data-accent')
  await expect(reader.shelve('Shelf 8')).rejects.toThrow(answers.shelfLimit)
  await page.goto(`${reader.home}/shelves`)
  for (const n of [1, 7]) await says(page, `Shelf ${n}`)
})

it('is paid by the year with a code, which a visitor keeps through signing in', async () => {
  const visitor = await openVisitor(octavo.url, { viewport: desktop })
  await visitor.page.goto('/pricing?discount=spring&period=yearly')
  const link = visitor.page.getByRole('main').getByRole('link', { name: 'Subscribe' })
  const origin = '/pricing?period=yearly&discount=SPRING'
  expect(await link.getAttribute('href')).toBe(`/login?origin=${encodeURIComponent(origin)}`)

  const { page, allow } = await openReader({ octavo, post }, 'yearly', { viewport: desktop })
  await page.goto('/pricing?discount=spring')
  expect(await offered(page, false)).toEqual(['Subscribe'])
  await page.getByRole('tab', { name: /^Yearly/ }).click()
  await says(page, 'Discount code SPRING applies.')
  expect(await accessibilityViolations(page)).toEqual([])
  await button(page, 'Subscribe').click()
  await says(page, 'Pay $24.50 a year')
  await page.getByRole('link', { name: 'Back' }).click()
  await page.waitForURL(`${octavo.url}/pricing`)

  allow(/status of 409/)
  await page.goto('/pricing?discount=winter')
  await button(page, 'Subscribe').click()
  await says(page, 'This discount code is not valid.')
  await page.getByRole('link', { name: 'Remove it' }).click()
  await button(page, 'Subscribe').click()
  await says(page, 'Pay $5.00 a month')
  await page.getByRole('button', { name: 'Pay' }).click()
  await plan(page).getByText('Active', { exact: true }).waitFor()
  expect(await offered(page, false)).toEqual(['Manage subscription'])
  await page.goto('/pricing')
  await says(page, 'You have Premium Scholar.')
  await button(page, 'Manage').click()
  await page.getByRole('heading', { name: 'Your subscription' }).waitFor()
})

it('goes nowhere but to the provider, and says when that is away', async () => {
  const { page, allow, home } = await openReader({ octavo, post }, 'careful', { viewport: desktop })
  await page.goto('/pricing')
  const call = '**/api/v1/subscriptions/create'
  const elsewhere = `${stripe.url}.evil.example/pay/1`
  await page.route(call, (route) => route.fulfill({ json: { data: elsewhere } }))
  await button(page, 'Subscribe').click()
  await says(page, 'invalid url received.')
  expect(page.url()).toBe(`${octavo.url}/pricing`)
  await page.unroute(call)

  allow(/status of 502/)
  stripe.isDown = true
  try {
    await button(page, 'Subscribe').click()
    await says(page, 'The payment provider cannot be reached. Please try again in a moment.')
    await page.goto(`${home}/books`)
    await page.getByRole('heading', { name: 'My Books' }).waitFor()
  } finally {
    stripe.isDown = false
  }
})

it('sells nothing without keys, and says what everybody has', async () => {
  const [limited, household] = await Promise.all([
    startOctavo({ PLAN_DEFAULT: 'free' }),
    startOctavo(),
  ])
  try {
    const pricing = async (url: string) => (await fetch(`${url}/pricing`)).text()
    for (const [url, sentence] of [
      [limited.url, freeForAll],
      [household.url, premiumForAll],
    ] as const) {
      const page = await pricing(url)
      expect(page).toContain(sentence)
      expect(page).toContain('Sign Up')
      expect(page).not.toMatch(/Subscribe<|through Stripe/)
    }
    expect(await pricing(octavo.url)).toMatch(/Subscribe<[^]*through Stripe/)
    for (const path of ['/terms', '/privacy']) {
      const text = async (url: string) => (await fetch(url + path)).text()
      expect(await text(octavo.url)).toContain('Stripe')
      for (const { url } of [limited, household]) expect(await text(url)).not.toContain('Stripe')
    }
    const told = await fetch(`${household.url}/api/v1/stripe/webhook`, { method: 'POST' })
    expect(told.status).toBe(503)
    expect(household.output()).not.toContain('"level":50')
  } finally {
    await Promise.all([limited.stop(), household.stop()])
  }
})

it('refuses to start with one key of two', async () => {
  await expect(startOctavo({ STRIPE_SECRET_KEY: 'sk_test_1' })).rejects.toThrow(
    /STRIPE_WEBHOOK_SECRET must be set together with STRIPE_SECRET_KEY/,
  )
})

it('upsells nobody where nothing is sold', async () => {
  const household = await startOctavo({ SMTP_URL: post.url })
  try {
    const reader = await openReader({ octavo: household, post }, 'at-home', { viewport: desktop })
    const { page } = reader
    for (let n = 1; n <= 6; n++) await reader.shelve(`Shelf ${n}`)
    await page.goto('/account/settings')
    await plan(page).getByText('Everyone on this site has everything.').waitFor()
    expect(
      await plan(page)
        .getByText(/Active|Inactive|Premium/)
        .count(),
    ).toBe(0)
    await page.getByText('Forest', { exact: true }).click()
    await says(page, 'updated')
    const upsell = /Premium|Subscribe|Upgrade|Free to start/
    for (const path of ['/', '/account/settings', '/contact', '/terms', '/signup', '/explore'])
      for (const url of [path, path + visitorViewSearch])
        expect(await (await page.request.get(url)).text(), url).not.toMatch(upsell)
    // The plans are there to look at, with one sentence.
    await page.goto('/pricing')
    const main = page.getByRole('main')
    await main.getByText(premiumForAll).waitFor()
    await main.getByRole('heading', { name: 'Premium Scholar' }).waitFor()
    expect(await main.getByText(/^(Popular|Subscribe)$|administrator/).count()).toBe(0)
    expect(await main.getByText('everyone', { exact: false }).count()).toBe(1)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.close()
  } finally {
    await household.stop()
  }
})
