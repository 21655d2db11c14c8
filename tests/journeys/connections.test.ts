import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { accessibilityViolations } from '#tests/browser.ts'
import { KoreaderDevice } from '#tests/koreader-device.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo()
const phone = { width: 390, height: 844 }
const hash = 'b8fd4f3a9d2c4d3d8a7e6f5a4b3c2d1e'

/** An EPUB with what says which book it is. */
async function newEpub(): Promise<Buffer> {
  const zip = new ZipFile()
  const container = '<container><rootfile full-path="book.opf"/></container>'
  zip.addBuffer(Buffer.from(container), 'META-INF/container.xml')
  const identifiers = ['calibre:7', 'urn:isbn:978-0-14-143958-7']
  const elements = identifiers.map((one) => `<dc:identifier>${one}</dc:identifier>`).join('')
  const description = `<package xmlns:dc="http://purl.org/dc/elements/1.1/">${elements}</package>`
  zip.addBuffer(Buffer.from(description), 'book.opf')
  zip.end()
  return buffer(zip.outputStream)
}

/** What a device has been told, read off the screen. */
interface Typed {
  address: string
  username: string
  password: string
}

/** Sends a page as KOReader does. */
async function push(
  { address, username, password }: Typed,
  percentage: number,
  title = '',
  document = hash,
) {
  const answer = await fetch(`${address}/syncs/progress`, {
    method: 'PUT',
    headers: {
      Accept: 'application/vnd.koreader.v1+json',
      'Content-Type': 'application/json',
      'x-auth-user': username,
      'x-auth-key': createHash('md5').update(password).digest('hex'),
    },
    body: JSON.stringify({
      document,
      progress: '/body/DocFragment[8]/body/p[3]/text().0',
      percentage,
      device: 'Kobo',
      device_id: '3D9FE76BFBF44F2FA4D61A92E2F1A4C7',
      ...(title && { metadata: { filename: `${title}.epub`, title, authors: 'Emily Brontë' } }),
    }),
  })
  return answer.status
}

// 5 s: a device is connected, read with, doubted and revoked.
test('a reader connects KOReader, and the page saves itself', async () => {
  const reader = await openReader({ octavo, post }, 'lamplight', { viewport: phone })
  const { page, home, problems, context } = reader
  const shelf = await reader.shelve('Novels')
  const book = await reader.add(shelf, 'Wuthering Heights', {
    authors: ['Emily Brontë'],
    page_count: 282,
  })
  await page.goto('/account/settings')
  await page.getByRole('link', { name: 'Connections' }).click()
  await page.getByLabel('Name').first().fill('Kobo in the bedroom')
  await page.getByRole('button', { name: 'Add KOReader' }).click()
  const lines = page.getByRole('definition')
  await lines.nth(2).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  const [address = '', username = '', spaced = ''] = await lines.allInnerTexts()
  const typed = { address, username, password: spaced.replaceAll(/\s/g, '') }
  expect(address).toBe(`${octavo.url}/kosync`)
  expect(await lines.nth(3).innerText()).toBe(`${octavo.url}/dav`)
  await page.getByText(`Only this computer can reach ${new URL(octavo.url).hostname}.`).waitFor()
  await page.getByText('Waiting for its first page').waitFor()
  const files = page.getByRole('link', { name: 'the import' })
  expect(await files.getAttribute('href')).toBe('/account/imports')
  await page.getByRole('button', { name: 'I have typed them' }).click()
  await lines.first().waitFor({ state: 'detached' })

  expect(await push(typed, 0.25, 'Wuthering Heights (Penguin Classics)')).toBe(200)
  const elsewhere = await context.newPage()
  await elsewhere.goto('/explore')
  await elsewhere.getByText('Kobo is in a book that Octavo doesn’t know yet.').waitFor()
  await elsewhere.getByRole('link', { name: 'Say which book' }).click()
  await elsewhere.getByRole('heading', { name: 'Which book?' }).waitFor()
  await elsewhere.close()
  await page.getByText('Kobo is at 25% of “Wuthering Heights (Penguin Classics)”').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'This one: Wuthering Heights' }).click()
  await page.getByText('Wuthering Heights now saves its page by itself.').waitFor()
  await page.getByRole('heading', { name: 'Which book?' }).waitFor({ state: 'detached' })
  const progress = async () =>
    (await reader.call('GET', `user_books/records/${book}`))['progress'] as number
  await expect.poll(progress).toBe(71)

  // The page of an open book moves while its reader looks on.
  const books = await context.newPage()
  await books.goto(`${home}/books`)
  const pageField = books.getByText(/\b71\b/).first()
  await pageField.waitFor()
  await books.waitForLoadState('networkidle')
  expect(await push(typed, 0.5)).toBe(200)
  const sent = performance.now()
  await books
    .getByText(/\b141\b/)
    .first()
    .waitFor()
  expect(performance.now() - sent).toBeLessThan(2000)

  // Its statistics tell how long that took.
  const here = { md5: hash, title: 'Wuthering Heights', authors: 'Emily Brontë' }
  const kobo = new KoreaderDevice((path, init) => fetch(octavo.url + path, init), typed, [here])
  const start = Math.floor(Date.now() / 1000) - 60
  kobo.read({ md5: hash, page: 50, start, seconds: 45, pages: 100 })
  expect((await kobo.request('PROPFIND', '/', { Depth: '1' })).status).toBe(207)
  expect(await kobo.sync()).toEqual([201])
  const minutes = async () =>
    ((await reader.call('GET', 'progress_log/records'))['items'] as { minutes: number }[]).map(
      (row) => row.minutes,
    )
  await expect.poll(minutes).toContain(0.75)

  await page.getByRole('button', { name: 'Not this book: Wuthering Heights' }).click()
  await page.getByText('What was saved to Wuthering Heights has been taken back.').waitFor()
  await expect.poll(progress).toBe(0)
  await expect.poll(minutes).toEqual([])

  await page.getByRole('button', { name: 'Pause Kobo in the bedroom' }).click()
  await page.getByText('Paused').waitFor()
  expect(await push(typed, 0.6)).toBe(401)
  await page.getByRole('button', { name: 'Resume Kobo in the bedroom' }).click()
  await page.getByRole('button', { name: 'Pause Kobo in the bedroom' }).waitFor()
  expect(await push(typed, 0.6)).toBe(200)
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  const row = page.getByRole('heading', { name: 'Kobo in the bedroom' })
  await row.waitFor({ state: 'detached' })
  await expect.poll(() => push(typed, 0.7)).toBe(401)
  expect(problems).toEqual([])
})

test('an EPUB says by its ISBN which book it is, and stays in the browser', async () => {
  const reader = await openReader({ octavo, post }, 'dropper', { viewport: phone })
  const { page, call } = reader
  const book = await reader.add(await reader.shelve('Novels'), 'Emma', {
    isbn: '9780141439587',
    page_count: 400,
  })
  const made = await call('POST', 'connections/records', { name: 'Kobo', kind: 'koreader' })
  // Some type a slash at its end.
  const typed = { ...(made as unknown as Typed), address: `${octavo.url}/kosync/` }
  const epub = await newEpub()
  // Shorter than a kilobyte: its name is the MD5 of all of it.
  const name = createHash('md5').update(epub).digest('hex')
  expect(await push(typed, 0.5, '', name)).toBe(200)
  await page.goto('/account/connections')
  const file = { name: 'emma.epub', mimeType: 'application/epub+zip', buffer: epub }
  const choose = page.getByLabel('Choose its EPUB')
  await choose.setInputFiles({ ...file, buffer: Buffer.from('no book') })
  await page.getByText('This file can’t be read as an EPUB.').waitFor()
  const sent: string[] = []
  page.on('request', (request) =>
    sent.push(`${request.method()} ${new URL(request.url()).pathname}`),
  )
  await choose.setInputFiles(file)
  await page.getByText('Emma now saves its page by itself.').waitFor()
  expect(sent.filter((one) => one.startsWith('P'))).toEqual([
    expect.stringMatching(/^PATCH .*\/device_books\/records\//),
  ])
  const progress = async () => (await call('GET', `user_books/records/${book}`))['progress']
  await expect.poll(progress).toBe(200)
})

test('a device with years of statistics asks about a few books at a time', async () => {
  const reader = await openReader({ octavo, post }, 'veteran', { viewport: phone })
  const { page, call, add } = reader
  const own = await add(await reader.shelve('Novels'), 'Persuasion', { page_count: 250 })
  const { book_key } = await call('GET', `user_books/records/${own}`)
  const made = await call('POST', 'connections/records', { name: 'Kobo', kind: 'koreader' })
  const typed = { ...(made as unknown as Typed), address: `${octavo.url}/kosync` }
  const old = Array.from({ length: 120 }, (_, n) => ({
    md5: String(n).padStart(32, '0'),
    title: n === 0 ? 'Persuasion' : `Volume ${n}`,
    authors: n === 0 ? 'Jane Austen' : 'Various',
  }))
  const kobo = new KoreaderDevice((path, init) => fetch(octavo.url + path, init), typed, old)
  // The first one was read before all of the others.
  for (const [n, { md5 }] of old.entries())
    kobo.read({ md5, page: 10, start: 1_700_000_000 + n * 86_400, seconds: 60, pages: 100 })
  expect(await kobo.sync()).toEqual([201])
  const books = async (filter: string) =>
    await call('GET', `device_books/records?perPage=1&filter=${encodeURIComponent(filter)}`)
  await expect.poll(async () => (await books('id != ""'))['totalItems']).toBe(120)
  const { items } = await books('title = "Persuasion"')
  const [persuasion] = items as { id: string }[]
  await call('PATCH', `device_books/records/${persuasion?.id}`, { book_key })

  await page.goto('/account/connections')
  const cards = page.getByRole('heading', { name: /Kobo is at 10% of/ })
  await cards.first().waitFor()
  expect(await cards.allInnerTexts()).toEqual(
    [119, 118, 117].map((n) => `Kobo is at 10% of “Volume ${n}”`),
  )
  await page.getByRole('button', { name: 'Not this book: Persuasion' }).waitFor()
  await page.getByRole('button', { name: 'Load More' }).click()
  await expect.poll(() => cards.count()).toBe(13)
  await page.getByRole('button', { name: 'Don’t ask about this book' }).first().click()
  await page.getByText('“Volume 119”').first().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('“Volume 119”').first().waitFor()
  await page.getByRole('button', { name: 'Don’t ask about this book' }).first().click()
  await page.getByText('“Volume 119”').first().waitFor({ state: 'detached' })
  expect(await cards.count()).toBe(13)
  expect(await accessibilityViolations(page)).toEqual([])
})
