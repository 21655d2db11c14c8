import { expect, it } from 'vitest'
import type { BrowserContext, Page } from 'playwright-core'
import { accessibilityViolations, openVisitor } from '#tests/browser.ts'
import { shiftsOf, watchShifts } from '#tests/layout-shift.ts'
import { openOctavo } from '#tests/open-octavo.ts'

const { octavo, post } = await openOctavo({ PLAN_DEFAULT: 'free' })

/** A new account, signed in without its screens: the journey of the first day walks those. */
async function signIn(context: BrowserContext, email: string): Promise<void> {
  const password = 'a quiet afternoon'
  const users = `${octavo.url}/api/collections/users`
  const send = async (path: string, data: object): Promise<Record<string, unknown>> => {
    const headers = { 'X-Session': 'cookie', Origin: octavo.url }
    const answer = await context.request.post(`${users}/${path}`, { data, headers })
    return (await answer.json()) as Record<string, unknown>
  }
  await send('records', { email, password, passwordConfirm: password })
  const { mfaId } = await send('auth-with-password', { identity: email, password })
  const { otpId } = await send('request-otp', { email })
  const code = /\b\d{6}\b/.exec((await post.nextMail(email)).text ?? '')?.[0]
  const { record } = await send('auth-with-otp', { otpId, mfaId, password: code })
  expect(record, JSON.stringify({ code, mfaId, otpId })).toBeDefined()
}

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Search the catalogue' }).fill(text)
  await page.keyboard.press('Enter')
}

const titles = (page: Page) => page.getByRole('article').getByRole('heading').allInnerTexts()

it('shows a visitor the curated books, and what is wrong with a search at its field', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/explore')
  await expect.poll(() => page.title()).toBe('Explore | Octavo')
  await page.getByRole('heading', { name: 'Most Popular Classics' }).waitFor()
  await page.getByRole('heading', { name: 'Manga and Light Novels' }).waitFor()
  const classics = page.getByRole('list', { name: 'Most Popular Classics' }).getByRole('article')
  expect(await classics.count()).toBe(12)
  await page.getByRole('button', { name: 'Show More of Most Popular Classics' }).click()
  await expect.poll(() => classics.count()).toBe(60)
  // Adding to a shelf is for those who have shelves.
  await expect.poll(() => page.getByRole('button', { name: /^Add .* to a shelf$/ }).count()).toBe(0)
  expect(await page.getByRole('button', { name: /^Want to read/ }).count()).toBe(0)

  await page.keyboard.press('/')
  await page.keyboard.type('ab')
  await page.keyboard.press('Enter')
  await page.getByText('Search text must be at least 3 characters long.').waitFor()
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Search the catalogue' }).inputValue())
    .toBe('ab')
  await search(page, '')
  await page.getByText('Search field and advanced filters both cannot be empty.').waitFor()
  await search(page, 'a'.repeat(256))
  await page.getByText('Search text must be less than 255 characters.').waitFor()
  await search(page, 'zzzqqqxxx')
  await page.getByText('No results found.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  // Titles may be shorter.
  await search(page, 'qz')
  await page.getByText('Search text must be at least 3 characters long.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Search titles for “qz”' }).click()
  await page.waitForURL((url) => url.search === '?title=qz')
  await page.getByText('No book called “qz” here.').waitFor()
})

it('moves nothing on the screen when other results come', async () => {
  const { page } = await openVisitor(octavo.url, { viewport: { width: 390, height: 844 } })
  await watchShifts(page)
  await page.goto('/explore?q=dracula', { waitUntil: 'networkidle' })
  for (const [q, title] of [
    ['emma', 'Emma, Vol. 1'],
    ['dracula', 'Dracula'],
  ] as const) {
    await page.getByRole('combobox', { name: 'Search the catalogue' }).fill(q)
    await page.waitForURL(`/explore?q=${q}`)
    await page.getByRole('heading', { name: title, exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
  }
  expect(await shiftsOf(page)).toBe(0)
})

it('finds a book by a title of one letter, which others are not', async () => {
  const { page } = await openVisitor(octavo.url, { viewport: { width: 390, height: 844 } })
  await page.goto('/explore')
  await search(page, 'X')
  await page.waitForURL('/explore?q=X')
  await page.getByRole('heading', { name: 'X/1999, Vol. 1: Prelude' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'X/1999, Vol. 1: Prelude' }).waitFor()
  await page.goto('/explore?q=ab')
  await page.getByText('Search text must be at least 3 characters long.').waitFor()
  expect(await page.getByRole('article').count()).toBe(0)
})

it('keeps the filters in the address and loads on to the end', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/explore')
  await page.getByRole('button', { name: 'Advanced Search' }).click()
  const dialog = page.getByRole('dialog', { name: 'Advanced Search' })
  await dialog.getByLabel('Author').fill('x')
  await dialog.getByLabel('ISBN').fill('9780141439519')
  await dialog.getByRole('button', { name: 'Apply', exact: true }).click()
  await dialog.getByText('Author must be at least 2 characters long.').waitFor()
  await dialog.getByText('ISBN must be a valid 10 or 13-digit number.').waitFor()
  await expect.poll(() => dialog.getByLabel('Author').inputValue()).toBe('x')

  await dialog.getByRole('button', { name: 'Reset' }).click()
  await dialog.getByRole('checkbox', { name: 'Use only advanced filters?' }).click()
  await dialog.getByRole('button', { name: 'Apply and Search' }).click()
  await dialog.getByText('Search field and advanced filters both cannot be empty.').waitFor()
  await dialog.getByLabel('Genre').fill('Classics')
  await dialog.getByRole('button', { name: 'Apply and Search' }).click()
  await page.waitForURL('/explore?genre=Classics&advancedOnly=true')
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Search the catalogue' }).isDisabled())
    .toBe(true)

  await page.getByRole('article').nth(17).waitFor()
  await page.getByRole('button', { name: 'Load More' }).click()
  await page.getByRole('article').nth(35).waitFor()
  await page.waitForURL(/&page=\d/)
  const seen = await titles(page)
  await page.reload()
  expect((await titles(page)).slice(0, 36)).toEqual(seen.slice(0, 36))
  await page.getByRole('button', { name: 'Remove the filter Genre' }).click()
  await page.getByRole('heading', { name: 'Most Popular Classics' }).waitFor()
})

it('says how a search was taken, and has the other way', async () => {
  const { page } = await openVisitor(octavo.url, { viewport: { width: 390, height: 844 } })
  await page.goto('/explore?q=frankenstien')
  await page.getByText('Results for frankenstein.').waitFor()
  await page.getByRole('button', { name: 'Search for exactly “frankenstien”' }).click()
  await page.waitForURL('/explore?q=frankenstien&by=2')
  await page.getByText('No results found.').waitFor()
  await page.getByRole('button', { name: 'Search for all words instead' }).click()
  await page.waitForURL('/explore?q=frankenstien')

  await page.goto('/explore?q=emma&genre=Classics&advancedOnly=true')
  await page.getByText('The search box is ignored while filters are on.').waitFor()
  await page.getByRole('article').first().waitFor()
  await page.getByRole('button', { name: 'Also search for “emma”' }).click()
  await page.waitForURL('/explore?q=emma&genre=Classics')
  await page.goto('/explore?q=zzzqqqxxx&genre=Classics&author=Austen')
  await page.getByText('Use fewer filters, or check the spelling.').waitFor()
  await page.getByRole('button', { name: 'Clear all filters' }).first().click()
  await page.waitForURL('/explore?q=zzzqqqxxx')
  await page.getByText('Check the spelling, use fewer words, or search by ISBN.').waitFor()
  expect(new URL(page.url()).search).toBe('?q=zzzqqqxxx')
})

it.each([390, 1280])('keeps what is searched for within the page, at %i pixels', async (width) => {
  const { page } = await openVisitor(octavo.url, { viewport: { width, height: 844 } })
  const isWithinPage = () =>
    page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
  const long = `${'frankenstien '.repeat(2)}${'marry '.repeat(38)}`.trim()
  await page.goto(`/explore?q=${encodeURIComponent(long)}&genre=Gothic&author=Shelley`)
  await page.getByRole('button', { name: 'Clear all filters' }).first().waitFor()
  expect(await isWithinPage()).toBe(true)

  await page.goto(`/explore?q=${'a'.repeat(250)}&genre=Classics&advancedOnly=true`)
  await page.getByRole('button', { name: /^Also search for “a+”$/ }).waitFor()
  expect(await isWithinPage()).toBe(true)
})

it('sends a visitor who wants to shelve a book to sign in, and back', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/explore?q=9780141439518')
  await page.getByRole('link', { name: 'Pride and Prejudice', exact: true }).click()
  await page.waitForURL('/book/pride-and-prejudice-9780141439518')
  await page.getByRole('heading', { name: 'Pride and Prejudice', level: 1 }).waitFor()
  await expect.poll(() => page.title()).toBe('Pride and Prejudice | Octavo')
  await page.getByText('2003 by Penguin Classics').waitFor()
  await page.getByText('9780141439518 (ISBN10: 0141439513)').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Add to shelf' }).click()
  await page.waitForURL('/login?origin=%2Fbook%2Fpride-and-prejudice-9780141439518')
})

it('says so when there is no such book', async () => {
  const visitor = await openVisitor(octavo.url)
  const { page } = visitor
  visitor.allow(/status of 404/)
  for (const slug of ['nothing-9780000000002', 'pride-and-prejudice']) {
    const answer = await page.goto(`/book/${slug}`)
    expect(answer?.status()).toBe(404)
    await page.getByText("Sorry! we cannot find the book you're looking for.").waitFor()
  }
})

it('shelves a book from its card, once a shelf, and as many shelves as the plan has room for', async () => {
  const visitor = await openVisitor(octavo.url)
  const { context, page } = visitor
  await signIn(context, 'shelver@example.org')
  await page.goto('/explore?q=dracula')
  const card = page.getByRole('article').filter({ hasText: 'Dracula' }).first()
  await card.hover()
  await card.getByRole('button', { name: 'Add Dracula to a shelf' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'New Shelf' }).click()
  await dialog.getByLabel('Name').fill('abc')
  await dialog.getByRole('button', { name: 'Create shelf' }).click()
  await dialog.getByText('Name must be at least 4 characters long.').waitFor()
  await dialog.getByLabel('Name').fill('a'.repeat(101))
  await dialog.getByRole('button', { name: 'Create shelf' }).click()
  await dialog.getByText('Name cannot exceed 100 characters.').waitFor()
  // A slow list that doesn't know the new shelf yet must not make another.
  const listed = Promise.withResolvers<void>()
  await page.route(/bookshelves\/records\?/, async (route) => {
    if (route.request().method() === 'GET') await listed.promise
    await route.continue()
  })
  await dialog.getByLabel('Name').fill('Shelf 1')
  await dialog.getByRole('button', { name: 'Create shelf' }).click()
  await dialog.getByRole('radio', { name: 'Want to read' }).click()
  // The second click of a hasty hand must not add it twice.
  await dialog.getByRole('button', { name: 'Add', exact: true }).dblclick()
  await page.getByText('Added Dracula to Shelf 1').waitFor()
  listed.resolve()
  await page.unrouteAll({ behavior: 'wait' })

  await card.getByRole('link', { name: 'Dracula' }).click()
  await page.getByRole('listitem').filter({ hasText: 'On your shelf Shelf 1' }).waitFor()
  await page.getByRole('button', { name: 'Add to another shelf' }).click()
  await dialog.getByText('Already here: Want to read').waitFor()
  await expect.poll(() => dialog.getByRole('radio', { name: /Shelf 1/ }).isDisabled()).toBe(true)
  await expect
    .poll(() => dialog.getByRole('button', { name: 'Add', exact: true }).isDisabled())
    .toBe(true)
  expect(await accessibilityViolations(page)).toEqual([])

  for (const name of ['Shelf 2', 'Shelf 3', 'Shelf 4', 'Shelf 5', 'Shelf 6']) {
    await dialog.getByRole('button', { name: 'New Shelf' }).click()
    await dialog.getByLabel('Name').fill(name)
    if (name === 'Shelf 6') visitor.allow(/status of 400/)
    await dialog.getByRole('button', { name: 'Create shelf' }).click()
    if (name !== 'Shelf 6') await dialog.getByRole('radio', { name }).waitFor()
  }
  const limit = 'The Free Forever plan has room for 5 bookshelves.'
  await dialog.getByRole('alert').filter({ hasText: limit }).waitFor()
  await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Shelf 6')
})
