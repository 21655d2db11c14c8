import { expect, test } from 'vitest'
import type { Locator } from 'playwright-core'
import { openVisitor, untilHydrated } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
const roadmap = 'https://roadmap.octavo.example'

const { octavo, post } = await openOctavo({ ROADMAP_URL: roadmap })

/** The links of a part of the page once it is there, each with where it leads. */
async function linksOf(part: Locator, role: 'link' | 'menuitem' = 'link'): Promise<string[]> {
  const links = part.getByRole(role)
  await links.first().waitFor()
  return links.evaluateAll((all) =>
    all.map((one) => {
      const words = one.textContent.replace(' (opens in a new tab)', '')
      return `${words} ${one.getAttribute('href') ?? ''}`.trim()
    }),
  )
}

const top = ['Explore /explore', 'Users /users', 'Pricing /pricing', `Roadmap ${roadmap}`]
const home = (name: string) => ({
  profile: `/u/${name}`,
  library: ['books', 'shelves', 'wishlist'].map((path) => `/u/${name}/${path}`),
  diary: `/u/${name}/diary`,
})

test('a visitor at a desktop: the screens, Login and Sign Up', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/users')
  const bar = page.getByRole('banner')
  expect(await linksOf(bar.getByRole('navigation', { name: 'Main' }))).toEqual(top)
  expect(await bar.getByRole('link', { name: 'Users' }).getAttribute('aria-current')).toBe('page')
  expect(await linksOf(bar)).toEqual(
    expect.arrayContaining(['Login /login?origin=%2Fusers', 'Sign Up /signup']),
  )
})

test('a visitor with a phone: the bar at the thumb, and the drawer', async () => {
  const { page } = await openVisitor(octavo.url, phone)
  await page.goto('/explore')
  const bar = page.getByRole('navigation', { name: 'Quick access' })
  await untilHydrated(page.getByRole('button', { name: 'Menu', exact: true }))
  expect(await linksOf(bar)).toEqual([
    'Home /',
    'Explore /explore',
    'Scan /login',
    'Profile /login',
  ])
  await bar.getByRole('button', { name: 'More' }).click()
  const more = await linksOf(page.getByRole('menu'), 'menuitem')
  expect(more).toEqual(expect.arrayContaining(['Users /users', 'Help /contact']))
  expect(more.filter((entry) => entry.startsWith('Settings'))).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  const drawer = page.getByRole('dialog')
  const library = drawer.getByRole('navigation', { name: 'Library' })
  expect(await linksOf(library)).toEqual([
    'Books /login',
    'Shelves /login',
    'Wishlist /login',
    'Diary /login',
  ])
  expect(await drawer.getByRole('button', { name: 'Logout' }).count()).toBe(0)
  expect(await drawer.getByText(/^(Subscribe|Sign Up)$/).allInnerTexts()).toEqual(['Sign Up'])
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
})

test('a reader at a desktop: who is signed in, the library at the side, and the way out', async () => {
  const { page } = await openReader({ octavo, post }, 'desktop-reader')
  const { profile, library, diary } = home('desktop-reader')
  await page.goto('/explore')
  const side = page.getByRole('navigation', { name: 'Library' })
  expect((await linksOf(side)).map((entry) => entry.split(' ')[1])).toEqual([...library, diary])
  await page.getByRole('button', { name: 'Account of desktop-reader' }).click()
  const menu = page.getByRole('menu')
  await menu.getByText('signed in as @desktop-reader').waitFor()
  const entries = await linksOf(menu, 'menuitem')
  expect(entries).toEqual(
    expect.arrayContaining([`Profile ${profile}`, 'Settings /account/settings', 'Logout']),
  )
  await menu.getByRole('menuitem', { name: /theme$/ }).click()
  await expect.poll(() => page.locator('html').getAttribute('class')).toContain('dark')
  await menu.getByRole('menuitem', { name: 'Logout' }).click()
  await page.waitForURL(`${octavo.url}/`)
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor()
  expect(await page.getByRole('button', { name: /^Account of/ }).count()).toBe(0)
})

test('a reader at a desktop has their library in the page itself, side or no side', async () => {
  const viewport = { width: 1280, height: 800 }
  const { page, shelve, home: own } = await openReader({ octavo, post }, 'at-hand', { viewport })
  const shelf = await shelve('Winter')
  const book = '/book/pride-and-prejudice-9780141439518'
  const bare = ['/users', '/pricing', book, '/contact', '/privacy', '/terms', '/account/edit']
  for (const path of [...bare, '/account', '/explore', own, `/shelf/${shelf}`]) {
    const html = await (await page.request.get(path)).text()
    for (const link of home('at-hand').library) expect(html, path).toContain(`href="${link}"`)
    await page.goto(path)
    for (const name of ['Books', 'Shelves', 'Wishlist']) {
      const links = page.getByRole('navigation').getByRole('link', { name, exact: true })
      await expect
        .poll(() => links.filter({ visible: true }).count(), { message: path })
        .toBeGreaterThan(0)
    }
    if (!bare.includes(path)) continue
    const bar = page.getByRole('banner').getByRole('navigation', { name: 'Main' })
    expect((await linksOf(bar)).map((link) => link.split(' ')[1]).slice(0, 3)).toEqual(
      home('at-hand').library,
    )
  }
  await page.goto('/account')
  expect(page.url()).toBe(`${octavo.url}/account/settings`)
})

const widths = [390, 820, 1280]

test(`the library is near every screen at ${widths.join(', ')} pixels`, async () => {
  const viewport = { width: widths[0]!, height: 844 }
  const { page, shelve, home: own } = await openReader({ octavo, post }, 'near', { viewport })
  const shelf = await shelve('Winter')
  const book = '/book/pride-and-prejudice-9780141439518'
  const paths = ['/explore', own, `/shelf/${shelf}`, book, '/users', '/pricing', '/contact']
  for (const path of [...paths, '/account/settings', '/account/edit']) {
    await page.setViewportSize(viewport)
    await page.goto(path)
    await untilHydrated(page.getByRole('button', { name: 'Menu', exact: true }))
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 })
      const side = page.getByRole('navigation', { name: /^Library/ })
      const menu = page.getByRole('button', { name: 'Menu', exact: true })
      const isInDrawer = !(await side.isVisible()) && (await menu.isVisible())
      if (isInDrawer) await menu.click()
      const top = page.getByRole('navigation', { name: 'Main' })
      const links = await linksOf((await side.isVisible()) || isInDrawer ? side : top)
      const paths = links.map((entry) => entry.split(' ')[1])
      expect(paths).toEqual(expect.arrayContaining(home('near').library))
      if (!isInDrawer) continue
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  }
})

test('the address names whose profile it is, in its query where the path does not', async () => {
  const { page, shelve, home: own } = await openReader({ octavo, post }, 'named-in-query')
  const shelf = await shelve('Winter')
  await page.goto('/u/books?username=Named-in-query&sort=title')
  await page.getByRole('heading', { name: 'My Books' }).waitFor()
  expect(page.url()).toBe(`${octavo.url}/u/Named-in-query/books?sort=title`)
  await page.goto('/u?username=named-in-query')
  await page.getByRole('heading', { name: 'named-in-query' }).waitFor()
  expect(page.url()).toBe(octavo.url + own)

  await page.goto(`/shelf/${shelf}?sort=-rating`)
  await page.waitForURL(`/shelf/${shelf}?sort=-rating&username=named-in-query`)
  await page.goBack()
  expect(page.url()).toBe(octavo.url + own)
  for (const path of ['/u', '/u?username=nobody-of-that-name', '/u/shelves?username=nobody'])
    expect((await page.request.get(path)).status(), path).toBe(404)
})

test('a reader with a phone: home is Explore, Scan is a deed, and the drawer has it all', async () => {
  const { page } = await openReader({ octavo, post }, 'thumb-reader', phone)
  const { profile, library, diary } = home('thumb-reader')
  await page.goto('/explore')
  const bar = page.getByRole('navigation', { name: 'Quick access' })
  await untilHydrated(page.getByRole('button', { name: 'Menu', exact: true }))
  expect(await linksOf(bar)).toEqual(['Home /explore', `Books ${library[0]}`, `Profile ${profile}`])
  expect(await bar.getByRole('button', { name: 'Scan' }).isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  const drawer = page.getByRole('dialog')
  const side = drawer.getByRole('navigation', { name: 'Library' })
  expect((await linksOf(side)).map((entry) => entry.split(' ')[1])).toEqual([...library, diary])
  expect(await drawer.getByText('Subscribe').count()).toBe(0)
  await drawer.getByRole('link', { name: 'Shelves' }).click()
  await page.getByRole('heading', { name: 'My Shelves' }).waitFor()
  await drawer.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await drawer.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL(`${octavo.url}/`)
  await bar.getByRole('link', { name: 'Explore' }).waitFor()
  expect(await linksOf(bar)).toContain('Profile /login')
})

test('a screen that is long on its way says that it is coming', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/explore', { waitUntil: 'networkidle' })
  const held = Promise.withResolvers<void>()
  await page.route('**/api/**', async (route) => {
    await held.promise
    await route.continue()
  })
  const coming = page.getByRole('status').filter({ hasText: 'Loading the page…' })
  await page.getByRole('article').getByRole('link').first().click()
  await coming.waitFor()
  expect(new URL(page.url()).pathname).toBe('/explore')
  await page.locator('svg.animate-spin').waitFor()
  held.resolve()
  await page.waitForURL('**/book/**')
  await coming.waitFor({ state: 'detached' })
})

test('a screen that comes is told to who has it read aloud, and the keyboard goes on in it', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/explore')
  const told = page.locator('p[aria-live]', { hasText: '| Octavo' })
  const book = page.getByRole('article').getByRole('link').first()
  await untilHydrated(book)
  await page.keyboard.press('Tab')
  expect(await told.count()).toBe(0)
  // Its link goes with the screen, one in the bar stays.
  const title = await book.innerText()
  await book.press('Enter')
  await expect.poll(() => told.allInnerTexts()).toEqual([`${title} | Octavo`])
  const focused = () =>
    page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent)
  await expect.poll(focused).toBe('main')
  await page.getByRole('banner').getByRole('link', { name: 'Pricing' }).press('Enter')
  await expect.poll(() => told.allInnerTexts()).toEqual(['Pricing | Octavo'])
  expect(await focused()).toBe('Pricing')
})

test('a press while a cover grows into its page is answered', async () => {
  const { page } = await openVisitor(octavo.url, {
    reducedMotion: 'no-preference',
    bypassCSP: true,
  })
  await page.goto('/explore?q=frankenstein', { waitUntil: 'networkidle' })
  await page.addStyleTag({
    content: '::view-transition-group(*) { animation-duration: 60s !important }',
  })
  await page.getByRole('article').getByRole('link', { name: 'Frankenstein' }).first().click()
  await page.waitForURL('**/book/**')
  const isGrowing = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .some(({ effect }) =>
          (effect as KeyframeEffect).pseudoElement?.startsWith('::view-transition'),
        ),
    )
  await expect.poll(isGrowing).toBe(true)
  const box = await page.getByRole('button', { name: 'View Offers' }).boundingBox()
  if (!box) throw new Error('The button is not on the page.')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await page.getByRole('dialog', { name: 'Offers' }).waitFor()
})

test('what is scrolled to on a phone is under neither bar', async () => {
  const { page } = await openVisitor(octavo.url, phone)
  await page.goto('/privacy')
  const heading = page.getByRole('heading', { level: 2 }).nth(2)
  const place = async (block: ScrollLogicalPosition) => {
    await heading.evaluate((element, block) => element.scrollIntoView({ block }), block)
    const box = await heading.boundingBox()
    return { top: box?.y ?? 0, bottom: (box?.y ?? 0) + (box?.height ?? 0) }
  }
  const header = await page.getByRole('banner').boundingBox()
  const bar = await page.getByRole('navigation', { name: 'Quick access' }).boundingBox()
  expect((await place('start')).top).toBeGreaterThanOrEqual(header?.height ?? 0)
  expect((await place('end')).bottom).toBeLessThanOrEqual(bar?.y ?? 0)
})

test('a reader follows a link while their session is still being renewed', async () => {
  const { page } = await openReader({ octavo, post }, 'prompt', phone)
  // No answer comes: the route is neither continued nor fulfilled.
  await page.route('**/auth-refresh', () => undefined)
  const renewal = page.waitForRequest('**/auth-refresh')
  await page.goto('/explore')
  await renewal
  const bar = page.getByRole('navigation', { name: 'Quick access' })
  await bar.getByRole('link', { name: 'Profile' }).click()
  await page.waitForURL('**/u/prompt')
  await expect.poll(() => page.title()).toBe('prompt’s profile | Octavo')
})
