import { describe, expect, it } from 'vitest'
import { accessibilityViolations } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { chooseOption } from '#tests/options.ts'
import { openReader } from '#tests/reader.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
const desktop = { viewport: { width: 1280, height: 800 } }

const { octavo, post } = await openOctavo()

const open = (name: string, options: object) => openReader({ octavo, post }, name, options)

describe('on a phone', () => {
  it('adds a book from Explore and from its page, with the status a reader prefers', async () => {
    const { page, id, call, shelve, books } = await open('adder', phone)
    const filter = encodeURIComponent(`user = "${id}"`)
    const { items } = await call('GET', `settings/records?filter=${filter}`)
    const [settings] = items as { id: string }[]
    await call('PATCH', `settings/records/${settings?.id}`, { default_add_status: 'paused' })
    await shelve('Near at hand')
    await shelve('Far away', 'private')

    await page.goto('/explore?q=9780141439518')
    const title = 'Pride and Prejudice'
    const card = page.getByRole('article').filter({ hasText: title }).first()
    await card.getByRole('button', { name: `Add ${title} to a shelf` }).click()
    const dialog = page.getByRole('dialog')
    const add = dialog.getByRole('button', { name: 'Add', exact: true })
    const shelf = (name: string) => dialog.getByRole('radio', { name: new RegExp(name) })
    await shelf('Near at hand').waitFor()
    // Without a shelf there is nothing to add it to.
    expect(await add.isDisabled()).toBe(true)
    expect(await dialog.getByRole('radio', { name: 'Paused' }).isChecked()).toBe(true)
    expect(await accessibilityViolations(page)).toEqual([])
    await shelf('Near at hand').click()
    await add.click()
    await page.getByText(`Added ${title} to Near at hand`).waitFor()
    const [added] = await books()
    expect(added).toMatchObject({ status: 'paused', progress: 0, rating: 0 })
    // Its first picture only.
    expect((added!['images'] as string[]).length).toBeLessThanOrEqual(1)

    await card.getByRole('link', { name: title, exact: true }).click()
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Add to another shelf' }).click()
    await dialog.getByText('Already here: Paused').waitFor()
    expect(await shelf('Near at hand').isDisabled()).toBe(true)
    await shelf('Far away').click()
    // It is one book: another shelf changes nothing that is known about it.
    await dialog.getByText('You already have this book: Paused.').waitFor()
    await add.click()
    await page.getByText(`Added ${title} to Far away`).waitFor()
    await expect
      .poll(async () => (await books()).map(({ status }) => status))
      .toEqual(['paused', 'paused'])
  })

  it('keeps the share of a book whose length becomes known later', async () => {
    const { page, home, shelve, add, books } = await open('sharer', phone)
    await add(await shelve('Near at hand'), 'An e-book')
    await page.goto(`${home}/books`)
    await page.getByRole('button', { name: /^An e-book: Reading/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Enter percent' }).click()
    await dialog.getByLabel('Percent', { exact: true }).fill('40')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: /^An e-book: Reading, 40%/ }).click()
    await dialog.getByLabel('Total pages').fill('300')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('120 of 300 pages').waitFor()
    expect((await books())[0]).toMatchObject({ progress: 120, progress_average: 40 })
  })
})

describe('on a desktop', () => {
  it('saves what was changed here, and leaves what was changed in another tab', async () => {
    const { context, page, home, shelve, add, books } = await open('twice', desktop)
    await add(await shelve('Near at hand'), 'Emma', { page_count: 474, progress: 12 })
    await page.goto(`${home}/books`)
    await page.getByRole('button', { name: /^Emma: Reading, page 12/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Page', { exact: true }).fill('100')

    const other = await context.newPage()
    await other.goto(`${home}/books`)
    await other.getByRole('button', { name: /^Emma: Reading, page 12/ }).click()
    const rating = other.getByRole('slider', { name: 'Rating' })
    await rating.focus()
    await other.keyboard.press('4')
    await other.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await other.getByText('Rated 4 out of 5').waitFor()

    expect(await dialog.getByLabel('Page', { exact: true }).inputValue()).toBe('100')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: /^Emma: Reading, page 100/ }).waitFor()
    expect((await books())[0]).toMatchObject({ rating: 8, progress: 100 })
    // The other tab follows by itself.
    await other.getByRole('button', { name: /^Emma: Reading, page 100/ }).waitFor()
  })

  it('leaves a shelf private that was made so in another tab', async () => {
    const { page, call, shelve } = await open('hider', desktop)
    const shelf = await shelve('Near at hand')
    await page.goto(`/shelf/${shelf}`)
    await chooseOption(page, 'Edit shelf')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Far away')
    await call('PATCH', `bookshelves/records/${shelf}`, { visibility: 'private' })
    await page.locator('main').getByText('Private', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Far away', level: 1 }).waitFor()
    expect(await call('GET', `bookshelves/records/${shelf}`)).toMatchObject({
      name: 'Far away',
      visibility: 'private',
    })
  })
})
