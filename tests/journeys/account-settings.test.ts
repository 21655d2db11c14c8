import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { accessibilityViolations, openVisitor } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader, password, type Reader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo({
  CHAT_URL: 'https://chat.example.org/octavo',
  PLAN_DEFAULT: 'free',
})

const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })
const card = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })
const row = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()
const statusOf = async (path: string) => (await fetch(octavo.url + path)).status

async function addBooks(reader: Reader, ...titles: string[]): Promise<void> {
  const shelf = await reader.shelve('Winter')
  for (const title of titles) await reader.add(shelf, title)
}

const picture = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }

describe('on a phone', () => {
  const open = (name: string) => openReader({ octavo, post }, name, { viewport: phone })

  // 7 s: looks on other screens for what was set.
  it('keeps a country and stores of one’s own, which are then offered', async () => {
    const reader = await open('buyer')
    const { page } = reader
    await page.goto('/account/settings')
    const stores = row(page, 'Stores')
    await stores.getByLabel('Country').press('Shift')
    await stores.getByLabel('Country').selectOption('Germany')
    await toast(page, 'updated')

    await button(page, 'Add a store').click()
    const dialog = page.getByRole('dialog', { name: 'Add a store' })
    const add = dialog.getByRole('button', { name: 'Add', exact: true })
    await add.click()
    await dialog.getByText('Name is required and cannot be empty.').waitFor()
    await dialog.getByLabel('Name').fill('Corner shop')
    for (const address of ['http://shop.example/{isbn13}', 'https://shop.example/', 'nowhere']) {
      await dialog.getByLabel('Address').fill(address)
      await add.click()
      await dialog.getByText(/^Use an https:\/\/ address/).waitFor()
    }
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Corner shop')
    expect(await accessibilityViolations(page)).toEqual([])
    await dialog.getByLabel('Address').fill('https://shop.example/find?q={isbn13}')
    await add.click()
    await dialog.waitFor({ state: 'hidden' })
    await stores.getByText('Corner shop').waitFor()
    await page.reload()
    await expect.poll(() => stores.getByLabel('Country').inputValue()).toBe('DE')

    await page.goto('/book/pride-and-prejudice-9780141439518')
    await button(page, 'View Offers').click()
    const own = page
      .getByRole('dialog', { name: 'Offers' })
      .getByRole('link', { name: /Corner shop/ })
    expect(await own.getAttribute('href')).toBe('https://shop.example/find?q=9780141439518')
    await reader.add(await reader.shelve('To be read'), 'Emma', {
      status: 'planning',
      isbn: '9780141439587',
    })
    await page.goto(`${reader.home}/wishlist`)
    await button(page, 'Options for Emma').click()
    await page.getByRole('menuitem', { name: 'View Offers' }).click()
    expect(await own.getAttribute('href')).toBe('https://shop.example/find?q=9780141439587')

    await page.goto('/account/settings')
    // It is gone from the screen before it is from the server.
    const saved = page.waitForResponse((one) => one.request().method() === 'PATCH')
    await stores.getByRole('button', { name: 'Remove Corner shop' }).click()
    await stores.getByText('Corner shop').waitFor({ state: 'detached' })
    await saved
    await page.reload()
    await stores.getByRole('button', { name: 'Add a store' }).waitFor()
    expect(await stores.getByText('Corner shop').count()).toBe(0)
  })

  it('changes name, username and visibility, and leads from the old name to the new', async () => {
    const reader = await open('renamed')
    const { page } = reader
    await open('somebody')
    await page.goto('/account/edit')
    const name = page.getByLabel('Name', { exact: true })
    const username = page.getByLabel('Username')
    const save = card(page, 'Account Settings').getByRole('button', { name: 'Save' })
    const sent: string[] = []
    page.on('request', (request) => sent.push(new URL(request.url()).pathname))

    await save.click()
    await toast(page, 'Nothing has changed.')
    await username.fill('')
    await save.click()
    await expect.poll(() => username.inputValue()).toBe('renamed')
    await username.fill('admin.')
    await save.click()
    await page.getByText(/^Username must be 3 to 30 letters/).waitFor()
    expect(sent).not.toContain('/api/batch')

    reader.allow(/status of 400/)
    for (const [wrong, sentence] of [
      ['octav0', 'This username is reserved.'],
      ['Somebody', 'This username is taken.'],
    ] as const) {
      await username.fill(wrong)
      await name.fill('Ann Reader')
      await save.click()
      await page.getByText(sentence, { exact: true }).waitFor()
      await expect.poll(() => username.inputValue()).toBe(wrong.toLowerCase())
      await expect.poll(() => name.inputValue()).toBe('Ann Reader')
    }
    await toast(page, 'failed to update profile. This username is taken.')
    // Nothing of the refused batch was kept.
    const old = '/u/renamed'
    expect(await (await fetch(octavo.url + old)).text()).not.toContain('Ann Reader')

    await username.fill('Renewed')
    reader.allow(/status of 500/)
    await page.route('**/api/batch', (route) => route.fulfill({ status: 500, body: 'no JSON' }))
    await save.click()
    await toast(page, 'Something went wrong. Please try again later.')
    await page.unroute('**/api/batch')
    // What the server says is what the reader is told.
    reader.allow(/status of 507/)
    const message = 'There is no room for this picture.'
    await page.route('**/api/batch', (route) => route.fulfill({ status: 507, json: { message } }))
    await save.click()
    await toast(page, message)
    await page.unroute('**/api/batch')
    await save.click()
    await toast(page, 'updated')
    const home = '/u/renewed'
    const visitor = await openVisitor(octavo.url, { viewport: phone })
    await visitor.page.goto(`${old}/shelves?x=1`)
    expect(visitor.page.url()).toBe(`${octavo.url}${home}/shelves?x=1`)
    await visitor.page.goto(old)
    await visitor.page.getByRole('heading', { name: 'Ann Reader', level: 1 }).waitFor()

    await page.getByLabel('Private').click()
    await save.click()
    await expect.poll(() => statusOf(home)).toBe(404)
    expect(await statusOf(old)).toBe(404)
    await page.goto(old)
    await page.getByRole('heading', { name: 'Ann Reader', level: 1 }).waitFor()
    expect(page.url()).toBe(octavo.url + home)
  })

  // 7 s: each of the three asks again, and then looks at what is left.
  it('offers all data, then clears the books, then deletes the account', async () => {
    const reader = await open('leaver')
    const { page, context } = reader
    const home = '/u/leaver'
    await addBooks(reader, 'Emma', 'Persuasion')
    await page.goto('/account/settings')
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Everything (JSON)' }).click()
    const download = await saved
    expect(download.suggestedFilename()).toBe('octavo-leaver.json')
    const data = JSON.parse(readFileSync(await download.path(), 'utf8')) as { user_books: object[] }
    expect(data.user_books).toHaveLength(2)

    const irreversible = 'You can’t undo either of these, not even from Recently removed.'
    await card(page, 'Danger Zone').getByText(irreversible).waitFor()
    const question = page.getByRole('alertdialog', { name: 'Are you absolutely sure?' })
    const answer = (name: string) => question.getByRole('button', { name, exact: true }).click()
    await button(page, 'Reset Everything').click()
    await question.getByRole('link', { name: 'Books (CSV)' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await answer('Cancel')
    await question.waitFor({ state: 'hidden' })
    expect(await (await fetch(octavo.url + `${home}/books`)).text()).toContain('Persuasion')
    await button(page, 'Reset Everything').click()
    await answer('Reset Everything')
    await toast(page, 'success')
    await page.goto(`${home}/books`)
    await page.getByText('Add books to build your list.').waitFor()
    await page.goto(`${home}/shelves`)
    await page.getByText('Winter').first().waitFor()
    await page.goto('/account/removed')
    await page.getByText('Nothing removed recently.').waitFor()

    await page.goto('/explore')
    await page.waitForLoadState('networkidle')
    await page.getByRole('combobox', { name: 'Search the catalogue' }).fill('emma')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/explore?q=emma')
    const searches = () => page.evaluate(() => localStorage.getItem('searches'))
    await expect.poll(searches).toContain('emma')
    await page.goto('/account/settings')
    await button(page, 'Delete Account').click()
    await question.waitFor()
    reader.allow(/ERR_INTERNET_DISCONNECTED|status of 40[14]/)
    await context.setOffline(true)
    await answer('Delete Account')
    await toast(page, 'Octavo cannot be reached. Check your connection and try again.')
    await context.setOffline(false)
    await answer('Delete Account')
    await toast(page, 'sad to see you goinng :( but its done.')
    await page.waitForURL(`${octavo.url}/login`)
    expect((await context.cookies()).some(({ name }) => name === 'pb_auth')).toBe(false)
    expect(await searches()).toBe(null)
    expect(await statusOf(home)).toBe(404)
    await page.getByLabel('Email').fill(reader.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    reader.allow(/status of 400/)
    await button(page, 'Login').click()
    await page.getByText('Failed to authenticate.').waitFor()
  })
})

describe('on a desktop', () => {
  const open = (name: string) => openReader({ octavo, post }, name, { viewport: desktop })

  it('shows what is set, and saves a choice as it is made', async () => {
    const { page } = await open('settler')
    await page.goto('/account/settings')
    const home = '/u/settler'
    expect(await statusOf(home)).toBe(200)
    const visibility = page.getByLabel('Who can see your profile')
    // Toasts come with the first press, and nobody chooses without one.
    await visibility.press('Shift')
    await visibility.selectOption('Private')
    await toast(page, 'updated')
    expect(await statusOf(home)).toBe(404)
    await page.reload()
    await expect.poll(() => visibility.inputValue()).toBe('private')

    await page.getByLabel('Status').selectOption('Want to read')
    await page.getByLabel('Dark theme').click()
    await expect.poll(() => page.evaluate(() => document.documentElement.className)).toBe('dark')
    await page.reload()
    await expect.poll(() => page.getByLabel('Status').inputValue()).toBe('planning')
    await expect.poll(() => page.getByLabel('Dark theme').isChecked()).toBe(true)

    const plan = row(page, 'Manage Subscription')
    await plan.getByText('Inactive').waitFor()
    await plan.getByText('This site doesn’t take payments.').waitFor()
    expect(await plan.getByRole('link').count()).toBe(0)
    const chat = row(page, 'Help & Support').getByRole('link', { name: /^Chat/ })
    expect(await chat.getAttribute('href')).toBe('https://chat.example.org/octavo')
    await page.getByRole('main').getByRole('link', { name: 'Edit Profile' }).click()
    await page.getByRole('heading', { name: 'Edit Profile', level: 1 }).waitFor()
    await expect.poll(() => page.title()).toBe('Edit Profile | Octavo')
  })

  it('moves by less than two lines when its fonts come late', async () => {
    const { page } = await open('typesetter')
    const fonts = Promise.withResolvers<void>()
    await page.route(/\.woff2/, async (route) => {
      await fonts.promise
      await route.continue()
    })
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto('/account/settings', { waitUntil: 'commit' })
    await page.getByRole('heading', { name: 'Danger Zone' }).waitFor()
    const tops = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('main h2')].map(
          (heading) => heading.getBoundingClientRect().top,
        ),
      )
    await page.waitForFunction(() => document.fonts.status === 'loading')
    const before = await tops()
    fonts.resolve()
    await page.waitForFunction(() => document.fonts.status === 'loaded')
    const after = await tops()
    expect(after.map((top, n) => Math.abs(top - before[n]!)).filter((by) => by > 40)).toEqual([])
  })

  it('takes back what is refused, and nothing else, when choices are made quickly', async () => {
    const { page, id, call, allow } = await open('hasty')
    allow(/status of 500/)
    const { items } = await call('GET', `settings/records?filter=(user="${id}")`)
    const [{ id: settings }] = items as [{ id: string }]
    await call('PATCH', `settings/records/${settings}`, { default_add_status: 'planning' })
    await page.goto('/account/settings')
    const visibility = page.getByLabel('Who can see your profile')
    const status = page.getByLabel('Status')
    await visibility.press('Shift')
    const shown = async () => [await visibility.inputValue(), await status.inputValue()]
    await expect.poll(shown).toEqual(['public', 'planning'])

    /** Answers of the server to the next changes: true for its own, false for a failure. */
    const answers: boolean[] = []
    const held = Promise.withResolvers<void>()
    await page.route('**/api/collections/settings/records/*', async (route) => {
      await held.promise
      await (answers.shift() ? route.continue() : route.fulfill({ status: 500, body: '' }))
    })
    answers.push(false, false, false)
    await visibility.selectOption('Private')
    await status.selectOption('Reading')
    await status.selectOption('Completed')
    // Each is shown before it is answered.
    await expect.poll(shown).toEqual(['private', 'completed'])
    held.resolve()
    await expect.poll(shown).toEqual(['public', 'planning'])
    expect(answers).toEqual([])

    answers.push(false, true)
    await visibility.selectOption('Private')
    await status.selectOption('Reading')
    await toast(page, 'updated')
    await expect.poll(shown).toEqual(['public', 'reading'])
    await page.reload()
    await expect.poll(shown).toEqual(['public', 'reading'])
  })

  it('says so when there are no settings, and asks again', async () => {
    const { page } = await open('unsettled')
    const none = { page: 1, perPage: 1, totalItems: -1, totalPages: -1, items: [] }
    for (const path of ['/account/settings', '/account/edit']) {
      await page.route('**/api/collections/settings/records?*', (route) =>
        route.fulfill({ json: none }),
      )
      await page.goto(path)
      const alert = page.getByRole('alert').filter({ hasText: 'Data Error' })
      await alert.getByText('invalid settings data').waitFor()
      await page.unrouteAll()
      await alert.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await alert.count()).toBe(0)
    }
  })

  it('shows pictures before they are saved, then on the profile, until they are removed', async () => {
    const reader = await open('painter')
    const { page } = reader
    await page.goto('/account/edit')
    const pictures = card(page, 'Profile and Background Image')
    const avatar = page.getByLabel('Profile image')
    const background = page.getByLabel('Background image')
    const save = pictures.getByRole('button', { name: 'Save' })
    const png = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer })

    await save.click()
    await toast(page, 'Nothing has changed.')
    await avatar.setInputFiles(png('big.png', Buffer.alloc(5 * 1024 * 1024 + 1)))
    await toast(page, 'File is bigger than 5 MB')
    await page.getByText('File is larger than 5242880 bytes').waitFor()
    await avatar.evaluate((input: HTMLInputElement) => (input.multiple = true))
    await avatar.setInputFiles([png('one.png', Buffer.from('1')), png('two.png', Buffer.from('2'))])
    await page.getByText('Too many files').waitFor()
    await avatar.setInputFiles({
      name: 'me.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('x'),
    })
    await page.getByText('File type must be jpg, jpeg, png, webp, svg or gif').waitFor()
    await avatar.setInputFiles(png('empty.png', Buffer.alloc(0)))
    await save.click()
    await toast(page, 'Image missing. This sometimes happens, please re-upload.')
    reader.allow(/status of 400/)
    await avatar.setInputFiles(png('no-picture.png', Buffer.from('not a picture')))
    await save.click()
    await page.getByText(/^failed to update profile\./).waitFor()

    await avatar.setInputFiles(png('me.png', await picture(300, 300, '#2163ae')))
    await background.setInputFiles(png('wide.png', await picture(1400, 700, '#16482c')))
    await pictures.locator('img[src^="blob:"]').nth(1).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await save.click()
    await toast(page, 'updated')
    await page.goto('/u/painter')
    const banner = page.locator('header img[src*="thumb=1287x480"]')
    await banner.waitFor()
    await expect
      .poll(() => banner.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBe(1287)
    await page.locator('header img[src*="thumb=256x256"]').waitFor()

    await page.goto('/account/edit')
    await button(page, 'Remove background').click()
    const question = page.getByRole('alertdialog', { name: 'Are you absolutely sure?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    await button(page, 'Remove background').click()
    await question.getByRole('button', { name: 'Remove image' }).click()
    await page.getByText('No background yet').waitFor()
    await page.goto('/u/painter')
    await page.locator('header img[src*="thumb=256x256"]').waitFor()
    expect(await banner.count()).toBe(0)
  })
})

it('sends a visitor to sign in before any of it', async () => {
  const { page } = await openVisitor(octavo.url)
  for (const path of ['/account/settings', '/account/edit']) {
    await page.goto(path)
    expect(page.url()).toBe(`${octavo.url}/login?origin=${encodeURIComponent(path)}`)
  }
})

it('shows ratings out of 5 or out of 10, on every screen', async () => {
  const reader = await openReader({ octavo, post }, 'scales', {
    viewport: { width: 1280, height: 800 },
  })
  const { page, books, add, shelve } = reader
  const shelf = await shelve('Rated')
  await add(shelf, 'Emma', { page_count: 320, status: 'completed', rating: 9 })
  await add(shelf, 'Dracula', { status: 'completed', rating: 7.5 })
  const choose = async (scale: string) => {
    await page.goto('/account/settings')
    const choice = page.getByLabel('Show ratings')
    await choice.press('Shift')
    await choice.selectOption(scale)
    await toast(page, 'updated')
  }
  // Out of 5 unless chosen otherwise.
  await page.goto(`${reader.home}/books`)
  await page.getByText('Rated 4.5 out of 5').waitFor()
  await choose('Out of 10')
  await page.goto(`${reader.home}/books`)
  await page.getByText('Rated 9 out of 10').waitFor()
  await page.getByText('Rated 7.5 out of 10').waitFor()
  expect(await page.getByText('out of 5', { exact: false }).count()).toBe(0)
  await choose('Out of 5')

  await page.goto(`${reader.home}/books`)
  await page.getByText('Rated 4.5 out of 5').waitFor()
  await page.getByText('Rated 3.75 out of 5').waitFor()
  expect(await page.getByText('out of 10').count()).toBe(0)
  await page.locator('summary').filter({ hasText: 'Filters' }).click()
  await page.getByText('0 – 5', { exact: true }).waitFor()
  await page.goto(`/shelf/${shelf}`)
  await page.getByText('Rated 4.5 out of 5').waitFor()
  await page.goto(reader.home)
  await page.getByText('4.13/5', { exact: true }).waitFor()

  // One step is half a star; what is kept counts to ten as before.
  await page.goto(`${reader.home}/books`)
  await page.getByRole('button', { name: /^Emma: .*Edit/ }).click()
  const stars = page.getByRole('dialog').getByRole('slider', { name: 'Rating' })
  await stars.press('ArrowLeft')
  expect(await stars.getAttribute('aria-valuetext')).toBe('4 out of 5')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Rated 4 out of 5').waitFor()
  expect((await books()).find(({ title }) => title === 'Emma')).toMatchObject({ rating: 8 })
})
