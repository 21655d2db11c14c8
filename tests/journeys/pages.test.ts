import { expect, test } from 'vitest'
import { openVisitor } from '#tests/browser.ts'
import { startOctavo } from '#tests/octavo.ts'
import { openOctavo } from '#tests/open-octavo.ts'

const phone = { width: 390, height: 844 }
const contact = 'help@octavo.example'

const { octavo } = await openOctavo({
  PLAN_DEFAULT: 'free',
  PUBLIC_CONTACT_EMAIL: contact,
  CHAT_URL: 'https://chat.octavo.example',
  FORUM_URL: 'https://forum.octavo.example',
  ROADMAP_URL: 'https://roadmap.octavo.example',
})

test('the prices, by the month and by the year', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/pricing')
  expect(await page.title()).toBe('Pricing | Octavo')
  const free = page.getByRole('region', { name: 'Free Forever' })
  const premium = page.getByRole('region', { name: 'Premium Scholar' })
  expect(await free.innerText()).toContain('$0')
  expect(await premium.innerText()).toMatch(/Popular[^]*\$5\s+a month/)
  // What a plan lacks is struck through, and said to those who cannot see that.
  expect(await free.locator('s').allInnerTexts()).toEqual(['Custom theme', 'Early-bird benefits'])
  expect(await free.innerText()).toMatch(/5 bookshelves[^]*100 activity logs/)
  expect(await premium.innerText()).toMatch(/Unlimited bookshelves[^]*Unlimited activity logs/)
  // The label is the specification's; beside it is what the prices come to.
  await page.getByText('A year costs $49 instead of $60: 18% less.').waitFor()
  const yearly = page.getByRole('tab', { name: 'Yearly (save 20%)' })
  await yearly.click()
  // The ring is the keyboard's.
  const ring = () => page.locator('[role=tab]:focus-visible').allInnerTexts()
  expect(await ring()).toEqual([])
  await page.keyboard.press('ArrowLeft')
  await expect.poll(ring).toEqual(['Monthly'])
  await page.keyboard.press('ArrowRight')
  await expect.poll(ring).toEqual(['Yearly (save 20%)'])
  await premium.getByText('$49').waitFor()
  expect(await free.innerText()).toContain('$0')

  const question = page.getByText('Can I take my books elsewhere?')
  await question.click()
  await page.getByText(/a table of your books that other trackers can read/).waitFor()
  // Opening one closes the others.
  await page.getByText('There’s no trial that runs out.').waitFor({ state: 'hidden' })
  const mail = page.getByRole('link', { name: 'Get in Touch' })
  expect(await mail.getAttribute('href')).toBe(`mailto:${contact}`)
})

test('contact and the legal pages, from the footer', async () => {
  const { page } = await openVisitor(octavo.url, { viewport: phone })
  await page.goto('/explore')
  const footer = page.getByRole('contentinfo')
  await footer.getByRole('link', { name: 'Contact' }).click()
  await page.getByText('small side project, made by readers').waitFor()
  const main = page.getByRole('main')
  for (const [name, href] of [
    [contact, `mailto:${contact}`],
    ['Chat', 'https://chat.octavo.example'],
    ['Forum', 'https://forum.octavo.example'],
    ['Premium Scholar plan', '/pricing'],
  ] as const)
    expect(await main.getByRole('link', { name }).getAttribute('href')).toBe(href)

  await footer.getByRole('link', { name: 'Privacy Policy' }).click()
  await page.getByRole('heading', { name: 'Privacy Policy' }).waitFor()
  expect(await page.title()).toBe('Privacy Policy | Octavo')
  const privacy = await main.innerText()
  expect(privacy).toContain('Last updated May 12, 2025')
  expect(privacy).toContain('isn’t meant for children under 13')

  await footer.getByRole('link', { name: 'Terms of Service' }).click()
  await page.getByRole('heading', { name: 'Terms of Service' }).waitFor()
  expect(await page.title()).toBe('Terms of Service | Octavo')
  const terms = await main.innerText()
  for (const words of [
    'Last updated May 12, 2025',
    'over 18 years old',
    'may not impersonate anyone or be offensive',
    'limited to 100 USD',
    '30 days before they take effect',
  ])
    expect(terms).toContain(words)
})

test('without an address to write to, the pages say so and lead nowhere wrong', async () => {
  const bare = await startOctavo({ LOG_LEVEL: 'info' })
  try {
    // Its operator is told, once. The log is written in the background.
    await expect.poll(() => bare.output().match(/PUBLIC_CONTACT_EMAIL is not set/g)).toHaveLength(1)
    expect(octavo.output()).not.toContain('PUBLIC_CONTACT_EMAIL')
    const { page } = await openVisitor(bare.url)
    await page.goto('/pricing')
    await page.getByRole('link', { name: 'Get in Touch' }).click()
    await page.getByText('hasn’t published an email').waitFor()
    const reset = page.getByRole('main').getByRole('link', { name: 'Choose a new one' })
    expect(await reset.getAttribute('href')).toBe('/auth/forgot-password')
    expect(await page.locator('a[href^="mailto:"]').count()).toBe(0)
  } finally {
    await bare.stop()
  }
})
