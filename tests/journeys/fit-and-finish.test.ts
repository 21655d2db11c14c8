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
  const mine = page.getByRole('list', { name: 'On your shelves' })
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
