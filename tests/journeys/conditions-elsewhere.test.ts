import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { photographCover } from '#tests/covers.ts'
import { closeFirefox, noFirefox, openFirefox } from '#tests/firefox.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { otherBrowsers, pilotThrough } from '#tests/other-browsers.ts'
import type { Pilot } from '#tests/pilot.ts'
import { requestCode, signedIn, signUp } from '#tests/signed-in.ts'

afterAll(closeFirefox)
const { octavo, post, mailedCode } = await openOctavo()

const size = { width: 1280, height: 800 }
const books = 90
const name = 'elsewhere'
let home = ''

beforeAll(async () => {
  const api = signedIn(octavo, await signUp(octavo, post, name))
  const { items } = await api.collection('users').getList(1, 1)
  home = `/u/${String(items[0]?.['username'])}`
  const { id: shelf } = await api
    .collection('bookshelves')
    .create({ name: 'Everything', visibility: 'public' })
  const added = { shelf, status: 'reading', page_count: 300 }
  const emma = { title: 'Emma', isbn: '9780141439587' }
  await api.collection('user_books').create({ ...added, ...emma })
  for (let n = 0; n < books; n += 45) {
    const batch = api.createBatch()
    for (let one = n; one < n + 45; one++)
      batch.collection('user_books').create({ ...added, title: `Volume ${one}` })
    await batch.send()
  }
})

/** Lets the reader into the browser. */
async function enter(pilot: Pilot): Promise<void> {
  await pilot.goto('/terms')
  const email = `${name}@example.org`
  const step = await requestCode(octavo.url, email)
  const status = await pilot.driver.run<number>(
    `async (body) => (await fetch('/api/collections/users/auth-with-otp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Session': 'cookie' },
      body,
    })).status`,
    JSON.stringify({ ...step, password: await mailedCode(email) }),
  )
  expect(status).toBe(200)
}

/** Pixels from the window's top to each item in it. */
const itemsInSight = async (pilot: Pilot) =>
  JSON.parse(
    await pilot.driver.run<string>(`() => JSON.stringify(Object.fromEntries(
      [...document.querySelectorAll('main [data-place]')]
        .map((item) => [item.dataset.place, Math.round(item.getBoundingClientRect().top)])
        .filter(([, top]) => top > 60 && top < innerHeight - 60)))`),
  ) as Record<string, number>

/** @returns what is in sight once the page is at rest */
async function atRest(pilot: Pilot): Promise<Record<string, number>> {
  let last = ''
  await vi.waitUntil(
    async () => {
      const before = last
      last = JSON.stringify(await itemsInSight(pilot))
      return last === before && last !== '{}'
    },
    { timeout: 30_000, interval: 200 },
  )
  return JSON.parse(last) as Record<string, number>
}

/** Waits until the same items stand where they stood. */
const untilSame = (pilot: Pilot, before: Record<string, number>) =>
  vi.waitUntil(
    async () => {
      const now = await itemsInSight(pilot).catch((): Record<string, number> => ({}))
      return Object.entries(before).every(([item, top]) => Math.abs((now[item] ?? -99) - top) < 4)
    },
    { timeout: 30_000, interval: 200 },
  )

/** Loads the page again, and waits until what was there is gone. */
async function reload(pilot: Pilot): Promise<void> {
  await pilot.driver.run('() => { window.isLeft = true; location.reload() }')
  const isNew = () => pilot.driver.run<boolean>('() => !window.isLeft').catch(() => false)
  await vi.waitUntil(isNew, { timeout: 30_000, interval: 100 })
}

async function comeBack(pilot: Pilot): Promise<void> {
  await enter(pilot)
  for (const path of [`${home}/books`, home]) {
    await pilot.goto(path)
    await pilot.sees('Volume ')
    const scroll = () => pilot.driver.run<boolean>('() => (scrollBy(0, 300), scrollY > 1500)')
    await vi.waitUntil(scroll, { timeout: 30_000, interval: 100 })
    const before = await atRest(pilot)
    const untilBack = async () => {
      await pilot.isAt(path)
      await untilSame(pilot, before)
    }
    await pilot.driver.run(`() => document.querySelector('a[href="/explore"]').click()`)
    await pilot.sees('Most Popular Classics')
    await pilot.driver.run('() => history.back()')
    await untilBack()
    await pilot.driver.run('() => history.forward()')
    await pilot.sees('Most Popular Classics')
    await pilot.driver.run('() => history.back()')
    await untilBack()
    await reload(pilot)
    await untilSame(pilot, before)
  }
}

/** The Enter that ends a word is told before its end, or as Safari does, after it. */
const confirmWord = `() => {
  const field = document.activeElement
  const keys = { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }
  field.dispatchEvent(new KeyboardEvent('keydown', { ...keys, isComposing: true }))
  field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }))
  field.dispatchEvent(new KeyboardEvent('keydown', keys))
  return field.value
}`

async function endWord(pilot: Pilot): Promise<void> {
  await enter(pilot)
  await pilot.goto('/book/emma-9780141439587')
  await pilot.click('button', 'Change tags, note and review of Emma')
  await pilot.fill('Tags', 'hon')
  expect(await pilot.driver.run<string>(confirmWord)).toBe('hon')
  await pilot.press('Enter')
  await pilot.click('button', 'Remove hon')
}

/** Saves a page of the newest book. */
async function savePage(pilot: Pilot, number: number): Promise<void> {
  await enter(pilot)
  for (const path of ['/explore?q=emma', '/account/settings', `${home}/books`, home]) {
    await pilot.goto(path)
    await pilot.sees('Octavo')
  }
  await pilot.fill('Page of Volume 89', String(number))
  await pilot.press('Enter')
  await pilot.sees(`Saved page ${number} of Volume 89`)
}

/** From now on the page finds no storage. */
const takeStorages = `() => {
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
    Object.defineProperty(window, name, { get() { throw new DOMException('', 'SecurityError') } })
}`

/** Saves a page in the digits of another script, once without any storage. */
async function saveOtherDigits(pilot: Pilot): Promise<void> {
  await enter(pilot)
  await pilot.goto(home)
  await pilot.fill('Page of Volume 88', '١٢٠')
  await pilot.press('Enter')
  await pilot.sees('Saved page 120 of Volume 88')
  await pilot.driver.run(takeStorages)
  await pilot.fill('Page of Volume 88', '１２１')
  await pilot.press('Enter')
  await pilot.sees('Saved page 121 of Volume 88')
}

/** A camera that sees one picture. */
const showCamera = `(picture) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1280, height: 720 })
  const image = Object.assign(new Image(), { src: picture })
  setInterval(() => canvas.getContext('2d').drawImage(image, 0, 0), 100)
  MediaDevices.prototype.getUserMedia = async () => canvas.captureStream(10)
}`

/** Reads a book's code beside that of its music, and one that is slanted and white on black. */
async function scanCovers(pilot: Pilot): Promise<void> {
  await enter(pilot)
  const digits = '9780141439587'
  for (const cover of [
    { digits, second: '9790260000438' },
    { digits, isInverted: true, tilt: 45 },
  ]) {
    await pilot.goto(`${home}/books`)
    const picture = `data:image/jpeg;base64,${(await photographCover(cover)).toString('base64')}`
    await pilot.sees('Volume ')
    await pilot.driver.run(showCamera, picture)
    await pilot.click('button', 'Add Book')
    await pilot.click('menuitem', 'Scan ISBN')
    await pilot.sees('You already have this book')
  }
}

/** A reload leaves headings where they stood. */
async function reloadSettings(pilot: Pilot): Promise<void> {
  await enter(pilot)
  await pilot.goto('/account/settings')
  await pilot.sees('Recently removed')
  const headings = () =>
    pilot.driver.run<string>(`() => (document.readyState === 'complete') + ' ' + JSON.stringify(
      [...document.querySelectorAll('main h2')].map((heading) => heading.getBoundingClientRect().top | 0))`)
  const rest = async () => {
    let last = ''
    await vi.waitUntil(
      async () => {
        const before = last
        last = await headings().catch(() => '')
        return last.startsWith('true') && last === before
      },
      { timeout: 30_000, interval: 300 },
    )
    return last
  }
  for (const down of [300, 700]) {
    await pilot.driver.run('(down) => scrollTo(0, Number(down))', String(down))
    const before = await rest()
    await reload(pilot)
    const isSame = async () => (await headings().catch(() => '')) === before
    await vi.waitUntil(isSame, { timeout: 30_000, interval: 300 })
  }
}

/** Comes back to the tab after a minute, in which its stream may have died. */
async function askAgain(pilot: Pilot): Promise<void> {
  await enter(pilot)
  await pilot.goto(home)
  const asked = (what: string) =>
    pilot.driver.run<number>(
      `(what) => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith(what) || name.includes(what + '?')).length`,
      what,
    )
  const until = (isThere: () => Promise<boolean>) =>
    vi.waitUntil(isThere, { timeout: 30_000, interval: 200 })
  // Firefox lists the stream itself only when it ends, but what it is to tell of at once.
  await until(async () => (await asked('/api/realtime')) > 0)
  const books = '/user_books/records'
  const before = await asked(books)
  await pilot.driver.run(`() => {
    const { now } = Date
    Date.now = () => now() + 61_000
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }`)
  await until(async () => (await asked(books)) > before)
}

for (const { name: browser, missing, open } of otherBrowsers)
  describe.skipIf(missing)(`in ${browser}`, { timeout: 300_000 }, () => {
    it.each([
      ['Back and reload show the same books', comeBack],
      ['Enter that confirms a word ends no tag', endWord],
      ['a reload leaves the settings where they are', reloadSettings],
      ['coming back to a tab asks again', askAgain],
      ['a book is known by its code, whatever is beside it', scanCovers],
      ['pages in other digits are saved, also without storages', saveOtherDigits],
    ])('%s', async (what, work) => {
      expect(await pilotThrough(`${browser} ${what}`, () => open(size), octavo.url, work)).toEqual(
        [],
      )
    })
  })

describe.skipIf(noFirefox)('in a Firefox', { timeout: 300_000 }, () => {
  it('without storages everything else works', async () => {
    const preferences = {
      'dom.storage.enabled': false,
      'dom.serviceWorkers.enabled': false,
      'dom.caches.enabled': false,
    }
    const problems = await pilotThrough(
      'Firefox without storages',
      () => openFirefox(size, preferences),
      octavo.url,
      (pilot) => savePage(pilot, 77),
    )
    expect(problems).toEqual([])
  })

  it('that refuses cookies visitors find and read', async () => {
    const problems = await pilotThrough(
      'Firefox without cookies',
      () => openFirefox(size, { 'network.cookie.cookieBehavior': 2 }),
      octavo.url,
      async (pilot) => {
        await pilot.goto('/explore?q=emma')
        await pilot.click('link', 'Emma')
        await pilot.isAt('/book/')
        await pilot.click('link', 'Add to shelf')
        await pilot.isAt('/login')
      },
    )
    expect(problems).toEqual([])
  })

  it('whose clock is three days ahead saves', async () => {
    const before = `() => {
      const Real = Date
      globalThis.Date = class extends Real {
        constructor(...parts) { super(...(parts.length ? parts : [Real.now() + 259200000])) }
        static now() { return Real.now() + 259200000 }
      }
    }`
    const problems = await pilotThrough(
      'Firefox ahead',
      () => openFirefox(size, {}, `(${before})()`),
      octavo.url,
      (pilot) => savePage(pilot, 99),
    )
    expect(problems).toEqual([])
  })
})
