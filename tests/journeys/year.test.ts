import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { diaryPageSize } from '#shared/diary.ts'
import { accessibilityViolations, openVisitor, untilHydrated } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader, type Reader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo()
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const thisYear = new Date().getFullYear()

/** A book that was read, on a date. */
async function finish(reader: Reader, shelf: string, title: string, finished: string, rating = 0) {
  const { add, call, id } = reader
  const book = await add(shelf, title, { status: 'completed', page_count: 300 })
  const filter = encodeURIComponent(`user = "${id}" && title = "${title}"`)
  const { items } = await call('GET', `readings/records?filter=${filter}`)
  const [reading] = items as { id: string }[]
  await call('PATCH', `readings/records/${reading!.id}`, { finished, pages: 300, rating })
  return book
}

const wall = (page: Page) => page.getByRole('main').locator('li[data-place] a')

it('shows a year and a month as a wall of covers and of spines', async () => {
  const reader = await openReader({ octavo, post }, 'wall', phone)
  const { page, shelve, home, call } = reader
  const shelf = await shelve('Bedside table')
  await page.goto(`${home}/year`)
  await page.getByText('Finish a book, and your wall begins here.').waitFor()
  await finish(reader, shelf, 'Emma', '2024-03-05', 10)
  await finish(reader, shelf, 'Persuasion', '2024-03-09', 9)
  await finish(reader, shelf, 'Dracula', '2024', 10)
  const secret = await finish(reader, shelf, 'Frankenstein', '2024-05')
  await finish(reader, shelf, 'Walden', '2022')
  await call('PATCH', `user_books/records/${secret}`, { isPrivate: true })

  await page.goto(`${home}/2024`)
  await page.getByRole('heading', { name: '2024', level: 1 }).waitFor()
  await page.getByText('4 books and 1,200 pages').waitFor()
  await page.getByText('Top marks: Emma and Dracula').waitFor()
  const titles = async () =>
    wall(page).evaluateAll((links) => links.map((link) => link.getAttribute('title')))
  expect(await titles()).toEqual(['Frankenstein', 'Persuasion', 'Emma', 'Dracula'])
  expect(await accessibilityViolations(page)).toEqual([])
  const spines = page.getByRole('radio', { name: 'Spines' })
  await untilHydrated(spines)
  await spines.tap()
  expect(await titles()).toEqual(['Frankenstein', 'Persuasion', 'Emma', 'Dracula'])
  expect(await accessibilityViolations(page)).toEqual([])

  const saved = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Tall, 1080 × 1920' }).tap()
  expect((await saved).suggestedFilename()).toBe('2024.png')

  await page.getByRole('link', { name: /^Mar\s*2 books$/ }).tap()
  await page.getByRole('heading', { name: 'March 2024', level: 1 }).waitFor()
  await page.getByText('2 books and 600 pages').waitFor()
  await page.getByText('Top marks: Emma', { exact: true }).waitFor()
  await expect.poll(titles).toEqual(['Persuasion', 'Emma'])
  await page.getByRole('link', { name: /^Jan\s*0 books$/ }).tap()
  await page.getByText('No finished books in January 2024.').waitFor()
  expect(await page.getByRole('link', { name: 'Tall, 1080 × 1920' }).count()).toBe(0)
  const years = page.getByRole('navigation', { name: 'Years' }).getByRole('link')
  expect(await years.allInnerTexts()).toEqual(['2024', '2022'])
  await years.last().tap()
  await page.waitForURL(`**${home}/2022`)
  await page.getByRole('link', { name: '2022 in numbers' }).tap()
  await page.waitForURL(`**${home}/stats?year=2022`)

  // Others see what they may see, and no year that is none.
  const visitor = await openVisitor(octavo.url)
  visitor.allow(/status of 404/)
  await visitor.page.goto(`${home}/2024`)
  await visitor.page.getByText('3 books and 900 pages').waitFor()
  expect(await visitor.page.content()).not.toContain('Frankenstein')
  for (const path of ['2024-13', 'years', '24'])
    expect((await visitor.page.goto(`${home}/${path}`))?.status()).toBe(404)
})

it('shares the picture of a year where the browser can', async () => {
  const reader = await openReader({ octavo, post }, 'sharer', phone)
  const { page, shelve, home } = reader
  await finish(reader, await shelve('Bedside table'), 'Emma', '2024-03-05')
  await page.addInitScript(() => {
    const share = ({ files }: ShareData) => {
      document.title = (files ?? [])
        .map(({ name, type, size }) => `${name} ${type} ${size > 5000}`)
        .join()
      return Promise.resolve()
    }
    Object.assign(navigator, { share, canShare: () => true })
  })
  await page.goto(`${home}/2024`)
  const wide = page.getByRole('link', { name: 'Wide, 1200 × 630' })
  await untilHydrated(wide)
  await wide.tap()
  await expect.poll(() => page.title()).toBe('2024.png image/png true')
})

it('names the top marks of the whole year, however many books come later', async () => {
  const reader = await openReader({ octavo, post }, 'marks')
  const { page, shelve, home, call, id } = reader
  const shelf = await shelve('Bedside table')
  await finish(reader, shelf, 'Walden', '2020-01-01', 10)
  const book = await finish(reader, shelf, 'Emma', '2020-02-01')
  const { book_key } = await call('GET', `user_books/records/${book}`)
  for (let day = 0; day < diaryPageSize; day++) {
    const finished = new Date(Date.UTC(2020, 5, 1 + day)).toISOString().slice(0, 10)
    const reading = { user: id, book_key, finished, outcome: 'finished' }
    await call('POST', 'readings/records', reading)
  }
  await page.goto(`${home}/2020`)
  await page.getByText('62 books').waitFor()
  expect(await page.getByText('Top marks: Walden').count()).toBe(1)
})

it('leads from the diary to each year, and sums up its months', async () => {
  const reader = await openReader({ octavo, post }, 'rail')
  const { page, shelve, home } = reader
  const shelf = await shelve('Bedside table')
  await finish(reader, shelf, 'Emma', '2024-03-05')
  await finish(reader, shelf, 'Persuasion', '2024-03-09')
  await finish(reader, shelf, 'Walden', '2022-01')
  await page.goto(`${home}/diary`)
  await page.getByText('2 books · 600 pages').waitFor()
  await page.getByText('1 book · 300 pages').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('navigation', { name: 'Years' }).getByRole('link', { name: '2022' }).click()
  await page.getByRole('heading', { name: '2022', level: 1 }).waitFor()
})

it('shows the diary as a calendar, each book on its day', async () => {
  const reader = await openReader({ octavo, post }, 'calendar', phone)
  const { page, shelve, home, call } = reader
  const shelf = await shelve('Bedside table')
  await finish(reader, shelf, 'Emma', '2024-02-29')
  await finish(reader, shelf, 'Persuasion', '2024-02-29')
  await finish(reader, shelf, 'Dracula', '2024-02-01')
  await finish(reader, shelf, 'Walden', '2024-02')
  await finish(reader, shelf, 'Villette', '2024')
  await page.goto(`${home}/diary`)
  const calendar = page.getByRole('radio', { name: 'Calendar' })
  await untilHydrated(calendar)
  await calendar.tap()
  await page.waitForURL('**/diary?view=calendar')
  await page.reload()
  const february = page.getByRole('heading', { name: 'February 2024' })
  const days = page.locator('section', { has: february }).locator('ol > li')
  await days.first().waitFor()
  expect(await days.count()).toBe(29)
  const titlesOn = (day: number) =>
    days
      .nth(day - 1)
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('title')))
  expect(new Set(await titlesOn(29))).toEqual(new Set(['Emma', 'Persuasion']))
  expect(await titlesOn(1)).toEqual(['Dracula'])
  expect(await titlesOn(2)).toEqual([])
  // A Thursday is the fifth day of a week that begins with Sunday.
  expect(await days.first().evaluate((day) => day.style.gridColumnStart)).toBe('5')
  await page.getByRole('heading', { name: 'Day unknown' }).waitFor()
  await page.getByRole('link', { name: 'Walden' }).waitFor()
  await page.getByRole('link', { name: 'Villette' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBe(phone.viewport.width)

  const settings = await call('GET', 'settings/records')
  const [own] = settings['items'] as { id: string }[]
  await call('PATCH', `settings/records/${own!.id}`, { language: 'de' })
  await page.reload()
  await page.getByRole('heading', { name: 'Februar 2024' }).waitFor()
  const first = page.locator('ol > li').first()
  expect(await first.evaluate((day) => day.style.gridColumnStart)).toBe('4')
})

it('says on home what comes next in the series that are begun', async () => {
  const reader = await openReader({ octavo, post }, 'sequels')
  const { page, shelve, add } = reader
  const shelf = await shelve('Bedside table')
  const book = { authors: ['Suzanne Collins'], isbn: '9780439023481', status: 'completed' }
  await add(shelf, 'The Hunger Games', book)
  await page.goto('/explore')
  const heading = page.getByRole('heading', { name: 'Next in your series' })
  const next = page.locator('section').filter({ has: heading })
  await next.getByText('The Hunger Games, book 2').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  const volume = next.getByRole('link', { name: 'Catching Fire' })
  await untilHydrated(volume)
  await volume.click()
  await page.getByRole('heading', { name: 'Catching Fire', level: 1 }).waitFor()
})

it('says on home what is like a book that was liked, until it is theirs', async () => {
  const reader = await openReader({ octavo, post }, 'likes')
  const { page, shelve, add, call } = reader
  const shelf = await shelve('Bedside table')
  const book = { authors: ['Harper Lee'], isbn: '9780061120084', status: 'completed' }
  const liked = await add(shelf, 'To Kill a Mockingbird', book)
  await page.goto('/explore')
  await page.getByRole('heading', { name: 'Most Popular Classics' }).waitFor()
  const heading = page.getByRole('heading', { name: 'Because you liked To Kill a Mockingbird' })
  expect(await heading.count()).toBe(0)
  await call('PATCH', `user_books/records/${liked}`, { rating: 9 })
  await page.reload()
  const links = page.locator('section').filter({ has: heading }).getByRole('link')
  await links.first().waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  expect(await links.count()).toBe(6)
  const title = (await links.first().getAttribute('title')) ?? ''
  const path = await links.first().getAttribute('href')
  const [, isbn = ''] = /-(\d{13})$/.exec(path ?? '') ?? []
  await add(shelf, title, { isbn })
  await page.reload()
  await links.first().waitFor()
  expect(
    await links.evaluateAll((all) => all.map((one) => one.getAttribute('title'))),
  ).not.toContain(title)
  await untilHydrated(links.first())
  await links.first().click()
  await page.waitForURL('**/book/**')
})

it('sets goals, says how far they are, and shows them on home', async () => {
  const reader = await openReader({ octavo, post }, 'aims')
  const { page, shelve, home, allow } = reader
  allow(/status of 400/)
  const shelf = await shelve('Bedside table')
  const set = page.getByRole('button', { name: 'Set a goal' })
  const dialog = page.getByRole('dialog')
  await page.goto(`${home}/stats`)
  await page.getByText('Set a goal for a year or any other days').waitFor()
  await untilHydrated(set)
  await set.click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Target must be at least 1.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByLabel('Target').fill('2')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const goals = page.getByRole('main').getByRole('listitem')
  await goals.filter({ hasText: `0 of 2 books` }).waitFor()

  // Another at once, for other days and only one genre.
  await set.click()
  await dialog.getByRole('radio', { name: 'Pages' }).click()
  await dialog.getByLabel('Target').fill('500')
  await dialog.getByLabel('Days').selectOption('Other days')
  await dialog.getByLabel('From', { exact: true }).fill('2020-06-01')
  await dialog.getByLabel('To', { exact: true }).fill('2020-01-01')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('The end is before the start.').waitFor()
  await dialog.getByLabel('To', { exact: true }).fill('2020-08-31')
  await dialog.getByLabel('Which books count').selectOption('Genre')
  await dialog.getByLabel('Genre').fill('Classics')
  await dialog.getByRole('checkbox', { name: 'Only I can see it' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const summer = goals.filter({ hasText: '0 of 500 pages' })
  await summer.getByText('Ended Aug 31, 2020').waitFor()
  await summer.getByText('Jun 1, 2020 – Aug 31, 2020 · Classics').waitFor()
  await summer.getByText('Only you').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])

  await finish(reader, shelf, 'Emma', `${thisYear}-01-01`)
  await finish(reader, shelf, 'Persuasion', `${thisYear}-01-01`)
  await goals.filter({ hasText: '2 of 2 books' }).getByText('Reached').waitFor()
  await page.goto('/explore')
  await page.getByText('2 of 2 books').waitFor()
  await page.getByRole('heading', { name: 'Finished lately' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Your year' }).click()
  await page.waitForURL(`**${home}/year`)
  await page.getByText('2 of 2 books').waitFor()

  const visitor = await openVisitor(octavo.url)
  await visitor.page.goto(`${home}/stats`)
  await visitor.page.getByText('2 of 2 books').waitFor()
  expect(await visitor.page.getByText('500 pages').count()).toBe(0)
  expect(await visitor.page.getByRole('button', { name: /goal/ }).count()).toBe(0)

  await page.goto(`${home}/stats`)
  const change = page.getByRole('button', {
    name: 'Change the goal: Pages, Jun 1, 2020 – Aug 31, 2020',
  })
  await untilHydrated(change)
  await change.click()
  expect(await dialog.getByLabel('Genre').inputValue()).toBe('Classics')
  await dialog.getByRole('button', { name: 'Delete goal' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => summer.count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await summer.getByText('Only you').waitFor()
})

it('takes the year without a number from the server, and shares no picture that was refused', async () => {
  const reader = await openReader({ octavo, post }, 'refused')
  const { page, context, shelve, home, allow, problems } = reader
  await finish(reader, await shelve('Bedside table'), 'Emma', `${thisYear}-01-01`)
  await page.clock.install({ time: new Date('2031-05-05') })
  await page.goto('/')
  await page.goto(`${home}/year`)
  await page.getByRole('heading', { name: String(thisYear), level: 1 }).waitFor()
  const wide = page.getByRole('link', { name: 'Wide, 1200 × 630' })
  await untilHydrated(wide)

  // Without a sheet, a picture is saved.
  const saved = page.waitForEvent('download')
  await wide.click()
  expect((await saved).suggestedFilename()).toBe(`${thisYear}.png`)

  let downloads = 0
  page.on('download', () => downloads++)
  await page.evaluate(() => {
    const shared: string[] = []
    Object.assign(globalThis, { shared })
    Object.assign(navigator, {
      canShare: () => true,
      share: ({ files }: { files: File[] }) => Promise.resolve(shared.push(files[0]!.name)),
    })
  })
  const shared = () => page.evaluate(() => (globalThis as unknown as { shared: string[] }).shared)
  await wide.click()
  await expect.poll(shared).toEqual([`${thisYear}.png`])

  allow(/status of (?:429|500)|ERR_FAILED/)
  const pictures = '**/api/v1/users/*/year/*'
  const otherPage = '<p>Sign in to this network</p>'
  const failed = 'Something went wrong. Please try again.'
  const answers = [
    [
      { status: 429, json: { data: {}, message: 'Too Many Requests.', status: 429 } },
      'Too Many Requests.',
    ],
    [{ status: 500, contentType: 'text/html', body: otherPage }, failed],
    [{ status: 200, contentType: 'text/html', body: otherPage }, failed],
  ] as const
  for (const [answer, message] of answers) {
    await context.route(pictures, (route) => route.fulfill(answer))
    await wide.click()
    const said = page.getByText(message)
    await said.waitFor()
    await page.getByRole('button', { name: 'Close message' }).first().click()
    await said.waitFor({ state: 'detached' })
    await context.unroute(pictures)
  }
  await context.route(pictures, (route) => route.abort())
  await wide.click()
  await page.getByText('Octavo cannot be reached. Check your connection and try again.').waitFor()
  expect(await shared()).toEqual([`${thisYear}.png`])
  expect([downloads, new URL(page.url()).pathname]).toEqual([0, `${home}/year`])
  expect(problems).toEqual([])
})
