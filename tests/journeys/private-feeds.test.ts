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
