import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, test } from 'vitest'
import { accessibilityViolations } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo({ WEBHOOK_NETWORKS: '127.0.0.0/8' })
const phone = { width: 390, height: 844 }

const received: { body: string; headers: IncomingHttpHeaders }[] = []
let status = 200
const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    received.push({ body, headers: request.headers })
    response.writeHead(status).end(status === 200 ? '' : 'Not today')
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
afterAll(
  () =>
    new Promise<void>((resolve) => {
      receiver.closeAllConnections()
      receiver.close(() => resolve())
    }),
)
const address = `127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`

const typeOf = (at: number, secret: string) => {
  const { body, headers } = received.at(at)!
  return (new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string })
    .type
}

test('a reader adds a webhook, tries it, and sees what was sent', async () => {
  const reader = await openReader({ octavo, post }, 'lamplight', { viewport: phone })
  const { page, problems, allow } = reader
  const shelf = await reader.shelve('Novels')
  await page.goto('/account/connections')
  await page.locator('summary', { hasText: 'Add webhook' }).click()
  const form = page.getByRole('group').filter({ has: page.getByLabel('Address', { exact: true }) })
  const add = form.getByRole('button', { name: 'Add webhook' })
  await page.getByLabel('Address', { exact: true }).fill('ftp://example.org')
  allow(/400/)
  await add.click()
  await page.getByText('Use an http:// or https:// address without a username').waitFor()
  await page.getByLabel('Address', { exact: true }).fill(`http://${address}`)
  await page.getByLabel('Progress saved').uncheck()
  await add.click()
  const secrets = page.getByText(/^whsec_/)
  const secret = await secrets.innerText()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await secrets.waitFor({ state: 'detached' })

  await page.getByText('Nothing sent yet').waitFor()
  await page.getByRole('button', { name: `Send a test to ${address}` }).click()
  await page
    .getByText(/Test, accepted/)
    .first()
    .waitFor()
  expect(typeOf(-1, secret)).toBe('webhook.test')

  // A book that is added elsewhere appears in the log.
  status = 500
  const book = await reader.add(shelf, 'Emma', { page_count: 400, status: 'planning' })
  await reader.call('PATCH', `user_books/records/${book}`, { progress: 20 })
  await page.locator('summary', { hasText: 'Log' }).click()
  const log = page.getByRole('listitem').filter({ hasText: 'Not today' }).last()
  await log.getByText(/Book added, answer 500; it’s tried again/).waitFor()
  await log.getByText('The address has a problem of its own.').waitFor()
  await log.getByText('It answered: Not today').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  status = 200
  await log.getByRole('button', { name: /^Send again: Book added/ }).click()
  await page
    .getByText(/Book added, accepted/)
    .first()
    .waitFor()
  expect(typeOf(-1, secret)).toBe('book.added')

  await page.getByRole('button', { name: 'New secret' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'New secret' }).click()
  const renewed = await secrets.innerText()
  expect(renewed).not.toBe(secret)
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('button', { name: `Send a test to ${address}` }).click()
  await expect.poll(() => typeOf(-1, renewed)).toBe('webhook.test')

  await page.getByRole('button', { name: `Pause ${address}` }).click()
  await page.getByText('Paused by you').waitFor()
  await page.getByRole('button', { name: `Resume ${address}` }).click()
  await page.getByRole('button', { name: `Pause ${address}` }).waitFor()
  // Its address is gone.
  status = 410
  await reader.add(shelf, 'Persuasion', { status: 'planning' })
  await page.getByText('Paused because the address said that it’s gone (410).').waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('heading', { name: address }).waitFor({ state: 'detached' })
  expect(problems).toEqual([])
})
