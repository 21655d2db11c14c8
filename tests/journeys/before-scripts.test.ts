import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openVisitor, untilHydrated } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader, password } from '#tests/reader.ts'

const { octavo, post, newAccount, mailedCode } = await openOctavo()
const phone = { viewport: { width: 390, height: 844 } }

/** Shows a page whose scripts do not come before they are let through. */
async function openEarly(page: Page, path: string): Promise<{ letThrough: () => void }> {
  const held = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  // Painted, and its scripts are asked for.
  await page.locator('link[rel=modulepreload]').first().waitFor({ state: 'attached' })
  return { letThrough: held.resolve }
}

it.each(['/', '/explore', '/pricing'])(
  'says on %s why buttons do nothing without scripts',
  async (path) => {
    const { page } = await openVisitor(octavo.url, { ...phone, javaScriptEnabled: false })
    await page.goto(path)
    const note = page.locator('body noscript').first()
    expect(await note.isVisible()).toBe(true)
    expect(await note.innerText()).toContain('Buttons and menus need JavaScript')
  },
)

const valueOf = (page: Page, name: string) => page.getByRole('searchbox', { name }).inputValue()

it('keeps what was typed into an empty form of accounts, and sends it', async () => {
  const account = { email: 'quick@example.org', password }
  await newAccount(account.email)
  const { page, allow } = await openVisitor(octavo.url, phone)
  // A form that is sent before is answered by the server.
  allow(/status of 400/)
  const login = await openEarly(page, '/login')
  await page.getByLabel('Email').pressSequentially(account.email)
  await page.getByLabel('Password', { exact: true }).pressSequentially(account.password)
  login.letThrough()
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  await page.getByText('6-digit', { exact: false }).first().waitFor()

  const signUp = await openEarly(page, '/signup')
  await page.getByLabel('Email').pressSequentially('new@example.org')
  await page.getByLabel('Password', { exact: true }).pressSequentially(password)
  await page.getByLabel('Confirm password').pressSequentially(`${password}?`)
  signUp.letThrough()
  await page.getByRole('main').getByRole('button', { name: 'Sign Up' }).click()
  await page.getByText('Passwords do not match', { exact: false }).waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe('new@example.org')
})

it.each([
  ['ahead', 3],
  ['behind', -3],
])('takes the code by a clock that is three days %s', async (where, days) => {
  const email = `${where}@example.org`
  await newAccount(email)
  const { page } = await openVisitor(octavo.url, phone)
  await page.clock.install({ time: Date.now() + days * 86_400_000 })
  const login = await openEarly(page, '/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  const code = page.getByLabel('Code')
  await code.waitFor()
  login.letThrough()
  await untilHydrated(code)
  await page.getByText(/^(?:2:|3:00)/).waitFor()
  await code.fill(await mailedCode(email))
  await page.waitForURL('/explore')
  await page.getByRole('heading', { name: 'Explore', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/explore')
})

it('searches for what was typed before, and follows what was sent', async () => {
  const { page } = await openVisitor(octavo.url, phone)
  const explore = await openEarly(page, '/explore')
  await page.getByRole('combobox', { name: 'Search the catalogue' }).pressSequentially('frankenst')
  explore.letThrough()
  await page.waitForURL(/q=frankenst/)

  const readers = await openEarly(page, '/users')
  await page.getByRole('searchbox').pressSequentially('nobody')
  readers.letThrough()
  await page.waitForURL((url) => url.search === '?q=nobody')
  expect(await valueOf(page, 'Search readers by name')).toBe('nobody')

  const sent = await openEarly(page, '/users')
  await page.getByRole('searchbox').pressSequentially('nobody')
  await page.getByRole('searchbox').press('Enter')
  sent.letThrough()
  await page.waitForURL((url) => url.search === '?q=nobody')
  expect(await valueOf(page, 'Search readers by name')).toBe('nobody')

  const link = await openEarly(page, '/login')
  await page.getByRole('main').getByRole('link', { name: 'Sign Up' }).click()
  await page.waitForURL('/signup', { waitUntil: 'commit' })
  link.letThrough()
  await page.getByRole('heading', { name: 'Sign Up' }).waitFor()
})

it('keeps in the library what was typed, opened and sent before', async () => {
  const { page, home, shelve, add } = await openReader({ octavo, post }, 'ann-who-is-quick', phone)
  const shelf = await shelve('By the window')
  await shelve('In the cellar')
  await add(shelf, 'Emma', { rating: 2 })

  const shelves = await openEarly(page, `${home}/shelves`)
  await page.getByRole('searchbox').pressSequentially('cellar')
  await page.getByRole('searchbox').press('Enter')
  shelves.letThrough()
  await page.waitForURL(/name=cellar/)
  await page.getByRole('link', { name: 'By the window' }).waitFor({ state: 'hidden' })
  expect(await valueOf(page, 'Search shelves by name')).toBe('cellar')

  const filters = await openEarly(page, `${home}/books`)
  await page.locator('summary').filter({ hasText: 'Filters' }).click()
  filters.letThrough()
  await page.getByLabel('Author', { exact: true }).waitFor()

  const finder = await openEarly(page, '/welcome')
  await page.getByRole('searchbox').pressSequentially('frankenstein')
  finder.letThrough()
  await page.getByRole('list', { name: 'Found books' }).waitFor()
  expect(await page.getByRole('searchbox').inputValue()).toBe('frankenstein')
})

it('takes a press or a choice that needs a script once its script is there', async () => {
  const { context, page, shelve, add } = await openReader({ octavo, post }, 'ann-of-spines', phone)
  const shelf = await shelve('By the window')
  await add(shelf, 'Emma', { rating: 2 })
  await add(shelf, 'Persuasion', { rating: 9 })
  const sort = page.getByRole('combobox', { name: 'Sort' })
  const list = page.getByRole('radio', { name: 'List' })
  const account = page.getByRole('button', { name: 'Account of ann-of-spines' })
  const books = await openEarly(page, `/shelf/${shelf}`)
  for (const control of [sort, list, account]) expect(await control.isDisabled()).toBe(true)
  books.letThrough()
  await sort.selectOption('Highest')
  await page.waitForURL(/sort=-rating/)
  await list.click()
  await expect.poll(() => list.isChecked()).toBe(true)
  await expect
    .poll(() => page.getByRole('listitem').getByRole('heading', { level: 3 }).allInnerTexts())
    .toEqual(['Persuasion', 'Emma'])

  // A part of the page whose code comes last.
  await page.unrouteAll()
  await context.addCookies([{ name: 'shelf-view', value: 'spines', url: octavo.url }])
  const held = Promise.withResolvers<void>()
  await page.route(/\/shelf-spines-[^/]*\.js$/, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(`/shelf/${shelf}`, { waitUntil: 'commit' })
  await account.click()
  await page.getByRole('menuitem', { name: 'Logout' }).waitFor()
  await page.keyboard.press('Escape')
  const spine = page.getByRole('button', { name: /^Emma/ })
  expect(await spine.isDisabled()).toBe(true)
  held.resolve()
  await spine.click()
  await page.getByRole('dialog').waitFor()
})

it('keeps what was typed into a form that only a script sends', async () => {
  const { page } = await openReader({ octavo, post }, 'ann-of-devices', phone)
  const connections = await openEarly(page, '/account/connections')
  const name = page.getByLabel('Name').first()
  await name.fill('Kobo')
  await name.press('Enter')
  expect(await page.getByRole('button', { name: 'Add KOReader' }).isDisabled()).toBe(true)
  connections.letThrough()
  await page.getByRole('button', { name: 'Add KOReader' }).click()
  await page.getByText('Three lines to type on the reader').waitFor()
  await page.getByRole('heading', { name: 'Kobo' }).waitFor()
})

it('saves a page that was typed or sent before', async () => {
  const { page, shelve, add, books } = await openReader({ octavo, post }, 'ann-who-types', phone)
  await add(await shelve('By the window'), 'Emma', { page_count: 300, status: 'reading' })
  const explore = await openEarly(page, '/explore')
  const field = page.getByLabel('Page of Emma')
  await field.fill('57')
  await field.press('Enter')
  await expect.poll(books).toMatchObject([{ title: 'Emma', progress: 57 }])
  explore.letThrough()
  await untilHydrated(field)
  expect(await field.inputValue()).toBe('57')

  const again = await openEarly(page, '/explore')
  await field.fill('70')
  again.letThrough()
  await untilHydrated(field)
  await field.press('Enter')
  await page.getByText('Saved page 70 of Emma').waitFor()
  expect(await field.inputValue()).toBe('70')
})

it('saves a setting that was chosen before', async () => {
  const { page, call, id } = await openReader({ octavo, post }, 'ann-who-chooses', phone)
  const settings = async () =>
    (await call('GET', `settings/records?filter=(user="${id}")`))['items'] as object[]
  const early = await openEarly(page, '/account/settings')
  await page.getByRole('combobox', { name: 'Day ends at' }).selectOption('4 AM')
  await page.getByRole('radio', { name: 'Forest' }).check({ force: true })
  early.letThrough()
  await expect.poll(settings).toMatchObject([{ day_ends: '4', accent: 'forest' }])
  expect(await page.getByRole('combobox', { name: 'Day ends at' }).inputValue()).toBe('4')
  expect(await page.getByRole('radio', { name: 'Forest' }).isChecked()).toBe(true)
})

it('goes to another page though code of this one no longer comes', async () => {
  const { page, allow } = await openVisitor(octavo.url, phone)
  allow(/ERR_FAILED/)
  const left = Promise.withResolvers<void>()
  // Firefox stops what a page fetches as soon as another is asked for.
  await page.route(/\/toast-regions-[^/]*\.js$/, async (route) => {
    await left.promise
    await route.abort()
  })
  const next = Promise.withResolvers<void>()
  await page.route('/signup', async (route) => {
    left.resolve()
    await next.promise
    await route.continue()
  })
  const stopped = page.waitForEvent('requestfailed')
  await page.goto('/')
  const requested = page.waitForRequest(/\/toast-regions-/)
  await untilHydrated(page.getByRole('link', { name: 'Start your first shelf' }))
  await page.getByRole('heading', { level: 1 }).click()
  await requested
  await page.evaluate(() => location.assign('/signup'))
  await stopped
  next.resolve()
  await page.getByRole('heading', { name: 'Sign Up' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/signup')
})
