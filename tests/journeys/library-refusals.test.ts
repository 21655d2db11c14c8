import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { accessibilityViolations } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
const desktop = { viewport: { width: 1280, height: 800 } }

const { octavo, post } = await openOctavo()

const open = (name: string, options: object) => openReader({ octavo, post }, name, options)

/** Changes what the page sends before it arrives, as a page of an older Octavo would have sent it. */
async function sendInstead(page: Page, collection: string, change: object): Promise<void> {
  await page.route(`**/api/collections/${collection}/records**`, (route) => {
    const request = route.request()
    if (!['POST', 'PATCH'].includes(request.method())) return route.continue()
    const body = { ...(request.postDataJSON() as object), ...change }
    return route.continue({ postData: JSON.stringify(body) })
  })
}

/** What no field of the editor lets through, with what the server says of it. */
const refusals: [change: object, sentence: string][] = [
  [{ rating: -1 }, 'Rating must be at least 0.'],
  [{ rating: 10.5 }, 'Rating must be at most 10.'],
  [{ status: 'lost' }, 'Status must be one of: completed, reading, paused, dropped, or planning.'],
  [{ title: ' ' }, 'Title is required and cannot be empty.'],
  [{ authors: ['Jane Austen', ''] }, 'Must not contain empty values.'],
  [{ genres: [''] }, 'Must not contain empty values.'],
  [{ images: [''] }, 'Must not contain empty values.'],
  [{ isbn: '123' }, 'ISBN must be a valid 10 or 13-digit number.'],
  [{ page_count: -1 }, 'Page count must be greater than or equal to 0.'],
  [{ progress: -1 }, 'Progress must be greater than or equal to 0.'],
  [{ progress: 475 }, 'Progress cannot exceed the total page count.'],
  [{ shelf: '' }, 'Shelf is required.'],
]

describe('on a phone', () => {
  it('shows at its field what the server refuses of a book, and keeps what was typed', async () => {
    const { page, home, shelve, add, books, allow } = await open('refused', phone)
    allow(/status of 400/)
    await add(await shelve('Winter evenings'), 'Emma', { page_count: 474, progress: 12 })
    await page.goto(`${home}/books`)
    await page.getByRole('button', { name: /^Emma: Reading, page 12/ }).click()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByLabel('Page', { exact: true })
    await field.fill('120')
    for (const [change, sentence] of refusals) {
      await sendInstead(page, 'user_books', change)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText(sentence, { exact: true }).first().waitFor()
      expect(await field.inputValue(), sentence).toBe('120')
      await page.unrouteAll()
    }
    expect(await accessibilityViolations(page)).toEqual([])
    expect((await books())[0]).toMatchObject({ title: 'Emma', progress: 12, page_count: 474 })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: /^Emma: Reading, page 120/ }).waitFor()
  })

  it('shows at its field what the server refuses of a shelf', async () => {
    const { page, home, allow } = await open('shelf-refused', phone)
    allow(/status of 400/)
    await page.goto(`${home}/shelves`)
    await page.getByRole('button', { name: 'New Shelf' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Winter evenings')
    for (const [change, sentence] of [
      [{ visibility: 'secret' }, "Visibility must be either 'public' or 'private'."],
      [{ name: 'abc' }, 'Name must be at least 4 characters long.'],
      [{ name: 'a'.repeat(101) }, 'Name cannot exceed 100 characters.'],
    ] as const) {
      await sendInstead(page, 'bookshelves', change)
      await dialog.getByRole('button', { name: 'Create' }).click()
      await dialog.getByText(sentence, { exact: true }).waitFor()
      await page.unrouteAll()
    }
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Winter evenings')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('link', { name: 'Winter evenings' }).waitFor()
  })

  it('says above a sheet what went wrong in it', async () => {
    const { page, home, shelve, add, books, allow } = await open('over-it', phone)
    allow(/status of 500/)
    await add(await shelve('Winter evenings'), 'Emma', { page_count: 474, progress: 12 })
    await page.goto(`${home}/books`)
    await page.route('**/api/collections/user_books/records/**', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 500, json: {} })
        : route.continue(),
    )
    await page.getByRole('button', { name: /^Emma: Reading, page 12/ }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    const question = page.getByRole('alertdialog')
    const message = page.locator('[data-sonner-toaster][data-y-position=top] [data-sonner-toast]')
    const box = message.waitFor().then(() => message.boundingBox())
    const remove = question.getByRole('button', { name: 'Remove book' })
    await remove.click()
    const { y = 0, height = 0 } = (await box) ?? {}
    expect(y + height).toBeLessThan((await remove.boundingBox())?.y ?? 0)
    expect(await books()).toHaveLength(1)
  })

  it('keeps a form that is half filled in when the connection is lost', async () => {
    const { page, context, home, shelve, books, allow } = await open('cut-off', phone)
    allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
    await shelve('Winter evenings')
    await page.goto(`${home}/books`)
    await page.getByRole('button', { name: 'Add Book' }).click()
    await page.getByRole('menuitem', { name: 'By hand' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Title', { exact: true }).fill('A letter from the sea')
    await form.getByRole('button', { name: 'Next' }).click()
    await form.getByLabel('Shelf').selectOption('Winter evenings')
    await context.setOffline(true)
    const put = form.getByRole('button', { name: 'Add', exact: true })
    await put.click()
    await page.getByText('Octavo cannot be reached.', { exact: false }).first().waitFor()
    expect(await form.getByLabel('Shelf').locator('option:checked').innerText()).toBe(
      'Winter evenings',
    )
    await context.setOffline(false)
    await put.click()
    await page.getByText('Added A letter from the sea to Winter evenings').waitFor()
    expect((await books()).map(({ title }) => title)).toEqual(['A letter from the sea'])
  })
})

describe('on a desktop', () => {
  it('says that something went wrong when an answer says nothing', async () => {
    const { page, home, shelve, add, books, allow } = await open('speechless', desktop)
    allow(/status of 500/)
    await add(await shelve('Winter evenings'), 'Emma', { page_count: 474, progress: 12 })
    await page.goto(`${home}/books`)
    await page.route('**/api/collections/user_books/records/**', (route) =>
      route.fulfill({ status: 500, json: {} }),
    )
    await page.getByRole('button', { name: /^Finish Emma/ }).click()
    await page.getByText('Something went wrong.', { exact: false }).first().waitFor()
    // What was shown at once is taken back.
    await page.getByRole('button', { name: /^Emma: Reading, page 12/ }).waitFor()
    expect((await books())[0]).toMatchObject({ status: 'reading', progress: 12 })
  })

  it('comes back to the books as they were filtered', async () => {
    const { page, home, shelve, add } = await open('returning', desktop)
    const shelf = await shelve('Winter evenings')
    await add(shelf, 'Pride and Prejudice', { isbn: '9780141439518', authors: ['Jane Austen'] })
    await add(shelf, 'Emma of Hartfield', { authors: ['Somebody Else'] })
    await page.goto(`${home}/books`)
    const titles = () => page.getByRole('heading', { level: 3 }).allInnerTexts()
    await page.getByRole('group').filter({ hasText: 'Filters' }).first().locator('summary').click()
    await page.getByLabel('Author', { exact: true }).fill('austen')
    await expect.poll(titles, { timeout: 15_000 }).toEqual(['Pride and Prejudice'])
    await page.waitForURL(/author=austen/)
    const row = page.getByRole('heading', { level: 3 })
    await row.getByRole('link', { name: 'Pride and Prejudice', exact: true }).click()
    await page.getByRole('heading', { name: 'Pride and Prejudice', level: 1 }).waitFor()
    await page.goBack()
    await page.waitForURL(/author=austen/)
    await expect.poll(titles, { timeout: 15_000 }).toEqual(['Pride and Prejudice'])
  })

  it('puts a shelf in any of six orders, and keeps it in the address', async () => {
    const { page, shelve, add } = await open('sorter', desktop)
    const shelf = await shelve('Winter evenings')
    await add(shelf, 'Persuasion', { rating: 4 })
    await add(shelf, 'Emma', { rating: 9 })
    await add(shelf, '雪国', { rating: 6.5 })
    await page.goto(`/shelf/${shelf}`)
    const titles = () => page.getByRole('article').getByRole('heading').allInnerTexts()
    await expect.poll(titles).toEqual(['Emma', 'Persuasion', '雪国'])
    const orders: [string, string[]][] = [
      ['Z-A', ['雪国', 'Persuasion', 'Emma']],
      ['Highest', ['Emma', '雪国', 'Persuasion']],
      ['Lowest', ['Persuasion', '雪国', 'Emma']],
      ['Recently Added', ['雪国', 'Emma', 'Persuasion']],
      ['Oldest Added', ['Persuasion', 'Emma', '雪国']],
    ]
    for (const [name, order] of orders) {
      await page.getByRole('combobox', { name: 'Sort' }).selectOption(name)
      await expect.poll(titles, { timeout: 15_000 }).toEqual(order)
    }
    expect(new URL(page.url()).searchParams.get('sort')).toBe('created')
    await page.reload()
    await expect.poll(titles).toEqual(['Persuasion', 'Emma', '雪国'])
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('combobox', { name: 'Sort' }).selectOption('A-Z')
    await expect.poll(titles, { timeout: 15_000 }).toEqual(['Emma', 'Persuasion', '雪国'])
    expect(new URL(page.url()).searchParams.get('sort')).toBeNull()
  })

  it('takes one picture, not several dropped at once', async () => {
    const { page, home } = await open('dropper', desktop)
    await page.goto(`${home}/books`)
    await page.getByRole('button', { name: 'Add Book' }).click()
    await page.getByRole('menuitem', { name: 'By hand' }).click()
    const chooser = page.getByRole('dialog').getByText('Choose file')
    await chooser.evaluate((element) => {
      const dataTransfer = new DataTransfer()
      for (const name of ['one.png', 'two.png'])
        dataTransfer.items.add(new File(['a'], name, { type: 'image/png' }))
      element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }))
    })
    await page.getByText('Too many files').waitFor()
    expect(await page.getByRole('button', { name: 'Remove upload' }).count()).toBe(0)
  })
})
