import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openVisitor, untilHydrated, type CookieJar } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const free = await openOctavo()
const { octavo } = free
const jar: CookieJar = {}

/** Does to all texts what a browser's translation does, now or also to what comes later. */
async function translate(page: Page, isLasting = false): Promise<void> {
  await page.evaluate((lasting) => {
    const skipped = 'script, style, textarea, title, font'
    const wrapAll = () => {
      const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT)
      const texts: Text[] = []
      while (walker.nextNode()) texts.push(walker.currentNode as Text)
      for (const text of texts) {
        if (!text.data.trim() || text.parentElement?.closest(skipped)) continue
        const font = document.createElement('font')
        font.append(document.createElement('font'))
        font.firstElementChild!.textContent = text.data
        text.replaceWith(font)
      }
    }
    // Into a language that Octavo doesn't have.
    document.documentElement.lang = 'pl'
    wrapAll()
    if (lasting)
      new MutationObserver(wrapAll).observe(document, {
        childList: true,
        subtree: true,
        characterData: true,
      })
  }, isLasting)
}

it('goes on when the browser has translated a profile', async () => {
  const reader = await openReader(free, 'bruno', { jar })
  const { page, shelve, add, home } = reader
  const shelf = await shelve('Novels')
  await add(shelf, 'Emma', { status: 'planning', isbn: '9780141439587', page_count: 474 })
  await add(shelf, 'Persuasion', { status: 'planning', page_count: 250 })
  await add(shelf, 'Middlemarch', { status: 'reading', page_count: 800, progress: 100 })
  await page.goto(home)
  const start = page.getByRole('button', { name: /^Start/ }).first()
  await untilHydrated(start)
  await translate(page)
  await start.click()
  await expect.poll(() => page.getByRole('button', { name: /^Finish/ }).count()).toBe(2)
  await page.getByRole('heading', { name: 'Up next' }).waitFor()
  expect(await page.getByRole('heading', { name: '500' }).count()).toBe(0)
})

it('goes on in its own language when a German page is translated', async () => {
  const { page } = await openVisitor(octavo.url, { jar, locale: 'de-DE' })
  await page.goto('/u/bruno')
  const link = page.getByRole('main').getByRole('link', { name: 'Regale' }).first()
  await untilHydrated(link)
  await translate(page)
  await link.click()
  const heading = page.getByRole('heading', { name: 'Meine Regale' })
  await heading.waitFor()
  expect(await heading.count()).toBe(1)
})

it('shows a changed text where a translated one was', async () => {
  const { page } = await openVisitor(octavo.url, { jar })
  await page.goto('/u/bruno/shelves')
  await page.getByText('3 books').waitFor()
  await untilHydrated(page.getByRole('main').getByRole('link').first())
  await translate(page)
  const headers = { 'X-Session': 'cookie', Origin: octavo.url }
  const shelves = await page.request.get('/api/collections/bookshelves/records', { headers })
  const { items } = (await shelves.json()) as { items: { id: string }[] }
  const data = { title: 'Ulysses', status: 'planning', shelf: items[0]?.id }
  await page.request.post('/api/collections/user_books/records', { headers, data })
  await page.getByText('4 books').waitFor()
  expect(await page.getByText('3 books').count()).toBe(0)
})

const screens = [
  '/u/bruno',
  '/u/bruno/books',
  '/u/bruno/wishlist',
  '/book/emma-9780141439587',
  '/explore',
  '/users',
  '/account/edit',
  '/account/settings',
]

/** What would end the session or the books. */
const final = /delete|clear|sign out|remove|log ?out/i

it.each(screens)('takes every press on %s while it is translated', async (path) => {
  const { page, allow } = await openVisitor(octavo.url, { jar })
  // Without anything typed, some forms are refused.
  allow(/status of 4\d\d/)
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  await translate(page, true)
  const buttons = page.locator('main button:visible:enabled')
  for (let place = 0; place < Math.min(await buttons.count(), 12); place++) {
    const name = (await buttons.nth(place).textContent()) ?? ''
    if (final.test(name)) continue
    await buttons.nth(place).evaluate((button: HTMLButtonElement) => button.click())
    await page.keyboard.press('Escape')
    expect(await page.getByRole('heading', { name: /^(?:4|5)\d\d$/ }).count(), name).toBe(0)
  }
  await page
    .locator('a[href="/pricing"]')
    .first()
    .evaluate((link: HTMLElement) => link.click())
  await page.waitForURL('/pricing')
  await page.getByRole('heading', { level: 1 }).waitFor()
})
