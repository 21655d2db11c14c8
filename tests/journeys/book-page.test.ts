import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityViolations, openVisitor, untilHydrated } from '#tests/browser.ts'
import { shiftsOf, watchShifts } from '#tests/layout-shift.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { chooseOption, optionsOf } from '#tests/options.ts'
import { openReader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo()

const emma = { path: '/book/emma-9780141439587', isbn: '9780141439587', page_count: 474 }
const description = /^Clever, rich and sure of her own judgement/

/** How far down the description begins at most; pixels. */
const screens = [
  { name: 'phone', viewport: { width: 390, height: 844 }, highest: 700 },
  { name: 'desktop', viewport: { width: 1440, height: 900 }, highest: 300 },
] as const

const mine = (page: Page) => page.getByRole('region', { name: 'On your shelves' })
const topOfDescription = (page: Page) =>
  page.getByText(description).evaluate((text) => text.getBoundingClientRect().top)

describe.each(screens)('on a $name', ({ name, viewport, highest }) => {
  it('begins with the book: its description is on the first screen, its page is shown once', async () => {
    const reader = await openReader({ octavo, post }, `opens-${name}`, { viewport })
    const { page, shelve, add, call } = reader
    await watchShifts(page)
    await page.goto(emma.path)
    await page.getByRole('button', { name: 'Want to read', exact: true }).waitFor()
    expect(await topOfDescription(page)).toBeLessThanOrEqual(highest)
    expect(await optionsOf(page).count()).toBe(0)

    const book = { isbn: emma.isbn, page_count: emma.page_count, progress: 142 }
    const id = await add(await shelve('Bedside table'), 'Emma', book)
    await add(await shelve('Austen'), 'Emma', book)
    for (const status of ['planning', 'completed', 'paused', 'dropped', 'reading']) {
      await call('PATCH', `user_books/records/${id}`, { status, progress: 142 })
      await page.goto(emma.path)
      await mine(page).getByRole('slider', { name: 'Rate Emma' }).waitFor()
      await page.getByRole('heading', { name: 'Your notes' }).waitFor()
      expect(await topOfDescription(page), status).toBeLessThanOrEqual(highest)
      expect(await accessibilityViolations(page), status).toEqual([])
      expect(await shiftsOf(page), status).toBeLessThan(0.02)
    }
    expect(await mine(page).getByRole('link').allTextContents()).toEqual([
      'Bedside table',
      'Austen',
    ])
    expect(await page.getByLabel('Page of Emma').inputValue()).toBe('142')
    const main = page.getByRole('main')
    expect(await main.getByText('142').count()).toBe(0)
    expect(await main.getByRole('button', { name: '142' }).count()).toBe(0)
    expect(await main.getByRole('textbox').count()).toBe(1)
  })
})

it('keeps the keyboard in the panel when what was pressed goes', async () => {
  const { page } = await openReader({ octavo, post }, 'presser')
  await page.goto(emma.path)
  const want = page.getByRole('button', { name: 'Want to read', exact: true })
  await untilHydrated(want)
  const hasFocus = async (name: string) => {
    const button = mine(page).getByRole('button', { name, exact: true })
    await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true)
  }
  await want.press('Enter')
  await hasFocus('Emma: Want to read. Edit')
  await page.getByRole('button', { name: 'Start reading Emma' }).press('Enter')
  await hasFocus('Emma: Reading. Edit')
  await page.getByRole('button', { name: 'Finish reading Emma' }).press('Enter')
  await page.getByRole('dialog', { name: 'Finished Emma' }).waitFor()
  await page.keyboard.press('Escape')
  await hasFocus('Emma: Completed. Edit')
})

it('has what is done seldom in the menu of the page, and leads to the visitor’s view without it', async () => {
  const reader = await openReader({ octavo, post }, 'seldom')
  const { context, page, shelve, add } = reader
  await add(await shelve('Bedside table'), 'Emma', { isbn: emma.isbn, page_count: emma.page_count })
  await page.goto(emma.path)
  await untilHydrated(optionsOf(page))
  await chooseOption(page, 'View Offers')
  await page.getByRole('dialog', { name: 'Offers' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await chooseOption(page, 'View as visitor')
  await page.waitForURL('**/book/**as=visitor')

  const plain = await openVisitor(octavo.url, { javaScriptEnabled: false })
  await plain.context.addCookies(await context.cookies())
  await plain.page.goto(emma.path)
  await mine(plain.page).getByText('Reading').first().waitFor()
  await plain.page.getByRole('link', { name: 'View as visitor' }).click()
  await plain.page.getByRole('link', { name: 'Add to shelf' }).waitFor()
  expect(new URL(plain.page.url()).search).toBe('?as=visitor')
})
