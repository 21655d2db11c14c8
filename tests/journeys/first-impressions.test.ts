import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { accessibilityViolations, openVisitor, type CookieJar } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'

const phone = { width: 390, height: 844 }
/** Nothing is scrolled sideways on it: WCAG's reflow. */
const smallest = { width: 320, height: 640 }
const desktop = { width: 1280, height: 800 }
const account = { email: 'first@example.org', password: 'a quiet afternoon' }
const home = '/u/first-reader'
const book = '/book/pride-and-prejudice-9780141439518'

const { octavo, post } = await openOctavo()
let shelf = ''
/** The cookies of the reader whose library is looked at. */
const signedIn: CookieJar = {}

/** Calls the records as whoever's cookies these are. */
async function call(context: BrowserContext, path: string, data: object, method = 'POST') {
  const answer = await context.request.fetch(`${octavo.url}/api/collections/${path}`, {
    method,
    headers: { 'X-Session': 'cookie', Origin: octavo.url },
    data,
  })
  expect(answer.ok() || answer.status() === 401, await answer.text()).toBe(true)
  return (await answer.json()) as { [field: string]: unknown; id: string }
}

/** Looks good for an hour, as far as the screens behind mailed links can tell by themselves. */
const token = `x.${btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 3600 }))}.x`

const titles = ['Emma', '雪国', 'هزار و یک شب', 'A title that is '.repeat(9), 'Persuasion']

it('has a reader with books', async () => {
  const { context } = await openVisitor(octavo.url, { jar: signedIn })
  const { email, password } = account
  const { id } = await call(context, 'users/records', { ...account, passwordConfirm: password })
  const { mfaId } = await call(context, 'users/auth-with-password', { identity: email, password })
  const { otpId } = await call(context, 'users/request-otp', { email })
  const code = /\b\d{6}\b/.exec((await post.nextMail(email)).text ?? '')?.[0]
  await call(context, 'users/auth-with-otp', { otpId, mfaId, password: code })
  await call(context, `users/records/${id}`, { username: 'first-reader' }, 'PATCH')
  shelf = (await call(context, 'bookshelves/records', { name: 'Winter', visibility: 'public' })).id
  for (const [index, title] of titles.entries())
    await call(context, 'user_books/records', {
      shelf,
      title,
      authors: ['M. Shelley'],
      status: (['reading', 'completed', 'paused', 'dropped', 'planning'] as const)[index],
      page_count: 320,
      progress: index * 50,
      rating: index * 2,
      isbn: index === 0 ? '9780141439518' : '',
    })
  const { cookies } = await context.storageState()
  expect(cookies.map(({ name }) => name)).toContain('pb_auth')
})

interface Screen {
  name: string
  path: () => string
  isReader?: boolean
  /** Last to appear. */
  shows: (page: Page) => Promise<unknown>
  /** Bytes, gzipped. */
  maxScripts: number
}

const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { name }).first().waitFor()

const screen = (
  name: string,
  path: string | (() => string),
  shows: Screen['shows'],
  rest: Partial<Screen> = {},
): Screen => ({
  name,
  path: typeof path === 'string' ? () => path : path,
  shows,
  maxScripts: 201_500,
  ...rest,
})

const reader = { isReader: true }

const screens: Screen[] = [
  screen('the landing page', '/', heading('Custom Shelves'), { maxScripts: 143_000 }),
  screen('Explore', '/explore', heading('Most Popular Classics')),
  screen('Explore, to a reader', '/explore', heading('Most Popular Classics'), reader),
  screen('search results', '/explore?q=sense&genre=Classics', heading('Results')),
  screen('a search gone wrong', '/explore?q=ab', (page) => page.getByText('Input Error').waitFor()),
  screen('signing in', '/login', heading('Login')),
  screen('signing up', '/signup', heading('Sign Up')),
  screen('a way through Google gone wrong', '/auth/google?state=x', (page) =>
    page.getByText("State parameters don't match.").waitFor(),
  ),
  screen('the readers', '/users', heading('first-reader')),
  screen('readers of similar taste', '/users?sort=similar', heading('Not enough'), reader),
  screen('the prices', '/pricing', heading('Pricing')),
  screen('the prices, to a reader', '/pricing', heading('Pricing'), reader),
  screen('contact', '/contact', heading('Contact and Help')),
  screen('the privacy policy', '/privacy', heading('Privacy Policy')),
  screen('the terms', '/terms', heading('Terms of Service')),
  screen('a book', book, heading('Pride and Prejudice')),
  screen('a book the reader has', book, heading('Pride and Prejudice'), reader),
  screen('a profile', home, heading('Activity Timeline')),
  screen('the welcome', '/welcome', heading('What are you reading now?'), reader),
  screen('the own profile', home, heading('Activity Timeline'), reader),
  screen('the own books', `${home}/books`, heading('My Books'), reader),
  screen('the own shelves', `${home}/shelves`, heading('My Shelves'), reader),
  screen('books of somebody', `${home}/books`, heading('first-reader’s Books')),
  screen('the own wishlist', `${home}/wishlist`, heading('My Wishlist'), reader),
  screen('the wishlist of somebody', `${home}/wishlist`, heading('first-reader’s Wishlist')),
  screen('what was removed', '/account/removed', heading('Recently removed'), reader),
  screen('a shelf', () => `/shelf/${shelf}`, heading('Winter')),
  screen('the own shelf', () => `/shelf/${shelf}`, heading('Winter'), reader),
  screen('the settings', '/account/settings', heading('Settings'), reader),
  screen('editing the profile', '/account/edit', heading('Edit Profile'), reader),
  screen('a forgotten password', '/auth/forgot-password', heading('Forgot password?')),
  screen('a new password', `/auth/reset-password?token=${token}`, heading('Set a new password')),
  screen('a link used up', '/auth/reset-password', heading('This link no longer works')),
  screen(
    'proving an address',
    `/auth/confirm-verification?token=${token}`,
    heading('Confirm your email'),
  ),
  screen(
    'a new address',
    `/auth/confirm-email-change?token=${token}`,
    heading('Confirm your new email'),
  ),
  screen('a page that is not there', '/nothing-here', heading('404')),
]

async function open(one: Screen, options: Parameters<typeof openVisitor>[1] = {}) {
  const visitor = await openVisitor(octavo.url, {
    ...(one.isReader ? { jar: signedIn } : {}),
    ...options,
  })
  if (one.path() === '/nothing-here') visitor.allow(/status of 404/)
  return visitor
}

describe.each(screens)('$name', (one) => {
  it('fits a phone and a desktop, and is accessible in both themes', async () => {
    const { page } = await open(one, { viewport: desktop })
    await page.addInitScript(noteShifts)
    await page.goto(one.path())
    await one.shows(page)
    expect(await shiftOf(page)).toBeLessThan(0.02)
    for (const viewport of [desktop, phone]) {
      await page.setViewportSize(viewport)
      const wide = await page.evaluate(() => ({
        page: document.documentElement.scrollWidth,
        bar: Math.round(document.querySelector('header')?.getBoundingClientRect().right ?? 0),
      }))
      expect(wide).toEqual({ page: viewport.width, bar: viewport.width })
      for (const theme of ['dark', 'light']) {
        await page.evaluate((name) => {
          document.documentElement.className = name
        }, theme)
        expect(await accessibilityViolations(page), `${theme} at ${viewport.width}`).toEqual([])
      }
    }
    await page.setViewportSize(smallest)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBe(smallest.width)
    // Who enlarges the text alone is not to push the page about.
    const enlarged = await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
      return document.documentElement.scrollWidth
    })
    expect(enlarged).toBe(smallest.width)
  })

  it('fetches few scripts, and nothing moves as it arrives', async () => {
    const { page } = await open(one, { viewport: phone, isMobile: true, hasTouch: true })
    await page.addInitScript(noteShifts)
    const scripts: Promise<number>[] = []
    page.on('response', (response) => {
      if (!new URL(response.url()).pathname.endsWith('.js')) return
      const size = response.body().then((body) => gzipSync(body, { level: 9 }).length)
      // What is still fetched ahead when the test is over is cut off with the page.
      scripts.push(size.catch(() => 0))
    })
    await page.goto(one.path(), { waitUntil: 'networkidle' })
    await one.shows(page)
    const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThanOrEqual(one.maxScripts)
    expect(await shiftOf(page)).toBeLessThan(0.02)
  })
})

/** Runs in the page: adds up how far things move that nobody touched. */
function noteShifts(): void {
  const window = globalThis as unknown as { shift: number }
  window.shift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
      window.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
}

/** @returns the shift once the fonts are there and the page was drawn with them */
function shiftOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await document.fonts.ready
    await new Promise((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))),
    )
    return (globalThis as unknown as { shift: number }).shift
  })
}

it("shows what is chosen, and how far one is, in a reader's own few colours", async () => {
  const { page } = await openVisitor(octavo.url, {
    forcedColors: 'active',
    jar: signedIn,
  })
  await page.goto(`${home}/books`)
  const tabs = page.getByRole('navigation').getByRole('link', { name: 'Books', exact: true }).last()
  expect(await look(tabs, 'outlineStyle')).toBe('solid')
  const far = page.getByRole('progressbar').first()
  expect(await look(far, 'forcedColorAdjust')).toBe('none')
  // A cover is a picture: without its cloth it would be a blank.
  const canvas = await painted(page)
  const cloth = page.getByRole('listitem').locator('[style^="background"]').first()
  expect(await look(cloth, 'backgroundColor')).not.toBe(canvas)

  await page.goto('/account/settings')
  const theme = page.getByLabel('Dark theme')
  expect(await look(theme.locator('span'), 'backgroundColor')).not.toBe(
    await look(theme, 'backgroundColor'),
  )
})

const look = (element: Locator, name: 'outlineStyle' | 'backgroundColor' | 'forcedColorAdjust') =>
  element.evaluate((one, property) => getComputedStyle(one)[property], name)

const paper = { light: 'rgb(248, 244, 234)', dark: 'rgb(21, 18, 14)' }

const painted = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

it.each([
  { system: 'light', stored: null, seen: 'light' },
  { system: 'dark', stored: null, seen: 'dark' },
  { system: 'light', stored: 'dark', seen: 'dark' },
  { system: 'dark', stored: 'light', seen: 'light' },
  { system: 'dark', stored: 'sepia', seen: 'dark' },
] as const)(
  'is painted $seen from the start where the system is $system and $stored is stored',
  async ({ system, stored, seen }) => {
    const origins = stored
      ? [{ origin: octavo.url, localStorage: [{ name: 'theme', value: stored }] }]
      : []
    const { page } = await openVisitor(octavo.url, {
      colorScheme: system,
      storageState: { cookies: [], origins },
    })
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(/\.js$/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/login', { waitUntil: 'commit' })
    await heading('Login')(page)
    // Nothing is painted before the looks are there.
    await expect.poll(() => painted(page)).not.toBe('rgba(0, 0, 0, 0)')
    expect(await painted(page)).toBe(paper[seen])
    const submit = page.getByRole('main').getByRole('button', { name: 'Login' })
    await expect.poll(() => submit.isEnabled()).toBe(false)
    release()
    await expect.poll(() => submit.isEnabled()).toBe(true)
    expect(await painted(page)).toBe(paper[seen])
  },
)

it('answers what was pressed before its scripts were there, once', async () => {
  const early: [path: string, button: RegExp, reader: boolean][] = [
    ['/explore', /^Advanced/, false],
    [book, /^View Offers/, true],
    [`${home}/books`, /^Emma: Reading/, true],
  ]
  for (const [path, name, isReader] of early) {
    const { context, page } = await openVisitor(octavo.url, {
      viewport: phone,
      ...(isReader ? { jar: signedIn } : {}),
    })
    let letThrough = (): void => undefined
    const held = new Promise<void>((resolve) => (letThrough = resolve))
    await page.route('**/*.js', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(path, { waitUntil: 'commit' })
    // Painted, and its scripts are asked for.
    await page.locator('link[rel=modulepreload]').first().waitFor({ state: 'attached' })
    await page.getByRole('button', { name }).first().click()
    expect(await page.getByRole('dialog').count()).toBe(0)
    letThrough()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    if (isReader) signedIn.state = await context.storageState()
  }
})

it('keeps the theme a reader chooses, and shows it in every tab', async () => {
  const { context, page } = await openVisitor(octavo.url, { colorScheme: 'light' })
  const other = await context.newPage()
  await other.goto('/explore', { waitUntil: 'networkidle' })
  // The button works once its script has come.
  await page.goto('/', { waitUntil: 'networkidle' })
  await page.getByRole('banner').getByRole('button', { name: 'Dark theme' }).click()
  await expect.poll(() => painted(page)).toBe(paper.dark)
  await expect.poll(() => painted(other)).toBe(paper.dark)
  await page.reload()
  expect(await painted(page)).toBe(paper.dark)
})

it('is readable without scripts, in the colours of the system', async () => {
  const { page } = await openVisitor(octavo.url, { colorScheme: 'dark', javaScriptEnabled: false })
  await page.goto('/explore')
  await heading('Most Popular Classics')(page)
  expect(await painted(page)).toBe(paper.dark)
})
