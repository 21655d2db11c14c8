import { afterAll, expect, test } from 'vitest'
import { AudiobookshelfServer, audiobookshelfKey } from '#tests/audiobookshelf.ts'
import { accessibilityViolations } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'
import { ReadwiseServer, readwiseToken } from '#tests/readwise.ts'

const server = new AudiobookshelfServer()
const readwise = new ReadwiseServer()
await Promise.all([server.listen(), readwise.listen()])
const { octavo, post } = await openOctavo({
  CONNECTION_NETWORKS: '127.0.0.0/8',
  READWISE_URL: readwise.url,
})
const phone = { width: 390, height: 844 }

afterAll(() => Promise.all([server.close(), readwise.close()]))

test('a reader connects Audiobookshelf, and what they listen to saves itself', async () => {
  const reader = await openReader({ octavo, post }, 'listener', { viewport: phone })
  const { page, problems, allow } = reader
  // An address is refused.
  allow(/400/)
  const shelf = await reader.shelve('Novels')
  const book = await reader.add(shelf, 'Emma', { authors: ['Jane Austen'], page_count: 400 })
  const yesterday = new Date(Date.now() - 86_400_000).toISOString()
  server.add({ id: 'emma', title: 'Emma', authors: ['Jane Austen'], duration: 36_000 })
  server.play('emma', { id: 'one', at: yesterday, minutes: 60 })
  await page.goto('/account/connections')
  const field = page.getByLabel('Server address')
  await page.locator('summary', { hasText: 'Connect Audiobookshelf' }).click()
  const connect = page.getByRole('button', { name: 'Connect Audiobookshelf' })
  await field.fill(server.url)
  await connect.click()
  await page.getByText('The key is required and cannot be empty.').waitFor()
  await field.fill('http://10.0.0.1/')
  await page.getByLabel('API key').fill('wrong')
  await connect.click()
  await page.getByText('This address is in a private network').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await field.fill(server.url)
  await connect.click()
  await page.getByText('The key was refused.', { exact: false }).waitFor()
  expect(await field.inputValue()).toBe('')
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('The key was refused.').waitFor({ state: 'detached' })
  await field.fill(server.url)
  await page.getByLabel('API key').fill(audiobookshelfKey)
  await connect.click()
  await page.getByText('Last read', { exact: false }).waitFor()
  expect(await page.content()).not.toContain(audiobookshelfKey)
  await page.getByText('Audiobookshelf is at 10% of “Emma”').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'This one: Emma' }).click()
  await page.getByText('Emma now saves its page by itself.').waitFor()
  const progress = async () =>
    (await reader.call('GET', `user_books/records/${book}`))['progress'] as number
  await expect.poll(progress).toBe(40)
  const rows = await reader.call('GET', 'progress_log/records')
  expect((rows['items'] as { minutes: number }[]).map(({ minutes }) => minutes)).toEqual([60])
  await page.getByRole('button', { name: 'Pause Audiobookshelf' }).click()
  await page.getByText('Paused').waitFor()
  expect(problems).toEqual([])
})

test('a reader connects Readwise, which then has their quotes, and they its highlights', async () => {
  const reader = await openReader({ octavo, post }, 'marker', { viewport: phone })
  const { page, problems } = reader
  const book = await reader.add(await reader.shelve('Novels'), 'Emma', { authors: ['Jane Austen'] })
  const { book_key } = await reader.call('GET', `user_books/records/${book}`)
  await reader.call('POST', 'quotes/records', { book_key, text: 'Seldom, very seldom' })
  const highlight = { text: 'One half of the world', updated: '2026-01-01T00:00:00Z' }
  readwise.books = [
    { user_book_id: 1, title: 'Emma', author: 'Jane Austen', highlights: [highlight] },
  ]
  await page.goto('/account/connections')
  await page.locator('summary', { hasText: 'Connect Readwise' }).click()
  await page.getByLabel('Access token').fill(readwiseToken)
  await page.getByLabel('Also send my quotes to Readwise').check()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Connect Readwise' }).click()
  await page.getByText('Last read', { exact: false }).waitFor()
  const quotes = async () =>
    ((await reader.call('GET', 'quotes/records'))['items'] as { text: string }[]).map(
      ({ text }) => text,
    )
  await expect.poll(quotes).toContain('One half of the world')
  expect(readwise.created).toMatchObject([{ text: 'Seldom, very seldom', title: 'Emma' }])
  expect(problems).toEqual([])
})

test('a reader connects an app that exports to Readwise, and its highlights become quotes', async () => {
  const reader = await openReader({ octavo, post }, 'exporter', { viewport: phone })
  const { page, problems } = reader
  await reader.add(await reader.shelve('Novels'), 'Emma', { authors: ['Jane Austen'] })
  await page.goto('/account/connections')
  await page.locator('summary', { hasText: 'an app that exports to Readwise' }).click()
  const form = page.locator('form', {
    has: page.getByRole('button', { name: 'Connect an app' }),
  })
  await form.getByLabel('Name').fill('Reader on my phone')
  await form.getByRole('button').click()
  const valueOf = (name: string) => page.locator('dt', { hasText: name }).locator('+ dd')
  const address = await valueOf('API address').innerText()
  expect(address).toBe(`${octavo.url}/readwise/api/v2/`)
  const headers = {
    Authorization: `Token ${await valueOf('Access token').innerText()}`,
    'Content-Type': 'application/json',
  }
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Waiting for its first highlights').waitFor()
  const send = async (text: string, title: string) => {
    const body = JSON.stringify({ highlights: [{ text, title, author: 'Jane Austen' }] })
    const answer = await fetch(`${address}highlights/`, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
  }
  const quotes = async () =>
    ((await reader.call('GET', 'quotes/records'))['items'] as { text: string }[]).map(
      ({ text }) => text,
    )
  await send('One half of the world', 'Emma')
  await page.getByText('Last sent', { exact: false }).waitFor()
  await expect.poll(quotes).toEqual(['One half of the world'])
  // Its title alone says which book that was, but not which this is.
  await send('Badly done', 'The Annotated Novels')
  await page.getByText('Reader on my phone has sent “The Annotated Novels”').waitFor()
  await expect.poll(() => page.getByText('has sent').count()).toBe(1)
  await page.getByLabel('Search your books').fill('emma')
  await page.getByRole('button', { name: 'This one: Emma' }).click()
  await expect
    .poll(async () => (await quotes()).toSorted())
    .toEqual(['Badly done', 'One half of the world'])
  expect(problems).toEqual([])
})
