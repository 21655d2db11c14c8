import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { accessibilityViolations, afterRetries, untilHydrated } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { chooseOption } from '#tests/options.ts'
import { openReader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo()

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
const desktop = { viewport: { width: 1280, height: 800 } }
const open = (name: string, options: object = desktop) =>
  openReader({ octavo, post }, name, options)

/** Looks until it is so: longer than filters wait and a loaded machine takes. */
function eventually<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: 15_000 })
}

const emma = { isbn: '9780141439587', authors: ['Jane Austen'], genres: ['Romance'] }
const row = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) })

it.each([
  ['two rows on a phone', phone, 2],
  ['one row on a desktop', desktop, 1],
] as const)('has what is done to many books in %s', async (_, options, rows) => {
  const { page, shelve, add } = await open(`in-rows-${rows}`, options)
  const shelf = await shelve('Near at hand')
  for (const title of ['Emma', 'Persuasion', 'Lady Susan']) await add(shelf, title)
  await page.goto(`/shelf/${shelf}`)
  await chooseOption(page, 'Bulk Edit')
  const bar = page.getByRole('region', { name: 'Bulk edit' })
  await bar.getByRole('button', { name: 'Select all 3' }).click()
  await bar.getByText('3 selected').waitFor()
  const rowsOf = new Set<number>()
  for (const button of await bar.getByRole('button').all())
    rowsOf.add(Math.round((await button.boundingBox())?.y ?? 0))
  expect(rowsOf.size).toBe(rows)
  expect(await accessibilityViolations(page)).toEqual([])
})

// Some take 5 to 7 s: they change many things, and take each back.
describe('on a phone', () => {
  it('narrows the books by everything, and keeps it in the address', async () => {
    const { page, home, shelve, add } = await open('filterer', phone)
    const [near, far] = [await shelve('Near at hand'), await shelve('Far away')]
    await add(near, 'Emma', { ...emma, rating: 9, page_count: 100, progress: 50 })
    await add(near, '雪国', {
      authors: ['川端康成'],
      status: 'planning',
      rating: 4,
      language: 'jpn',
    })
    await add(far, 'هزار و یک شب', { rating: 6, status: 'paused' })
    await page.goto(`${home}/books`)
    const titles = () => page.getByRole('heading', { level: 3 }).allInnerTexts()
    await eventually(titles).toEqual(['Emma', 'هزار و یک شب', '雪国'])
    const panel = page.getByRole('group').filter({ hasText: 'Filters' }).first()
    await panel.locator('summary').click()
    expect(await accessibilityViolations(page)).toEqual([])

    await page.getByLabel('Author', { exact: true }).fill('austen')
    await eventually(titles).toEqual(['Emma'])
    await eventually(() => page.url()).toContain('author=austen')
    await page.reload()
    await eventually(titles).toEqual(['Emma'])
    await panel.locator('summary').click()
    await eventually(() => page.getByLabel('Author', { exact: true }).inputValue()).toBe('austen')
    await page.getByRole('button', { name: 'Reset', exact: true }).click()
    await eventually(() => titles().then((all) => all.length)).toBe(3)
    expect(new URL(page.url()).search).toBe('')

    // Each by itself.
    const by: [() => Promise<unknown>, string[]][] = [
      [() => page.getByLabel('Title', { exact: true }).fill('雪'), ['雪国']],
      [() => page.getByLabel('Genre', { exact: true }).fill('romance'), ['Emma']],
      [() => page.getByLabel('ISBN', { exact: true }).fill('978-0-14'), ['Emma']],
      [() => panel.getByLabel('Language').selectOption('Japanese'), ['雪国']],
      [
        async () => {
          // Several: a book has one of them.
          for (const status of ['Paused', 'Want to read'])
            await page.getByRole('button', { name: new RegExp(`^${status} \\d`) }).click()
        },
        ['هزار و یک شب', '雪国'],
      ],
      [() => page.getByRole('button', { name: 'Far away', exact: true }).click(), ['هزار و یک شب']],
      [() => page.getByRole('slider', { name: 'Progress, from' }).press('ArrowRight'), ['Emma']],
      [
        async () => {
          const most = page.getByRole('slider', { name: 'Rating, to' })
          for (let stars = 5; stars > 2.5; stars -= 0.5) await most.press('ArrowLeft')
        },
        ['雪国'],
      ],
    ]
    for (const [narrow, left] of by) {
      await narrow()
      await page.getByRole('button', { name: 'Apply' }).click()
      await eventually(() => new URL(page.url()).search).not.toBe('')
      await eventually(titles).toEqual(left)
      await page.getByRole('button', { name: 'Reset', exact: true }).click()
      await eventually(() => new URL(page.url()).search).toBe('')
    }
    await page.getByLabel('Sort', { exact: true }).selectOption('rating')
    await eventually(titles).toEqual(['雪国', 'هزار و یک شب', 'Emma'])
    await page.getByLabel('Title', { exact: true }).fill('nothing like it')
    await page.getByText('No results found.').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Reset filters' }).click()
    await row(page, 'Emma').waitFor()
  })

  it('changes many books at once, and takes it back', async () => {
    const reader = await open('bulk', phone)
    const { page, home, shelve, add, books, id: me } = reader
    const own = async () => (await books()).filter(({ user }) => user === me)
    reader.allow(/status of 400/)
    const [near, far] = [await shelve('Near at hand'), await shelve('Far away')]
    await add(far, 'Emma', emma)
    await add(near, 'Emma', emma)
    await add(near, 'Persuasion')
    await add(near, 'Lady Susan')
    await page.goto(`/shelf/${near}`)
    await chooseOption(page, 'Bulk Edit')
    const bar = page.getByRole('region', { name: 'Bulk edit' })
    await page.getByText('Select Persuasion').click({ force: true })
    await bar.getByText('1 selected').waitFor()
    await bar.getByRole('button', { name: 'Select all 3' }).click()
    await bar.getByText('3 selected').waitFor()
    await bar.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Far away' }).click()
    // One is there already: it stays, and that is said.
    const failures = page.getByRole('dialog', { name: '1 could not be changed' })
    await failures.getByText('This book is already on the shelf.').waitFor()
    await failures.getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('Moved 2 books to Far away').waitFor()
    // What stayed is still selected, and nothing else.
    await bar.getByText('1 selected').waitFor()
    const onShelf = async (id: string) =>
      (await own()).filter((book) => book['shelf'] === id).length
    await eventually(() => onShelf(far)).toBe(3)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await eventually(() => onShelf(near)).toBe(3)

    await page.goto(`${home}/books`)
    const before = (await own()).map(({ id, created }) => [id, created])
    await chooseOption(page, 'Bulk Edit')
    await bar.getByRole('button', { name: 'Select all 4' }).click()
    await bar.getByText('4 selected').waitFor()
    await bar.getByRole('button', { name: 'Set status' }).click()
    await page.getByRole('menuitem', { name: 'Dropped' }).click()
    await page.getByText('4 books set to Dropped').waitFor()
    await eventually(async () => new Set((await own()).map(({ status }) => status))).toEqual(
      new Set(['dropped']),
    )
    const details = async (choice: string) => {
      await chooseOption(page, 'Bulk Edit')
      await bar.getByRole('button', { name: 'Select all 4' }).click()
      await bar.getByText('4 selected').waitFor()
      await bar.getByRole('button', { name: 'Details' }).click()
      await page.getByRole('menuitem', { name: choice }).click()
    }
    const all = async (field: string) => new Set((await own()).map((book) => book[field]))
    await details('Format: Ebook')
    await page.getByText('4 books set to Ebook').waitFor()
    await eventually(() => all('format')).toEqual(new Set(['ebook']))
    await details('Hide from others')
    await page.getByText('4 books hidden from others').waitFor()
    await eventually(() => all('isPrivate')).toEqual(new Set([true]))
    await details('Add tags')
    const tagging = page.getByRole('dialog', { name: 'Add tags' })
    await tagging.getByLabel('Tags', { exact: true }).fill('lent, winter')
    expect(await accessibilityViolations(page)).toEqual([])
    await tagging.getByRole('button', { name: 'Add tags' }).click()
    await page.getByText('4 books tagged').waitFor()
    const tags = async () => JSON.stringify([...(await all('tags'))])
    await eventually(async () => (await own()).map((book) => book['tags'])).toEqual(
      Array.from({ length: 4 }, () => ['lent', 'winter']),
    )
    await page
      .getByRole('listitem')
      .filter({ hasText: '4 books tagged' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await eventually(tags).not.toContain('lent')

    await chooseOption(page, 'Bulk Edit')
    await bar.getByRole('button', { name: 'Select all 4' }).click()
    await bar.getByText('4 selected').waitFor()
    await bar.getByRole('button', { name: 'Remove' }).click()
    const question = page.getByRole('alertdialog', { name: 'Are you absolutely sure?' })
    await question.getByRole('button', { name: 'Remove books' }).click()
    await page.getByText('Removed 4 books').waitFor()
    await page.getByText('Add books to build your list.').waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Removed 4 books' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await row(page, 'Persuasion').waitFor()
    expect((await own()).map(({ id, created }) => [id, created])).toEqual(before)
  })

  it('gives back what was removed, from the message and from the list', async () => {
    const { page, home, shelve, add, books, id: me } = await open('undoer', phone)
    const own = async () => (await books()).filter(({ user }) => user === me)
    const shelf = await shelve('Winter evenings')
    const id = await add(shelf, 'هزار و یک شب', {
      authors: ['عبداللطیف طسوجی'],
      page_count: 300,
      progress: 20,
    })
    await add(shelf, 'Emma', emma)
    await page.goto(`${home}/books`)
    const remove = async () => {
      await page.getByRole('button', { name: /هزار.*Edit/ }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('button', { name: 'Remove book' }).click()
      // The title is set apart from the sentence, as it is written in the other direction.
      await page.getByText(/^Removed .هزار و یک شب.$/).waitFor()
    }
    await remove()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('20 of 300 pages').waitFor()
    expect((await own()).map((book) => book.id)).toContain(id)

    await page.goto(`${home}/books`)
    await remove()
    await page.goto(`/shelf/${shelf}`)
    await chooseOption(page, 'Delete shelf')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete shelf' }).click()
    await page.waitForURL(`**${home}/shelves`)

    await page.goto('/account/settings')
    await page.getByRole('link', { name: 'Recently removed' }).click()
    await page.getByRole('heading', { name: 'Recently removed', level: 1 }).waitFor()
    await page.getByText('Shelf with 1 book').waitFor()
    // Names of another direction do not turn the line around.
    const names = page.locator('li p bdi')
    expect(await names.allInnerTexts()).toContain('عبداللطیف طسوجی')
    expect(await names.allInnerTexts()).toContain('Winter evenings')
    expect(await accessibilityViolations(page)).toEqual([])
    // The keyboard goes on where it was, and to the heading once nothing is left.
    const focused = page.locator(':focus')
    await page.getByRole('button', { name: 'Restore Winter evenings' }).press('Enter')
    await eventually(() => page.getByText('Shelf with 1 book').count()).toBe(0)
    await page
      .getByRole('button', { name: /^Restore .?هزار/ })
      .and(focused)
      .press('Enter')
    await page.getByText('Nothing removed recently.').waitFor()
    await page.getByRole('heading', { name: 'Recently removed', level: 1 }).and(focused).waitFor()
    await page.goto(`/shelf/${shelf}`)
    await page.getByText('2 books', { exact: true }).waitFor()
  })

  it('takes progress in percent', async () => {
    const { page, home, shelve, add } = await open('percent', phone)
    await add(await shelve('Winter evenings'), 'Emma', emma)
    await page.goto(`${home}/books`)
    await page.getByRole('button', { name: /^Emma: Reading, page 0/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Enter percent' }).click()
    const percent = dialog.getByLabel('Percent', { exact: true })
    await percent.fill('101')
    await percent.press('Enter')
    await dialog.getByText('Percent must be at most 100.').waitFor()
    await percent.fill('40')
    await percent.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: /^Emma: Reading, 40%/ }).click()
    await eventually(() => percent.inputValue()).toBe('40')
    expect(await accessibilityViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Enter a page' }).click()
    await dialog.getByLabel('Page', { exact: true }).fill('12')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: /^Emma: Reading, page 12/ }).waitFor()
  })
})

describe('on a desktop', () => {
  it('finds shelves by name, and changes many of them', async () => {
    const { page, home, shelve, add, call, id: me } = await open('shelver')
    for (const name of ['Winter evenings', 'Summer days', '積読の山']) await shelve(name)
    const long = await shelve('A name that is '.repeat(6))
    await add(long, 'Emma', emma)
    await page.goto(`${home}/shelves`)
    const cards = () => page.getByRole('heading', { level: 2 }).allInnerTexts()
    await eventually(() => cards().then((all) => all.length)).toBe(4)
    expect(await accessibilityViolations(page)).toEqual([])
    const search = page.getByRole('searchbox', { name: 'Search shelves by name' })
    await search.fill('summ')
    await eventually(cards).toEqual(['Summer days'])
    await search.fill('積読')
    await eventually(cards).toEqual(['積読の山'])
    // Two letters say too little.
    await search.fill('su')
    await eventually(() => cards().then((all) => all.length)).toBe(4)
    await search.fill('not there')
    await page.getByText('No shelves found').waitFor()
    await search.fill('')
    await eventually(() => cards().then((all) => all.length)).toBe(4)

    await page.getByRole('button', { name: 'Manage' }).click()
    await page.getByRole('menuitem', { name: 'New Shelf' }).waitFor()
    await page.getByRole('menuitem', { name: 'Bulk Edit' }).click()
    const bar = page.getByRole('region', { name: 'Bulk edit' })
    await bar.getByRole('button', { name: 'Select all 4' }).click()
    await bar.getByText('4 selected').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await bar.getByRole('button', { name: 'Visibility' }).click()
    await page.getByRole('menuitem', { name: 'Private' }).click()
    await page.getByText('4 shelves made private').waitFor()
    const kept = async () =>
      (
        await call(
          'GET',
          `bookshelves/records?sort=created&filter=${encodeURIComponent(`user="${me}"`)}`,
        )
      ).items as {
        id: string
        visibility: string
      }[]
    await eventually(async () => (await kept()).map(({ visibility }) => visibility)).toEqual(
      Array.from({ length: 4 }, () => 'private'),
    )
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await eventually(async () => (await kept()).map(({ visibility }) => visibility)).toEqual(
      Array.from({ length: 4 }, () => 'public'),
    )
    const before = (await kept()).map(({ id }) => id)
    await page.getByRole('button', { name: 'Manage' }).click()
    await page.getByRole('menuitem', { name: 'Bulk Edit' }).click()
    await bar.getByRole('button', { name: 'Select all 4' }).click()
    await bar.getByText('4 selected').waitFor()
    await bar.getByRole('button', { name: 'Remove' }).click()
    await page
      .getByText('This removes 4 shelves and all their books (1 book).', { exact: false })
      .waitFor()
    await page.getByRole('button', { name: 'Delete shelves' }).click()
    await page.getByText('Removed 4 shelves').waitFor()
    await page.getByText('Create a shelf to add books.').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await eventually(async () => (await kept()).map(({ id }) => id)).toEqual(before)
  })

  it('wishes for each book once, and says where it is sold', async () => {
    const { page, home, shelve, add } = await open('wisher')
    await page.goto(`${home}/wishlist`)
    await eventually(() => page.title()).toBe('My Wishlist | Octavo')
    await page.getByText('Empty! Start adding books to a shelf.').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    const [one, two] = [await shelve('Here'.repeat(2)), await shelve('There')]
    const planned = { ...emma, status: 'planning' }
    await add(one, 'Emma', planned)
    await add(two, 'Emma', { ...planned, isbn: '0141439580' })
    await add(one, 'Without a number', { status: 'planning' })
    await add(one, 'Read now', { isbn: '9780141439471' })
    await page.goto(`${home}/wishlist`)
    await eventually(() => page.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
      'Emma',
    ])
    await page.getByRole('button', { name: 'Options for Emma' }).click()
    await page.getByRole('menuitem', { name: 'View Offers' }).click()
    const dialog = page.getByRole('dialog', { name: 'Offers' })
    for (const name of ['Hard Cover', 'eBooks', 'Audiobooks']) {
      await dialog.getByRole('tab', { name }).click()
      await dialog.getByRole('tabpanel').getByRole('link').first().waitFor()
    }
    expect(await accessibilityViolations(page)).toEqual([])
  })

  it('hides, shows and deletes what the timeline says', async () => {
    const reader = await open('teller')
    const { page, home, shelve, add, call, id: me } = reader
    await add(await shelve('Winter evenings'), 'Emma', { ...emma, status: 'planning' })
    await page.goto(home)
    await page.getByText('Added').first().waitFor()
    const menu = page.getByRole('button', {
      name: 'Added Emma to Winter evenings: hide or delete',
    })
    const act = async (name: string) => {
      await menu.click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await act('Hide')
    await page.getByText('Hidden from others').waitFor()
    const others = await open('other')
    await others.page.goto(home)
    await others.page.getByText('No activity to show!').waitFor()
    await eventually(() =>
      others.page.getByRole('button', { name: /hide or delete/ }).count(),
    ).toBe(0)
    expect(await accessibilityViolations(page)).toEqual([])
    await act('Unhide')
    await eventually(() => page.getByText('Hidden from others').count()).toBe(0)
    await act('Delete')
    await page.getByText('No activity to show!').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await menu.waitFor()

    // Gone meanwhile in another tab.
    reader.allow(/status of 404/)
    const [entry] = (
      await call('GET', `activities/records?filter=${encodeURIComponent(`user="${me}"`)}`)
    ).items as { id: string }[]
    await page.route('**/api/realtime', (route) => route.abort())
    await page.route(`**/activities/records/${entry!.id}`, (route) =>
      route.fulfill({ status: 404, json: { status: 404, message: 'gone', data: {} } }),
    )
    await act('Hide')
    await page.getByText('failed to update').waitFor()
  })

  it('says that books or activity cannot be had, and tries again', async () => {
    const reader = await open('unlucky')
    const { page, home, shelve, add } = reader
    reader.allow(/status of 503/)
    await add(await shelve('Winter evenings'), 'Emma', emma)
    const fail = (collection: string) =>
      page.route(`**/api/collections/${collection}/records?**`, (route) =>
        route.fulfill({ status: 503, json: { status: 503, message: '', data: {} } }),
      )
    const tab = (name: string) =>
      page.getByRole('navigation').getByRole('link', { name, exact: true }).last()
    const alert = page.getByRole('alert').filter({ hasText: 'Data Error' })
    await page.clock.install()
    await page.goto(`${home}/shelves`)
    await fail('user_books')
    await tab('Books').click()
    await afterRetries(page, alert.getByText('Failed to retrieve the books.'))
    expect(await accessibilityViolations(page)).toEqual([])
    await page.unrouteAll()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await row(page, 'Emma').waitFor()
    await fail('activities')
    await tab('Overview').click()
    await afterRetries(page, alert.getByText('Failed to retrieve activity data.'))
    await page.unrouteAll()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Started Reading').waitFor()
  })
})

it('keeps few rows in the page, however far it is scrolled', async () => {
  const { page, home, shelve, context } = await open('collector')
  const shelf = await shelve('Everything')
  const many = 300
  for (let n = 0; n < many; n += 50)
    await context.request.post(`${octavo.url}/api/batch`, {
      headers: { 'X-Session': 'cookie', Origin: octavo.url },
      data: {
        requests: Array.from({ length: 50 }, (_, i) => ({
          method: 'POST',
          url: '/api/collections/user_books/records',
          body: { shelf, status: 'reading', title: `Volume ${String(n + i).padStart(3, '0')}` },
        })),
      },
    })
  await page.goto(`${home}/books?sort=title`)
  await row(page, 'Volume 000').waitFor()
  const rows = page.locator('li[aria-posinset]')
  // The first page comes with the page.
  const made = await (await page.request.get(page.url())).text()
  expect(made.match(/aria-posinset/g)).toHaveLength(15)
  let most = 0
  await eventually(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    most = Math.max(most, await rows.count())
    return row(page, `Volume ${many - 1}`).count()
  }).toBe(1)
  expect(most).toBeLessThanOrEqual(100)
  expect(await rows.first().getAttribute('aria-setsize')).toBe(String(many))
  await expect(row(page, 'Volume 000').count()).resolves.toBe(0)
  await page.evaluate(() => window.scrollTo(0, 0))
  await row(page, 'Volume 000').waitFor()
  const volume = page.getByRole('button', { name: /^Volume 000: Reading/ })
  await untilHydrated(volume)
  await volume.focus()
  for (let n = 0; n < 18; n++) await page.keyboard.press('Tab')
  // The keyboard goes on to rows that were not in sight.
  const focused = await page.evaluate(
    () => document.activeElement?.closest('li')?.textContent ?? '',
  )
  expect(focused).toMatch(/Volume 00[4-9]/)
})
