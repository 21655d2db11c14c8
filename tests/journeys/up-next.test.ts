import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityViolations } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const { octavo, post } = await openOctavo()

async function open(name: string, options: object = {}) {
  const reader = await openReader({ octavo, post }, name, options)
  const shelf = await reader.shelve('Next')
  for (const title of ['Emma', 'Dracula', 'Ulysses', 'Middlemarch'])
    await reader.add(shelf, title, { status: 'planning' })
  await reader.page.goto('/explore')
  await reader.page.getByRole('button', { name: 'Change the order of Up next' }).click()
  const dialog = reader.page.getByRole('dialog', { name: 'Up next' })
  const rows = dialog.getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(4)
  return {
    ...reader,
    dialog,
    rows,
    handle: (title: string) => dialog.getByRole('button', { name: `Move ${title}`, exact: true }),
    titles: async () =>
      (await rows.locator('bdi').allInnerTexts()).map((text) => text.trim()).filter(Boolean),
    /** As the server has them. */
    saved: async () =>
      (
        (
          await reader.call(
            'GET',
            `user_books/records?sort=-position,-created,id&filter=${encodeURIComponent(`user = "${reader.id}"`)}`,
          )
        )['items'] as { title: string }[]
      ).map(({ title }) => title),
  }
}

const middle = async (row: Locator) => {
  const box = await row.boundingBox()
  if (!box) throw new Error('not in sight')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** A hand is slower than two frames, in which a lifted row and its neighbours are measured. */
const drawn = (page: Page) =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )

/** Carries what is under the pointer to a row, in steps as a hand does. */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await middle(from), await middle(to)]
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x, start.y + Math.sign(end.y - start.y))
  await drawn(page)
  await page.mouse.move(start.x, end.y, { steps: 6 })
  await drawn(page)
  await page.mouse.up()
}

/** The same with a finger, which playwright has no call for. */
async function swipe(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await middle(from), await middle(to)]
  const client = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    client.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: y === undefined ? [] : [{ x: start.x, y }],
    })
  await touch('touchStart', start.y)
  for (let n = 1; n <= 6; n++) {
    await touch('touchMove', start.y + ((end.y - start.y) * n) / 6)
    await drawn(page)
  }
  await touch('touchEnd')
}

// 8 s: each drag is drawn step by step.
it('puts what is next in order with the mouse, and takes it back', async () => {
  const { page, dialog, rows, handle, titles, saved } = await open('mouse')
  expect(await titles()).toEqual(['Middlemarch', 'Ulysses', 'Dracula', 'Emma'])
  expect(await accessibilityViolations(page)).toEqual([])

  await drag(page, handle('Emma'), rows.nth(1))
  const moved = ['Middlemarch', 'Emma', 'Ulysses', 'Dracula']
  await expect.poll(titles).toEqual(moved)
  await expect.poll(saved).toEqual(moved)
  await dialog.getByRole('button', { name: 'Undo' }).click()
  const before = ['Middlemarch', 'Ulysses', 'Dracula', 'Emma']
  await expect.poll(titles).toEqual(before)
  await expect.poll(saved).toEqual(before)

  await dialog.getByRole('button', { name: 'Move Dracula to the top' }).click()
  await expect.poll(saved).toEqual(['Dracula', 'Middlemarch', 'Ulysses', 'Emma'])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const strip = page.getByRole('region', { name: 'Up next' }).getByRole('heading', { level: 3 })
  // A cover that is drawn has the title, too.
  await expect
    .poll(async () => (await strip.allInnerTexts()).map((text) => text.split('\n')[0]))
    .toEqual(['Dracula', 'Middlemarch', 'Ulysses', 'Emma'])
})

it('puts it in order by keyboard, and says where a book is', async () => {
  const { page, dialog, handle, titles, saved } = await open('keys')
  const said = () => dialog.getByRole('status').innerText()
  await handle('Ulysses').focus()
  await page.keyboard.press('Space')
  await expect.poll(said).toBe('Ulysses lifted from position 2 of 4.')
  await drawn(page)
  await page.keyboard.press('ArrowDown')
  await expect.poll(said).toBe('Ulysses, position 3 of 4.')
  expect(await accessibilityViolations(page)).toEqual([])
  // It takes the book back, and leaves the dialog open.
  await page.keyboard.press('Escape')
  await expect.poll(said).toBe('Ulysses is back at position 2 of 4.')
  expect(await titles()).toEqual(['Middlemarch', 'Ulysses', 'Dracula', 'Emma'])

  await page.keyboard.press('Space')
  await expect.poll(said).toBe('Ulysses lifted from position 2 of 4.')
  await drawn(page)
  await page.keyboard.press('ArrowUp')
  await expect.poll(said).toBe('Ulysses, position 1 of 4.')
  await page.keyboard.press('Space')
  await expect.poll(said).toBe('Ulysses dropped at position 1 of 4.')
  const moved = ['Ulysses', 'Middlemarch', 'Dracula', 'Emma']
  await expect.poll(titles).toEqual(moved)
  await expect.poll(saved).toEqual(moved)
  // The keyboard goes on from the book.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Move Ulysses')
})

it('puts it in order with a finger', async () => {
  const { page, rows, handle, titles, saved } = await open('finger', phone)
  await swipe(page, handle('Middlemarch'), rows.nth(2))
  const moved = ['Ulysses', 'Dracula', 'Middlemarch', 'Emma']
  await expect.poll(titles).toEqual(moved)
  await expect.poll(saved).toEqual(moved)
  expect(await accessibilityViolations(page)).toEqual([])
})

it('puts a book back that the server would not move', async () => {
  const { page, rows, handle, titles, saved, allow } = await open('refused')
  allow(/Failed to load resource/)
  await page.route('**/library/order', (route) => route.abort())
  await drag(page, handle('Emma'), rows.nth(0))
  await page.getByText('Octavo cannot be reached.').waitFor()
  const before = ['Middlemarch', 'Ulysses', 'Dracula', 'Emma']
  await expect.poll(titles).toEqual(before)
  expect(await saved()).toEqual(before)
})
