import sharp from 'sharp'
import { expect, it } from 'vitest'
import { accessibilityViolations, openVisitor, untilHydrated } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'
import type { Locator, Page } from 'playwright-core'

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }

const { octavo, post } = await openOctavo()

const reader = (name: string, viewport = desktop) =>
  openReader({ octavo, post }, name, { viewport, hasTouch: viewport === phone })

async function openForm(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add Book' }).click()
  await page.getByRole('menuitem', { name: 'By hand' }).click()
  return page.getByRole('dialog')
}

const field = (form: Locator, label: string) => form.getByLabel(label, { exact: true })

/** Pastes as a reader does who copied a list elsewhere. */
async function paste(into: Locator, text: string): Promise<void> {
  await into.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', pasted)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  }, text)
}

const png = () =>
  sharp({ create: { width: 60, height: 90, channels: 3, background: '#24405c' } })
    .png()
    .toBuffer()

/** Whether a picture was fetched and drawn. */
const isDrawn = (image: Locator) =>
  image.evaluate((element: HTMLImageElement) => element.complete && element.naturalWidth > 4)

it('leads to what a reader wrote of a book that the catalogue does not know', async () => {
  const own = await reader('unknown')
  const { page, home, shelve, add, allow } = own
  const isbn = '9780306406157'
  const fields = { authors: ['Ada Quill'], isbn, page_count: 120, progress: 30 }
  await add(await shelve('Printed at home'), 'A pamphlet of mine', fields)
  await page.goto(`${home}/books`)
  const titles = page.getByRole('heading', { level: 3 })
  await titles.getByRole('link', { name: 'A pamphlet of mine' }).click()
  await page.getByRole('heading', { name: 'A pamphlet of mine', level: 1 }).waitFor()
  await page.getByText('not in the catalogue', { exact: false }).waitFor()
  await page.getByRole('link', { name: 'Printed at home' }).waitFor()
  const path = new URL(page.url()).pathname
  // Drawn by the server as well.
  await page.reload()
  await page.getByRole('button', { name: /^A pamphlet of mine: Reading.*Edit/ }).waitFor()
  expect(await page.title()).toBe('A pamphlet of mine | Octavo')
  expect(await accessibilityViolations(page)).toEqual([])

  // Others are led to what its reader shows of it.
  const visitor = await openVisitor(octavo.url)
  expect((await visitor.page.goto(path))?.status()).toBe(200)
  expect(new URL(visitor.page.url()).pathname).toMatch(/^\/u\/unknown\/books\/\w+$/)
  allow(/status of 404/)
  await page.goto(path.replace(isbn, '9780000000002'))
  await page.getByText("Sorry! we cannot find the book you're looking for.").waitFor()
})

it('takes a book that is found nowhere from where it was looked for', async () => {
  const { page, home, shelve, books } = await reader('finder')
  await shelve('Printed at home')
  const put = async () => {
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: 'Next' }).click()
    await field(form, 'Shelf').selectOption('Printed at home')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await form.waitFor({ state: 'detached' })
  }
  const byHand = page.getByRole('button', { name: 'Add it by hand' })
  await page.goto('/explore?q=zzzqqqxxx')
  await page.getByText('No results found.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await byHand.click()
  expect(await field(page.getByRole('dialog'), 'Title').inputValue()).toBe('zzzqqqxxx')
  await put()
  await expect.poll(async () => (await books())[0]?.['title']).toBe('zzzqqqxxx')

  await page.goto('/welcome')
  await page.waitForLoadState('networkidle')
  await page.getByRole('searchbox').fill('9798886451740')
  await byHand.click()
  expect(await field(page.getByRole('dialog'), 'ISBN').inputValue()).toBe('9798886451740')
  await field(page.getByRole('dialog'), 'Title').fill('A pamphlet')
  await put()
  await page.waitForURL(`**${home}/books`)
  await page.getByRole('button', { name: /^A pamphlet: / }).waitFor()

  const visitor = await openVisitor(octavo.url)
  await visitor.page.goto('/explore?q=zzzqqqxxx')
  await visitor.page.getByText('No results found.').waitFor()
  expect(await visitor.page.getByRole('button', { name: 'Add it by hand' }).count()).toBe(0)
})

// 5 s: fills every field twice.
it('adds a book by hand, with a cover of its own, and edits all of it', async () => {
  const { page, home, shelve, books } = await reader('author', phone)
  await shelve('Kept by me')
  await page.goto(`${home}/books`)
  const form = await openForm(page)
  const next = form.getByRole('button', { name: 'Next' })
  await next.click()
  await form.getByText('Title is required and cannot be empty.').waitFor()
  await field(form, 'Title').fill('The harbour at night')
  await paste(field(form, 'Authors'), 'Ada Quill, Sam Reed, Jr.')
  for (const name of ['Ada Quill', 'Sam Reed, Jr.'])
    await form.getByRole('button', { name: `Remove ${name}` }).waitFor()
  await field(form, 'Genres').pressSequentially('Essays,Travel')
  await field(form, 'ISBN').last().fill('12345')
  await field(form, 'Total pages').fill('120')
  await field(form, 'Page').fill('121')
  await next.click()
  await form.getByText('ISBN must be a valid 10 or 13-digit number.').waitFor()
  await field(form, 'ISBN').fill('')
  await next.click()
  await form.getByText('Progress cannot exceed the total page count.').waitFor()
  await field(form, 'Page').fill('-1')
  await next.click()
  await form.getByText('Progress must be greater than or equal to 0.').waitFor()
  await field(form, 'Page').fill('20')

  const upload = form.locator('input[type=file]')
  await upload.setInputFiles({
    name: 'huge.png',
    mimeType: 'image/png',
    buffer: Buffer.alloc(5 * 1024 * 1024 + 1),
  })
  await page.getByText('File is bigger than 5 MB').waitFor()
  await upload.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
  await page.getByText('File type must be', { exact: false }).waitFor()
  await upload.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.alloc(0) })
  await page.getByText('File is smaller than 16 bytes').waitFor()
  await upload.setInputFiles({ name: 'mine.png', mimeType: 'image/png', buffer: await png() })
  await form.getByRole('button', { name: 'Remove upload' }).waitFor()
  await expect.poll(() => isDrawn(form.locator('img').first())).toBe(true)
  expect(await accessibilityViolations(page)).toEqual([])

  await next.click()
  const add = form.getByRole('button', { name: 'Add', exact: true })
  // The only shelf is chosen until it is taken back.
  const chosen = field(form, 'Shelf').locator('option:checked')
  await expect.poll(() => chosen.innerText()).toBe('Kept by me')
  await field(form, 'Shelf').selectOption('')
  await add.click()
  await form.getByText('Shelf is required.').waitFor()
  await expect.poll(() => isFocused(field(form, 'Shelf'))).toBe(true)
  expect(await accessibilityViolations(page)).toEqual([])
  await form.getByRole('button', { name: 'Back' }).click()
  expect(await field(form, 'Title').inputValue()).toBe('The harbour at night')
  await next.click()
  await field(form, 'Shelf').selectOption('Kept by me')
  await add.click()
  await page.getByText('Added The harbour at night to Kept by me').waitFor()
  // Above the list the book stands as one that is being read.
  const cover = page.getByRole('listitem').filter({ hasText: 'The harbour' }).locator('img').last()
  await expect.poll(() => isDrawn(cover)).toBe(true)
  expect((await books())[0]).toMatchObject({
    authors: ['Ada Quill', 'Sam Reed, Jr.'],
    genres: ['Essays', 'Travel'],
    page_count: 120,
    progress: 20,
    status: 'reading',
  })

  await page.getByRole('button', { name: /^The harbour at night: Reading.*Edit/ }).click()
  const editor = page.getByRole('dialog')
  await editor.getByText('Details', { exact: true }).click()
  await field(editor, 'Title').fill('')
  await editor.getByText('Details', { exact: true }).click()
  await editor.getByRole('button', { name: 'Save' }).click()
  // The folded part opens to show what is wrong in it.
  await editor.getByText('Title is required and cannot be empty.').waitFor()
  await field(editor, 'Title').fill('The harbour by day')
  await editor.getByRole('button', { name: 'Remove Travel' }).click()
  await field(editor, 'ISBN').fill('978-0-14-143951-9')
  await editor.getByText('One digit is wrong.').waitFor()
  await field(editor, 'ISBN').fill('978-0-14-143951')
  await field(editor, 'Total pages').fill('200')
  const address = field(editor, 'Picture address')
  await address.fill('harbour.jpg')
  await address.press('Enter')
  await editor.getByText('A picture’s address starts with http.').waitFor()
  await address.fill('https://pictures.example.org/harbour.jpg')
  // What is typed but not added yet is not lost by saving.
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.getByText('ISBN must be a valid 10 or 13-digit number.').waitFor()
  expect(await address.inputValue()).toBe('https://pictures.example.org/harbour.jpg')
  await address.press('Enter')
  // This server fetches it, or draws what it could not have.
  const linked = editor.getByRole('list', { name: 'Image addresses' }).locator('img')
  await expect.poll(() => linked.getAttribute('src')).toMatch(/^\/covers\/linked\/typed\?/)
  await expect.poll(() => isDrawn(linked)).toBe(true)
  await editor.getByRole('button', { name: 'Remove upload' }).click()
  await editor.getByRole('radio', { name: 'Completed' }).click()
  await expect.poll(() => field(editor, 'Page').inputValue()).toBe('200')
  // What is finished stays read to its last page.
  await field(editor, 'Total pages').fill('180')
  await expect.poll(() => field(editor, 'Page').inputValue()).toBe('180')
  await field(editor, 'Total pages').fill('200')
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.getByText('ISBN must be a valid 10 or 13-digit number.').waitFor()
  await field(editor, 'ISBN').fill('978-0-14-143951-8')
  expect(await accessibilityViolations(page)).toEqual([])
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: /^The harbour by day: Completed, page 200/ }).waitFor()
  await expect
    .poll(async () => (await books())[0])
    .toMatchObject({
      title: 'The harbour by day',
      genres: ['Essays'],
      isbn: '9780141439518',
      page_count: 200,
      progress: 200,
      image: '',
      images: ['https://pictures.example.org/harbour.jpg'],
    })
  const kept = page.getByRole('listitem').filter({ hasText: 'The harbour' }).locator('img').last()
  await expect.poll(() => kept.getAttribute('src')).toMatch(/^\/covers\/linked\/\w{15}\//)
  await expect.poll(() => isDrawn(kept)).toBe(true)
})

it('fills the form from the catalogue, by ISBN or by a title to choose from', async () => {
  const { page, shelve, add, books, allow } = await reader('copyist', phone)
  allow(/status of 404/)
  const shelf = await shelve('Old friends')
  await shelve('New friends')
  await add(shelf, 'Frankenstein', { isbn: '9780141439471' })
  await page.goto(`/shelf/${shelf}`)
  const form = await openForm(page)
  const ask = field(form, 'Fill in from the catalogue')
  await ask.fill('9798886451740')
  await ask.press('Enter')
  await form.getByText('It isn’t in the catalogue.', { exact: false }).waitFor()
  await ask.fill('em')
  await ask.press('Enter')
  await form.getByText('Search text must be at least 3 characters long.').waitFor()
  await form.getByRole('radio', { name: 'Completed' }).click()
  await ask.fill('frankenstein')
  await ask.press('Enter')
  await form
    .getByRole('list', { name: 'Found in the catalogue' })
    .getByRole('button', { name: /Frankenstein/ })
    .first()
    .click()
  await expect.poll(() => field(form, 'Title').inputValue()).toBe('Frankenstein')
  const length = await field(form, 'Total pages').inputValue()
  expect(Number(length)).toBeGreaterThan(0)
  expect(await field(form, 'Page').inputValue()).toBe(length)
  await field(form, 'ISBN').fill('9780141439471')
  await form.getByRole('button', { name: 'Next' }).click()
  // The shelf it was opened from has it.
  const taken = form.getByRole('option', { name: 'Old friends (has this book)' })
  await taken.waitFor({ state: 'attached' })
  await expect
    .poll(() => form.getByRole('button', { name: 'Add', exact: true }).isDisabled())
    .toBe(true)
  await field(form, 'Shelf').selectOption('New friends')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Added Frankenstein to New friends').waitFor()
  expect((await books()).map((book) => book['title'])).toEqual(['Frankenstein', 'Frankenstein'])
})

it('adds, rates and finishes a book with the keyboard alone', async () => {
  const { page, home, shelve, books } = await reader('typist')
  await shelve('By keyboard')
  await page.goto(`${home}/books`)
  const opener = page.getByRole('button', { name: 'Add Book' })
  await untilHydrated(opener)
  await opener.focus()
  const { keyboard } = page
  await keyboard.press('Enter')
  const byHand = page.getByRole('menuitem', { name: 'By hand' })
  await byHand.waitFor()
  await tabTo(page, byHand, 'ArrowDown')
  await keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Add Book' })
  await form.waitFor()
  await tabTo(page, field(form, 'Title'))
  await keyboard.type('Typed through')
  await keyboard.press('Tab')
  await keyboard.type('Ada Quill')
  await keyboard.press('Enter')
  await form.getByRole('button', { name: 'Remove Ada Quill' }).waitFor()
  await tabTo(page, field(form, 'Total pages'))
  await keyboard.press('ControlOrMeta+a')
  await keyboard.type('90')
  await keyboard.press('Enter')
  const last = page.getByRole('dialog', { name: 'Choose a shelf' })
  await last.waitFor()
  await tabTo(page, field(last, 'Shelf'))
  await keyboard.type('By')
  await expect
    .poll(() => field(last, 'Shelf').locator('option:checked').innerText())
    .toBe('By keyboard')
  await tabTo(page, last.getByRole('button', { name: 'Add', exact: true }))
  await keyboard.press('Enter')
  const button = page.getByRole('button', { name: /^Typed through: Reading, page 0/ })
  await button.waitFor()

  await tabTo(page, button)
  await keyboard.press('Enter')
  const editor = page.getByRole('dialog', { name: 'Typed through' })
  await editor.waitFor()
  await tabTo(page, editor.getByRole('slider', { name: 'Rating' }))
  for (let step = 0; step < 9; step++) await keyboard.press('ArrowRight')
  await expect
    .poll(() => editor.getByRole('slider', { name: 'Rating' }).getAttribute('aria-valuetext'))
    .toBe('4.5 out of 5')
  await tabTo(page, editor.getByRole('button', { name: 'Save' }))
  await keyboard.press('Enter')
  await editor.waitFor({ state: 'hidden' })
  await expect.poll(() => isFocused(button)).toBe(true)
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await page.getByRole('button', { name: /^Typed through: Completed, page 90/ }).waitFor()
  await expect
    .poll(async () => (await books())[0])
    .toMatchObject({ status: 'completed', rating: 9, progress: 90, authors: ['Ada Quill'] })
})

it('shows others everything about a book, and lets them change nothing', async () => {
  const owner = await reader('lender')
  const shelf = await owner.shelve('Open shelf')
  await owner.add(shelf, 'Lent', { authors: ['Ada Quill'], page_count: 90, progress: 9, rating: 7 })
  const { page } = await reader('borrower')
  for (const path of [`${owner.home}/books`, `/shelf/${shelf}`]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getByRole('button', { name: 'Add Book' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Lent: Reading, page 9. Details' }).click()
    const sheet = page.getByRole('dialog', { name: 'Lent' })
    await sheet.getByText('Open shelf', { exact: true }).waitFor()
    await sheet.getByText('9 of 90 pages').waitFor()
    await sheet.getByText('Rated 3.5 out of 5').waitFor()
    await sheet.getByText('Ada Quill').last().waitFor()
    // It is read, and no form.
    expect(await sheet.locator('input, select, textarea').count()).toBe(0)
    expect(await sheet.getByRole('button').allInnerTexts()).toHaveLength(1)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
  }
})

const isFocused = (element: Locator) => element.evaluate((node) => node === document.activeElement)

/** Presses Tab until the element has the focus, as somebody does who has no mouse. */
async function tabTo(page: Page, element: Locator, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await isFocused(element)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${String(element)} is not reached by ${key}`)
}
