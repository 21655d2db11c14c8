import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { openVisitor } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const desk = { viewport: { width: 1440, height: 900 } }

const { octavo, post } = await openOctavo()

/** The longest way that words stand out of the box that cuts them off, in pixels. */
const cutOff = (all: Locator) =>
  all.evaluateAll((boxes) => Math.max(...boxes.map((box) => box.scrollWidth - box.clientWidth)))

it('cuts no letter off the titles of drawn covers', async () => {
  const { page } = await openReader({ octavo, post }, 'beginner', desk)
  await page.goto('/welcome')
  await page.getByRole('button', { name: /Mockingbird/ }).waitFor()
  await page.evaluate(() => document.fonts.ready)
  const titles = page.getByRole('main').locator('[style*=cqw]')
  expect(await titles.count()).toBeGreaterThan(5)
  expect(await cutOff(titles)).toBeLessThanOrEqual(0)
})

it('shows long names whole, or says them where the pointer is', async () => {
  const { page, home, shelve, add } = await openReader({ octavo, post }, 'of-many-letters', desk)
  const name = 'Histories and travels before 1900'
  const authors = ['Adolph Blaine Charles David Earl Frederick Gerald', 'Hubert Irvin John Kenneth']
  const book = { authors, page_count: 99_999, progress: 98_765 }
  await add(await shelve(name), 'A long row', book)
  await page.goto(`${home}/shelves`)
  // The spacing that WCAG 1.4.12 lets readers set.
  await page.addStyleTag({ content: '* { letter-spacing: 0.12em; word-spacing: 0.16em }' })
  const shelf = page.getByRole('main').getByRole('heading', { level: 2, name })
  await shelf.waitFor()
  expect(await shelf.evaluate((box) => box.scrollHeight - box.clientHeight)).toBeLessThanOrEqual(0)

  await page.goto(`${home}/books`)
  await page.getByRole('radio', { name: 'List' }).click()
  await page.getByTitle(authors.join(', ')).waitFor()
  await page.getByTitle(name).waitFor()

  await page.goto('/explore')
  expect(await cutOff(page.getByLabel('Page of A long row'))).toBeLessThanOrEqual(0)
})

it('marks the chosen tab with its whole line', async () => {
  const { page } = await openVisitor(octavo.url, phone)
  await page.goto('/book/frankenstein-9780393964585')
  await page.getByRole('button', { name: 'View Offers' }).click()
  const tabs = page.getByRole('dialog').getByRole('tablist')
  await tabs.waitFor()
  // What stands out of a row that scrolls sideways is cut off below it.
  expect(await tabs.evaluate((row) => row.scrollHeight - row.clientHeight)).toBe(0)
  const [chosen] = await tabs.getByRole('tab', { selected: true }).all()
  const mark = await chosen!.evaluate((tab) => {
    const { bottom, height, backgroundColor } = getComputedStyle(tab, '::after')
    return { bottom, height, isSeen: backgroundColor !== getComputedStyle(tab).backgroundColor }
  })
  expect(mark).toEqual({ bottom: '0px', height: '2px', isSeen: true })
})

it('shows stars and a full green bar where a book is finished', async () => {
  const reader = await openReader({ octavo, post }, 'finisher', phone)
  const { page, shelve, add } = reader
  await add(await shelve('Read'), 'Frankenstein', {
    isbn: '9780393964585',
    page_count: 336,
    progress: 336,
    status: 'completed',
    rating: 9,
  })
  await page.goto('/book/frankenstein-9780393964585')
  const mine = page.getByRole('region', { name: 'On your shelves' })
  const stars = mine.getByRole('slider', { name: 'Rate Frankenstein' })
  expect(await stars.inputValue()).toBe('9')
  const bar = mine.getByRole('progressbar')
  expect(await bar.getAttribute('value')).toBe('100')
  // No script can ask for the colour of the bar's own parts.
  expect(await bar.getAttribute('class')).toContain('progress-value]:bg-completed')
})

it('adds more classics within the width of a phone', async () => {
  const { page } = await openVisitor(octavo.url, phone)
  await page.goto('/explore')
  const list = page.getByRole('list', { name: 'Most Popular Classics' }).getByRole('article')
  await page.getByRole('button', { name: 'Show More of Most Popular Classics' }).tap()
  await expect.poll(() => list.count()).toBe(60)
  const outside = await list.evaluateAll(
    (all) =>
      all.filter((card) => {
        const { left, right } = card.getBoundingClientRect()
        return left < 0 || right > document.documentElement.clientWidth
      }).length,
  )
  expect(outside).toBe(0)
})

it('lines up the boards of readers whose tastes take one line or two', async () => {
  const readers = []
  for (const name of ['board-maker', 'board-friend', 'board-neighbour']) {
    const reader = await openReader({ octavo, post }, name, desk)
    const shelf = await reader.shelve('All I have')
    await reader.add(shelf, 'Emma', { rating: 10, status: 'completed' })
    await reader.add(shelf, 'Dracula', { rating: name === 'board-neighbour' ? 2 : 7 })
    readers.push(reader)
  }
  const { page } = readers[0]!
  await page.goto('/users?sort=similar')
  const boards = page.getByRole('main').locator('li > [aria-hidden]:last-child')
  await expect.poll(() => boards.count()).toBe(2)
  const feet = await boards.evaluateAll((all) =>
    all.map((board) => Math.round(board.getBoundingClientRect().bottom)),
  )
  expect(new Set(feet).size).toBe(1)
})

it('leaves room between the lock of a private shelf and the number of its books', async () => {
  const { page, home, shelve } = await openReader({ octavo, post }, 'locker', phone)
  await shelve('For nobody', 'private')
  await page.goto(`${home}/shelves`)
  const lock = page.getByRole('main').locator('li svg').first()
  const gap = await lock.evaluate((icon) => {
    const words = document.createRange()
    words.selectNodeContents(icon.parentElement!.lastChild!)
    return words.getBoundingClientRect().left - icon.getBoundingClientRect().right
  })
  expect(gap).toBeGreaterThanOrEqual(4)
})

it('says out of what an average is, and nothing where nothing is rated', async () => {
  const { page, home, shelve, add } = await openReader({ octavo, post }, 'rater', desk)
  const shelf = await shelve('Read')
  const average = page.getByText('Avg Rating').locator('..')
  await page.goto(home)
  await expect.poll(() => average.innerText()).toContain('–')
  expect(await average.innerText()).not.toContain('0.00')
  await add(shelf, 'Emma', { status: 'completed', rating: 9.5, page_count: 1995, progress: 1995 })
  await expect.poll(() => average.innerText()).toContain('4.75/5')
  await page.goto(`${home}/books`)
  await page.getByText('1,995 pages').waitFor()
})

it('doesn’t ask a visitor to add books to somebody else’s empty lists', async () => {
  const { home } = await openReader({ octavo, post }, 'hermit', desk)
  const { page } = await openVisitor(octavo.url, desk)
  for (const path of ['/books', '/wishlist']) {
    await page.goto(home + path)
    await page.getByText('No books here yet.').waitFor()
    expect(await page.getByRole('main').innerText()).not.toMatch(/add/i)
  }
})

it('keeps the logo at its place from page to page', async () => {
  const { page, home } = await openReader({ octavo, post }, 'wanderer', desk)
  const placeOf = async (path: string) => {
    await page.goto(path)
    return (await page.getByRole('banner').getByText('Octavo').boundingBox())!.x
  }
  const places = []
  for (const path of ['/explore', '/users', home, '/pricing', '/account/settings', '/terms'])
    places.push(await placeOf(path))
  expect(new Set(places).size).toBe(1)
})

it('keeps an error in sight for six seconds, with a close of 44 pixels', async () => {
  const { page, home, allow, shelve, add } = await openReader({ octavo, post }, 'unlucky', phone)
  allow(/status of 500/)
  await add(await shelve('Now reading'), 'Emma', { page_count: 320, progress: 9 })
  await page.goto(`${home}/books`)
  await page.route('**/api/collections/user_books/records/*', (route) =>
    route.fulfill({ status: 500, json: {} }),
  )
  await page.clock.install()
  await page.getByRole('button', { name: 'Finish Emma' }).first().tap()
  const message = page.locator('[data-sonner-toast][data-type=error]')
  await message.waitFor()
  const size = await message.locator('[data-close-button]').evaluate((button) => {
    const { width, height } = getComputedStyle(button, '::after')
    return [width, height]
  })
  expect(size.map((one) => Number.parseFloat(one) >= 44)).toEqual([true, true])
  await page.clock.runFor(4000)
  expect(await message.count()).toBe(1)
  await page.clock.runFor(3000)
  await message.waitFor({ state: 'detached' })
})

it('reaches eleven books that are being read with the mouse alone', async () => {
  const { page, home, shelve, add } = await openReader({ octavo, post }, 'juggler', desk)
  const shelf = await shelve('Now reading')
  for (let n = 1; n <= 11; n++) await add(shelf, `Book ${n}`, { page_count: 100, progress: n })
  await page.goto(home)
  const now = page.getByRole('region', { name: 'Reading now' })
  // The one touched first is at the end.
  const last = now.getByRole('heading', { name: 'Book 1', exact: true })
  const isInSight = () =>
    last.evaluate((title) => {
      const { left, right } = title.getBoundingClientRect()
      return left >= 0 && right <= document.documentElement.clientWidth
    })
  expect(await isInSight()).toBe(false)
  const arrows = page.getByRole('main').locator('button[aria-hidden] .lucide-chevron-right')
  // They come with the page's script.
  await arrows.first().waitFor()
  await expect
    .poll(async () => {
      if ((await arrows.count()) > 0) await arrows.first().click()
      return arrows.count()
    })
    .toBe(0)
  expect(await isInSight()).toBe(true)
})

it('prints a list without what surrounds it', async () => {
  const { page, home, shelve, add } = await openReader({ octavo, post }, 'printer', desk)
  const shelf = await shelve('All of them')
  await add(shelf, 'Emma', { authors: ['Jane Austen'], status: 'planning' })
  await add(shelf, 'Walden', { page_count: 100, progress: 50 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`${home}/books`)
  await page.getByRole('heading', { name: 'Walden' }).last().waitFor()
  await page.emulateMedia({ media: 'print' })
  const text = await page.locator('body').innerText()
  for (const words of ['My Books', 'Emma', 'Jane Austen', 'Want to read', '50 of 100 pages'])
    expect(text).toContain(words)
  expect(text).not.toMatch(/Explore|Privacy|Filters|Add Book|Bulk Edit|Sort/)
  const ink = await page
    .getByRole('heading', { level: 1 })
    .evaluate((title) => getComputedStyle(title).color)
  expect(ink).toBe('rgb(33, 28, 22)')
})
