import { afterAll, expect, it } from 'vitest'
import { accessibilityViolations, openVisitor } from '#tests/browser.ts'
import { openCatalogues } from '#tests/catalogues.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const sites = await openCatalogues()
afterAll(() => sites.close())
const { octavo, post } = await openOctavo()
const { octavo: asking } = await openOctavo({
  CATALOGUE_SOURCES: 'openlibrary,google',
  OPENLIBRARY_URL: sites.openLibraryUrl,
  OPENLIBRARY_COVERS_URL: sites.openLibraryUrl,
  GOOGLE_BOOKS_URL: sites.googleBooksUrl,
})

const phone = { width: 390, height: 844 }

const called = (title: string) => `No book called “${title}” here.`

it('says that a book isn’t here, and shows what comes close apart', async () => {
  const { page } = await openVisitor(octavo.url, { viewport: phone })
  await page.goto('/explore')
  await page.getByRole('combobox', { name: 'Search the catalogue' }).fill('transcendent kingdom')
  await page.keyboard.press('Enter')
  await page.getByText(called('transcendent kingdom')).waitFor()
  await page.getByRole('heading', { name: 'Close matches', level: 2 }).waitFor()
  await page.getByText('Left out: “transcendent”.').waitFor()
  await page.getByRole('heading', { name: 'The Twelve Kingdoms: Sea of Shadow' }).waitFor()
  // Who has no library can't add to it.
  expect(await page.getByRole('button', { name: 'Add it by hand' }).count()).toBe(0)
  expect(await accessibilityViolations(page)).toEqual([])

  await page.goto('/explore?q=the+ferryboat+raffle')
  await page.getByText(called('the ferryboat raffle')).waitFor()
  await expect.poll(() => page.getByRole('heading', { level: 3 }).count()).toBe(0)

  await page.goto('/explore?q=pride+and+prejudice+and+xylophones')
  await page.getByRole('heading', { name: 'Pride and Prejudice', exact: true }).waitFor()
  await page.getByText('Left out: “xylophones”.').waitFor()
  expect(await page.getByText(/^No book called/).count()).toBe(0)
})

it('says that an ISBN has a wrong digit, whether or not a book is found', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/explore?q=0-306-40615-3')
  await page.getByText('One digit is wrong.').waitFor()
  expect(await page.getByText(/^No book called/).count()).toBe(0)
  await page.goto('/explore?q=9780141439519')
  await page.getByRole('heading', { name: 'Pride and Prejudice', exact: true }).waitFor()
  await page.getByText('One digit is wrong.').waitFor()
  await page.goto('/explore?q=9780141439518')
  await page.getByRole('heading', { name: 'Pride and Prejudice', exact: true }).waitFor()
  expect(await page.getByText('One digit is wrong.').count()).toBe(0)
})

it('takes the missing book by hand, with its title', async () => {
  const { page, shelve } = await openReader({ octavo, post }, 'missing')
  await shelve('Thrillers')
  await page.goto('/explore?q=Fullmetal+Panic')
  await page.getByText(called('Fullmetal Panic')).waitFor()
  await page.getByRole('button', { name: 'Add it by hand' }).click()
  const form = page.getByRole('dialog')
  await expect
    .poll(() => form.getByLabel('Title', { exact: true }).inputValue())
    .toBe('Fullmetal Panic')
  expect(await accessibilityViolations(page)).toEqual([])
})

it('shows books that a description may mean under a heading of their own', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/explore?q=a+locked+room')
  await page.getByText(called('a locked room')).waitFor()
  await page.getByRole('heading', { name: 'Possible matches', level: 2 }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Search for these words instead' }).click()
  await page.waitForURL(/mode=words/)
})

it('asks the other catalogues first', async () => {
  const { page } = await openVisitor(asking.url)
  await page.goto('/explore?q=ferry+umbra')
  await page
    .getByRole('heading', { name: /night ferry to umbra/i })
    .first()
    .waitFor()
  expect(await page.getByText(/^No book called/).count()).toBe(0)
  await page.goto('/explore?q=fullmetal+panic')
  await page.getByText(called('fullmetal panic')).waitFor()
  await page.getByText(/Also searched Open Library and Google Books/).waitFor()
})
