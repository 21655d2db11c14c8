import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { openVisitor, type Visitor } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader, type Reader } from '#tests/reader.ts'

const root = dirname(dirname(import.meta.dirname))
const contact = 'operator@octavo.example'
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
const desktop = { viewport: { width: 1280, height: 800 } }

const folder = mkdtempSync(join(tmpdir(), 'octavo-data-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const { octavo, post } = await openOctavo({ DATA_DIR: folder, PUBLIC_CONTACT_EMAIL: contact })

/** What the operator types, beside the running server. */
async function moderate(...words: string[]): Promise<void> {
  const command = join(root, 'server/commands/moderate.ts')
  const env = { PATH: process.env['PATH'], DATA_DIR: folder }
  await promisify(execFile)(process.execPath, [command, ...words], { env })
}

const picture = () =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: '#7a1f1f' } })
    .png()
    .toBuffer()

/** A reader with a picture, a shelf and a book on it; the addresses that are about them. */
async function openOwner(name: string, options: object): Promise<[Reader, string[], string]> {
  const owner = await openReader({ octavo, post }, name, options)
  const shelf = await owner.shelve('On the table')
  await owner.add(shelf, 'Emma', { isbn: '9780141439587', status: 'planning' })
  await owner.add(shelf, 'Persuasion')
  await owner.add(await owner.shelve('Behind the others', 'private'), 'Dracula')
  const headers = { 'X-Session': 'cookie', Origin: octavo.url }
  const answer = await owner.context.request.patch(
    `${octavo.url}/api/collections/users/records/${owner.id}`,
    {
      headers,
      multipart: { avatar: { name: 'me.png', mimeType: 'image/png', buffer: await picture() } },
    },
  )
  const { avatar } = (await answer.json()) as { avatar: string }
  const { home } = owner
  const pages = [home, `${home}/books`, `${home}/shelves`, `${home}/wishlist`, `/shelf/${shelf}`]
  return [owner, pages, `/api/files/users/${owner.id}/${avatar}`]
}

/** The page is there, with whose it is. */
async function seesProfile(page: Page, path: string, name: string): Promise<void> {
  expect((await page.goto(path))?.status()).toBe(200)
  await page.getByRole('main').getByText(name).filter({ visible: true }).first().waitFor()
}

/** What a name gets that nobody has. */
async function seesNothing({ page, allow }: Visitor, path: string, name: string): Promise<void> {
  allow(/status of 404/)
  const answer = await page.goto(path)
  expect(answer?.status()).toBe(404)
  expect(await answer?.text()).not.toContain('On the table')
  const main = page.getByRole('main')
  await main.getByRole('heading', { name: '404', exact: true }).waitFor()
  const sentence = path.startsWith('/shelf/')
    ? "The page you're looking for doesn't exist."
    : 'User profile not found.'
  await main.getByText(sentence, { exact: true }).waitFor()
  expect(await page.title()).toBe('404 | Octavo')
  expect(await main.getByText(name).count()).toBe(0)
}

/** The status of a file as the visitor's browser gets it. */
const fileStatus = ({ page }: Visitor, path: string) =>
  page.evaluate(async (address) => (await fetch(address, { cache: 'no-store' })).status, path)

// 9 s: three people look at every page of a profile, before and after.
test('a private profile is there for its owner alone, from one moment to the next', async () => {
  const [owner, pages, file] = await openOwner('shy', phone)
  const other = await openReader({ octavo, post }, 'other', phone)
  const visitor = await openVisitor(octavo.url, phone)
  for (const viewer of [visitor, other, owner]) {
    await seesProfile(viewer.page, owner.home, 'shy')
    expect(await fileStatus(viewer, file)).toBe(200)
    // What is being read, as far as its shelf is for everybody.
    const reading = viewer.page.locator('section').filter({ hasText: 'Reading now' })
    const titles = await reading.getByRole('heading', { level: 3 }).allInnerTexts()
    expect(titles).toEqual(viewer === owner ? ['Dracula', 'Persuasion'] : ['Persuasion'])
  }

  // An open page hears nothing; what it asks for next is not there any more.
  await other.page.goto(owner.home)
  await other.page.getByText('Added Emma to On the table').waitFor()
  const { page } = owner
  await page.goto('/account/settings')
  const visibility = page.getByLabel('Who can see your profile')
  await visibility.press('Shift')
  await visibility.selectOption('Private')
  await page.getByText('updated').first().waitFor()
  other.allow(/status of 404/)
  await other.page.getByRole('link', { name: 'Shelves', exact: true }).last().click()
  await expect.poll(() => other.page.getByText('On the table').count()).toBe(0)

  for (const viewer of [visitor, other]) {
    for (const path of pages) await seesNothing(viewer, path, 'shy')
    expect(await fileStatus(viewer, file)).toBe(404)
  }
  for (const path of pages) expect((await page.goto(path))?.status()).toBe(200)
  expect(await fileStatus(owner, file)).toBe(200)
  await page.goto(owner.home)
  await page.getByText('Added Emma to On the table').waitFor()
})

// 6 s: the same, and two commands.
test('a profile the operator hid is shown only to its owner, with a notice', async () => {
  const [owner, pages, file] = await openOwner('loud', desktop)
  const other = await openReader({ octavo, post }, 'reader', desktop)
  const visitor = await openVisitor(octavo.url, desktop)
  await moderate('hide', 'loud')
  for (const viewer of [visitor, other]) {
    for (const path of pages) await seesNothing(viewer, path, 'loud')
    expect(await fileStatus(viewer, file)).toBe(404)
  }
  const { page } = owner
  await seesProfile(page, owner.home, 'loud')
  expect(await fileStatus(owner, file)).toBe(200)
  const notice = page.getByRole('status').filter({ hasText: 'Only you can see your profile' })
  await notice.getByText('the administrator of this site has hidden it').waitFor()
  const mail = notice.getByRole('link', { name: contact })
  expect(await mail.getAttribute('href')).toBe(`mailto:${contact}`)

  await moderate('unhide', 'loud')
  await seesProfile(visitor.page, owner.home, 'loud')
  await page.reload()
  await page.getByRole('heading', { name: 'Activity Timeline' }).waitFor()
  expect(await notice.count()).toBe(0)
})
