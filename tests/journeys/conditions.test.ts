import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openVisitor, untilHydrated, type CookieJar } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader, password } from '#tests/reader.ts'
import { runModule } from '#tests/run-module.ts'

const free = await openOctavo()
const { octavo, newAccount, mailedCode } = free
const jar: CookieJar = {}
let shelf = ''

it('has a reader', async () => {
  const reader = await openReader(free, 'nora', { jar })
  shelf = await reader.shelve('Novels')
  await reader.add(shelf, 'Emma', { page_count: 474, progress: 20, isbn: '9780141439587' })
  expect(await reader.books()).toHaveLength(1)
})

const open = () => openVisitor(octavo.url, { jar })

const pageField = (page: Page) => page.getByRole('textbox', { name: /^Page of Emma/ }).first()

it('says that cookies are refused, rather than signing in to nothing', async () => {
  const { context, page, allow } = await openVisitor(octavo.url)
  allow(/status of 40[13]/)
  await newAccount('refuser@example.org')
  await context.route(/\/auth-with-otp/, async (route) => {
    const answer = await route.fetch()
    await context.clearCookies()
    const headers = answer.headers()
    delete headers['set-cookie']
    await route.fulfill({ response: answer, headers })
    await context.clearCookies()
  })
  await page.goto('/login')
  await page.getByLabel('Email').fill('refuser@example.org')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
  await page.getByLabel('Code').fill(await mailedCode('refuser@example.org'))
  await page.getByText('Your browser refuses this site’s cookies.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/login')
})

it('takes a code in digits of any script, and keeps the step on a reload', async () => {
  const { page } = await openVisitor(octavo.url)
  await newAccount('kenji@example.org')
  await page.goto('/login')
  await page.getByLabel('Email').fill('kenji@example.org')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
  const code = await mailedCode('kenji@example.org')
  const field = page.getByLabel('Code')
  await field.waitFor()
  await page.reload()
  await field.focus()
  const wide = [...code].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join('')
  await page.keyboard.insertText(wide)
  await page.waitForURL('/explore')
  await page.getByRole('heading', { name: 'Explore', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/explore')
})

it('sends no other code for an Enter that follows the last digit', async () => {
  const { page } = await openVisitor(octavo.url)
  await newAccount('hasty@example.org')
  await page.goto('/login')
  await page.getByLabel('Email').fill('ｈａｓｔｙ＠ｅｘａｍｐｌｅ．ｏｒｇ')
  await page.getByLabel('Password', { exact: true }).fill(password)
  let sent = 0
  page.on('request', (request) => (sent += Number(/request-otp/.test(request.url()))))
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
  const code = await mailedCode('hasty@example.org')
  const pressed = Promise.withResolvers<void>()
  await page.route(/auth-with-otp/, async (route) => {
    await pressed.promise
    await route.continue()
  })
  const tried = page.waitForRequest(/auth-with-otp/)
  await page.getByLabel('Code').pressSequentially(code)
  await tried
  await page.keyboard.press('Enter')
  pressed.resolve()
  await page.waitForURL('/explore')
  expect(sent).toBe(1)
})

/** Runs in the page: streams can be made to die without a word; those begun later live. */
function mortalStreams(): void {
  const state = { isDead: false }
  Object.assign(globalThis, { stream: state })
  const later = new WeakMap<EventSource, boolean>()
  Object.defineProperty(EventSource.prototype, 'addEventListener', {
    value(this: EventSource, name: string, listener: EventListener) {
      if (!later.has(this)) later.set(this, state.isDead)
      const hear = (event: Event) =>
        state.isDead && !later.get(this) ? undefined : listener(event)
      EventTarget.prototype.addEventListener.call(this, name, hear)
    },
  })
}

const killStream = (page: Page) =>
  page.evaluate(() => {
    ;(globalThis as unknown as { stream: { isDead: boolean } }).stream.isDead = true
  })

it.each([
  ['/account/imports', 'imports', /^Your file/],
  ['/account/connections', 'connections', 'Kobo in the kitchen'],
])('on %s, too, asks again when its stream has died', async (path, collection, text) => {
  const { context, page } = await open()
  await context.addInitScript(mortalStreams)
  await page.clock.install()
  await page.goto(path)
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await killStream(page)
  const file = { name: 'mine.csv', mimeType: 'text/csv', buffer: Buffer.from('Title\nEmma\n') }
  const answer = await page.request.post(`/api/collections/${collection}/records`, {
    headers: { 'X-Session': 'cookie', Origin: octavo.url },
    ...(collection === 'imports'
      ? { multipart: { file } }
      : { data: { name: text, kind: 'koreader' } }),
  })
  expect(answer.status()).toBe(200)
  await page.clock.runFor(20_000)
  expect(await page.getByRole('main').getByText(text).count()).toBe(0)
  await page.clock.runFor(60_000)
  await page.getByRole('main').getByText(text).first().waitFor()
})

it('asks again when its stream has died without a word', async () => {
  const { context, page } = await open()
  await context.addInitScript(mortalStreams)
  await page.clock.install()
  await page.goto(`/shelf/${shelf}`)
  await page.getByText('Emma').first().waitFor()
  await page.waitForLoadState('networkidle')
  await killStream(page)
  const headers = { 'X-Session': 'cookie', Origin: octavo.url }
  const data = { title: 'Persuasion', status: 'planning', shelf }
  await page.request.post('/api/collections/user_books/records', { headers, data })
  await page.clock.fastForward(10_000)
  expect(await page.getByText('Persuasion').count()).toBe(0)
  // The reader comes back to the tab.
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  )
  await page.clock.runFor(3000)
  await page.getByText('Persuasion').first().waitFor()

  // Or it is in sight all the time.
  await page.evaluate(() => {
    const { stream } = globalThis as unknown as { stream: { isDead: boolean } }
    stream.isDead = false
  })
  await page.reload()
  await page.getByText('Persuasion').first().waitFor()
  await page.waitForLoadState('networkidle')
  await killStream(page)
  await page.request.post('/api/collections/user_books/records', {
    headers,
    data: { ...data, title: 'Mansfield Park' },
  })
  await page.clock.runFor(80_000)
  await page.getByText('Mansfield Park').first().waitFor()
})

it('renews the session by a clock that is three days slow', async () => {
  const { page } = await open()
  await page.clock.install({ time: Date.now() - 3 * 86_400_000 })
  const renewal = page.waitForResponse(/auth-refresh/)
  await page.goto('/account/settings')
  expect((await renewal).status()).toBe(200)
})

it('asks an administrator for the password once, by a clock that is three days slow', async () => {
  await runModule(
    join(dirname(dirname(import.meta.dirname)), 'server/commands/readers.ts'),
    ['admin', 'nora'],
    {
      DATA_DIR: octavo.dataDir,
      APP_URL: octavo.url,
    },
  )
  const { page, allow } = await open()
  // The browser says so of the refusal that asks for the password.
  allow(/status of 403/)
  await page.clock.install({ time: Date.now() - 3 * 86_400_000 })
  await page.goto('/admin/invitations')
  const invite = page.getByRole('button', { name: 'Make an invitation' })
  await untilHydrated(invite)
  await invite.click()
  const question = page.getByRole('dialog', { name: 'Confirm your password' })
  await question.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  const withdraw = page.getByRole('button', { name: /^Withdraw the invitation/ })
  await expect.poll(() => withdraw.count()).toBe(1)
  await invite.click()
  await expect.poll(() => withdraw.count()).toBe(2)
  expect(await question.count()).toBe(0)
})

it('reads and writes where the browser says that there is no connection', async () => {
  const { context, page } = await open()
  await context.addInitScript(() => Object.defineProperty(navigator, 'onLine', { value: false }))
  await page.goto('/u/nora')
  const field = pageField(page)
  await untilHydrated(field)
  await page.evaluate(() => dispatchEvent(new Event('offline')))
  await field.fill('77')
  await field.press('Enter')
  const headers = { 'X-Session': 'cookie', Origin: octavo.url }
  const saved = async () => {
    const answer = await page.request.get('/api/collections/user_books/records', { headers })
    const { items } = (await answer.json()) as { items: { progress: number }[] }
    return items.map(({ progress }) => progress)
  }
  await expect.poll(saved).toContain(77)
  // What opens fetches its code.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('Emma')
  await page.getByRole('option', { name: 'Emma' }).first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('main').getByRole('link', { name: 'Shelves' }).first().click()
  await page.getByRole('heading', { name: 'My Shelves' }).waitFor()
  await page.getByText('You’re offline.').waitFor({ state: 'hidden' })
  expect(await page.getByText('You’re offline.').count()).toBe(0)
})

describe('other keyboards', () => {
  it.each([
    ['Russian', 'л'],
    ['Arabic', 'ن'],
    ['Greek', 'κ'],
    ['Hebrew', 'ל'],
    ['Thai', 'า'],
  ])('Ctrl+K opens the palette on a %s one', async (_name, key) => {
    const { page } = await open()
    await page.goto('/explore')
    await untilHydrated(page.getByRole('main').getByRole('combobox').first())
    const press = () =>
      page.evaluate((letter) => {
        const keys = { key: letter, code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true }
        document.body.dispatchEvent(new KeyboardEvent('keydown', keys))
      }, key)
    await press()
    const palette = page.getByRole('dialog', { name: 'Find anything' })
    await palette.waitFor()
    expect(await palette.isVisible()).toBe(true)
  })
})

describe('input methods', () => {
  async function tagField(page: Page) {
    await page.goto('/book/emma-9780141439587')
    await page.getByRole('button', { name: 'Change tags, note and review of Emma' }).click()
    const field = page.getByRole('textbox', { name: 'Tags', exact: true })
    await field.focus()
    return field
  }

  it('lets a word be converted after its comma, and Enter confirm it', async () => {
    const { context, page } = await open()
    const field = await tagField(page)
    const session = await context.newCDPSession(page)
    const compose = (text: string) =>
      session.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      })
    await compose('ほん、')
    expect(await field.inputValue()).toBe('ほん、')
    await session.send('Input.insertText', { text: '本' })
    expect(await field.inputValue()).toBe('本')
    // As Safari tells of the Enter that has ended the word.
    await field.evaluate((input) =>
      input.dispatchEvent(
        new KeyboardEvent('keydown', {
          key: 'Enter',
          keyCode: 229,
          bubbles: true,
          cancelable: true,
        }),
      ),
    )
    expect(await field.inputValue()).toBe('本')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove 本' }).waitFor()
  })

  it('leaves a number as it is while an arrow chooses a word', async () => {
    const { page } = await open()
    await page.goto('/u/nora/books')
    const book = page.getByRole('button', { name: /^Emma: Reading/ })
    await untilHydrated(book)
    await book.click()
    const field = page.getByLabel('Page', { exact: true })
    await field.fill('３０')
    await field.dispatchEvent('keydown', {
      key: 'ArrowDown',
      keyCode: 229,
      isComposing: true,
      bubbles: true,
      cancelable: true,
    })
    expect(await field.inputValue()).toBe('３０')
    await field.press('ArrowDown')
    expect(await field.inputValue()).toBe('29')
  })

  it.each([
    ['the palette', 'Find anything', (page: Page) => page.keyboard.press('Control+k')],
    [
      'a form',
      'New Shelf',
      async (page: Page) => {
        await page.getByRole('button', { name: 'Manage' }).click()
        await page.getByRole('menuitem', { name: 'New Shelf' }).click()
      },
    ],
  ])('keeps %s open when Escape takes a word back', async (_name, title, show) => {
    const { page } = await open()
    await page.goto('/u/nora/shelves')
    await untilHydrated(page.getByRole('button', { name: 'Manage' }))
    await show(page)
    // What the palette's early field becomes once its code is here.
    const dialog = page.getByRole('dialog', { name: title }).and(page.locator('[data-state=open]'))
    const field = dialog.locator('input:not([type=radio])').first()
    await field.fill('ほん')
    await field.dispatchEvent('keydown', {
      key: 'Escape',
      keyCode: 229,
      isComposing: true,
      bubbles: true,
      cancelable: true,
    })
    expect(await field.inputValue()).toBe('ほん')
    expect(await dialog.count()).toBe(1)
    await field.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })
})
