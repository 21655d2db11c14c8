import { expect, it } from 'vitest'
import { openVisitor, untilHydrated, type CookieJar } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'
import { replaceTexts, translate } from './browser-conditions.ts'

const free = await openOctavo()
const { octavo } = free
const jar: CookieJar = {}

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
  await page.evaluate(translate)
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
  await page.evaluate(translate)
  await link.click()
  const heading = page.getByRole('heading', { name: 'Meine Regale' })
  await heading.waitFor()
  expect(await heading.count()).toBe(1)
})

it.each([
  ['in a font', translate],
  ['by another text', replaceTexts],
])('shows a changed text where one was translated %s', async (_, change) => {
  const { page } = await openVisitor(octavo.url, { jar })
  await page.goto('/u/bruno/shelves')
  const count = page.getByRole('main').getByText(/^\d+ books$/)
  await count.waitFor()
  const books = Number.parseInt((await count.textContent()) ?? '', 10)
  await untilHydrated(page.getByRole('main').getByRole('link').first())
  await page.evaluate(change)
  const headers = { 'X-Session': 'cookie', Origin: octavo.url }
  const shelves = await page.request.get('/api/collections/bookshelves/records', { headers })
  const { items } = (await shelves.json()) as { items: { id: string }[] }
  const data = { title: `Ulysses ${books}`, status: 'planning', shelf: items[0]?.id }
  await page.request.post('/api/collections/user_books/records', { headers, data })
  await page.getByText(`${books + 1} books`).waitFor()
  expect(await page.getByText(`${books} books`).count()).toBe(0)
  await page.getByRole('main').getByRole('link', { name: 'Wishlist' }).first().click()
  await page.getByRole('heading', { name: 'My Wishlist' }).waitFor()
})
