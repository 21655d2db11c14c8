import { HtmlValidate } from 'html-validate'
import { expect, test } from 'vitest'
import type { Page, Response } from 'playwright-core'
import { accessibilityViolations, openVisitor } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader, password } from '#tests/reader.ts'

const { octavo, post, mailedCode } = await openOctavo()
const eReader = { viewport: { width: 600, height: 800 }, javaScriptEnabled: false }

/** The rules of the HTML standard, without those of taste, and for all that browsers would guess. */
const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard'],
  rules: {
    'missing-doctype': 'error',
    'no-implicit-close': 'error',
    'no-missing-references': 'error',
    'no-raw-characters': 'error',
  },
})

/** @returns what isn't valid in a page */
async function mistakesIn(text: string): Promise<string[]> {
  const { results } = await validator.validateString(text)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${ruleId}, line ${line}: ${message}`),
  )
}

/** Looks at every page that a browser is given. @returns the paths, and what was wrong */
function inspect(page: Page) {
  const seen = { paths: [] as string[], wrong: [] as string[], work: [] as Promise<void>[] }
  async function look(answer: Response): Promise<void> {
    const { pathname } = new URL(answer.url())
    const text = await answer.text()
    seen.paths.push(pathname)
    const bytes = Buffer.byteLength(text)
    if (bytes > 14_000) seen.wrong.push(`${pathname} has ${bytes} bytes`)
    for (const word of ['<script', 'flex', 'grid', 'javascript:'])
      if (text.includes(word)) seen.wrong.push(`${pathname} has ${word}`)
    seen.wrong.push(...(await mistakesIn(text)).map((one) => `${pathname}: ${one}`))
  }
  page.on('response', (answer) => {
    const isPage = answer.headers()['content-type']?.startsWith('text/html')
    if (isPage) seen.work.push(look(answer))
  })
  return async () => {
    await Promise.all(seen.work)
    return seen
  }
}

test('what isn’t valid in a page is found', async () => {
  const page = (body: string) =>
    `<!doctype html><html lang="en"><head><title>Octavo</title></head><body>${body}</body></html>`
  expect(await mistakesIn(page('<p>Reading now</p>'))).toEqual([])
  for (const body of [
    '<p>a<form></form></p>',
    '<p id="a">a</p><p id="a">b</p>',
    '<label for="page">Page</label>',
    '<p>Tom & Jerry</p>',
    '<ul><p>a</p></ul>',
    '<div>',
  ])
    expect(await mistakesIn(page(body)), body).not.toEqual([])
  expect(await mistakesIn('<p>Reading now</p>')).not.toEqual([])
})

// 4 s: the daily loop, page by page.
test('a reader with an e-reader’s browser saves a page, finishes and finds a book', async () => {
  const reader = await openReader({ octavo, post }, 'lamplight')
  const shelf = await reader.shelve('Novels')
  const book = await reader.add(shelf, 'Tom & Jerry <wild>', { page_count: 282, progress: 12 })
  for (let n = 0; n < 20; n++)
    await reader.add(shelf, `${n}${'吾輩は猫である'.repeat(70)}`, {
      page_count: 300,
      authors: Array.from({ length: 20 }, () => '夏目 漱石'),
      ...(n % 2 && { status: 'planning' }),
    })
  await reader.call('PATCH', `user_books/records/${book}`, { progress: 13 })
  const { page, allow } = await openVisitor(octavo.url, eReader)
  // Refusals are pages of their own.
  allow(/status of 400/)
  const seen = inspect(page)
  await page.goto('/lite')
  await page.getByLabel('Email').fill(reader.email)
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The email or the password is wrong.').waitFor()
  await page.getByLabel('Email').fill(reader.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const code = await mailedCode(reader.email)
  const arabicCode = [...code].map((digit) => String.fromCodePoint(0x660 + Number(digit))).join('')
  await page.getByLabel('6-digit code').fill(arabicCode)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Reading now' }).waitFor()

  expect(await page.getByRole('listitem').count()).toBe(8)
  await page.getByRole('link', { name: 'More' }).click()
  await expect.poll(() => page.getByRole('listitem').count()).toBe(3)
  await page.getByRole('link', { name: 'Reading now' }).click()
  const first = page.getByRole('listitem').first()
  await first.getByRole('heading', { name: 'Tom & Jerry <wild>' }).waitFor()
  expect(await first.getByLabel('Page of 282').inputValue()).toBe('13')
  await first.getByLabel('Page of 282').fill('120')
  await first.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const stored = () => reader.call('GET', `user_books/records/${book}`)
  expect(await stored()).toMatchObject({ progress: 120, status: 'reading' })
  await first.getByLabel('Page of 282').fill('１２１')
  await first.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  expect(await stored()).toMatchObject({ progress: 121 })
  for (const wrong of ['999', 'x', '-1']) {
    await first.getByLabel('Page of 282').fill(wrong)
    await first.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This page is not in the book.').waitFor()
    expect(await stored()).toMatchObject({ progress: 121 })
    // What was typed stays, to be mended.
    expect(await first.getByLabel('Page of 282').inputValue()).toBe(wrong)
    expect(await page.locator('[aria-invalid=true]').count()).toBe(1)
  }
  await first.getByRole('link', { name: 'Finish' }).click()
  await page.getByLabel('Rating out of 5').selectOption('4.5')
  await page.getByRole('button', { name: 'Finish' }).click()
  await page.getByText('Saved.').waitFor()
  expect(await stored()).toMatchObject({ status: 'completed', rating: 9 })

  await page.getByRole('link', { name: 'Search' }).click()
  await page.getByLabel('Search books').fill('吾輩は猫')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('heading', { name: 'Your books' }).waitFor()
  await page.getByLabel('Search books').fill('pride and prejudice')
  await page.getByRole('button', { name: 'Search' }).click()
  const found = page.getByRole('listitem').filter({ hasText: 'Jane Austen' }).first()
  await found.getByRole('button', { name: 'Want to read' }).click()
  await page.getByText('Added.').waitFor()
  const wanted = page.getByRole('listitem').filter({ hasText: 'Pride and Prejudice' })
  await wanted.getByRole('button', { name: 'Start reading' }).click()
  await page.getByText('Saved.').waitFor()
  await first.getByRole('heading', { name: 'Pride and Prejudice' }).waitFor()

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await page.goto('/lite/want')
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  const { paths, wrong } = await seen()
  expect(wrong).toEqual([])
  expect(new Set(paths)).toEqual(
    new Set(['/lite', '/lite/sign-in', '/lite/finish', '/lite/search', '/lite/want', '/lite/save']),
  )
})

test('ratings are on the scale that the reader has chosen', async () => {
  const { page, shelve, add, call } = await openReader({ octavo, post }, 'rater')
  const book = await add(await shelve('Novels'), 'Emma', { page_count: 100, rating: 9 })
  const chosen = async () => (await page.getByRole('option', { selected: true }).innerText()).trim()
  await page.goto(`/lite/finish?book=${book}`)
  expect(await chosen()).toBe('4.5')
  const { items } = await call('GET', 'settings/records')
  const [own] = items as { id: string }[]
  await call('PATCH', `settings/records/${own?.id}`, { rating_scale: '10' })
  await page.reload()
  expect(await chosen()).toBe('9')
  await page.getByLabel('Rating out of 10').selectOption('7')
  await page.getByRole('button', { name: 'Finish' }).click()
  await page.getByText('Saved.').waitFor()
  expect(await call('GET', `user_books/records/${book}`)).toMatchObject({ rating: 7 })
})

test('a page that is refused stays in its field, also of a book further down', async () => {
  const reader = await openReader({ octavo, post }, 'downward')
  const shelf = await reader.shelve('Novels')
  const first = await reader.add(shelf, 'The first', { page_count: 100, progress: 3 })
  for (let n = 0; n < 9; n++) await reader.add(shelf, `Book ${n}`, { page_count: 100 })
  const { page, allow } = reader
  allow(/status of 400/)
  await page.goto('/lite')
  await page.getByRole('link', { name: 'More' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'The first' })
  await row.getByLabel('Page of 100').fill('<101>')
  await row.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This page is not in the book.').waitFor()
  expect(await row.getByLabel('Page of 100').inputValue()).toBe('<101>')
  expect(await page.getByRole('listitem').count()).toBe(8)
  await row.getByLabel('Page of 100').fill('10')
  await row.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  expect(await reader.call('GET', `user_books/records/${first}`)).toMatchObject({ progress: 10 })
})

test('its pages can be read by everybody, in each direction', async () => {
  const { page, shelve, add, allow } = await openReader({ octavo, post }, 'readable', {
    locale: 'ar',
  })
  await add(await shelve('Novels'), 'كتاب', { page_count: 100 })
  allow(/status of 404/)
  for (const path of ['/lite', '/lite/want', '/lite/search?q=emma', '/lite/nothing']) {
    await page.goto(path)
    expect(await page.locator('html[lang=ar][dir=rtl]').count()).toBe(1)
    expect(await accessibilityViolations(page), path).toEqual([])
  }
})

test('a form of another site, or of another reader, changes nothing', async () => {
  const reader = await openReader({ octavo, post }, 'guarded')
  const book = await reader.add(await reader.shelve('Novels'), 'Emma', { page_count: 100 })
  const form = { book, progress: '50' }
  const send = (headers: Record<string, string>, path = '/lite/save') =>
    reader.context.request.post(octavo.url + path, { form, headers, maxRedirects: 0 })
  const foreign = { Origin: 'https://evil.example' }
  expect((await send(foreign)).status()).toBe(403)
  expect((await send({})).status()).toBe(403)
  const credentials = { identity: reader.email, password }
  const signIn = await reader.context.request.post(`${octavo.url}/lite/sign-in`, {
    form: credentials,
    headers: foreign,
  })
  expect(signIn.status()).toBe(403)
  expect(await reader.call('GET', `user_books/records/${book}`)).toMatchObject({ progress: 0 })
  expect((await send({ Origin: octavo.url })).headers()['location']).toBe('/lite?saved')
  expect(await reader.call('GET', `user_books/records/${book}`)).toMatchObject({ progress: 50 })

  const other = await openReader({ octavo, post }, 'stranger')
  const theirs = await other.context.request.post(`${octavo.url}/lite/save`, {
    form,
    headers: { Origin: octavo.url },
  })
  expect(theirs.status()).toBe(404)
  const large = { form: { book, progress: '1'.repeat(70_000) }, headers: { Origin: octavo.url } }
  expect((await other.context.request.post(`${octavo.url}/lite/save`, large)).status()).toBe(413)
})

test('odd forms and searches get a page that says so', async () => {
  expect((await fetch(`${octavo.url}/lite/`)).url).toBe(`${octavo.url}/lite`)
  const reader = await openReader({ octavo, post }, 'oddly')
  const shelf = await reader.shelve('Novels')
  const book = await reader.add(shelf, 'Emma', { page_count: 100, rating: 8 })
  const { request } = reader.context
  const send = async (path: string, data: string | object, type?: string) => {
    const headers = { Origin: octavo.url, ...(type && { 'Content-Type': type }) }
    const options = typeof data === 'string' ? { data } : { form: data as Record<string, string> }
    const sent = { ...options, headers, maxRedirects: 0 }
    return (await request.post(octavo.url + path, sent)).status()
  }
  for (const id of ['suggest', '..', '.', '', '\0', 'x'.repeat(9000)])
    expect([id.slice(0, 9), await send('/lite/want', { book: id })]).toEqual([id.slice(0, 9), 404])
  for (const type of ['multipart/form-data', 'multipart/form-data; boundary=x', 'application/json'])
    expect(await send('/lite/save', 'x', type)).toBe(400)
  for (const rating of ['x', '-1', '11'])
    expect(await send('/lite/finish', { book, rating })).toBe(400)
  const stored = await reader.call('GET', `user_books/records/${book}`)
  expect(stored).toMatchObject({ status: 'reading', rating: 8 })
  expect(await send('/lite/finish', { book, rating: '' })).toBe(303)
  const finished = await reader.call('GET', `user_books/records/${book}`)
  expect(finished).toMatchObject({ status: 'completed', rating: 8 })
  for (const text of ['"'.repeat(2000), '<'.repeat(2000), 'a'.repeat(7000)]) {
    const answer = await request.get(`${octavo.url}/lite/search`, { params: { q: text } })
    expect(answer.status()).toBe(200)
    expect((await answer.body()).length).toBeLessThan(14_000)
  }
})
