import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { openVisitor } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { chooseOption } from '#tests/options.ts'
import { openReader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo()

/** Keeps the answers to a call back until they are let go. */
async function hold(page: Page, address: RegExp) {
  const asked = Promise.withResolvers<void>()
  const held: Route[] = []
  let isOver = false
  await page.route(address, async (route) => {
    if (isOver) return route.continue()
    held.push(route)
    asked.resolve()
  })
  return {
    asked: asked.promise,
    letGo: async () => {
      isOver = true
      await Promise.all(held.map((route) => route.continue()))
      await Promise.all(held.map(async (route) => (await route.request().response())?.finished()))
      // What follows from the answer has been drawn.
      await page.evaluate(
        () =>
          new Promise((resolve) =>
            requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))),
          ),
      )
    },
  }
}

it('leaves who goes on alone when more books come', async () => {
  const { page } = await openVisitor(octavo.url)
  const more = await hold(page, /book-info\/search\?.*page=2/)
  await page.goto('/explore?genre=Classics')
  await page.getByRole('article').first().waitFor()
  await page.getByRole('article').last().scrollIntoViewIfNeeded()
  await more.asked
  const book = await hold(page, /book-info\/isbn\//)
  await page.getByRole('article').first().getByRole('link').click()
  await book.asked
  await more.letGo()
  await book.letGo()
  await page.waitForURL('/book/*')
  expect(new URL(page.url()).search).toBe('')
})

it('leaves who follows a link alone, whatever they typed before', async () => {
  const ann = await openReader({ octavo, post }, 'ann-who-types')
  const shelf = await ann.shelve('Found by name')
  await ann.add(shelf, 'Emma')
  const { page } = ann
  await page.clock.install()

  await page.goto('/users?sort=a-z')
  const readers = page.getByRole('searchbox', { name: 'Search readers by name' })
  const profile = await hold(page, /collections\/profile\/records/)
  await readers.pressSequentially('ann')
  await page.getByRole('main').getByRole('link', { name: 'ann-who-types' }).click()
  await profile.asked
  await page.clock.runFor(5000)
  await profile.letGo()
  await page.waitForURL(ann.home)

  await page.goto(`${ann.home}/shelves`)
  const books = await hold(page, /collections\/bookshelves\/records\/\w/)
  await page.getByRole('searchbox', { name: 'Search shelves by name' }).pressSequentially('by name')
  await page.getByRole('link', { name: 'Found by name' }).click()
  await books.asked
  await page.clock.runFor(5000)
  await books.letGo()
  await page.waitForURL(`/shelf/${shelf}?username=ann-who-types`)
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('Found by name')
})

it('shows in a field of search what the address says, also on the way back', async () => {
  const bea = await openReader({ octavo, post }, 'bea-who-looks')
  await bea.shelve('By the window')
  await bea.shelve('In the cellar')
  const { page } = bea
  await page.goto(`${bea.home}/shelves`)
  const box = page.getByRole('searchbox', { name: 'Search shelves by name' })
  await box.fill('cellar')
  await box.press('Enter')
  await page.waitForURL(`${bea.home}/shelves?name=cellar`)
  await page.getByRole('link', { name: 'By the window' }).waitFor({ state: 'hidden' })
  await page
    .getByRole('navigation', { name: 'Profile' })
    .getByRole('link', { name: 'Shelves' })
    .click()
  await page.getByRole('link', { name: 'By the window' }).waitFor()
  await expect.poll(() => box.inputValue()).toBe('')
  await page.goBack()
  await page.getByRole('link', { name: 'By the window' }).waitFor({ state: 'hidden' })
  await expect.poll(() => box.inputValue()).toBe('cellar')
})

it('selects nothing on a shelf that was selected on the one before', async () => {
  const cid = await openReader({ octavo, post }, 'cid-who-sorts')
  const one = await cid.shelve('The first shelf')
  const two = await cid.shelve('The other shelf')
  await cid.add(one, 'Emma')
  await cid.add(two, 'Persuasion')
  const { page } = cid
  await page.goto(`/shelf/${one}`)
  await chooseOption(page, 'Bulk Edit')
  await page.getByRole('checkbox', { name: 'Select Emma' }).check({ force: true })
  await page.getByText('1 selected').waitFor()
  // As the buttons of a browser do, without loading the page.
  await page.evaluate((path) => {
    history.pushState(null, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }, `/shelf/${two}`)
  await page.getByRole('heading', { name: 'The other shelf' }).waitFor()
  await page.getByRole('button', { name: /^Persuasion:/ }).waitFor()
  expect(await page.getByText('1 selected').count()).toBe(0)
})

it('saves of a profile what was changed here, and leaves what was changed elsewhere', async () => {
  const dee = await openReader({ octavo, post }, 'dee-in-two-tabs')
  const { page, id, call } = dee
  await page.goto('/account/edit')
  const name = page.getByLabel('Name', { exact: true })
  await expect.poll(() => name.isEnabled()).toBe(true)
  const read = async () => {
    const { items } = await call('GET', `settings/records?filter=(user="${id}")`)
    return (items as { id: string; isPrivate: boolean }[])[0]!
  }
  await call('PATCH', `settings/records/${(await read()).id}`, { isPrivate: true })
  await name.fill('Dee')
  const card = page.locator('section').filter({ hasText: 'Account Settings' })
  await card.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('updated').first().waitFor()
  expect(await read()).toMatchObject({ isPrivate: true })
  await expect.poll(() => page.getByRole('radio', { name: 'Private' }).isChecked()).toBe(true)
  await expect.poll(() => name.inputValue()).toBe('Dee')
})
