import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { accessibilityViolations } from '#tests/browser.ts'
import { messagesOf } from '#tests/messages.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo()

const file = (text: string) => ({
  name: 'export.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})
function eventually<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: 15_000 })
}

/** The ISBN of the fourth is that of another book. */
const goodreads = `Book Id,Title,Author,ISBN,ISBN13,My Rating,Number of Pages,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review,Private Notes
1,Pride and Prejudice,Jane Austen,,,5,,2020/05/04,2019/12/31,,read,Lovely,Mine
2,Moby Dick,Herman Melville,,,0,,,2021/01/01,,to-read,,
3,The Cookbook of Nobody,Nobody Atall,,,3,120,,2021/01/02,food,currently-reading,,
4,Quite Another Book,A Writer,,9780141439587,0,,,2021/01/01,,read,,
,,,,,,,,,,,,
`
const storygraph = `Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Star Rating,Review,Tags,Owned?
Frankenstein,Mary Shelley,,,paperback,read,04/05/2021,05/06/2021,,1,4.5,,,No
Pride and Prejudice,Jane Austen,,,paperback,read,04/05/2021,,,1,5.0,,,No
`

async function choose(page: Page, text: string): Promise<void> {
  await page.getByLabel('Choose file').setInputFiles(file(text))
}

const titles = (page: Page) => page.getByRole('heading', { level: 3 }).allInnerTexts()

// 8 s: two files are read, applied and looked at, and one is undone.
test('a reader brings in Goodreads, then StoryGraph, and takes one back', async () => {
  const { page, home } = await openReader({ octavo, post }, 'newcomer', {
    viewport: { width: 1280, height: 900 },
  })
  await page.goto('/welcome')
  await page.getByRole('link', { name: 'Import books' }).click()
  await page.getByRole('heading', { name: 'Import books' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await choose(page, goodreads)
  const add = (count: number) => page.getByRole('button', { name: `Add ${count} book` })
  await add(3).waitFor()
  await page.getByText('5 rows in the file. Nothing has been added yet.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])

  await page.getByText('In our catalogue ISBN 9780141439587 is “Emma”.').waitFor()
  await page.getByRole('button', { name: 'Keep as in the file: Quite Another Book' }).click()
  await add(4).click()
  await page.getByRole('link', { name: 'See the shelf' }).click()
  await page.getByRole('heading', { name: 'Goodreads' }).waitFor()

  await page.goto('/account/imports')
  await choose(page, storygraph)
  const question = page.getByRole('heading', {
    name: 'Is 04/05/2021 April 5, 2021 or May 4, 2021?',
  })
  await question.waitFor()
  await page.getByRole('radio', { name: 'May 4, 2021' }).check()
  await page.getByRole('button', { name: 'Read the dates like this' }).click()
  await question.waitFor({ state: 'detached' })
  // One of them came from Goodreads.
  await page.getByText('1 row already there').waitFor()
  await add(1).click()
  await page.getByRole('link', { name: 'See the shelf' }).waitFor()
  await page.goto(`${home}/books`)
  await eventually(() => titles(page).then((all) => all.length)).toBe(5)

  await page.goto('/account/imports')
  await page.getByRole('link', { name: /Goodreads/ }).click()
  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo import' }).click()
  await page.getByText('This import has been undone.').waitFor()
  await page.goto(`${home}/books`)
  // StoryGraph has completed one of them since.
  await eventually(async () => (await titles(page)).toSorted()).toEqual([
    'Frankenstein',
    'Pride and Prejudice',
  ])
})

/** The ISBN of the last one is that of another book. */
const shelves = `Book Id,Title,Author,ISBN13,My Rating,Number of Pages,Date Read,Date Added,Bookshelves,Exclusive Shelf
1,Alder Almanac,Ann Author,,4,300,2011/05/04,2010/12/31,"book-club, dnf",read
2,Birch Ballads,Bob Boo,,0,1200,,2021/01/01,book-club,lent
3,Cedar Chronicle,Ann Author,,0,,,2021/01/02,"",to-read
4,Quite Another Book,A Writer,9780141439587,0,,,2021/01/03,"",to-read
`

test('a reader says what the file’s shelves become, and sees the library that comes of it', async () => {
  const { page, home } = await openReader({ octavo, post }, 'arriver')
  await page.goto('/account/imports')
  await choose(page, shelves)
  await page.getByRole('heading', { name: 'What your shelves become' }).waitFor()
  const row = page.getByRole('row', { name: /^book-club/ })
  expect(await row.innerText()).toContain('Alder Almanac, Birch Ballads')
  expect(await page.getByLabel('What read becomes').inputValue()).toBe('completed')
  expect(await page.getByLabel('What lent becomes').inputValue()).toBe('tag')
  expect(await page.getByLabel('What dnf becomes').inputValue()).toBe('tag')
  await page.getByLabel('What dnf becomes').selectOption('dropped')
  await page.getByLabel('What lent becomes').selectOption('paused')
  await page.getByLabel('What book-club becomes').selectOption({ label: 'A shelf' })
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Add 3 books' }).click()
  await page.getByRole('heading', { name: '3 books since 2011' }).waitFor()
  await page.getByText('1 paused, 1 dropped, 1 you want to read').waitFor()
  await page.getByText('1,500 pages by 2 authors').waitFor()
  await page.getByRole('heading', { name: 'What needs a look' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Keep as in the file: Quite Another Book' }).click()
  await page.getByRole('button', { name: 'Add 1 book' }).click()
  await page.getByRole('heading', { name: '4 books since 2011' }).waitFor()
  const on = page.getByRole('main')
  await on.getByRole('link', { name: 'Your year' }).waitFor()
  await on.getByRole('link', { name: 'My Books' }).click()
  await eventually(() => titles(page).then((all) => all.length)).toBe(4)
  await page.goto(`${home}/shelves`)
  await page
    .getByRole('link', { name: /book-club/ })
    .first()
    .waitFor()
})

test('a reader leaves with everything in a ZIP file, and comes back with it', async () => {
  const { page } = await openReader({ octavo, post }, 'leaver')
  await page.goto('/account/imports')
  await choose(page, goodreads)
  await page.getByRole('button', { name: 'Add 3 books' }).click()
  await page.getByRole('link', { name: 'See the shelf' }).waitFor()
  await page.goto('/account/settings')
  const saved = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Everything with pictures (ZIP)' }).click()
  const download = await saved
  expect(download.suggestedFilename()).toBe('octavo-leaver.zip')
  const buffer = readFileSync(await download.path())

  const { page: back, home } = await openReader({ octavo, post }, 'returner')
  await back.goto('/account/imports')
  const mimeType = 'application/zip'
  await back.getByLabel('Choose file').setInputFiles({ name: 'octavo.zip', mimeType, buffer })
  await back.getByText(/^\d+ rows to add$/).waitFor()
  expect(await back.getByRole('heading', { name: 'Where they go' }).count()).toBe(0)
  await back.getByRole('button', { name: /^Add \d+ entries$/ }).click()
  await back.getByRole('button', { name: 'Undo import' }).waitFor()
  await back.goto(`${home}/books`)
  await eventually(async () => (await titles(back)).toSorted()).toEqual([
    'Moby-Dick',
    'Pride and Prejudice',
    'The Cookbook of Nobody',
  ])
})

test('a file that is no export is refused with the reason', async () => {
  const { page } = await openReader({ octavo, post }, 'mistaken')
  await page.goto('/account/imports')
  await choose(page, 'one,two\n1,2')
  await page.getByText('We don’t see a list of books in this file.').waitFor()
  await page.getByRole('link', { name: 'Choose another file' }).click()
  await page.getByLabel('Choose file').waitFor()
  expect(new URL(page.url()).pathname).toBe('/account/imports')
})

test('the new shelf for the rows of a table has a name in the reader’s language', async () => {
  const viewport = { width: 320, height: 700 }
  const { page } = await openReader({ octavo, post }, 'einsteiger', { locale: 'de', viewport })
  const words = messagesOf('de', 'import')
  await page.goto('/account/imports')
  const table = file('Title,Author\nEmma,Jane Austen\n')
  await page.locator('input[type=file]').setInputFiles(table)
  const name = page.getByLabel(words('shelfName'))
  await name.waitFor()
  expect(await name.inputValue()).toBe('Importierte Bücher')
  const add = page.getByRole('button', { name: words('addBooks', { count: 1 }) })
  // The buttons are as wide as their words on a small phone, too.
  for (const button of [add, page.getByRole('button', { name: words('discardFile') })])
    expect(await button.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true)
  await add.click()
  await page.getByRole('link', { name: words('seeTheShelf') }).click()
  await page.getByRole('heading', { name: 'Importierte Bücher' }).waitFor()
})
