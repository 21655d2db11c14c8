import type { Page, Request } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import type { CuratedSections } from '#shared/book.ts'
import { accessibilityViolations, afterRetries, untilHydrated } from '#tests/browser.ts'
import type { Octavo } from '#tests/octavo.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader, password, type Reader } from '#tests/reader.ts'
import { startUpgradable } from '#tests/upgraded.ts'

const { octavo, post } = await openOctavo()

/** What is kept of a reader's in this browser. */
const keptPages = (page: Page) =>
  page.evaluate(async () => {
    if (!(await caches.has('octavo-pages'))) return []
    const requests = await (await caches.open('octavo-pages')).keys()
    return requests.map(({ url }) => new URL(url).pathname)
  })

const banner = (page: Page) => page.getByText('You’re offline.', { exact: true })

interface Kept {
  viewport?: { width: number; height: number }
  on?: Octavo
  /** Of books on a shelf, all on page 120. */
  titles?: readonly string[]
}

async function openKept(name: string, kept: Kept = {}): Promise<Reader> {
  const { viewport = { width: 1280, height: 800 }, on = octavo } = kept
  const options = { viewport, serviceWorkers: 'allow' } as const
  const reader = await openReader({ octavo: on, post }, name, options)
  reader.allow(
    /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|status of 0|status of (?:503|401|409)/,
  )
  const shelf = await reader.shelve('Winter nights', 'private')
  for (const title of kept.titles ?? [`Emma of ${name}`])
    await reader.add(shelf, title, { page_count: 474, progress: 120 })
  await reader.page.goto(`${reader.home}/books`)
  await expect
    .poll(() => keptPages(reader.page), { timeout: 30_000 })
    .toEqual(
      expect.arrayContaining(
        ['', '/books', '/shelves', '/wishlist'].map((tab) => reader.home + tab),
      ),
    )
  return reader
}

// These take 4 to 15 s: the worker keeps pages only once a screen is quiet, and tries again after pauses.
it('shows the own library without a connection, and keeps what is changed', async () => {
  const reader = await openKept('far', { viewport: { width: 390, height: 844 } })
  const { page, context, home } = reader
  const title = 'Emma of far'
  await context.setOffline(true)
  await page.goto(`${home}/books`)
  await page.getByText(title).first().waitFor()
  await banner(page).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])

  // What needs the server says so, and what was typed stays.
  await page.getByRole('button', { name: new RegExp(`^${title}: Reading`) }).click()
  const field = page.getByLabel('Page', { exact: true })
  await field.fill('321')
  await page.getByText('Details', { exact: true }).click()
  await page.getByLabel('Title', { exact: true }).fill('Another title')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Not saved\./).waitFor()
  expect(await field.inputValue()).toBe('321')
  await page.getByLabel('Title', { exact: true }).fill(title)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('1 change is kept on this device').waitFor()
  await page.getByText('321 of 474 pages').first().waitFor()
  await page.getByText('Waiting to be sent').first().waitFor()

  await page.getByRole('button', { name: new RegExp(`^${title}: Reading`) }).click()
  await field.fill('322')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('322 of 474 pages').first().waitFor()

  // Links lead on to what is kept.
  await page.getByRole('banner').getByRole('link', { name: 'Shelves' }).click()
  await page.getByRole('heading', { name: 'My Shelves' }).waitFor()
  await page.getByText('Winter nights').first().waitFor()
  await banner(page).waitFor()

  // What is not kept says so, and leads back.
  await page.goto('/pricing')
  await page.getByRole('heading', { name: 'You’re offline' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'My Books' }).click()
  await page.getByText(title).first().waitFor()

  await page.getByText('322 of 474 pages').first().waitFor()
  expect(await accessibilityViolations(page)).toEqual([])

  expect((await reader.books())[0]).toMatchObject({ progress: 120 })
  await context.setOffline(false)
  await banner(page).waitFor({ state: 'hidden', timeout: 30_000 })
  await expect.poll(async () => (await reader.books())[0]).toMatchObject({ progress: 322 })
  await page.getByText('Waiting to be sent').first().waitFor({ state: 'hidden' })
})

it('shows a message above the banner', async () => {
  const { page, context, home } = await openKept('above', { viewport: { width: 390, height: 844 } })
  const title = 'Emma of above'
  await context.setOffline(true)
  await page.goto(home)
  await banner(page).waitFor()
  await pageField(page, title).fill('322')
  await page.keyboard.press('Enter')
  const message = page.locator('[data-sonner-toast]', { hasText: `Saved page 322 of ${title}` })
  const gap = async () => {
    const [above, below] = await Promise.all([
      message.boundingBox(),
      page
        .getByRole('status')
        .filter({ has: banner(page) })
        .locator('> *')
        .boundingBox(),
    ])
    return Math.round((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0))
  }
  await expect.poll(gap).toBeGreaterThan(0)
})

/** How often the timeline says that a page was reached. */
async function pagesReached({ call, id }: Reader): Promise<unknown[]> {
  const filter = encodeURIComponent(`user = "${id}" && event_type = "progress_updated"`)
  const { items } = await call('GET', `activities/records?sort=created&filter=${filter}`)
  return (items as { data: { progress: number } }[]).map(({ data }) => data.progress)
}

const pageField = (page: Page, title: string) => page.getByLabel(`Page of ${title}`)

/** Has the browser notice nothing of the connection. */
const alwaysOnline = () => {
  Object.defineProperty(navigator, 'onLine', { value: true })
  for (const name of ['online', 'offline'])
    addEventListener(name, (event) => event.stopImmediatePropagation(), true)
}

it('sends a change after a restart that was the first to need the queue', async () => {
  const reader = await openKept('first')
  const { page, context, home } = reader
  await context.addInitScript(alwaysOnline)
  await page.goto(home)
  await untilHydrated(pageField(page, 'Emma of first'))
  await context.setOffline(true)
  await pageField(page, 'Emma of first').fill('200')
  await pageField(page, 'Emma of first').press('Enter')
  await page.getByText('1 change is kept on this device').waitFor()
  await page.goto('about:blank')
  await context.setOffline(false)
  await page.goto('/explore')
  await expect.poll(() => reader.books()).toMatchObject([{ progress: 200 }])
})

it('keeps changes where the browser says that there is a connection', async () => {
  const reader = await openKept('sure')
  const { page, context, home } = reader
  const title = 'Emma of sure'
  await context.addInitScript(alwaysOnline)
  await page.goto(home)
  await pageField(page, title).waitFor()
  await context.setOffline(true)
  await pageField(page, title).fill('200')
  await pageField(page, title).press('Enter')
  await page.getByText('1 change is kept on this device').waitFor()
  await page.reload()
  await banner(page).waitFor()
  await page.getByRole('link', { name: 'Shelves', exact: true }).first().click()
  await page.getByRole('heading', { name: 'My Shelves' }).waitFor()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => reader.books()).toMatchObject([{ progress: 200 }])
  await banner(page).waitFor({ state: 'hidden' })
})

it('goes on where nothing answers and nobody says so', async () => {
  const reader = await openKept('tunnel')
  const { page, home } = reader
  const title = 'Emma of tunnel'
  await page.goto(home)
  await untilHydrated(pageField(page, title))
  octavo.process.kill('SIGSTOP')
  try {
    await pageField(page, title).fill('200')
    await pageField(page, title).press('Enter')
    await page.getByText('1 change is kept on this device').waitFor({ timeout: 30_000 })
    await page.goto(`${home}/books`, { timeout: 30_000 })
    await page.getByText('200 of 474 pages').first().waitFor()
    await banner(page).waitFor()
  } finally {
    octavo.process.kill('SIGCONT')
  }
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => reader.books()).toMatchObject([{ progress: 200 }])
  await banner(page).waitFor({ state: 'hidden' })
})

it('sends what a closed tab left, once and in order', async () => {
  const reader = await openKept('closing')
  const { context, home } = reader
  const title = 'Emma of closing'
  await context.setOffline(true)
  const first = reader.page
  await first.goto(home)
  for (const number of ['200', '230']) {
    await pageField(first, title).fill(number)
    await pageField(first, title).press('Enter')
    await first.getByText(`Saved page ${number} of ${title}. It’ll be sent when`).waitFor()
  }
  await first.close()
  await context.setOffline(false)

  // Two tabs at once: one of them sends.
  const tabs = await Promise.all([context.newPage(), context.newPage()])
  const sent: unknown[] = []
  const made: number[] = []
  context.on('request', (request) => {
    if (request.method() !== 'PATCH') return
    sent.push(request.postDataJSON())
    made.push(Date.now() - Number(request.headers()['x-waited']))
  })
  await Promise.all(tabs.map((tab) => tab.goto(`${home}/books`)))
  await expect.poll(() => reader.books()).toMatchObject([{ progress: 230 }])
  expect(sent).toEqual([{ progress: 200 }, { progress: 230 }])
  // The server dates them by how long they waited.
  const [before = 0, after = 0] = made
  expect(after).toBeGreaterThan(before)
  // The timeline tells of the last of several pages in a row.
  expect(await pagesReached(reader)).toEqual([230])
  for (const tab of tabs) {
    await tab.getByText('230 of 474 pages').first().waitFor()
    expect(await tab.getByText('Waiting to be sent').count()).toBe(0)
  }
})

it('dates a change by how long it waited, also when the clock is put right meanwhile', async () => {
  const reader = await openKept('fast')
  const { page, context, home } = reader
  const title = 'Emma of fast'
  await page.clock.install({ time: Date.now() + 3 * 86_400_000 })
  const renewed = page.waitForResponse(/auth-refresh/)
  await page.goto(home)
  await (await renewed).finished()
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await pageField(page, title).fill('200')
  await pageField(page, title).press('Enter')
  await page.getByText('1 change is kept on this device').waitFor()
  const sent = context.waitForEvent('request', (request) => request.method() === 'PATCH')
  await page.clock.setSystemTime(new Date())
  await context.setOffline(false)
  const waited = Number((await (await sent).allHeaders())['x-waited'])
  expect(waited).toBeGreaterThan(0)
  expect(waited).toBeLessThan(60_000)
})

it('dates a change by when it was made, not by when a device woke up that slept meanwhile', async () => {
  const { page, home } = await openKept('asleep')
  const night = 2 * 86_400_000
  await page.clock.install()
  // The server sleeps as long as the device, whose clock isn't wrong.
  await page.addInitScript(() => {
    const read = Reflect.get(Headers.prototype, 'get') as (this: Headers, name: string) => string
    Headers.prototype.get = function (name) {
      return name === 'Date' ? null : read.call(this, name)
    }
  })
  await page.goto(home)
  const field = pageField(page, 'Emma of asleep')
  await untilHydrated(field)
  const isChange = (request: Request) => request.method() === 'PATCH'
  await page.route(/user_books\/records/, () => undefined, { times: 1 })
  const tried = page.waitForRequest(isChange)
  await field.fill('200')
  await field.press('Enter')
  await tried
  const sent = page.waitForRequest(isChange)
  await page.clock.fastForward(night)
  expect(Number((await (await sent).allHeaders())['x-waited'])).toBeGreaterThan(night / 2)
})

it('says what waits after the session has ended, and sends it once its reader is back', async () => {
  const reader = await openKept('ended')
  const { page, context, home } = reader
  const title = 'Emma of ended'
  await context.setOffline(true)
  await page.goto(home)
  await pageField(page, title).fill('200')
  await pageField(page, title).press('Enter')
  await page.getByText('1 change is kept on this device').waitFor()
  const session = await context.cookies()
  await page.goto('about:blank')
  await context.clearCookies()
  await context.setOffline(false)

  await page.goto('/pricing')
  await page.getByText('Changes you made offline are kept on this device.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('status').getByRole('link', { name: 'Login' }).click()
  await page.waitForURL(/\/login\?origin=%2Fpricing$/)
  await page.getByLabel('Email').waitFor()
  expect(await page.getByText('Changes you made offline').count()).toBe(0)

  await context.addCookies(session)
  await page.goto('/pricing')
  await expect.poll(() => reader.books()).toMatchObject([{ progress: 200 }])
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).join()))
    .not.toContain('waiting')
})

/** Ends all sessions of a reader from another browser. @returns that browser's cookies */
async function signOutElsewhere(reader: Reader) {
  const context = await reader.context.browser()!.newContext()
  onTestFinished(() => context.close())
  await context.addCookies(await reader.context.cookies())
  const headers = { 'X-Session': 'cookie', Origin: octavo.url }
  const path = `${octavo.url}/api/collections/users/sessions`
  expect((await context.request.delete(path, { headers })).status()).toBe(204)
}

it('keeps what waits of a session that was ended elsewhere, and sends it after a sign-in there', async () => {
  const reader = await openKept('revoked')
  const { page, context, email } = reader
  const title = 'Emma of revoked'
  await context.setOffline(true)
  await page.goto(reader.home)
  await pageField(page, title).fill('200')
  await pageField(page, title).press('Enter')
  await page.getByText('1 change is kept on this device').waitFor()
  await signOutElsewhere(reader)
  reader.allow(/status of (?:400|404)/)
  await context.setOffline(false)

  // Whether the end is heard of or found out, as by a reader who wants to look around first.
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await page.addLocatorHandler(dialog, () => page.keyboard.press('Escape'))
  await page.getByText('Changes you made offline are kept on this device.').waitFor()
  expect(await page.getByText('couldn’t be saved').count()).toBe(0)

  await page.getByRole('status').getByRole('link', { name: 'Login' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  const field = page.locator('[autocomplete="one-time-code"]').first()
  await field.waitFor()
  const code = /\b\d{6}\b/.exec((await post.nextMail(email)).text ?? '')?.[0] ?? ''
  await field.focus()
  await page.keyboard.type(code)
  await expect.poll(() => reader.books(), { timeout: 20_000 }).toMatchObject([{ progress: 200 }])
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).join()))
    .not.toContain('waiting')
})

it('shows both values of books that were changed elsewhere, to keep either', async () => {
  const choices = [
    { title: 'Emma', here: 200, elsewhere: 300, choice: 'Use this device’s', kept: 200 },
    { title: 'Persuasion', here: 210, elsewhere: 310, choice: 'Keep the saved one', kept: 310 },
  ]
  const reader = await openKept('torn', { titles: choices.map(({ title }) => title) })
  const { page, context, home } = reader
  const progressOf = async (title: string) =>
    (await reader.books()).find((book) => book['title'] === title)?.['progress']
  const books = await reader.books()
  await context.setOffline(true)
  await page.goto(home)
  for (const { title, here, elsewhere } of choices) {
    await pageField(page, title).fill(String(here))
    await pageField(page, title).press('Enter')
    const book = books.find((one) => one['title'] === title)
    await reader.call('PATCH', `user_books/records/${book!.id}`, { progress: elsewhere })
  }
  await page.getByText('2 changes are kept on this device').waitFor()

  await context.setOffline(false)
  await page.getByText('2 changes you made offline couldn’t be saved.').waitFor({ timeout: 30_000 })
  for (const { title, elsewhere } of choices) expect(await progressOf(title)).toBe(elsewhere)
  await page.getByRole('button', { name: 'Review' }).click()
  const dialog = page.getByRole('dialog', { name: 'Changes to review' })
  for (const { here, elsewhere } of choices) {
    await dialog.getByText(`page ${here}`).waitFor()
    await dialog.getByText(`page ${elsewhere}`).waitFor()
  }
  expect(await accessibilityViolations(page)).toEqual([])
  for (const { title, choice } of choices) {
    const button = dialog.getByRole('button', { name: `${choice}: ${title}` })
    await button.click()
    await button.waitFor({ state: 'hidden' })
  }
  await dialog.getByText('Everything is saved.').waitFor()
  await page.keyboard.press('Escape')
  await page.goto(`${home}/books`)
  for (const { title, kept } of choices) {
    await page.getByText(`${kept} of 474 pages`).first().waitFor({ timeout: 5000 })
    expect(await progressOf(title)).toBe(kept)
  }
  const reached = await pagesReached(reader)
  expect(new Set(reached)).toEqual(new Set(choices.map(({ kept }) => kept)))
  expect(reached).toHaveLength(choices.length)
})

it('finishes a book on the day that was said without a connection', async () => {
  const reader = await openKept('finishing')
  const { page, context, home, call } = reader
  const title = 'Emma of finishing'
  await context.setOffline(true)
  await page.goto(home)
  await banner(page).waitFor()
  await page.getByRole('button', { name: `Finish reading ${title}` }).click()
  const sheet = page.getByRole('dialog', { name: `Finished ${title}` })
  await sheet.getByText('Waiting to be sent').waitFor()
  await sheet.getByRole('radio', { name: 'Another day' }).click()
  await sheet.getByLabel('Finished: year').fill('2009')
  await sheet.getByRole('button', { name: 'Done' }).click()
  await sheet.waitFor({ state: 'hidden' })
  await context.setOffline(false)
  const own = encodeURIComponent(`user = "${reader.id}"`)
  await expect
    .poll(async () => (await call('GET', `readings/records?filter=${own}`))['items'])
    .toMatchObject([{ started: '', finished: '2009', outcome: 'finished' }])
})

it('adds what was scanned without a connection as soon as there is one', async () => {
  const reader = await openKept('scanning')
  const { page, context, home } = reader
  await page.clock.install()
  const sections = (await (await fetch(`${octavo.url}/api/v1/explore`)).json()) as {
    data: CuratedSections
  }
  const [one, two] = sections.data.classics.flatMap(({ isbns }) => isbns.ISBN_13 ?? [])
  await context.setOffline(true)
  await page.goto(`${home}/books`)
  await page.getByRole('button', { name: 'Add book' }).first().click()
  await page.getByRole('menuitem', { name: 'Scan ISBN' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add book by scanning ISBN' })
  const field = dialog.getByLabel('ISBN', { exact: true })
  await field.fill(one!)
  await field.press('Enter')
  const later = dialog.getByRole('button', { name: 'Add it later' })
  await afterRetries(page, later)
  await later.click()
  await page.getByText('1 change is kept on this device').waitFor()

  await page.getByRole('button', { name: 'Add book' }).first().click()
  await page.getByRole('menuitem', { name: 'Scan ISBN' }).click()
  await dialog.getByRole('radio', { name: 'A pile' }).click()
  // An ISBN that no catalogue has.
  for (const isbn of [two!, '9798886451740']) {
    await field.fill(isbn)
    await field.press('Enter')
  }
  const waiting = dialog.getByRole('listitem').filter({ hasText: 'It’ll be added' })
  await afterRetries(page, waiting.nth(1))
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByText('3 changes are kept on this device').waitFor()

  await context.setOffline(false)
  await afterRetries(page, page.getByText('A change you made offline couldn’t be saved.'))
  const added = (await reader.books()).slice(0, 2)
  expect(added.map(({ isbn }) => isbn)).toEqual([two, one])
  await page.getByRole('button', { name: 'Review' }).click()
  const review = page.getByRole('dialog', { name: 'Changes to review' })
  await review.getByText('This book isn’t in the catalogue. You can add it by hand.').waitFor()
  await review.getByRole('button', { name: 'Discard: ISBN 9798886451740' }).click()
  await review.getByText('Everything is saved.').waitFor()
  expect(await reader.books()).toHaveLength(3)
})

it('opened without a connection, it is where the reader was last', async () => {
  const { page, context, home } = await openKept('returning')
  await page.clock.install()
  for (const [path, heading] of [
    ['wishlist', 'My Wishlist'],
    ['shelves', 'My Shelves'],
  ] as const) {
    await page.goto(`${home}/${path}`)
    const last = () => page.evaluate(async () => (await caches.match('/octavo-last'))?.text())
    // A page is kept 2 s after it was opened.
    await expect.poll(() => page.clock.fastForward(500).then(last)).toBe(`${home}/${path}`)
    await context.setOffline(true)
    // As an installed one starts.
    await page.goto('/explore')
    await page.waitForURL(`**${home}/${path}#instead`)
    await page.getByRole('heading', { name: heading }).waitFor()
    await page.getByText('The page you opened isn’t saved on this device').waitFor()
    await banner(page).waitFor()
    await context.setOffline(false)
  }
})

it('a newer build takes over whole, also what is kept', async () => {
  const upgradable = await startUpgradable({ SMTP_URL: post.url })
  onTestFinished(async () => void (await upgradable.stop()))
  const reader = await openKept('newer', { on: upgradable })
  const { page, context, home } = reader
  const build = page.locator('html')
  const cacheNames = () => page.evaluate(async () => (await caches.keys()).toSorted())
  const assets = (await cacheNames()).filter((name) => name.startsWith('octavo-assets-'))
  expect(assets).toHaveLength(1)
  expect(await build.getAttribute('data-build')).toBeNull()

  // The second comes as soon as the first has taken over.
  for (const name of ['newer', 'newest']) {
    upgradable.upgrade(name)
    await page.goto(`${home}/books`)
    // The server is asked first: no page of the old build is shown again.
    expect(await build.getAttribute('data-build')).toBe(name)
    await expect
      .poll(async () => (await cacheNames()).filter((one) => one.startsWith('octavo-assets-')), {
        timeout: 60_000,
      })
      .toEqual([`octavo-assets-${name}`])
    // What the old worker kept is gone, and is kept anew without another visit.
    await expect
      .poll(() => keptPages(page), { timeout: 30_000 })
      .toEqual(expect.arrayContaining(['', '/books', '/shelves', '/wishlist'].map((t) => home + t)))
    const old = await page.evaluate(async (newest) => {
      const cache = await caches.open('octavo-pages')
      const texts = (await cache.matchAll()).map((answer) => answer.text())
      return (await Promise.all(texts)).filter(
        (text) => text.startsWith('<!') && !text.includes(`data-build="${newest}"`),
      ).length
    }, name)
    expect(old).toBe(0)
  }

  await context.setOffline(true)
  await page.goto(`${home}/shelves`)
  await page.getByText('Winter nights').first().waitFor()
  expect(await build.getAttribute('data-build')).toBe('newest')
})

it('what changed is what is seen without a connection', async () => {
  const reader = await openKept('changing')
  const { page, context, home } = reader
  await page.getByRole('button', { name: /^Emma of changing: Reading/ }).click()
  await page.getByLabel('Page', { exact: true }).fill('222')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('222 of 474 pages').first().waitFor()
  // Nobody waits for what is kept.
  await page.getByRole('link', { name: 'Explore', exact: true }).first().click()
  await page.waitForURL('/explore')
  await expect
    .poll(
      () =>
        page.evaluate(
          async (path) => (await (await caches.match(path))?.text()) ?? '',
          `${home}/books`,
        ),
      { timeout: 30_000 },
    )
    .toContain('222 of 474 pages')
  await context.setOffline(true)
  await page.goto(`${home}/books`)
  await page.getByText('222 of 474 pages').first().waitFor()
})

it('nothing of a reader stays after they sign out, also for the next reader', async () => {
  const reader = await openKept('leaving')
  const { page, context, home } = reader
  await page.getByRole('button', { name: /^Account of / }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.waitForURL(`${octavo.url}/`)
  await expect.poll(() => keptPages(page)).toEqual([])

  await context.setOffline(true)
  await page.goto(`${home}/books`)
  await page.getByRole('heading', { name: 'You’re offline' }).waitFor()
  expect(await page.content()).not.toContain('leaving')
  await context.setOffline(false)

  // Another session in the same browser, made behind the worker's back.
  const next = await openReader({ octavo, post }, 'following', { serviceWorkers: 'allow' })
  await reader.context.addCookies(await next.context.cookies())
  await page.goto('/explore')
  await expect
    .poll(() => keptPages(page), { timeout: 30_000 })
    .toEqual(expect.arrayContaining([`${next.home}/books`]))
  expect((await keptPages(page)).join()).not.toContain('leaving')
})

it('a reader who comes behind the worker’s back finds nothing of the one before', async () => {
  const reader = await openKept('former')
  const { page } = reader
  const next = await openReader({ octavo, post }, 'latter', { serviceWorkers: 'allow' })
  await reader.context.addCookies(await next.context.cookies())
  await page.goto(`${next.home}/books`)
  await expect
    .poll(() => keptPages(page), { timeout: 30_000 })
    .toEqual(expect.arrayContaining([`${next.home}/books`]))
  expect((await keptPages(page)).join()).not.toContain('former')
})

it('workers and caches that others left are cleared at the start', async () => {
  const { page } = await openKept('tidy')
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/service-worker.js?old', { scope: '/old/' })
    await (await caches.open('workbox-precache-v1')).put('/stale', new Response('stale'))
  })
  await page.reload()
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const workers = await navigator.serviceWorker.getRegistrations()
        return {
          scopes: workers.map(({ scope }) => new URL(scope).pathname),
          isStale: await caches.has('workbox-precache-v1'),
        }
      }),
    )
    .toEqual({ scopes: ['/'], isStale: false })
})

it('can be installed: a manifest with icons, one of them to be cut into any shape', async () => {
  const manifest = (await (await fetch(`${octavo.url}/manifest.webmanifest`)).json()) as {
    start_url: string
    display: string
    icons: { src: string; sizes: string; purpose?: string }[]
  }
  expect(manifest).toMatchObject({ start_url: '/explore', display: 'standalone' })
  expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true)
  for (const { src } of manifest.icons) expect((await fetch(octavo.url + src)).status).toBe(200)
  const worker = await fetch(`${octavo.url}/service-worker.js`)
  expect(worker.headers.get('content-security-policy')).toBe(
    "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
  )
  expect(worker.headers.get('cache-control')).toBe('public, no-cache')
})
