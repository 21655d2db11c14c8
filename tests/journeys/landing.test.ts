import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { accessibilityViolations, openVisitor } from '#tests/browser.ts'
import { startOctavo } from '#tests/octavo.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }
const places = {
  Chat: 'https://chat.octavo.example',
  Forum: 'https://forum.octavo.example',
  Roadmap: 'https://roadmap.octavo.example',
}

const { octavo, post } = await openOctavo({
  CHAT_URL: places.Chat,
  FORUM_URL: places.Forum,
  ROADMAP_URL: places.Roadmap,
})

const wall = (page: Page) =>
  page
    .getByRole('region', { name: 'Classics and manga to start with' })
    .getByRole('listitem')
    .getByRole('link')

describe('the landing page on a phone', () => {
  test('says what Octavo does, and where its readers meet', async () => {
    const { page } = await openVisitor(octavo.url, { viewport: phone })
    await page.goto('/')
    const main = page.getByRole('main')
    for (const name of ['Track Progress', 'Custom Shelves', 'AI Powered Search', 'Buy Legally'])
      expect(await main.getByRole('heading', { name }).isVisible()).toBe(true)
    expect(await main.getByRole('blockquote').count()).toBe(0)
    for (const [name, href] of Object.entries(places))
      expect(await main.getByRole('link', { name }).getAttribute('href')).toBe(href)
    expect(await main.innerText()).toMatch(/4\.2\s+sample rating/)
  })

  test('shows three things that it does, each doing it', async () => {
    const { page } = await openVisitor(octavo.url, { viewport: phone })
    await page.goto('/')
    const line = page.getByLabel('Title and page')
    const trial = page.getByRole('listitem').filter({ has: line })
    await line.focus()
    await page.keyboard.press('End')
    const said = await line.inputValue()
    await trial.getByRole('button', { name: 'Save' }).click()
    const [number = ''] = /\d+$/.exec(said) ?? []
    await trial.getByText(`${number} of `).waitFor()
    await line.fill(`finish ${said.replace(` ${number}`, '')}`)
    await line.press('Enter')
    await trial.getByText('Completed').waitFor()
    await line.fill('the moon 3')
    await line.press('Enter')
    await trial.getByText('“the moon” isn’t among the books on this page.').waitFor()

    const views = page.getByRole('radiogroup', { name: 'View' })
    const shelf = page.getByRole('listitem').filter({ has: views })
    const spines = await shelf.getByRole('link').count()
    expect(spines).toBe(9)
    await views.getByRole('radio', { name: 'Grid' }).check()
    await expect.poll(() => shelf.getByRole('link').count()).toBe(10)
    await views.getByRole('radio', { name: 'List' }).check()
    await expect.poll(() => shelf.getByRole('link').count()).toBe(5)

    const search = page.getByLabel('Search the catalogue')
    expect(await search.inputValue()).toBe('frankenstien mary sheley')
    const find = page.getByRole('listitem').filter({ has: search })
    const found = find.getByRole('link', { name: 'Frankenstein' })
    expect(await found.getAttribute('href')).toMatch(/^\/book\/frankenstein/)
    await search.fill('huckelberry')
    await search.press('Enter')
    await page.waitForURL('**/explore?q=huckelberry')
  })
})

describe('the landing page on a desktop', () => {
  test('shows fifteen books, others at the next visit, and the way to all', async () => {
    const { page } = await openVisitor(octavo.url, { viewport: desktop })
    await page.goto('/')
    const links = () => wall(page).evaluateAll((all) => all.map((a) => a.getAttribute('href')))
    const first = await links()
    expect(new Set(first).size).toBe(15)
    for (const href of first) expect(href).toMatch(/^\/book\/.+-\d{9}[\dx]$|^\/book\/.+-\d{13}$/)
    await page.reload()
    expect(await links()).not.toEqual(first)
    await page.getByRole('link', { name: 'Browse All Books' }).click()
    await page.getByRole('heading', { name: 'Most Popular Classics' }).waitFor()
  })

  test('has a book to try, once somebody moves', async () => {
    const { page } = await openVisitor(octavo.url, { viewport: desktop })
    await page.goto('/')
    const sample = page.getByRole('region', { name: 'Try it' })
    const field = sample.getByLabel('Your page')
    expect(await field.inputValue()).toBe('57')
    await expect
      .poll(async () => {
        await sample.getByRole('button', { name: 'One more' }).click()
        return field.inputValue()
      })
      .not.toBe('57')
    expect(await sample.innerText()).toContain(`${await field.inputValue()} of `)
  })
})

test('without scripts it shows a file brought along, a year, and whose the data is', async () => {
  const { page } = await openVisitor(octavo.url, { javaScriptEnabled: false, viewport: phone })
  const sample = async () => (await page.request.get('/api/v1/sample')).text()
  await expect.poll(sample, { timeout: 30_000 }).not.toBe('{"data":null}')
  await page.goto('/')
  const file = page.getByRole('region', { name: 'Octavo’s own sample file' })
  await file.getByText('52 of 53 rows found in the catalogue.').waitFor()
  expect(await file.getByRole('link', { name: 'Emma' }).getAttribute('href')).toMatch(
    /^\/book\/emma-\d{13}$/,
  )
  for (const how of [/^Found by its ISBN/, /^No ISBN in the file/, /^Not in the catalogue/])
    expect(await file.getByText(how).first().isVisible()).toBe(true)

  const year = page.getByRole('region', { name: 'See your year' })
  await year.getByText('Sample reader').waitFor()
  const [, count = ''] = /(\d+) books, [\d,]+ pages/.exec(await year.innerText()) ?? []
  const lists = year.getByRole('list')
  expect(await lists.last().getByRole('listitem').count()).toBe(Number(count))
  const months = await lists.first().getByRole('listitem').allInnerTexts()
  const counts = months.map((text) => Number(/: (\d+) book/.exec(text)?.[1]))
  expect(counts).toHaveLength(12)
  expect(counts.reduce((sum, one) => sum + one)).toBe(Number(count))

  for (const name of ['Take it with you', 'Show what you like', 'Host it yourself'])
    expect(await page.getByRole('heading', { name }).isVisible()).toBe(true)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width)
  const tried = page.getByRole('region', { name: 'Try it' }).getByRole('heading')
  expect(await tried.innerText()).toBe('Pride and Prejudice')
})

test('the first visitor after a start sees the sample once its file is read', async () => {
  const fresh = await startOctavo()
  try {
    const { page } = await openVisitor(fresh.url)
    await page.goto('/')
    await page.getByRole('region', { name: 'See your year' }).getByText('Sample reader').waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
  } finally {
    await fresh.stop()
  }
})

test.each(['light', 'dark'] as const)('what the sample shows is accessible: %s', async (scheme) => {
  const { page } = await openVisitor(octavo.url, { viewport: desktop, colorScheme: scheme })
  await page.goto('/')
  await page.getByRole('heading', { name: 'See your year' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})

test('what readers say stands there where the operator has set it', async () => {
  const voice = { text: 'It knows my page, “always”.', who: 'Ann, a commuter' }
  const loud = await startOctavo({ TESTIMONIALS: JSON.stringify([voice]) })
  try {
    const { page } = await openVisitor(loud.url)
    // Its server stops with the test, and nothing may be under way then.
    await page.goto('/', { waitUntil: 'networkidle' })
    const quote = page.getByRole('figure')
    expect(await quote.innerText()).toContain(voice.text)
    expect(await quote.innerText()).toContain(voice.who)
    expect(await page.getByRole('heading', { name: 'See it work' }).count()).toBe(0)
    // So that the page asks for nothing once the server has stopped.
    await page.getByRole('heading', { name: 'See your year' }).waitFor()
  } finally {
    await loud.stop()
  }
})

test('search engines are told the price and where to search', async () => {
  const { page } = await openVisitor(octavo.url, { javaScriptEnabled: false })
  await page.goto('/')
  const text = await page.locator('script[type="application/ld+json"]').first().textContent()
  const { '@graph': graph } = JSON.parse(text ?? '') as { '@graph': Record<string, unknown>[] }
  expect(graph[0]).toMatchObject({ offers: { price: '0', priceCurrency: 'USD' } })
  const target = `${octavo.url}/explore?q={search_term_string}`
  expect(graph[1]).toMatchObject({ potentialAction: { target: { urlTemplate: target } } })
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`${octavo.url}/`)
  // What is to be read stands in the page itself, not behind a script.
  expect(await page.getByRole('heading', { name: 'Custom Shelves' }).isVisible()).toBe(true)
})

test('a reader who is signed in is taken to Explore', async () => {
  const { page } = await openReader({ octavo, post }, 'home-bird')
  await page.goto('/')
  await page.getByRole('heading', { name: 'Most Popular Classics' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/explore')
})
