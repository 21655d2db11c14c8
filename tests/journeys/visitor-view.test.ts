import { expect, it } from 'vitest'
import { accessibilityViolations } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { chooseOption, optionsOf } from '#tests/options.ts'
import { openReader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo()

// 7 s: walks every page of a profile, as a visitor and as oneself.
it('a reader looks at their pages as visitors do, and comes back', async () => {
  const reader = await openReader({ octavo, post }, 'looker')
  const { page } = reader
  const open = await reader.shelve('Open shelf')
  const closed = await reader.shelve('Closed shelf', 'private')
  await reader.add(open, 'Emma', { isbn: '9780141439587', review: 'Clever' })
  await reader.add(open, 'Secret diary', { isPrivate: true })
  await reader.add(closed, 'Persuasion')
  const banner = page.getByRole('complementary', { name: 'View as visitor' })

  await page.goto('/u/looker')
  await page.getByRole('button', { name: 'Profile menu' }).click()
  await page.getByRole('menuitem', { name: 'View as visitor' }).click()
  await banner.waitFor()
  const carried: string[] = []
  page.on('request', (request) => {
    if (!/\/api\/(?!files)/.test(request.url()) || request.method() === 'GET') return
    void request.allHeaders().then(({ cookie }) => cookie && carried.push(request.url()))
  })
  expect(page.url()).toBe(`${octavo.url}/u/looker?as=visitor`)
  await page.getByRole('link', { name: 'Login' }).first().waitFor()
  expect(await page.getByText('You', { exact: true }).count()).toBe(0)
  expect(await accessibilityViolations(page)).toEqual([])

  await page.getByRole('link', { name: 'Shelves' }).first().click()
  await page.waitForURL('/u/looker/shelves?as=visitor')
  await banner.waitFor()
  await page.getByRole('link', { name: 'Open shelf' }).first().click()
  await page.waitForURL(`/shelf/${open}?*as=visitor*`)
  await banner.waitFor()
  await page.getByText('Emma').first().waitFor()
  expect(await page.getByRole('main').innerText()).not.toMatch(/Secret|Persuasion|Closed/)
  expect(await optionsOf(page).count()).toBe(0)
  // What a press fetches is fetched as a visitor, too.
  await page.getByRole('button', { name: /^Emma/ }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Clever').waitFor()
  expect(await sheet.getByRole('button', { name: /Change|Log a|Add a/ }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.reload()
  await banner.waitFor()
  expect(carried).toEqual([])

  await banner.getByRole('link', { name: 'Back to my view' }).click()
  await optionsOf(page).waitFor()
  await page.getByText('Secret diary').first().waitFor()
  expect(await banner.count()).toBe(0)
  await chooseOption(page, 'View as visitor')
  await banner.waitFor()
  // Elsewhere there is nothing of theirs to look at.
  await page.getByRole('link', { name: 'Explore' }).first().click()
  await page.getByRole('button', { name: 'Account of looker' }).waitFor()
  expect(await banner.count()).toBe(0)

  reader.allow(/404/)
  await page.goto(`/shelf/${closed}?as=visitor`)
  await banner.waitFor()
  await page.getByRole('heading', { name: /404/ }).waitFor()
})
