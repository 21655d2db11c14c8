import { expect, it } from 'vitest'
import { openOctavo } from '#tests/open-octavo.ts'
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
  await page.getByText('No book here is like that.').waitFor()
  expect(await field.inputValue()).toBe('77')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect((await books())[0]).toMatchObject({ progress: 77, status: 'paused', rating: 8 })
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
  await dialog.getByText('This book was removed meanwhile.', { exact: false }).waitFor()
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
  await page.getByRole('button', { name: /^Pride and Prejudice:/ }).click()
  await field.fill('77')
  await call('PATCH', `user_books/records/${id}`, { status: 'reading' })
  await page.getByText('Empty! Start adding books to a shelf.').waitFor()
  expect(await field.inputValue()).toBe('77')
})
