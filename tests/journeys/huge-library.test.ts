import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { shiftsOf, watchShifts } from '#tests/layout-shift.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const books = 10_000

const { octavo, post } = await openOctavo()

/** Copies the one book of a shelf, titles of every length and script among them. */
function multiply(shelf: string): void {
  const db = new DatabaseSync(join(octavo.dataDir, 'octavo.db'), { timeout: 20_000 })
  const columns = db.prepare('SELECT name FROM pragma_table_info(?)').all('user_books')
  const made: Record<string, string> = {
    id: `SUBSTR(id, 1, 9) || printf('%06d', i)`,
    title: `CASE i % 7 WHEN 0 THEN '雪国の夜と海 ' WHEN 1 THEN 'هزار و یک شب '
      WHEN 2 THEN 'A title that goes on and on until nobody remembers how it began, volume '
      ELSE 'Volume ' END || printf('%05d', i)`,
    page_count: '80 + i * 13 % 900',
    book_key: 'book_key || i',
  }
  const names = columns.map(({ name }) => `"${String(name)}"`).join()
  const values = columns.map(({ name }) => made[String(name)] ?? `"${String(name)}"`).join()
  db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${books - 1})
    INSERT INTO user_books (${names}) SELECT ${values} FROM user_books, n WHERE shelf = '${shelf}'`)
  db.exec(`UPDATE bookshelves SET book_count = ${books} WHERE id = '${shelf}'`)
  db.close()
}

/** Scrolls on as a reader does until so many pages more have come. @returns the most items seen */
async function scrollOn(page: Page, times: number): Promise<number> {
  const status = page.locator('main output').last()
  const item = page.locator('li[aria-posinset]')
  await page.mouse.move(200, 400)
  let most = 0
  for (let time = 0; time < times; time++) {
    const before = await status.innerText()
    const isThere = async () => {
      await page.mouse.wheel(0, 400)
      const text = await status.innerText()
      return text !== before && /^[\d,]+ of 10,000 books$/.test(text)
    }
    await expect.poll(isThere, { timeout: 20_000, interval: 20 }).toBe(true)
    most = Math.max(most, await item.count())
  }
  return most
}

/** @returns how many books the list goes on to so far */
async function shownOf(page: Page): Promise<number> {
  const text = await page.locator('main output').last().innerText()
  return Number.parseInt(text.replaceAll(',', ''), 10)
}

/** Bytes of the page's objects that are still in use. */
async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}

describe.each([
  // What grows does so at any width: the long way is for a desktop, where it takes less time.
  { width: 390, height: 844, further: 1 },
  { width: 1280, height: 800, further: 3 },
])('$width pixels wide', ({ further, ...viewport }) => {
  // 20 s: ten thousand books are written and scrolled through.
  it('takes ten thousand books without growing or jumping', { timeout: 360_000 }, async () => {
    const name = `librarian-${viewport.width}`
    const reader = await openReader({ octavo, post }, name, { viewport })
    const { context, page, home, shelve, add } = reader
    const shelf = await shelve('Everything')
    await add(shelf, 'Volume 00000', { page_count: 200 })
    multiply(shelf)
    await watchShifts(page)

    const shifted = () => shiftsOf(page)
    await page.goto(`${home}/books?sort=title`)
    expect(await scrollOn(page, 10)).toBeLessThanOrEqual(100)
    const before = await heap(page)
    expect(await scrollOn(page, 10 * further)).toBeLessThanOrEqual(100)
    // What so many more books would take in the page is many times as much.
    expect((await heap(page)) - before).toBeLessThan(4_000_000)
    expect(await shifted()).toBeLessThan(0.02)

    // Whoever jumps to the end stands at it, however late the next books come.
    await page.route('**/api/collections/user_books/records?**', async (route) => {
      // What moves within half a second of a key is counted as wanted.
      await new Promise((resolve) => setTimeout(resolve, 700))
      await route.continue()
    })
    await page.goto(`${home}/books?sort=title`)
    await page.locator('li[aria-posinset="1"]').waitFor()
    for (let time = 2; time < 6; time++) {
      await page.keyboard.press('End')
      await expect.poll(() => shownOf(page), { timeout: 20_000 }).toBeGreaterThanOrEqual(15 * time)
    }
    expect(await shifted()).toBeLessThan(0.02)
    await page.unrouteAll({ behavior: 'wait' })

    for (const view of ['grid', 'list', 'spines']) {
      await context.addCookies([{ name: 'shelf-view', value: view, url: octavo.url }])
      await page.goto(`/shelf/${shelf}`)
      expect(await scrollOn(page, 4), view).toBeLessThanOrEqual(150)
      const least = await heap(page)
      expect(await scrollOn(page, 4 * further), view).toBeLessThanOrEqual(150)
      expect((await heap(page)) - least, view).toBeLessThan(4_000_000)
      expect(await shifted(), view).toBeLessThan(0.02)
      // The way back is there too.
      await page.evaluate(() => window.scrollTo(0, 0))
      await page.getByRole('heading', { name: 'Everything', level: 1 }).waitFor()
      await page.locator('li[aria-posinset="1"]').waitFor()
      await page.getByText('A title that goes on', { exact: false }).first().waitFor()
    }
  })
})
