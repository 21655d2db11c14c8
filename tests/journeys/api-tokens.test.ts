import { expect, test } from 'vitest'
import { accessibilityViolations } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo()

// 5 s: a token is made, used, limited and revoked.
test('a reader makes a token for a program, and takes it back', async () => {
  const reader = await openReader({ octavo, post }, 'lamplight')
  const { page, context, problems } = reader
  await reader.add(await reader.shelve('Private', 'private'), 'Emma', { isPrivate: true })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/account/connections')
  await page.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await dialog.getByText('Name is required and cannot be empty.').waitFor()
  await dialog.getByLabel('Name').fill('Dashboard')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await dialog.getByText('Copy it now. It’s shown only this once.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  const token = await dialog.getByText(/^oct_/).innerText()
  await dialog.getByRole('button', { name: 'Copy token' }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })

  const ask = async (sent: string, path: string, method = 'GET') => {
    const headers = { Authorization: `Bearer ${sent}`, 'Content-Type': 'application/json' }
    const answer = await fetch(octavo.url + path, {
      method,
      headers,
      ...(method === 'POST' && { body: JSON.stringify({ name: 'By a script' }) }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const books = '/api/collections/user_books/records'
  const shelves = '/api/collections/bookshelves/records'
  expect(await ask(token, books)).toMatchObject({ body: { items: [{ title: 'Emma' }] } })
  expect(await ask(token, shelves, 'POST')).toMatchObject({
    status: 403,
    body: { message: 'The API token lacks the scope write.' },
  })
  await page.reload()
  const tokens = page.getByRole('list', { name: 'API tokens' })
  await tokens.getByText('Reads: everything').waitFor()
  await tokens.getByText(/Last used .*, ends /).waitFor()

  await page.getByRole('button', { name: 'New token' }).click()
  await dialog.getByLabel('Name').fill('Notebook')
  await dialog.getByText('Read and write').click()
  await dialog.getByLabel('What it covers').selectOption('Only some of it')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await dialog.getByText('Choose at least one.').waitFor()
  await dialog.getByLabel('Quotes').check()
  await dialog.getByLabel('When it ends').selectOption('After 30 days')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const limited = await dialog.getByText(/^oct_/).innerText()
  await page.keyboard.press('Escape')
  await tokens.getByText('Reads and writes: Quotes').waitFor()
  expect(await ask(limited, books)).toMatchObject({
    status: 403,
    body: { message: 'The API token lacks the scope read:user_books.' },
  })
  expect((await ask(limited, '/api/v1/library/removed')).status).toBe(403)
  expect((await ask(limited, '/u/lamplight/feed.atom')).status).toBe(403)
  expect((await ask(limited, '/api/collections/quotes/records')).status).toBe(200)

  const first = tokens.getByRole('listitem').filter({ hasText: 'Dashboard' })
  await first.getByRole('button', { name: 'Revoke' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText('What uses Dashboard can no longer reach your library.').waitFor()
  await question.getByRole('button', { name: 'Revoke' }).click()
  // Behind the question the list has no roles.
  await question.waitFor({ state: 'detached' })
  await first.waitFor({ state: 'detached' })
  expect(await ask(token, books)).toMatchObject({ status: 200, body: { items: [] } })
  expect(problems).toEqual([])
})

// 4 s: a token is made and used on a device whose clock is two days wrong.
test.each([2, -2])(
  'the times of a token are the server’s on a clock %i days ahead',
  async (days) => {
    const reader = await openReader({ octavo, post }, `clock${days + 2}`)
    const { page, context, problems } = reader
    await context.addInitScript((ahead) => {
      const Real = Date
      globalThis.Date = class extends Real {
        constructor(...parts: []) {
          super(...((parts.length > 0 ? parts : [Real.now() + ahead]) as []))
        }
        static override now = () => Real.now() + ahead
      } as DateConstructor
    }, days * 86_400_000)
    await page.goto('/account/connections')
    const tokens = page.getByRole('list', { name: 'API tokens' })
    await page.getByRole('button', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Dashboard')
    await dialog.getByLabel('When it ends').selectOption('After 30 days')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    const token = await dialog.getByText(/^oct_/).innerText()
    await page.keyboard.press('Escape')
    const { items } = await reader.call('GET', 'api_tokens/records')
    const ends = Date.parse((items as { expires: string }[])[0]!.expires.replace(' ', 'T'))
    expect(Math.abs(ends - Date.now() - 30 * 86_400_000)).toBeLessThan(600_000)

    const headers = { Authorization: `Bearer ${token}` }
    await fetch(`${octavo.url}/api/collections/user_books/records`, { headers })
    await page.reload()
    await tokens
      .getByText(/^Last used (?:now|this minute|\d+ (?:second|minute)s? ago), ends /)
      .waitFor()
    await page.getByRole('link', { name: 'Octavo' }).first().click()
    await page.waitForURL((url) => url.pathname !== '/account/connections')
    await page.goBack()
    await tokens
      .getByText(/^Last used (?:now|this minute|\d+ (?:second|minute)s? ago), ends /)
      .waitFor()
    expect(problems).toEqual([])
  },
)
