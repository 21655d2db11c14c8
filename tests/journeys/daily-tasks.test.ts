import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityViolations, untilHydrated } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

const { octavo, post } = await openOctavo({ PLAN_DEFAULT: 'free' })

const paper = { authors: ['Mary Shelley'], page_count: 320, progress: 57 }

/** Counts the taps on the page from now on; what is typed is none. */
async function countTaps(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const window = globalThis as unknown as { taps?: number }
    const isCounting = window.taps !== undefined
    window.taps = 0
    if (isCounting) return
    addEventListener('pointerdown', ({ isTrusted }) => (window.taps! += Number(isTrusted)), true)
  })
  return () => page.evaluate(() => (globalThis as unknown as { taps: number }).taps)
}

it('saves the page one is on with one tap on its number, and takes it back', async () => {
  const reader = await openReader({ octavo, post }, 'pages', phone)
  const { page, books, add, shelve } = reader
  const shelf = await shelve('Bedside table')
  await add(shelf, 'Emma', { ...paper, authors: ['Jane Austen'] })
  await add(shelf, 'Frankenstein', paper)
  await add(shelf, 'Loose leaves', { progress_percent: 20 })
  await add(shelf, 'Dracula', { status: 'planning' })
  await page.goto('/explore')
  const strip = page.getByRole('region', { name: 'Reading now' })
  const titles = strip.getByRole('heading', { level: 3 })
  await expect.poll(() => titles.allInnerTexts()).toEqual(['Loose leaves', 'Frankenstein', 'Emma'])
  expect(await accessibilityViolations(page)).toEqual([])

  const taps = await countTaps(page)
  const field = strip.getByLabel('Page of Frankenstein')
  await field.tap()
  await page.keyboard.type('170')
  await page.keyboard.press('Enter')
  await page.getByText('Saved page 170 of Frankenstein').waitFor()
  expect(await taps()).toBeLessThanOrEqual(2)
  const pageOf = async (title: string) =>
    (await books()).find((book) => book['title'] === title)?.['progress']
  expect(await pageOf('Frankenstein')).toBe(170)
  // It stays under the finger; the next visit has it first.
  expect(await titles.allInnerTexts()).toEqual(['Loose leaves', 'Frankenstein', 'Emma'])

  // A step on is saved with it, and one Undo takes both back.
  await strip.getByRole('button', { name: '10 pages on in Frankenstein' }).tap()
  await page.getByText('Saved page 180 of Frankenstein').waitFor()
  await page.getByRole('button', { name: 'Undo' }).tap()
  await expect.poll(() => field.inputValue()).toBe('57')
  await expect.poll(() => pageOf('Frankenstein')).toBe(57)
  // The message gives the focus back when it goes.
  await page.getByText('Saved page 180 of Frankenstein').waitFor({ state: 'detached' })

  // What cannot be stays in its field with the reason.
  await field.tap()
  await page.keyboard.type('321')
  await page.keyboard.press('Enter')
  await strip.getByText('Progress cannot exceed the total page count.').waitFor()
  expect(await field.inputValue()).toBe('321')
  await field.press('Escape')
  expect(await field.inputValue()).toBe('57')

  // Without a length it is counted in percent; the keyboard moves the slider.
  await strip.getByRole('slider', { name: 'Progress of Loose leaves' }).press('ArrowRight')
  await page.getByText('Saved 21% of Loose leaves').waitFor()
  await expect.poll(() => strip.getByLabel('Percent read of Loose leaves').inputValue()).toBe('21')

  // What another device saves is here at once.
  const emma = (await books()).find(({ title }) => title === 'Emma')
  await reader.call('PATCH', `user_books/records/${emma?.id}`, { progress: 99 })
  await expect.poll(() => strip.getByLabel('Page of Emma').inputValue()).toBe('99')

  const next = page.getByRole('region', { name: 'Up next' })
  await next.getByRole('button', { name: 'Start reading Dracula' }).tap()
  await strip.getByLabel('Percent read of Dracula').waitFor()
  await expect.poll(() => next.count()).toBe(0)
  await page.goto(reader.home)
  await expect.poll(() => strip.getByRole('listitem').count()).toBe(4)
  expect(await accessibilityViolations(page)).toEqual([])
})

it('wants a book with one tap on its cover, and shows it as had from then on', async () => {
  const reader = await openReader({ octavo, post }, 'wants', phone)
  const { page, books } = reader
  await page.goto('/explore')
  const card = page.getByRole('article').filter({ hasText: 'Frankenstein' }).first()
  const want = card.getByRole('button', { name: 'Want to read Frankenstein' })
  await want.waitFor()
  const taps = await countTaps(page)
  await want.tap()
  await page.getByText('Added Frankenstein to Want to read').waitFor()
  expect(await taps()).toBe(1)
  const has = card.getByRole('button', { name: /^Frankenstein: Want to read/ })
  await has.waitFor()
  expect(await books()).toMatchObject([{ title: 'Frankenstein', status: 'planning' }])
  expect(await accessibilityViolations(page)).toEqual([])

  const undo = page.getByRole('button', { name: 'Undo' })
  const size = await undo.boundingBox()
  expect(Math.min(size?.width ?? 0, size?.height ?? 0)).toBeGreaterThanOrEqual(44)
  await undo.tap()
  expect(await taps()).toBe(2)
  await want.waitFor()
  expect(await books()).toEqual([])

  // The second time the shelf is there.
  await want.tap()
  await has.tap()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Reading' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await card.getByRole('button', { name: /^Frankenstein: Reading/ }).waitFor()
  const { items } = await reader.call(
    'GET',
    `bookshelves/records?filter=${encodeURIComponent(`user = "${reader.id}"`)}`,
  )
  expect((items as { name: string }[]).map(({ name }) => name)).toEqual(['Want to read'])

  // On somebody else's shelf, too.
  const other = await openReader({ octavo, post }, 'lender', phone)
  const shelf = await other.shelve('Lent to anyone')
  await other.add(shelf, 'Dracula', { isbn: '9780141439846', authors: ['Bram Stoker'] })
  await other.add(shelf, 'Frankenstein', { isbn: String((await books())[0]?.['isbn']) })
  await page.goto(`/shelf/${shelf}`)
  const lent = page.getByRole('article').filter({ hasText: 'Frankenstein' })
  await lent.getByRole('button', { name: /Frankenstein: Reading.* Edit$/ }).waitFor()
  await page.getByRole('button', { name: 'Want to read Dracula' }).tap()
  await page.getByText('Added Dracula to Want to read').waitFor()
})

it('leaves search results under the finger that wants a first book', async () => {
  const { page } = await openReader({ octavo, post }, 'first-want', phone)
  await page.goto('/explore')
  const search = page.getByRole('combobox', { name: 'Search the catalogue' })
  await search.fill('frankenstein')
  await page.waitForURL('**/explore?q=frankenstein')
  const place = () => search.evaluate((box) => box.getBoundingClientRect().top + window.scrollY)
  const want = page.getByRole('button', { name: 'Want to read Frankenstein' }).first()
  await want.waitFor()
  const before = await place()
  await want.tap()
  await page.getByRole('button', { name: /^Frankenstein: Want to read/ }).waitFor()
  await page.getByText('Added Frankenstein to Want to read').waitFor()
  expect(await place()).toBe(before)
  // Without a search it is what comes next.
  await search.fill('')
  await page.getByRole('region', { name: 'Up next' }).waitFor()
})

// 7 s: does everything a reader does in a week.
it('counts the taps of what is done every week', async () => {
  const reader = await openReader({ octavo, post }, 'weekly', phone)
  const { page, books, shelve, add } = reader
  const near = await shelve('Near at hand')
  await add(near, 'Emma', { ...paper, authors: ['Jane Austen'] })
  await page.goto('/explore')
  const dialog = page.getByRole('dialog')

  // A scanned book, by the digits that a camera or a hand scanner reads.
  let taps = await countTaps(page)
  await page.getByRole('button', { name: 'Scan', exact: true }).tap()
  await dialog.waitFor()
  await page.keyboard.type('9780393964585')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Add to shelf' }).tap()
  await page.getByText(/^Added Frankenstein to Near at hand/).waitFor()
  expect(await taps()).toBe(2)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })

  // One's own book.
  taps = await countTaps(page)
  await page.getByRole('button', { name: 'More', exact: true }).tap()
  await page.getByRole('menuitem', { name: 'Find anything' }).tap()
  await page.getByPlaceholder('Your books, readers, pages…').fill('emma')
  const mine = page.getByRole('group', { name: 'My books' })
  await mine.getByRole('option', { name: /^Emma/ }).tap()
  await page.getByRole('dialog', { name: 'Emma' }).waitFor()
  expect(await taps()).toBe(3)

  // From its sheet to another shelf; the system's own list of shelves takes two taps.
  const far = await shelve('Far away')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.goto(`${reader.home}/books`)
  taps = await countTaps(page)
  await page
    .getByRole('button', { name: /^Emma: Reading.* Edit$/ })
    .first()
    .tap()
  await dialog.getByLabel('Shelf').selectOption('Far away')
  await dialog.getByRole('button', { name: 'Save' }).tap()
  const shelfOf = async () => (await books()).find(({ title }) => title === 'Emma')?.['shelf']
  await expect.poll(shelfOf).toBe(far)
  expect(await taps()).toBe(2)
  await dialog.waitFor({ state: 'hidden' })

  // A shelf.
  await page.goto('/explore', { waitUntil: 'networkidle' })
  taps = await countTaps(page)
  const bar = page.getByRole('navigation', { name: 'Quick access' })
  await bar.getByRole('link', { name: 'Profile' }).tap()
  await page.waitForURL(`**${reader.home}`)
  await page.getByRole('main').getByRole('link', { name: 'Shelves', exact: true }).tap()
  await page.getByRole('link', { name: 'Far away' }).tap()
  await page.waitForURL(`**/shelf/${far}`)
  expect(await taps()).toBe(3)
})

it('puts a first book on a shelf without asking for its name', async () => {
  const { page, books } = await openReader({ octavo, post }, 'firsts', phone)
  await page.goto('/explore')
  await page.getByRole('button', { name: 'Add Frankenstein to a shelf' }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).tap()
  await page.getByText('Added Frankenstein to My Books').waitFor()
  expect(await books()).toMatchObject([{ title: 'Frankenstein', status: 'reading' }])
})

it('does what is typed into the palette, and takes it back', async () => {
  const { page, add, shelve, books } = await openReader({ octavo, post }, 'commander')
  const shelf = await shelve('Bedside table')
  await add(shelf, 'Anne of Green Gables', { page_count: 320, progress: 12 })
  await add(shelf, 'Fahrenheit 451', { page_count: 200 })
  const state = async (title: string) => {
    const book = (await books()).find((one) => one['title'] === title)
    return book && [book['status'], book['progress']]
  }
  await page.goto('/pricing')
  const field = page.getByPlaceholder('Your books, readers, pages…')
  const command = async (text: string, row: string) => {
    while (!(await field.isVisible())) {
      await page.keyboard.press('Control+k')
      await field.waitFor({ timeout: 3000 }).catch(() => undefined)
    }
    await field.fill(text)
    await page.getByRole('option', { name: row }).waitFor()
    await page.keyboard.press('Enter')
    await field.waitFor({ state: 'hidden' })
  }
  const undo = () => page.getByRole('button', { name: 'Undo' }).first().click()

  await command('anne 170', 'Save page 170 of Anne of Green Gables')
  await page.getByText('Saved page 170 of Anne of Green Gables').waitFor()
  expect(await state('Anne of Green Gables')).toEqual(['reading', 170])
  await undo()
  await expect.poll(() => state('Anne of Green Gables')).toEqual(['reading', 12])

  await command('finish anne', 'Finish Anne of Green Gables')
  await expect.poll(() => state('Anne of Green Gables')).toEqual(['completed', 320])
  await page.getByText('Finished Anne of Green Gables').waitFor()
  await undo()
  await expect.poll(() => state('Anne of Green Gables')).toEqual(['reading', 12])

  await command('want frankenstein', 'Want to read Frankenstein')
  await page.getByText('Added Frankenstein to Want to read').waitFor()
  expect(await state('Frankenstein')).toEqual(['planning', 0])
  await undo()
  await expect.poll(() => state('Frankenstein')).toBeUndefined()

  // A title is no page.
  await page.keyboard.press('Control+k')
  await field.fill('fahrenheit 451')
  await page.getByRole('option', { name: /^Fahrenheit 451 0 of/ }).waitFor()
  expect(await page.getByRole('option', { name: /^Save page/ }).count()).toBe(0)
})

it('finishes and rates a book with two taps, and starts the next', async () => {
  const { page, books, add, shelve } = await openReader({ octavo, post }, 'finishes', phone)
  const shelf = await shelve('Bedside table')
  await add(shelf, 'Emma', { ...paper, authors: ['Jane Austen'] })
  await add(shelf, 'Dracula', { status: 'planning' })
  await page.goto('/explore')
  const taps = await countTaps(page)
  await page.getByRole('button', { name: 'Finish reading Emma' }).tap()
  const stars = page.getByRole('slider', { name: 'Rate Emma' })
  await stars.waitFor()
  const { width = 0 } = (await stars.boundingBox()) ?? {}
  await stars.tap({ position: { x: width * 0.78, y: 20 } })
  const emma = async () => (await books()).find(({ title }) => title === 'Emma')
  await expect.poll(emma).toMatchObject({ status: 'completed', rating: 8, progress: 320 })
  expect(await taps()).toBe(2)
  expect(await accessibilityViolations(page)).toEqual([])
  await page
    .getByRole('dialog', { name: 'Finished Emma' })
    .getByRole('button', { name: 'Start reading Dracula' })
    .tap()
  expect(await taps()).toBe(3)
  const strip = page.getByRole('region', { name: 'Reading now' })
  await strip.getByLabel('Percent read of Dracula').waitFor()
  await expect.poll(() => strip.getByLabel('Page of Emma').count()).toBe(0)

  // Nothing moves up when the last one is finished, until the page is left.
  const heading = page.getByRole('heading', { name: 'Explore', level: 1 })
  const top = () => heading.evaluate((title) => title.getBoundingClientRect().top + window.scrollY)
  const before = await top()
  await page.getByRole('button', { name: 'Finish reading Dracula' }).tap()
  await page.getByRole('dialog', { name: 'Finished Dracula' }).getByText('Find a book').waitFor()
  await page.keyboard.press('Escape')
  const empty = page.getByRole('region', { name: 'What’s next?' })
  await empty.getByRole('link', { name: 'Find a book' }).waitFor()
  expect(await top()).toBe(before)
  expect(await accessibilityViolations(page)).toEqual([])
  await page.reload()
  await heading.waitFor()
  expect(await empty.count()).toBe(0)
})

it('offers the shelves there are to a long press; a tap needs no room in the plan', async () => {
  const reader = await openReader({ octavo, post }, 'limited', phone)
  const { page, books, shelve, call } = reader
  for (const name of ['First', 'Second', 'Third', 'Fourth', 'Fifth']) await shelve(`${name} shelf`)
  // A press has to begin on a page that is live.
  await page.goto('/explore')
  const dialog = page.getByRole('dialog')
  const want = page.getByRole('button', { name: 'Want to read Frankenstein' })
  await untilHydrated(want)
  await want.scrollIntoViewIfNeeded()
  const box = await want.boundingBox()
  if (!box) throw new Error('The button is not on the page.')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await dialog.getByRole('radio', { name: 'Second shelf' }).waitFor()
  await page.mouse.up()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await books()).toEqual([])

  await want.tap()
  await page.getByText('Added Frankenstein to Want to read').waitFor()
  expect(await books()).toMatchObject([{ title: 'Frankenstein', status: 'planning' }])
  // Known by its kind, whatever its name and the language of the screens.
  const { items } = await call(
    'GET',
    `bookshelves/records?filter=${encodeURIComponent('kind="want"')}`,
  )
  const [shelf] = items as { id: string }[]
  await call('PATCH', `bookshelves/records/${shelf?.id}`, { name: 'Someday' })
  await page.goto('/explore?lang=de')
  await page.getByRole('button', { name: 'Will ich lesen: Dracula' }).tap()
  await page
    .getByText(/Dracula.*Someday/)
    .first()
    .waitFor()
})
