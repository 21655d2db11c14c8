import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityViolations, openVisitor, untilHydrated } from '#tests/browser.ts'
import { messagesOf } from '#tests/messages.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo()
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
const narrow = { viewport: { width: 320, height: 640 } }

async function hasFocus(one: Locator): Promise<void> {
  await expect.poll(() => one.evaluate((element) => element === document.activeElement)).toBe(true)
}

async function press(one: Locator, key = 'Enter'): Promise<void> {
  await one.focus()
  await one.press(key)
}

const enlargeText = (page: Page) =>
  page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })

it('leaves the sheet of a finished book as it is under the pointer', async () => {
  const { page, add, shelve, books } = await openReader({ octavo, post }, 'pointer')
  const shelf = await shelve('Bedside table')
  const title = 'The Assassination of Margaret Thatcher and Other Stories'
  await add(shelf, title, { status: 'planning' })
  await add(shelf, 'Emma', { isbn: '9780141439587', page_count: 474, progress: 90 })
  // What is next comes once the sheet is there.
  const held = Promise.withResolvers<void>()
  await page.goto('/book/emma-9780141439587')
  await page.route(/planning/, async (route) => {
    await held.promise
    await route.continue()
  })
  const finish = page.getByRole('button', { name: 'Finish reading Emma' })
  await untilHydrated(finish)
  await finish.click()
  const sheet = page.getByRole('dialog', { name: 'Finished Emma' })
  const undo = sheet.getByRole('button', { name: 'Undo' })
  await undo.waitFor()
  await sheet.evaluate((box) => Promise.all(box.getAnimations().map(({ finished }) => finished)))
  const before = await undo.boundingBox()
  held.resolve()
  await sheet.getByRole('button', { name: `Start reading ${title}` }).waitFor()
  await sheet.getByText('1 book in').waitFor()
  expect(await undo.boundingBox()).toEqual(before)
  const { x = 0, y = 0, width = 0, height = 0 } = before ?? {}
  await page.mouse.click(x + width / 2, y + height / 2)
  const emma = async () => (await books()).find((book) => book['title'] === 'Emma')
  await expect.poll(emma).toMatchObject({ status: 'reading', progress: 90 })
})

it('keeps the keyboard in its place in the forms of the journal', async () => {
  const { page, add, shelve } = await openReader({ octavo, post }, 'keyboard')
  const emma = { isbn: '9780141439587', status: 'planning' }
  await add(await shelve('Bedside table'), 'Emma', emma)
  await page.goto('/book/emma-9780141439587')
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  const log = button('Log a reading')
  await untilHydrated(log)
  await press(log)
  await hasFocus(page.getByLabel('Outcome'))
  await press(button('Cancel'))
  await hasFocus(log)
  await press(log)
  await page.getByLabel('Finished: day').fill('31')
  await press(button('Save reading'))
  await hasFocus(page.getByLabel('Finished: day'))
  await page.getByLabel('Finished: day').fill('')
  await press(button('Save reading'))
  await hasFocus(log)

  await press(log)
  await press(button('Save reading'))
  await hasFocus(log)
  // Neither has a date: their names are still their own.
  const second = button('Change the reading: Unknown dates (2)')
  await button('Change the reading: Unknown dates (1)').waitFor()
  await press(second)
  await hasFocus(page.getByLabel('Outcome'))
  await page.getByLabel('Finished: year').fill('2009')
  await press(button('Save reading'))
  const dated = button('Change the reading: Finished in 2009')
  await hasFocus(dated)
  await press(dated)
  await press(button('Delete reading'))
  await dated.waitFor({ state: 'detached' })
  await hasFocus(button('Change the reading: Unknown dates'))

  await press(button('Add a quote'))
  await hasFocus(page.getByLabel('Quote', { exact: true }))
  await press(button('Save quote'))
  await hasFocus(page.getByLabel('Quote', { exact: true }))
  await press(button('Cancel'))
  await hasFocus(button('Add a quote'))

  const change = button('Change tags, note and review of Emma')
  await press(change)
  await hasFocus(page.getByLabel('Tags', { exact: true }))
  await page.getByLabel('Private note').fill('Lent to Harriet')
  await press(button('Save changes'))
  await hasFocus(change)
  expect(await accessibilityViolations(page)).toEqual([])
})

it('leads from the email to the password, which the link for a new one follows', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/login')
  const email = page.getByLabel('Email')
  await untilHydrated(email)
  await press(email, 'Tab')
  await hasFocus(page.getByLabel('Password', { exact: true }))
  const label = page.getByText('Password', { exact: true }).first()
  const link = page.getByRole('link', { name: 'Forgot password?' })
  const tops = await Promise.all([label, link].map((one) => one.boundingBox()))
  expect(Math.abs(tops[0]!.y - tops[1]!.y), 'they stand side by side').toBeLessThan(4)
})

it('has a switch for shortcuts of a single key', async () => {
  const { page } = await openVisitor(octavo.url)
  const field = page.getByPlaceholder('Your books, readers, pages…')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.goto('/pricing')
  await untilHydrated(page.getByRole('tab').first())
  await page.keyboard.press('?')
  await keys.getByRole('switch', { name: 'Shortcuts of a single key' }).click()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'hidden' })
  await page.keyboard.press('?')
  await page.keyboard.press('/')
  await page.keyboard.press('Control+k')
  await field.waitFor()
  expect(await keys.count()).toBe(0)
  expect(await field.inputValue()).toBe('')

  await page.reload()
  await untilHydrated(page.getByRole('tab').first())
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await field.fill('shortcuts')
  await page.getByRole('option', { name: 'Keyboard shortcuts' }).click()
  await keys.getByRole('switch').click()
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'hidden' })
  await page.keyboard.press('?')
  await keys.waitFor()
})

it.each([
  ['320 pixels', narrow, false],
  ['text of twice the size', phone, true],
])('shows a whole page number with %s', async (_, options, isEnlarged) => {
  const name = isEnlarged ? 'enlarges' : 'zooms'
  const { page, add, shelve, home } = await openReader({ octavo, post }, name, options)
  await add(await shelve('Bedside table'), 'Emma', { page_count: 1276, progress: 380 })
  await page.goto('/explore')
  if (isEnlarged) await enlargeText(page)
  const strip = page.getByRole('region', { name: 'Reading now' })
  const boxes = await Promise.all(
    [strip.getByLabel('Page of Emma'), strip.getByText('of 1,276'), strip.getByText('+10')].map(
      (one) => one.boundingBox(),
    ),
  )
  const apart = boxes.flatMap((one, at) =>
    boxes.slice(at + 1).map((other) => {
      const beside = one!.x + one!.width <= other!.x || other!.x + other!.width <= one!.x
      return beside || one!.y + one!.height <= other!.y || other!.y + other!.height <= one!.y
    }),
  )
  expect(apart).toEqual([true, true, true])
  const isWhole = (field: Locator) =>
    field.evaluate((one) => one.scrollWidth <= one.clientWidth && one.clientWidth > 40)
  expect(await isWhole(strip.getByLabel('Page of Emma'))).toBe(true)
  expect(await isWhole(strip.getByText('of 1,276'))).toBe(true)

  await page.goto(`${home}/books`)
  if (isEnlarged) await enlargeText(page)
  await page.getByRole('button', { name: /^Emma: / }).click()
  const sheet = page.getByRole('dialog')
  expect(await isWhole(sheet.getByLabel('Page', { exact: true }))).toBe(true)
  expect(await sheet.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
})

it('keeps the offers of a book within a phone’s width with text of twice the size', async () => {
  const { page } = await openVisitor(octavo.url, phone)
  await page.goto('/book/emma-9780141439587')
  await page.getByRole('button', { name: 'View Offers' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('tab').first().waitFor()
  await enlargeText(page)
  const wide = await sheet.evaluate((box) =>
    [...box.querySelectorAll('select, h3, li, [role=tablist]')]
      .filter((one) => one.getBoundingClientRect().right > innerWidth)
      .map((one) => one.tagName),
  )
  expect(wide).toEqual([])
})

it('reads digits of other scripts', async () => {
  const { page, add, shelve, books } = await openReader({ octavo, post }, 'digits')
  await add(await shelve('Bedside table'), 'Emma', { isbn: '9780141439587', page_count: 474 })
  await page.goto('/explore')
  const place = page.getByLabel('Page of Emma')
  await untilHydrated(place)
  for (const [typed, progress] of [
    ['３８１', 381],
    ['٣٨٢', 382],
  ] as const) {
    await place.fill(typed)
    await place.press('Enter')
    await expect.poll(async () => (await books())[0]?.['progress']).toBe(progress)
    // What was typed has given way to what was saved.
    await expect.poll(() => place.inputValue()).toBe(String(progress))
  }
  await page
    .getByRole('combobox', { name: 'Search the catalogue' })
    .fill('９７８０１４１４３９５８７')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('article').count()).toBe(1)

  await page.goto('/book/emma-9780141439587')
  await page.getByRole('button', { name: 'Log a reading' }).click()
  await page.getByLabel('Finished: year').fill('٢٠٠٩')
  expect(await page.getByLabel('Finished: year').inputValue()).toBe('2009')
  // As an input method composes them.
  const pages = page.getByLabel('Length in pages')
  await pages.fill('')
  const input = await page.context().newCDPSession(page)
  for (const text of ['４', '４７'])
    await input.send('Input.imeSetComposition', { text, selectionStart: 2, selectionEnd: 2 })
  await input.send('Input.insertText', { text: '４７' })
  await expect.poll(() => pages.inputValue()).toBe('47')
})

it('has room for what is selected on a phone in Arabic', async () => {
  const reader = await openReader({ octavo, post }, 'many', { ...phone, locale: 'ar' })
  const { page, add, shelve, home } = reader
  const [books, bulk] = [messagesOf('ar', 'books'), messagesOf('ar', 'bulk')]
  const shelf = await shelve('رف الشتاء')
  for (const title of ['الأيام', 'دعاء الكروان']) await add(shelf, title)
  await page.goto(`${home}/books`)
  await page.getByRole('button', { name: books('options') }).click()
  await page.getByRole('menuitem', { name: books('bulkEdit') }).click()
  const count = page.getByRole('region', { name: bulk('bulkEditing') }).getByRole('paragraph')
  await count.waitFor()
  const { height = 99 } = (await count.first().boundingBox()) ?? {}
  expect(height).toBeLessThan(30)
})
