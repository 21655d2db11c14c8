import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityViolations, openVisitor, type CookieJar } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { cookieOf, ownRecord, signedIn, signIn, signUp } from '#tests/signed-in.ts'

const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }
const { octavo, post } = await openOctavo()
const token = await signUp(octavo, post, 'life')
// Each of the two renews its own session.
const api = signedIn(octavo, await signIn(octavo, post, 'life'))
const jar: CookieJar = {}
const { id: user } = await ownRecord(api)
await api.collection('users').update(user, { username: 'life' })
const shelf = await api.collection('bookshelves').create({ name: 'Winter', visibility: 'public' })
const paper = { shelf: shelf.id, authors: ['M. Shelley'], page_count: 280, status: 'planning' }
const add = (title: string, more = {}) =>
  api.collection('user_books').create({ ...paper, title, ...more })
const emma = await add('Emma', { isbn: '9780141439587', tags: ['Comfort'] })
await add('Persuasion', { tags: ['Comfort', 'Sea'] })

const open = (viewport = desktop) =>
  openVisitor(octavo.url, { viewport, hasTouch: viewport === phone, jar })

/** Types a date, of which any part may stay empty. */
async function fillDate(page: Page, name: string, [day, month, year]: [string, string, string]) {
  await page.getByLabel(`${name}: day`).fill(day)
  await page.getByLabel(`${name}: month`).selectOption(month)
  await page.getByLabel(`${name}: year`).fill(year)
}

const readingsOf = async () =>
  (await api.collection('readings').getFullList({ sort: 'created' })).map(
    ({ started, finished, outcome }): object => ({ started, finished, outcome }),
  )

it('has a reader', async () => {
  const { context, page } = await open()
  const [name = '', ...value] = (await cookieOf(octavo, token)).split('=')
  await context.addCookies([{ name, value: value.join('='), url: octavo.url }])
  await page.goto('/u/life')
  expect(await page.title()).toBe('life’s profile | Octavo')
})

// 9 s: writes everything that a journal holds.
it('keeps dates, re-reads, tags, notes, a review and quotes on the page of a book', async () => {
  const { context, page } = await open()
  await page.goto('/book/emma-9780141439587')

  await page.getByRole('button', { name: 'Log a reading' }).click()
  await fillDate(page, 'Finished', ['', '', '2009'])
  await page.getByRole('button', { name: 'Save reading' }).click()
  await page.getByText('Finished in 2009').waitFor()
  await page.getByRole('button', { name: 'Log a reading' }).click()
  await fillDate(page, 'Started', ['23', '05', '2023'])
  await fillDate(page, 'Finished', ['1', '05', '2023'])
  await page.getByRole('button', { name: 'Save reading' }).click()
  await page.getByText('The end is before the start.').waitFor()
  await fillDate(page, 'Finished', ['7', '', '2023'])
  await page.getByRole('button', { name: 'Save reading' }).click()
  await page.getByText('Enter a year, a month and year, or a full date.').waitFor()
  await fillDate(page, 'Finished', ['7', '06', '2023'])
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save reading' }).click()
  await page.getByText('May 23, 2023 – Jun 7, 2023').waitFor()
  const overlapping = { started: '2023-05-23', finished: '2023-06-07', outcome: 'finished' }
  expect(await readingsOf()).toEqual([
    { started: '', finished: '2009', outcome: 'finished' },
    overlapping,
  ])

  await page.getByRole('button', { name: 'Change the reading: Finished in 2009' }).click()
  await page.getByRole('button', { name: 'Delete reading' }).click()
  await page.getByText('Deleted the reading').waitFor()
  await expect.poll(readingsOf).toEqual([overlapping])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Finished in 2009').waitFor()
  await page.getByRole('button', { name: 'Change the reading: Finished in 2009' }).click()
  await page.getByRole('button', { name: 'Delete reading' }).click()
  await expect.poll(readingsOf).toEqual([overlapping])
  const trash = await context.newPage()
  await trash.goto('/account/removed')
  await trash.getByText('Reading: Finished in 2009').waitFor()
  expect(await accessibilityViolations(trash)).toEqual([])
  await trash.getByRole('button', { name: 'Restore Emma' }).click()
  await trash.getByText('Nothing removed recently.').waitFor()
  await trash.close()
  // The first tab hears of it.
  await page.getByText('Finished in 2009').waitFor()

  await page.getByRole('button', { name: 'Change tags, note and review of Emma' }).click()
  await page.getByLabel('Tags', { exact: true }).fill('highbury,')
  await page.getByRole('button', { name: 'Sea', exact: true }).click()
  await page.getByLabel('Private note').fill('Lent to *Harriet*')
  await page
    .getByLabel('Review', { exact: true })
    .fill('Of **matches**. <b>[x](javascript:alert`1`)')
  await page.getByLabel('Format').selectOption('audio')
  await page.getByLabel('Length in minutes').fill('600')
  await page.getByLabel('Minutes listened').fill('700')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Minutes cannot exceed the duration.').waitFor()
  await page.getByLabel('Minutes listened').fill('70')
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Audiobook · 600 min').waitFor()
  await expect.poll(() => page.locator('strong').getByText('matches').count()).toBe(1)
  expect(await page.locator('em').getByText('Harriet').count()).toBe(1)
  expect(await page.locator('a[href^="javascript"], article b').count()).toBe(0)
  const book = await api.collection('user_books').getOne(emma.id)
  expect(book).toMatchObject({ tags: ['Comfort', 'highbury', 'Sea'], progress_minutes: 70 })

  await page.getByRole('button', { name: 'Add a quote' }).click()
  await page.getByRole('button', { name: 'Save quote' }).click()
  await page.getByText('Enter the quote.').waitFor()
  await page.getByLabel('Quote', { exact: true }).fill('Badly done, indeed!')
  await page.getByLabel('On page').fill('241')
  await page.getByRole('button', { name: 'Save quote' }).click()
  await page.getByText('Badly done, indeed!').waitFor()
  await page.getByText('Page 241').waitFor()
  const [quote] = await api.collection('quotes').getFullList()
  expect(quote).toMatchObject({ page: 241, isPrivate: true })
  expect(await accessibilityViolations(page)).toEqual([])
})

it('has the same in the sheet, on a phone', async () => {
  const { page } = await open(phone)
  await page.goto('/u/life/books')
  await page
    .getByRole('button', { name: /^Emma: Want to read/ })
    .last()
    .click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Dates, tags, notes and quotes').click()
  await sheet.getByText('Finished in 2009').waitFor()
  await sheet.getByText('Badly done, indeed!').waitFor()
  await sheet.getByRole('button', { name: 'Change tags, note and review of Emma' }).click()
  await sheet.getByLabel('The review has spoilers').click()
  await sheet.getByRole('button', { name: 'Save changes' }).click()
  await sheet.getByText('Review with spoilers').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})

it('lists tags, filters by them, and shows the diary by month', async () => {
  const { page } = await open()
  await page.goto('/u/life/tags')
  await page.getByRole('link', { name: 'Comfort 2' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Sea 2' }).click()
  await page.waitForURL('/u/life/books?tag=Sea')
  await page.getByRole('link', { name: 'Emma' }).first().waitFor()
  await page.goto('/u/life/books?tag=highbury')
  const chosen = page.getByRole('button', { name: 'highbury', pressed: true })
  await chosen.waitFor()
  await page.getByText('Filters').click()
  await expect.poll(() => chosen.count()).toBe(2)
  const heading = page.getByRole('heading', { level: 1 })
  await expect.poll(() => heading.innerText()).toMatch(/My Books\s*1/)
  await chosen.first().click()
  await page.waitForURL((url) => !url.searchParams.has('tag'))
  await page.goto('/u/life/books?tag=high')
  await page.getByText('No books match.').waitFor()

  await page.goto('/u/life')
  await page.getByRole('link', { name: 'Diary' }).first().click()
  await page.getByRole('heading', { name: 'June 2023' }).waitFor()
  await page.getByRole('heading', { name: '2009, month unknown' }).waitFor()
  await page.getByText('Jun 7, 2023').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})

// 6 s: a search for each kind of text.
it('finds books by what their reader wrote, on My Books', async () => {
  const { page } = await open()
  await page.goto('/u/life/books')
  const field = page.getByRole('searchbox', { name: 'Search my books' })
  const rows = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.locator('h3') })
  await field.fill('harriet')
  await page.waitForURL('/u/life/books?q=harriet')
  await expect.poll(() => rows.allInnerTexts()).toHaveLength(1)
  expect(await rows.innerText()).toMatch(/Emma[^]*Note · Lent to \*Harriet\*/)
  expect(await accessibilityViolations(page)).toEqual([])
  await field.fill('badly done')
  await rows.getByText('Quote · Badly done, indeed!').waitFor()
  // A title has no sentence; the filters wait meanwhile.
  await field.fill('persuas')
  await rows.getByRole('heading', { name: 'Persuasion' }).waitFor()
  await expect.poll(() => rows.allInnerTexts()).toHaveLength(1)
  expect(await page.getByText('Filters').count()).toBe(0)
  await rows.getByRole('button', { name: /^Persuasion: / }).click()
  await page.getByRole('dialog', { name: 'Persuasion' }).waitFor()
  await page.keyboard.press('Escape')
  await field.fill('zeppelin')
  await page.getByText('No books match.').waitFor()
  await field.fill('')
  await page.getByText('Filters').waitFor()
  await expect.poll(() => rows.count()).toBeGreaterThan(1)

  const { page: visitor } = await openVisitor(octavo.url, { viewport: desktop })
  await visitor.goto('/u/life/books?q=harriet')
  await visitor.getByText('Persuasion').first().waitFor()
  expect(await visitor.getByRole('searchbox').count()).toBe(0)
  expect(await visitor.content()).not.toContain('Harriet')
})

it('shows visitors what is theirs to see, and nothing of a private book', async () => {
  const { page } = await openVisitor(octavo.url, { viewport: desktop })
  await page.goto('/u/life/diary')
  await page.getByRole('heading', { name: 'June 2023' }).waitFor()
  await page.goto('/u/life/books?tag=highbury')
  await page.getByRole('button', { name: /^Emma: Want to read/ }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Finished in 2009').waitFor()
  await sheet.getByText('Review with spoilers').waitFor()
  expect(await sheet.getByText('Harriet').count()).toBe(0)
  expect(await sheet.getByText('Badly done').count()).toBe(0)
  expect(await sheet.getByRole('button', { name: /Change|Log a|Add a/ }).count()).toBe(0)

  await api.collection('user_books').update(emma.id, { isPrivate: true })
  for (const path of ['tags', 'diary']) {
    const answer = await page.request.get(`${octavo.url}/api/v1/users/life/${path}`)
    expect(await answer.text()).not.toMatch(/Emma|highbury/)
  }
  await page.goto('/u/life/diary')
  await page.getByText('No finished books here yet.').waitFor()
})
