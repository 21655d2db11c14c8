import { afterAll, expect, it } from 'vitest'
import { accessibilityViolations, openVisitor } from '#tests/browser.ts'
import { openLanguageModel } from '#tests/language-model.ts'
import { openOctavo } from '#tests/open-octavo.ts'

const model = await openLanguageModel()
afterAll(() => model.close())
const { octavo } = await openOctavo({ LLM_URL: model.url, LLM_MODEL: 'small-one' })

const phone = { width: 390, height: 844 }

it('a book is found by describing it', async () => {
  model.say({ titles: [{ title: 'Billy Budd', author: 'Herman Melville' }] })
  const { page } = await openVisitor(octavo.url, { viewport: phone })
  await page.goto('/explore')
  await page
    .getByRole('combobox', { name: 'Search the catalogue' })
    .fill('sailor hunting a white whale')
  await page.keyboard.press('Enter')
  await page.getByText('Showing books that match your description').waitFor()
  await page.getByRole('heading', { name: 'Moby-Dick' }).waitFor()
  await page.getByText(/to find the white whale that took his leg/).waitFor()
  await page.getByText('Suggested by the model').waitFor()
  await page.getByText(/We sent it “sailor hunting a white whale” and nothing else/).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])

  await page.getByRole('button', { name: 'Search for these words instead' }).click()
  await page.waitForURL(/mode=words/)
  await expect
    .poll(() => page.getByText('Showing books that match your description').count())
    .toBe(0)
  await page.getByRole('button', { name: 'Describe a book' }).click()
  await page.getByText('Showing books that match your description').waitFor()
})

it('a model that fails leaves the books that words found', async () => {
  model.misbehave((response) => void response.writeHead(500).end())
  const { page, allow } = await openVisitor(octavo.url)
  // The browser tells of every answer that is an error; the page does, too.
  allow(/503/)
  await page.goto('/explore?q=a+castaway+on+a+desert+island')
  await page.getByText('The model small-one didn’t answer').waitFor()
  await expect.poll(() => page.getByRole('heading', { name: 'Robinson Crusoe' }).count()).toBe(1)
})

it('the page of a book shows more like it, and why', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/book/frankenstein-9780393964585')
  const list = page.getByRole('list', { name: 'More like this' })
  await list.getByRole('heading', { name: 'Dracula' }).waitFor()
  await list.getByText('On the same to-read lists').first().waitFor()
  // It is on no to-read list that is known here.
  await page.goto('/book/strange-case-of-dr-jekyll-and-mr-hyde-and-other-stories-9781593080549')
  await expect.poll(() => list.getByText(/Also: .*Gothic/).count()).toBeGreaterThan(0)
})
