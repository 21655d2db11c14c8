import type { Page, Request } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityViolations, untilHydrated } from '#tests/browser.ts'
import { shiftsOf, watchShifts } from '#tests/layout-shift.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader, type Reader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo()
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

const sheetOf = (page: Page, title: string) =>
  page.getByRole('dialog', { name: `Finished ${title}` })

async function readings({ call, id }: Reader): Promise<unknown[]> {
  const filter = encodeURIComponent(`user = "${id}"`)
  const { items } = await call('GET', `readings/records?sort=created&filter=${filter}`)
  return (items as Record<string, unknown>[]).map(({ title, finished, outcome }) => [
    title,
    finished,
    outcome,
  ])
}

/** @returns a day in the browser's time zone, so many days ago */
const dayBefore = (page: Page, days: number) =>
  page.evaluate((count) => {
    const day = new Date()
    day.setDate(day.getDate() - count)
    return day.toLocaleDateString('sv')
  }, days)

for (const place of ['/explore', 'the books', 'the shelf', '/book/emma-9780141439587'])
  it(`asks of a finished book when that was and what it was like: ${place}`, async () => {
    const name = `asked-${place.replaceAll(/\W/g, '').slice(0, 8)}`
    const reader = await openReader({ octavo, post }, name, phone)
    const { page, add, shelve, books, home } = reader
    const shelf = await shelve('Bedside table')
    await add(shelf, 'Emma', { isbn: '9780141439587', page_count: 474, progress: 90 })
    const paths: Record<string, string> = {
      'the books': `${home}/books`,
      'the shelf': `/shelf/${shelf}`,
    }
    await page.goto(paths[place] ?? place)
    const finish = page.getByRole('button', { name: /^Finish (?:reading )?Emma$/ })
    await untilHydrated(finish)
    await finish.tap()
    const sheet = sheetOf(page, 'Emma')
    await sheet.getByText('1 day · 474 pages').waitFor()
    expect(await readings(reader)).toEqual([['Emma', await dayBefore(page, 0), 'finished']])
    await sheet.getByRole('radio', { name: 'Yesterday' }).tap()
    await expect
      .poll(() => readings(reader))
      .toEqual([['Emma', await dayBefore(page, 1), 'finished']])
    await sheet.getByLabel('A line for other readers').tap()
    await page.keyboard.type('Better than I remembered.')
    await sheet.getByRole('button', { name: 'Done' }).tap()
    await sheet.waitFor({ state: 'hidden' })
    expect(await books()).toMatchObject([
      { status: 'completed', review: 'Better than I remembered.', progress: 474 },
    ])
  })

/** @returns the requests of the records and the API that have no answer yet */
function watchRequests(page: Page): ReadonlySet<Request> {
  const open = new Set<Request>()
  page.on('request', (request) => {
    if (/\/api\/(?!realtime)/.test(request.url())) open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return open
}

for (const [place, path] of [
  ['the home', '/explore'],
  ['the books', '/u/steady-books/books'],
] as const)
  it(`moves nothing behind the sheet, nor when the finish is taken back: ${place}`, async () => {
    const name = path.split('/')[2] ?? 'steady-home'
    const reader = await openReader({ octavo, post }, name, phone)
    const { page, add, shelve } = reader
    const shelf = await shelve('Bedside table')
    await add(shelf, 'Frankenstein', { status: 'completed', rating: 4 })
    await add(shelf, 'Persuasion', { page_count: 250, progress: 90 })
    await add(shelf, 'Emma', { page_count: 474, progress: 90 })
    await watchShifts(page)
    const open = watchRequests(page)
    await page.goto(path)
    const finish = page.getByRole('button', { name: /^Finish (?:reading )?Emma$/ })
    await untilHydrated(finish)
    await expect.poll(() => open.size).toBe(0)
    const before = await shiftsOf(page)
    // Answers come too late for anybody to expect that they move something.
    await page.route('**/api/collections/user_books/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700))
      await route.continue()
    })
    const settled = async () => {
      await expect.poll(() => open.size, { timeout: 10_000 }).toBe(0)
      const frames = () =>
        new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
      await page.evaluate(frames)
      return (await shiftsOf(page)) - before
    }
    await finish.tap()
    const sheet = sheetOf(page, 'Emma')
    await sheet.getByText('1 day · 474 pages').waitFor()
    expect(await settled()).toBe(0)
    await sheet.getByRole('button', { name: 'Undo' }).tap()
    await sheet.waitFor({ state: 'hidden' })
    await finish.waitFor()
    // Its own button moves beside a shorter page number.
    expect(await settled()).toBeLessThan(0.001)

    await finish.tap()
    await sheet.getByText('1 day · 474 pages').waitFor()
    await settled()
    await sheet.getByRole('button', { name: 'Done' }).tap()
    await page
      .getByRole('button', { name: /^Finish (?:reading )?Emma$/ })
      .waitFor({ state: 'detached' })
    expect(await settled()).toBeLessThan(0.001)
  })

it('knows which day yesterday was where the clock of the device is three days ahead', async () => {
  const reader = await openReader({ octavo, post }, 'ahead', phone)
  const { page, add, shelve, home } = reader
  await add(await shelve('Bedside table'), 'Emma', { page_count: 474, progress: 90 })
  const yesterday = await dayBefore(page, 1)
  await page.clock.install({ time: Date.now() + 3 * 86_400_000 })
  const renewed = page.waitForResponse(/auth-refresh/)
  await page.goto(home)
  await (await renewed).finished()
  const finish = page.getByRole('button', { name: 'Finish reading Emma' })
  await untilHydrated(finish)
  await finish.tap()
  await sheetOf(page, 'Emma').getByRole('radio', { name: 'Yesterday' }).tap()
  await expect.poll(() => readings(reader)).toEqual([['Emma', yesterday, 'finished']])
})

it('takes the day as far as it is known, and nothing that is no day', async () => {
  const reader = await openReader({ octavo, post }, 'long-ago', phone)
  const { page, add, shelve, home, allow } = reader
  allow(/status of 400/)
  const shelf = await shelve('Bedside table')
  await add(shelf, 'Emma', { page_count: 474 })
  await add(shelf, 'Persuasion', { page_count: 250 })
  await page.goto(`${home}/books`)
  await page.getByRole('button', { name: 'Finish Emma' }).tap()
  const sheet = sheetOf(page, 'Emma')
  await sheet.getByRole('radio', { name: 'Another day' }).tap()
  expect(await accessibilityViolations(page)).toEqual([])
  await sheet.getByLabel('Finished: day').fill('31')
  await sheet.getByLabel('Finished: year').fill('2009')
  await sheet.getByRole('button', { name: 'Done' }).tap()
  await sheet.getByText('Enter a year, a month and year, or a full date.').waitFor()
  await sheet.getByLabel('Finished: day').fill('')
  await sheet.getByLabel('Finished: year').fill('2999')
  await sheet.getByRole('button', { name: 'Done' }).tap()
  await sheet.getByText('is in the future').waitFor()
  await sheet.getByLabel('Finished: year').fill('2009')
  await sheet.getByRole('button', { name: 'Done' }).tap()
  await sheet.waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: 'Finish Persuasion' }).tap()
  const other = sheetOf(page, 'Persuasion')
  await other.getByRole('radio', { name: 'Not sure' }).tap()
  await expect
    .poll(() => readings(reader))
    .toEqual([
      ['Emma', '2009', 'finished'],
      ['Persuasion', '', 'finished'],
    ])
  await other.getByRole('button', { name: 'Undo' }).tap()
  await page.getByRole('button', { name: 'Finish Persuasion' }).waitFor()
  await expect
    .poll(async () => (await readings(reader)).at(-1))
    .toEqual(['Persuasion', '', 'reading'])
})

it('keeps a review that could not be saved', async () => {
  const { page, add, shelve, home, books, allow } = await openReader({ octavo, post }, 'unlucky')
  allow(/status of 500/)
  await add(await shelve('Bedside table'), 'Emma', { page_count: 474 })
  await page.goto(`${home}/books`)
  await page.getByRole('button', { name: 'Finish Emma' }).click()
  const sheet = sheetOf(page, 'Emma')
  await sheet.getByRole('button', { name: 'More room to write' }).click()
  await sheet.getByLabel('A line for other readers').fill('One.\n\nTwo.')
  await sheet.getByRole('checkbox', { name: 'The review has spoilers' }).click()
  await page.route('**/api/collections/user_books/records/**', (route) =>
    route.fulfill({ status: 500, json: {} }),
  )
  await page.keyboard.press('Escape')
  await sheet.getByText('Something went wrong.', { exact: false }).waitFor()
  await page.unrouteAll()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'hidden' })
  expect(await books()).toMatchObject([{ review: 'One.\n\nTwo.', review_spoilers: true }])
})

it('goes on with the series before the queue, also with a book that isn’t on a shelf', async () => {
  const reader = await openReader({ octavo, post }, 'goes-on', phone)
  const { page, add, shelve, books } = reader
  const shelf = await shelve('Bedside table')
  await add(shelf, 'Emma', { status: 'planning' })
  await add(shelf, 'The Hunger Games', { isbn: '9780439023481', page_count: 374 })
  await page.goto('/explore')
  await page.getByRole('button', { name: 'Finish reading The Hunger Games' }).tap()
  const sheet = sheetOf(page, 'The Hunger Games')
  await sheet.getByText('Next: book 2').waitFor()
  await sheet.getByRole('button', { name: 'Start reading Catching Fire' }).tap()
  await page.getByText('Started Catching Fire').waitFor()
  await sheet.waitFor({ state: 'hidden' })
  expect((await books())[0]).toMatchObject({ title: 'Catching Fire', status: 'reading', shelf })
})

it('shares a picture of the year that the book was finished in', async () => {
  const reader = await openReader({ octavo, post }, 'sharing', phone)
  const { page, add, shelve } = reader
  await add(await shelve('Bedside table'), 'Emma', { page_count: 474 })
  await page.addInitScript(() => {
    const share = ({ files }: ShareData) => {
      document.title = (files ?? []).map(({ name, type }) => `${name} ${type}`).join()
      return Promise.resolve()
    }
    Object.assign(navigator, { share, canShare: () => true })
  })
  await page.goto('/explore')
  const finish = page.getByRole('button', { name: /^Finish (?:reading )?Emma$/ })
  await untilHydrated(finish)
  await finish.tap()
  const sheet = sheetOf(page, 'Emma')
  const picture = sheet.getByRole('link', { name: 'Share picture' })
  await picture.tap()
  const [year] = (await dayBefore(page, 0)).split('-')
  await expect.poll(() => page.title()).toBe(`${year}.png image/png`)
  // Without a day it is in no year.
  await sheet.getByRole('radio', { name: 'Not sure' }).tap()
  await picture.waitFor({ state: 'hidden' })
})
