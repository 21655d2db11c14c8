import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityViolations } from '#tests/browser.ts'
import { shiftsOf, watchShifts } from '#tests/layout-shift.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { optionsOf } from '#tests/options.ts'
import { openReader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo()

/** How far down the first cover of the page begins at most; pixels. */
const screens = [
  { name: 'phone', viewport: { width: 390, height: 844 }, highest: 200, row: 88, covers: 9 },
  { name: 'desktop', viewport: { width: 1440, height: 900 }, highest: 260, row: 64, covers: 14 },
] as const

const covers = (page: Page) => page.getByRole('main').locator('li .aspect-2\\/3')
const topOf = (page: Page) =>
  covers(page)
    .first()
    .evaluate((cover) => cover.getBoundingClientRect().top)

describe.each(screens)('on a $name', ({ name, viewport, highest, row, covers: least }) => {
  it('shows books on the first screen of the own lists, however many there are', async () => {
    const reader = await openReader({ octavo, post }, `covers-${name}`, { viewport })
    const { context, page, home, shelve, add } = reader
    await watchShifts(page)
    const shelf = await shelve('Classics')
    await page.goto(`${home}/books`)
    await page.getByText('Add books to build your list.').waitFor()
    const status = ['completed', 'planning', 'reading'] as const
    const fill = async (from: number, to: number) => {
      for (let n = from; n < to; n++)
        await add(shelf, `Volume ${n}`, {
          authors: ['Ada Quill'],
          status: status[n % 3],
          page_count: 300,
          progress: n % 3 === 2 ? 120 : 0,
          isbn: n === 1 ? '9780141439518' : '',
        })
    }
    let from = 0
    for (const count of [1, 32]) {
      await fill(from, count)
      from = count
      for (const view of ['list', 'grid']) {
        await context.addCookies(
          ['books', 'shelf'].map((of) => ({ name: `${of}-view`, value: view, url: octavo.url })),
        )
        for (const path of [`${home}/books?sort=title`, `/shelf/${shelf}`]) {
          await page.goto(path)
          await covers(page).first().waitFor()
          expect(await topOf(page), `${path} as ${view}`).toBeLessThanOrEqual(highest)
          expect(await shiftsOf(page)).toBeLessThan(0.02)
        }
      }
    }
    // The grid of the shelf, whole or in part.
    const inSight = await covers(page).evaluateAll(
      (all) => all.filter((one) => one.getBoundingClientRect().top < innerHeight).length,
    )
    expect(inSight).toBeGreaterThanOrEqual(least)

    await page.goto(`${home}/wishlist`)
    await covers(page).first().waitFor()
    expect(await topOf(page)).toBeLessThanOrEqual(highest)
    await context.addCookies([{ name: 'books-view', value: 'list', url: octavo.url }])
    await page.goto(`${home}/books?sort=title`)
    const height = await page
      .getByRole('main')
      .locator('li')
      .first()
      .evaluate((one) => one.getBoundingClientRect().height)
    expect(height).toBe(row)
    expect(await accessibilityViolations(page)).toEqual([])
  })
})

it('says of a finished book no more than its check and stars, and lays nothing on covers', async () => {
  const { page, shelve, add } = await openReader({ octavo, post }, 'quiet', {
    viewport: { width: 390, height: 844 },
  })
  const shelf = await shelve('Classics')
  for (let n = 0; n < 6; n++)
    await add(shelf, `Volume ${n}`, { status: 'completed', rating: n + 2 })
  await add(shelf, 'Under way', { page_count: 300, progress: 120 })
  await page.goto(`/shelf/${shelf}`)
  const main = page.getByRole('main')
  // Its name says it, and what it opens.
  await main.getByRole('button', { name: 'Volume 0: Completed, page 0. Edit' }).waitFor()
  expect(await main.getByText('Completed', { exact: true }).count()).toBe(0)
  expect(await main.getByRole('button', { name: /^(?:Start|Resume|Finish) Volume/ }).count()).toBe(
    0,
  )
  await optionsOf(page).waitFor()

  // A reader who looks at it wants a book beside its cover.
  const { page: guest } = await openReader({ octavo, post }, 'passing', {
    viewport: { width: 390, height: 844 },
  })
  for (const path of [`/shelf/${shelf}`, '/explore?q=frankenstein']) {
    await guest.goto(path)
    await guest
      .getByRole('button', { name: /^Want to read/ })
      .first()
      .waitFor()
    const laidOn = await guest.evaluate(() => {
      const pressed = [...document.querySelectorAll('main article button')]
      const seen = [...document.querySelectorAll('main article .aspect-2\\/3')]
      const boxes = seen.map((cover) => cover.getBoundingClientRect())
      return pressed.filter((button) => {
        const { left, right, top, bottom } = button.getBoundingClientRect()
        return boxes.some(
          (box) => left < box.right && right > box.left && top < box.bottom && bottom > box.top,
        )
      }).length
    })
    expect(laidOn, path).toBe(0)
  }
})

it('finds the search of a phone behind its sign, and covers the header only while it is used', async () => {
  const { page, home, shelve, add } = await openReader({ octavo, post }, 'seeker', {
    viewport: { width: 390, height: 844 },
  })
  const shelf = await shelve('Classics')
  await add(shelf, 'Emma')
  await page.goto(`${home}/books`)
  const field = page.getByRole('searchbox', { name: 'Search my books' })
  const width = async () => (await field.boundingBox())?.width
  expect(await width()).toBe(44)
  await field.click()
  await expect.poll(width).toBeGreaterThan(300)
  await page.keyboard.type('emma')
  await page.waitForURL(/q=emma/)
  await page.keyboard.press('Tab')
  expect(await width()).toBeGreaterThan(300)
  await field.fill('')
  await page.keyboard.press('Tab')
  await expect.poll(width).toBe(44)
  // With what its form keeps of the address.
  await page.goto(`${home}/books?sort=title`)
  expect(await width()).toBe(44)
})

it('says how many of the own books have each status, and nothing of another reader’s', async () => {
  const { page, home, shelve, add } = await openReader({ octavo, post }, 'counting')
  const shelf = await shelve('Classics')
  await add(shelf, 'Emma', { status: 'completed' })
  await add(shelf, 'Middlemarch', { status: 'completed' })
  await add(shelf, 'Walden', { status: 'reading' })
  await page.goto(`${home}/books`)
  const chip = (name: string) => page.getByRole('button', { name, exact: true })
  await chip('All 3').waitFor()
  await chip('Completed 2').waitFor()
  await chip('Dropped 0').waitFor()
  // A change elsewhere is counted here, too.
  await add(shelf, 'Persuasion', { status: 'completed' })
  await chip('Completed 3').waitFor()
  await chip('Completed 3').click()
  await page.waitForURL(/status=completed/)
  await chip('All 4').waitFor()

  // What else they are chosen by has other numbers.
  await page.goto(`${home}/books?author=quill`)
  await chip('Completed').waitFor()

  const { page: guest } = await openReader({ octavo, post }, 'uncounted')
  await guest.goto(`${home}/books`)
  await guest.getByRole('button', { name: 'Completed', exact: true }).waitFor()
  expect(await guest.getByRole('button', { name: /^(?:All|Completed) \d/ }).count()).toBe(0)
})

it('keeps the sizes of what is used daily', async () => {
  const { page, home, shelve, add } = await openReader({ octavo, post }, 'measuring', {
    viewport: { width: 1440, height: 900 },
  })
  const emma = { isbn: '9780141439587', page_count: 474, progress: 20 }
  await add(await shelve('Classics'), 'Emma', emma)
  const heightOf = (card: Locator) => card.evaluate((one) => one.getBoundingClientRect().height)
  await page.goto(home)
  const card = page.getByRole('region', { name: 'Reading now' }).getByRole('listitem').first()
  expect(await heightOf(card)).toBe(132)
  expect(await heightOf(page.locator('main ol > li').first())).toBe(64)

  const { page: phone, home: phoneHome } = await openReader({ octavo, post }, 'thumbing', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await phone.goto('/book/emma-9780141439587')
  await phone.getByRole('button', { name: 'Want to read' }).first().tap()
  const stars = phone.getByRole('slider', { name: 'Rate Emma' })
  expect((await stars.boundingBox())?.width).toBeGreaterThanOrEqual(5 * 44)
  const tops = ['Write a review', 'Log a reading', 'Add a quote'].map(async (name) => {
    const button = phone.getByRole('button', { name })
    await button.waitFor()
    return (await button.boundingBox())?.y
  })
  expect(new Set(await Promise.all(tops)).size).toBe(1)

  // One line, beside the shelves' search and menus.
  await phone.goto(`${phoneHome}/shelves`)
  const heading = phone.getByRole('heading', { level: 1 })
  expect((await heading.boundingBox())?.height).toBeLessThan(48)
  await phone.getByRole('button', { name: 'Manage' }).tap()
  await phone.getByRole('menuitem', { name: 'New Shelf' }).waitFor()
})

it.each(['en', 'de'])('keeps what a book takes in one line on a phone: %s', async (locale) => {
  const { page, home, shelve, add } = await openReader({ octavo, post }, `short-${locale}`, {
    viewport: { width: 390, height: 844 },
    locale,
  })
  const emma = { isbn: '9780141439587', page_count: 474, progress: 120 }
  await add(await shelve('Classics'), 'Emma', emma)
  await page.goto(home)
  const card = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('slider') })
    .first()
  expect((await card.boundingBox())?.height).toBe(132)
})
