import { expect, test } from 'vitest'
import { accessibilityViolations } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo()

// 4 s: addresses are made, renewed and turned off.
test('a reader makes private feeds, renews their addresses and turns them off', async () => {
  const { page, add, shelve, problems } = await openReader({ octavo, post }, 'lamplight')
  await add(await shelve('Private', 'private'), 'Emma', { isPrivate: true })
  await page.goto('/account/connections')
  await page.getByRole('button', { name: 'Make addresses' }).click()
  await page.getByText('Copy them now. They’re shown only this once.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  const [feed = '', calendar = ''] = await page.getByRole('definition').allInnerTexts()
  expect(await (await fetch(feed.trim())).text()).toContain('Emma')
  expect((await fetch(calendar.trim())).status).toBe(200)

  const confirm = async (name: string) => {
    await page.getByRole('button', { name }).click()
    await page.getByRole('alertdialog').getByRole('button', { name }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  }
  await confirm('Renew')
  const renewed = async () => (await page.getByRole('definition').first().innerText()).trim()
  await expect.poll(renewed).not.toBe(feed.trim())
  expect((await fetch(feed.trim())).status).toBe(404)
  const address = await renewed()
  expect((await fetch(address)).status).toBe(200)
  await page.reload()
  await page.getByText(/^Made .*, last used /).waitFor()
  expect(await page.getByRole('definition').count()).toBe(0)
  await confirm('Turn off')
  await page.getByRole('button', { name: 'Make addresses' }).waitFor()
  expect((await fetch(address)).status).toBe(404)
  expect(problems).toEqual([])
})

// 5 s: two tabs renew and turn off each other's addresses.
test('addresses that another tab has renewed are shown no more', async () => {
  const { page, context, problems } = await openReader({ octavo, post }, 'scholar')
  const other = await context.newPage()
  for (const tab of [page, other]) await tab.goto('/account/connections')
  const addresses = (tab: typeof page) => tab.getByRole('definition')
  const confirm = async (tab: typeof page, name: string) => {
    await tab.getByRole('button', { name }).click()
    await tab.getByRole('alertdialog').getByRole('button', { name }).click()
    await tab.getByRole('alertdialog').waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: 'Make addresses' }).click()
  await addresses(page).first().waitFor()
  await confirm(other, 'Renew')
  await addresses(other).first().waitFor()
  await expect.poll(() => addresses(page).count()).toBe(0)
  await page.getByText(/^Made .*, not used yet/).waitFor()
  const address = (await addresses(other).first().innerText()).trim()
  expect((await fetch(address)).status).toBe(200)
  await confirm(page, 'Turn off')
  await other.getByRole('button', { name: 'Make addresses' }).waitFor()
  expect(await addresses(other).count()).toBe(0)
  expect((await fetch(address)).status).toBe(404)
  expect(problems).toEqual([])
})
