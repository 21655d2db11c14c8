import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { openVisitor } from '#tests/browser.ts'
import { messagesOf } from '#tests/messages.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { password } from '#tests/reader.ts'

const { octavo, post } = await openOctavo()

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }

/** How far a page reaches beyond its window, in pixels. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

// 5 s each: a whole first day, from signing up to a page read.
it.each([
  ['de', 'ltr'],
  ['ja', 'ltr'],
  ['ar', 'rtl'],
])('a reader signs up, adds a book and sets a page in %s', async (language, direction) => {
  const words = (area: string) => messagesOf(language, area)
  const [entry, books, profile] = [words('entry'), words('books'), words('profile')]
  const { page } = await openVisitor(octavo.url, { ...phone, locale: language })
  const email = `${language}@example.org`
  const looks = async () => {
    const root = page.locator('html')
    expect([await root.getAttribute('lang'), await root.getAttribute('dir')]).toEqual([
      language,
      direction,
    ])
    expect(await overflow(page)).toBe(0)
  }

  await page.goto('/signup')
  await looks()
  await page.getByLabel(entry('email')).fill(email)
  await page.getByLabel(entry('password'), { exact: true }).fill(password)
  await page.getByLabel(entry('confirmPassword')).fill(`${password}.`)
  const signUp = page.getByRole('main').getByRole('button', { name: entry('signUp'), exact: true })
  await signUp.click()
  await page.getByText(messagesOf(language, 'rules')('passwordsDiffer')).waitFor()
  await page.getByLabel(entry('confirmPassword')).fill(password)
  await signUp.click()
  await page.getByRole('heading', { name: entry('twoStepVerification') }).waitFor()
  await page.locator('[data-input-otp-container]').waitFor()
  const mail = await post.nextMail(email)
  const code = /\b\d{6}\b/.exec(mail.text ?? '')?.[0] ?? ''
  expect(mail.html).toContain(`<html lang="${language}" dir="${direction}">`)
  await looks()
  const places = await page
    .locator('[data-input-otp-container] > [aria-hidden]')
    .evaluateAll((boxes) => boxes.map((box) => box.getBoundingClientRect().left))
  expect(places).toHaveLength(6)
  expect(places, 'the digits read from left to right').toEqual(places.toSorted((a, b) => a - b))
  await page.getByRole('button', { name: entry('verifyCode') }).waitFor()
  // Its last digit sends it.
  await page.getByLabel(entry('code')).fill(code)

  await page.waitForURL('**/welcome')
  await looks()
  await page.goto('/book/pride-and-prejudice-9780141439518')
  await looks()
  const title = 'Pride and Prejudice'
  await page.getByRole('button', { name: books('wantToRead'), exact: true }).click()
  const shelf = books('wantedShelf')
  await page.getByText(books('addedToShelf', { title, shelf })).waitFor()

  await page.goto('/account/settings')
  await looks()
  const home = await page.evaluate(async () => {
    const answer = await fetch('/api/collections/users/auth-refresh', {
      method: 'POST',
      headers: { 'X-Session': 'cookie' },
    })
    const { record } = (await answer.json()) as { record: { username: string } }
    return `/u/${record.username}`
  })
  await page.goto(`${home}/books`)
  await looks()
  const start = page.getByRole('button', { name: books('stepOf.start', { title }), exact: true })
  // The screen shows it at once; the page is left when it is saved.
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await start.first().click()
  await start.waitFor({ state: 'detached' })
  expect((await saved).ok()).toBe(true)
  await page.goto(home)
  const place = page.getByLabel(books('pageInput', { title }), { exact: true })
  await place.fill('57')
  await place.press('Enter')
  await page.getByText(books('savedPage', { page: 57, title })).waitFor()
  await page.goto(home)
  // The title is an element of its own, which sets it apart.
  const event = profile('event.page', { page: 57, title }).replaceAll(/[\u2068\u2069]/g, '')
  await page.getByText(event).waitFor()
  await looks()
})
