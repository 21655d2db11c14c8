import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Locator, Page, Response } from 'playwright-core'
import {
  accessibilityViolations,
  openVisitor,
  shareVisitor,
  untilHydrated,
  type CookieJar,
} from '#tests/browser.ts'
import { shiftsOf, watchShifts } from '#tests/layout-shift.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader, password } from '#tests/reader.ts'
import { signIn } from '#tests/signed-in.ts'

const phone = { width: 390, height: 844 }
/** Nothing is scrolled sideways on it: WCAG's reflow. */
const smallest = { width: 320, height: 640 }
const desktop = { width: 1280, height: 800 }
const book = '/book/pride-and-prejudice-9780141439518'

const { octavo, post } = await openOctavo()

/** A reader whose library is looked at, with the cookies of their browser. */
interface Owner {
  home: string
  shelf: string
  /** A record of Emma, with a review. */
  reviewed: string
  jar: CookieJar
}
/** Two, as each renews a session of their own: one has a desktop, the other a phone. */
const first: Owner = { home: '/u/first-reader', shelf: '', reviewed: '', jar: {} }
const second: Owner = { home: '/u/second-reader', shelf: '', reviewed: '', jar: {} }
const signedIn = first.jar

/** Looks good for an hour, as far as the screens behind mailed links can tell by themselves. */
const token = `x.${btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 3600 }))}.x`

const titles = ['Emma', '雪国', 'هزار و یک شب', 'A title that is '.repeat(9), 'Persuasion']

it.each([first, second])('has a reader with books at $home', async (owner) => {
  const name = owner.home.replace('/u/', '')
  const reader = await openReader({ octavo, post }, name, { jar: owner.jar })
  const shelf = await reader.shelve('Winter')
  owner.shelf = `/shelf/${shelf}`
  for (const [index, title] of titles.entries())
    await reader.add(shelf, title, {
      // By others: readers of the same books would be shown to each other.
      authors: [name],
      status: (['reading', 'completed', 'paused', 'dropped', 'planning'] as const)[index],
      page_count: 320,
      progress: index * 50,
      rating: index * 2,
      isbn: index === 0 ? '9780141439518' : '',
    })
  expect(await reader.books()).toHaveLength(titles.length)
  owner.reviewed = await reader.add(shelf, 'Emma', {
    authors: ['Jane Austen'],
    // Different editions, or readers of the same books would be shown to each other.
    isbn: owner === first ? '9780141439587' : '',
    status: 'completed',
    rating: 8,
    review: `Of **${name}**. ||They marry.||`,
  })
  // The settings list a session that can be ended, too.
  await signIn(octavo, post, name, password)
})

interface Screen {
  name: string
  path: (owner: Owner) => string
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
  path: string | Screen['path'],
  shows: Screen['shows'],
  rest: Partial<Screen> = {},
): Screen => ({
  name,
  path: typeof path === 'string' ? () => path : path,
  shows,
  maxScripts: 233_000,
  ...rest,
})

const reader = { isReader: true }

const screens: Screen[] = [
  screen('the landing page', '/', heading('Custom Shelves'), { maxScripts: 192_000 }),
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
  screen('a book with reviews', '/book/emma-9780141439587', heading('What readers here say')),
  screen(
    'somebody’s record of a book',
    ({ home, reviewed }) => `${home}/books/${reviewed}`,
    heading('Emma'),
  ),
  screen(
    'the own record of a book',
    ({ home, reviewed }) => `${home}/books/${reviewed}`,
    heading('Emma'),
    reader,
  ),
  screen('a profile', ({ home }) => home, heading('Activity Timeline')),
  screen('the welcome', '/welcome', heading('What are you reading now?'), reader),
  screen('the own profile', ({ home }) => home, heading('Activity Timeline'), reader),
  screen('the own books', ({ home }) => `${home}/books`, heading('My Books'), reader),
  screen('the own shelves', ({ home }) => `${home}/shelves`, heading('My Shelves'), reader),
  screen('books of somebody', ({ home }) => `${home}/books`, heading('first-reader’s Books')),
  screen('the own year', ({ home }) => `${home}/2026`, heading('2026'), reader),
  screen('the year of somebody', ({ home }) => `${home}/2026`, heading('2026')),
  screen('the own wishlist', ({ home }) => `${home}/wishlist`, heading('My Wishlist'), reader),
  screen(
    'the wishlist of somebody',
    ({ home }) => `${home}/wishlist`,
    heading('first-reader’s Wishlist'),
  ),
  screen('the connections', '/account/connections', heading('Connections'), reader),
  screen('what was removed', '/account/removed', heading('Recently removed'), reader),
  screen('a shelf', ({ shelf }) => shelf, heading('Winter')),
  screen('the own shelf', ({ shelf }) => shelf, heading('Winter'), reader),
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

/** One browser for all screens, which fetches everything anew for each and notes what moves. */
const share = (options: Parameters<typeof shareVisitor>[1]) =>
  shareVisitor(octavo.url, options, async ({ context, page }) => {
    await watchShifts(page)
    await page.addInitScript(dropLongTimers)
    const session = await context.newCDPSession(page)
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  })

/** Runs in the page: what it fetches two seconds later, ahead of a press, a busy page would count. */
function dropLongTimers(): void {
  const set = window.setTimeout
  const setShort = (run: () => void, delay = 0, ...rest: []) =>
    delay < 2000 ? set(run, delay, ...rest) : 0
  window.setTimeout = setShort as typeof window.setTimeout
}

describe('arrives without moving, with few scripts, fits and is accessible in both themes:', () => {
  const visitor = {
    desktop: share({}),
    phone: share({ isMobile: true, hasTouch: true, viewport: phone }),
  }
  const reader = {
    desktop: share({ jar: first.jar }),
    phone: share({ isMobile: true, hasTouch: true, viewport: phone, jar: second.jar }),
  }

  it.each(screens)('$name', async (one) => {
    const browsers = one.isReader ? reader : visitor
    const [onDesktop, onPhone] = [await browsers.desktop(), await browsers.phone()]
    if (one.name === 'a page that is not there')
      for (const { allow } of [onDesktop, onPhone]) allow(/status of 404/)
    // One computes while the other waits.
    const ends = await Promise.allSettled([
      fitsAndIsAccessible(one, onDesktop.page),
      fetchesFewScripts(one, onPhone.page, one.isReader ? second : first),
    ])
    const problems = ends.flatMap((end) => (end.status === 'rejected' ? String(end.reason) : []))
    expect(problems, problems.join('\n')).toEqual([])
  })
})

async function fitsAndIsAccessible(one: Screen, page: Page): Promise<void> {
  await page.setViewportSize(desktop)
  await page.goto(one.path(first))
  await one.shows(page)
  expect(await shiftOf(page)).toBeLessThan(0.02)
  for (const viewport of [desktop, phone]) {
    await page.setViewportSize(viewport)
    const wide = await page.evaluate(() => ({
      page: document.documentElement.scrollWidth,
      bar: Math.round(document.querySelector('header')?.getBoundingClientRect().right ?? 0),
    }))
    expect(wide).toEqual({ page: viewport.width, bar: viewport.width })
    for (const [theme, rules] of [
      ['dark', 'all'],
      ['light', 'colours'],
    ] as const) {
      await page.evaluate((name) => {
        document.documentElement.className = name
      }, theme)
      const violations = await accessibilityViolations(page, rules)
      expect(violations, `${theme} at ${viewport.width}`).toEqual([])
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
}

async function fetchesFewScripts(one: Screen, page: Page, owner: Owner): Promise<void> {
  const scripts: Promise<number>[] = []
  const weigh = (response: Response) => {
    if (new URL(response.url()).pathname.endsWith('.js')) scripts.push(sizeOf(response))
  }
  page.on('response', weigh)
  await page.goto(one.path(owner), { waitUntil: 'networkidle' })
  await one.shows(page)
  page.off('response', weigh)
  const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThanOrEqual(one.maxScripts)
  expect(await shiftOf(page)).toBeLessThan(0.02)
}

/** Bytes of scripts, gzipped, by address: most are of several screens. */
const sizes = new Map<string, Promise<number>>()

function sizeOf(response: Response): Promise<number> {
  const size =
    sizes.get(response.url()) ?? response.body().then((body) => gzipSync(body, { level: 9 }).length)
  sizes.set(response.url(), size)
  // What is still fetched ahead when the page is left is cut off.
  return size.catch(() => Number(sizes.delete(response.url())) && 0)
}

/** @returns the shift once the fonts are there and the page was drawn with them */
async function shiftOf(page: Page): Promise<number> {
  await page.evaluate(async () => {
    await document.fonts.ready
    await new Promise((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))),
    )
  })
  return shiftsOf(page)
}

it("shows what is chosen, and how far one is, in a reader's own few colours", async () => {
  const { page } = await openVisitor(octavo.url, {
    forcedColors: 'active',
    jar: signedIn,
  })
  await page.goto(`${first.home}/books`)
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
    // The server takes the form until the scripts are there.
    expect(await submit.isEnabled()).toBe(true)
    release()
    await untilHydrated(submit)
    expect(await painted(page)).toBe(paper[seen])
  },
)

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
