import type { Page, Response } from 'playwright-core'
import { expect, it } from 'vitest'
import { openOctavo } from '#tests/open-octavo.ts'
import { chooseOption } from '#tests/options.ts'
import { openReader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo()

const open = (name: string) => openReader({ octavo, post }, name)

it('keeps the editor open, and what was typed, when its book leaves the list meanwhile', async () => {
  const { page, home, call, shelve, add, books } = await open('eve-in-two-tabs')
  const id = await add(await shelve('The shelf'), 'Emma', { page_count: 300, progress: 50 })
  await page.goto(`${home}/books?status=reading`)
  await page.getByRole('button', { name: /^Emma:/ }).click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('spinbutton', { name: 'Page', exact: true })
  await field.fill('77')
  await call('PATCH', `user_books/records/${id}`, { status: 'paused', rating: 8 })
  await page.getByText('No books match.').waitFor()
  expect(await field.inputValue()).toBe('77')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await expect
    .poll(async () => (await books())[0])
    .toMatchObject({ progress: 77, status: 'paused', rating: 8 })
  // What opened it is gone; the keyboard is not lost with it.
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
})

it('says that a book was removed meanwhile, and keeps what was typed', async () => {
  const { page, home, call, shelve, add, books, allow } = await open('fay-in-two-tabs')
  allow(/status of 404/)
  const id = await add(await shelve('The shelf'), 'Emma', { page_count: 300, progress: 50 })
  await page.goto(`${home}/books`)
  await page.getByRole('button', { name: /^Emma:/ }).click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('spinbutton', { name: 'Page', exact: true })
  await field.fill('77')
  await call('DELETE', `user_books/records/${id}`)
  await page.getByText('Add books to build your list.').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('This book has since been removed.', { exact: false }).waitFor()
  expect(await field.inputValue()).toBe('77')
  await dialog.getByRole('button', { name: 'Restore and save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: /^Emma: Reading, page 77/ }).waitFor()
  expect((await books())[0]).toMatchObject({ id, progress: 77 })
})

it('leaves an editor open when the list below it follows a filter', async () => {
  const { page, home, shelve, add } = await open('gus-who-types')
  const shelf = await shelve('The shelf')
  await add(shelf, 'Emma', { page_count: 300, progress: 50 })
  await add(shelf, 'Persuasion')
  await page.goto(`${home}/books`)
  await page.getByRole('group').filter({ hasText: 'Filters' }).first().locator('summary').click()
  await page.getByLabel('Title', { exact: true }).pressSequentially('pers')
  await page.getByRole('button', { name: /^Emma:/ }).click()
  const field = page.getByRole('dialog').getByRole('spinbutton', { name: 'Page', exact: true })
  await field.fill('77')
  await page.waitForURL(/title=pers/)
  await page.getByRole('button', { name: /^Emma:/ }).waitFor({ state: 'hidden' })
  expect(await field.inputValue()).toBe('77')
})

it('keeps the editor of a wish that is one no longer', async () => {
  const { page, home, call, shelve, add } = await open('hal-in-two-tabs')
  const isbn = '9780141439518'
  const fields = { isbn, status: 'planning', page_count: 300 }
  const id = await add(await shelve('The shelf'), 'Pride and Prejudice', fields)
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('spinbutton', { name: 'Page', exact: true })
  await page.goto(`${home}/wishlist`)
  await page.getByRole('button', { name: 'Options for Pride and Prejudice' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await field.fill('77')
  await call('PATCH', `user_books/records/${id}`, { status: 'reading' })
  await page.getByText('Empty! Start adding books to a shelf.').waitFor()
  expect(await field.inputValue()).toBe('77')
})

it('acts on nothing that was selected before the list followed another filter', async () => {
  const { page, home, shelve, add } = await open('ida-who-selects')
  const shelf = await shelve('The shelf')
  await add(shelf, 'Emma')
  await add(shelf, 'Persuasion')
  await shelve('In the cellar')
  await page.goto(`${home}/books?title=emma`)
  const bar = page.getByRole('region', { name: 'Bulk edit' })
  const button = (name: string) => bar.getByRole('button', { name, exact: true })
  await chooseOption(page, 'Bulk Edit')
  await page.getByRole('checkbox', { name: 'Select Emma' }).press('Space')
  await bar.getByText('1 selected').waitFor()
  const filters = page.getByRole('group').filter({ hasText: 'Filters' }).first()
  await filters.locator('summary').click()
  await page.getByLabel('Sort').selectOption('Oldest Added')
  await page.waitForURL(/sort=created/)
  await bar.getByText('1 selected').waitFor()
  await filters.getByRole('button', { name: 'Reset' }).click()
  await page.getByText('Select Persuasion').waitFor({ state: 'attached' })
  await bar.getByText('0 selected').waitFor()
  for (const name of ['Move', 'Set status', 'Remove'])
    expect(await button(name).isDisabled(), name).toBe(true)

  await page.goto(`${home}/shelves`)
  await page.getByRole('button', { name: 'Manage' }).click()
  await page.getByRole('menuitem', { name: 'Bulk Edit' }).click()
  await page.getByRole('checkbox', { name: 'Select The shelf' }).press('Space')
  await bar.getByText('1 selected').waitFor()
  await page.getByRole('searchbox', { name: 'Search shelves by name' }).fill('cellar')
  await page.getByText('Select The shelf').waitFor({ state: 'detached' })
  await bar.getByText('0 selected').waitFor()
  expect(await button('Remove').isDisabled()).toBe(true)
})

it('changes of what is selected what is still there, and leads back to how it was by then', async () => {
  const { page, home, call, shelve, add, books } = await open('jon-who-selects')
  const shelf = await shelve('The shelf')
  const emma = await add(shelf, 'Emma', { page_count: 300, progress: 50 })
  const persuasion = await add(shelf, 'Persuasion', { page_count: 300, progress: 50 })
  await page.goto(`${home}/books?status=reading`)
  const bar = page.getByRole('region', { name: 'Bulk edit' })
  await chooseOption(page, 'Bulk Edit')
  await bar.getByRole('button', { name: 'Select all 2' }).click()
  await bar.getByText('2 selected').waitFor()
  await call('PATCH', `user_books/records/${emma}`, { status: 'paused' })
  await call('PATCH', `user_books/records/${persuasion}`, { progress: 77 })
  await page.getByText('Select Emma').waitFor({ state: 'detached' })
  await bar.getByRole('button', { name: 'Set status' }).click()
  await page.getByRole('menuitem', { name: 'Completed' }).click()
  await page.getByText('Skipped, no longer in this list: 1 book').waitFor()
  await page.getByText('1 book set to Completed').waitFor()
  const now = async () =>
    (await books()).map(({ title, status, progress }) => [title, status, progress])
  expect(await now()).toEqual([
    ['Persuasion', 'completed', 300],
    ['Emma', 'paused', 50],
  ])
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(now).toEqual([
    ['Persuasion', 'reading', 77],
    ['Emma', 'paused', 50],
  ])
})

/** Answers the saves of a book when it is told to: refused, or let through. */
async function holdSaves(page: Page) {
  const refused = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route('**/api/collections/user_books/records/**', async (route) => {
    const request = route.request()
    if (request.method() !== 'PATCH') return route.continue()
    if ((request.postDataJSON() as { status: string }).status === 'completed') {
      await released.promise
      return route.continue()
    }
    await refused.promise
    return route.fulfill({ status: 500, json: {} })
  })
  return { refuse: refused.resolve, release: released.resolve }
}

it('takes back of two changes at once only the one that is refused', async () => {
  const { page, home, shelve, add, books, allow } = await open('kim-who-hurries')
  allow(/status of 500/)
  const shelf = await shelve('The shelf')
  await add(shelf, 'Emma', { page_count: 300, status: 'planning' })
  await add(shelf, 'Persuasion', { page_count: 200, status: 'reading' })
  await page.goto(`${home}/books`)
  const shown = (name: RegExp) => page.getByRole('button', { name })
  const saves = await holdSaves(page)
  await page.getByRole('button', { name: 'Start Emma' }).click()
  await page.getByRole('button', { name: 'Finish Persuasion' }).click()
  await shown(/^Emma: Reading/).waitFor()
  await shown(/^Persuasion: Completed/).waitFor()
  saves.refuse()
  await page.getByText('Something went wrong.', { exact: false }).first().waitFor()
  await shown(/^Emma: Want to read/).waitFor()
  expect(await shown(/^Persuasion: Completed/).count()).toBe(1)
  saves.release()
  const done = page.getByRole('dialog').getByRole('button', { name: 'Done' })
  await page.getByText('Finished Persuasion').waitFor()
  await done.click()
  await page.unrouteAll()
  expect(await shown(/^Persuasion: Completed/).count()).toBe(1)

  const again = await holdSaves(page)
  await page.getByRole('button', { name: 'Start Emma' }).click()
  await page.getByRole('button', { name: 'Finish Emma' }).click()
  await shown(/^Emma: Completed/).waitFor()
  const refusal = page.waitForResponse((answer) => answer.status() === 500)
  again.refuse()
  await (await refusal).finished()
  expect(await shown(/^Emma: Completed/).count()).toBe(1)
  again.release()
  await page.getByText('Finished Emma').waitFor()
  await done.click()
  expect(await shown(/^Emma: Completed, page 300/).count()).toBe(1)
  expect((await books()).map(({ title, status }) => [title, status])).toEqual([
    ['Persuasion', 'completed'],
    ['Emma', 'completed'],
  ])
})

it('keeps what is typed while a book is being saved, and does not close over it', async () => {
  const { page, home, shelve, add, books } = await open('lea-who-types-on')
  await add(await shelve('The shelf'), 'Emma', { page_count: 300, progress: 50 })
  await page.goto(`${home}/books`)
  await page.getByRole('button', { name: /^Emma:/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Details', { exact: true }).click()
  const field = dialog.getByLabel('Title', { exact: true })
  const save = dialog.getByRole('button', { name: 'Save' })
  const saved = Promise.withResolvers<void>()
  await page.route('**/api/collections/user_books/records/**', async (route) => {
    await saved.promise
    await route.continue()
  })
  const sent = page.waitForRequest('**/api/collections/user_books/records/**')
  await field.fill('Emma Woodhouse')
  await field.press('Enter')
  await sent
  await field.fill('Emma Knightley')
  const answer = page.waitForResponse('**/api/collections/user_books/records/**')
  saved.resolve()
  await (await answer).finished()
  await expect.poll(() => save.isEnabled()).toBe(true)
  expect(await field.inputValue()).toBe('Emma Knightley')
  expect((await books())[0]).toMatchObject({ title: 'Emma Woodhouse' })
  await save.click()
  await dialog.waitFor({ state: 'hidden' })
  expect((await books())[0]).toMatchObject({ title: 'Emma Knightley' })
})

it('closes before a page is saved, and opens again with what was typed if that is refused', async () => {
  const { page, home, shelve, add, books, allow } = await open('lou-who-goes-on')
  allow(/status of 500/)
  await add(await shelve('The shelf'), 'Emma', { page_count: 300, progress: 50 })
  await page.goto(`${home}/books`)
  await page.getByRole('button', { name: /^Emma:/ }).click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('spinbutton', { name: 'Page', exact: true })
  const refused = Promise.withResolvers<void>()
  await page.route('**/api/collections/user_books/records/**', async (route) => {
    await refused.promise
    await route.fulfill({ status: 500, json: {} })
  })
  await field.fill('77')
  await field.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: /^Emma: Reading, page 77/ }).waitFor()
  refused.resolve()
  await dialog.waitFor()
  expect(await field.inputValue()).toBe('77')
  expect((await books())[0]).toMatchObject({ progress: 50 })
  await page.unrouteAll()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(async () => (await books())[0]).toMatchObject({ progress: 77 })
})

it('does not lose what was typed to a press beside the dialog', async () => {
  const { page, home } = await open('max-who-misses')
  await page.goto(`${home}/books`)
  const dialog = page.getByRole('dialog')
  const openForm = async () => {
    await page.getByRole('button', { name: 'Add Book' }).click()
    await page.getByRole('menuitem', { name: 'By hand' }).click()
    await dialog.getByLabel('Title', { exact: true }).waitFor()
  }
  await openForm()
  await page.mouse.click(20, 20)
  await dialog.waitFor({ state: 'hidden' })
  await openForm()
  await dialog.getByLabel('Title', { exact: true }).fill('A letter from the sea')
  await page.mouse.click(20, 20)
  await dialog.getByRole('button', { name: 'Next' }).click()
  await dialog.getByRole('heading', { name: 'Choose a shelf' }).waitFor()
  await dialog.getByRole('button', { name: 'Back' }).click()
  const title = dialog.getByLabel('Title', { exact: true })
  expect(await title.inputValue()).toBe('A letter from the sea')
})

it('says of a step that its book was removed meanwhile', async () => {
  const { page, home, call, shelve, add, allow } = await open('ned-in-two-tabs')
  allow(/status of 404/)
  const id = await add(await shelve('The shelf'), 'Emma', { page_count: 300, progress: 50 })
  await page.goto(`${home}/books`)
  await page.route('**/api/collections/user_books/records/**', async (route) => {
    await call('DELETE', `user_books/records/${id}`)
    await route.continue()
  })
  await page.getByRole('button', { name: 'Finish Emma' }).click()
  await page.getByText('This book has since been removed.').waitFor()
  await page.getByText('Add books to build your list.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: /Emma/ }).count()).toBe(0)
})

it('shows a quote and a reading of another device on the page of the book', async () => {
  const { page, id: user, call, shelve, add } = await open('ida-on-two-devices')
  const isbn = '9780141439518'
  await add(await shelve('The shelf'), 'Pride and Prejudice', { isbn, page_count: 300 })
  await page.goto(`/book/pride-and-prejudice-${isbn}`)
  await page.getByRole('button', { name: 'Add a quote' }).waitFor()
  expect(await page.getByText('It is a truth').count()).toBe(0)
  const about = { user, book_key: isbn }
  await call('POST', 'quotes/records', { ...about, text: 'It is a truth', page: 1 })
  await page.getByText('It is a truth').waitFor()
  const reading = { started: '2009', finished: '2009', outcome: 'finished' }
  await call('POST', 'readings/records', { ...about, ...reading })
  await page.getByText('2009').first().waitFor()
})

it('fetches again what its page shows only if that changed before it was connected', async () => {
  const { page, home, call, shelve, add } = await open('una-who-connects')
  const shelf = await shelve('The shelf')
  const id = await add(shelf, 'Emma', { page_count: 300, progress: 50 })
  const fetched: string[] = []
  page.on('request', (request) => {
    if (/\/bookshelves\/records\?/.test(request.url())) fetched.push(request.url())
  })
  const isSubscribed = (response: Response) =>
    response.url().endsWith('/api/realtime') && response.request().method() === 'POST'
  const subscribed = page.waitForResponse(isSubscribed)
  await page.goto(`${home}/shelves`)
  await subscribed
  // A page that is read changes the numbers above the shelves, and not the shelves.
  const counted = page.waitForResponse((answer) => answer.url().includes('/profile/records'))
  await call('PATCH', `user_books/records/${id}`, { progress: 57 })
  await counted
  expect(fetched).toEqual([])

  await page.route('**/api/realtime', async (route) => {
    if (route.request().method() === 'POST')
      await call('PATCH', `bookshelves/records/${shelf}`, { name: 'The other shelf' })
    await route.continue()
  })
  await page.reload()
  await page.getByRole('link', { name: 'The other shelf' }).waitFor()
})
