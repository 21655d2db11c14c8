import { afterAll, expect, test } from 'vitest'
import { accessibilityViolations } from '#tests/browser.ts'
import { openCatalogues } from '#tests/catalogues.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const sites = await openCatalogues()
afterAll(() => sites.close())
const { octavo, post } = await openOctavo({
  COMPLETE_BOOKS: 'on',
  CATALOGUE_SOURCES: 'openlibrary',
  OPENLIBRARY_URL: sites.openLibraryUrl,
  OPENLIBRARY_COVERS_URL: sites.openLibraryUrl,
})

const file = {
  name: 'export.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`Title,Author,ISBN
The Night Ferry to Umbra,Ilse Marrow,9781861972712
`),
}

test('an imported book gets its cover, from where its page says', async () => {
  sites.behave('openlibrary', 'quota')
  const { page, books, home } = await openReader({ octavo, post }, 'newcomer')
  await page.goto('/account/imports')
  await page.getByLabel('Choose file').setInputFiles(file)
  await page.getByRole('button', { name: 'Add 1 book' }).click()
  await page.getByText('1 book to go').waitFor()
  await page.getByText('also at Open Library').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])

  await page.goto('/account/settings')
  const card = page.getByRole('group', { name: 'Missing covers and details' })
  await card.getByText('1 book to go').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await card.getByLabel('When something is missing').selectOption('Leave it empty')
  await page.getByText('updated', { exact: true }).first().waitFor()
  await card.getByLabel('When something is missing').selectOption('Look it up')
  sites.behave('openlibrary', 'fine')
  await card.getByRole('button', { name: 'Complete my books' }).click()
  await card.getByText('1 book to go').waitFor({ state: 'detached' })

  const [book] = await books()
  await page.goto(`${home}/books/${book!.id}`)
  await page.getByText('Cover from Open Library').waitFor()
  await page.getByText('312 pages').waitFor()
  const cover = page.locator('article img').first()
  await expect.poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(330)
  expect(await accessibilityViolations(page)).toEqual([])

  // What was filled in can be changed, also from a list, which comes without the description.
  const write = async (from: string, text: string) => {
    await page.getByRole('button', { name: /^The Night Ferry to Umbra:/ }).click()
    const editor = page.getByRole('dialog')
    await editor.getByText('Details', { exact: true }).click()
    const field = (label: string) => editor.getByLabel(label, { exact: true })
    expect(await field('Description').inputValue()).toBe(from)
    expect(await field('Language').inputValue()).toBe('eng')
    expect(await field('Published').inputValue()).toBe('2019-03-05')
    await field('Series').fill('Crossings')
    await field('Number in the series').fill('2')
    await field('Description').fill(text)
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.waitFor({ state: 'detached' })
  }
  await write('', 'A ferryman counts his passengers.')
  await page.getByText('A ferryman counts his passengers.').waitFor()
  await page.getByText('Crossings, book 2').waitFor()
  await page.goto(`${home}/books`)
  await write('A ferryman counts his passengers.', 'He counts them twice.')
  expect(await books()).toMatchObject([
    { series: 'Crossings', series_position: '2', description: 'He counts them twice.' },
  ])
})
