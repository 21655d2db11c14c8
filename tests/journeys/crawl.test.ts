import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Language } from '#shared/language.ts'
import { openVisitor, untilHydrated } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader, type Reader } from '#tests/reader.ts'
import { conditionedBrowsers, type Condition } from './browser-conditions.ts'
import { each, fillLibrary, misplacedRoutes, screens, type Library } from './screens.ts'
import { contact, englishOf, judgeOf, type Judge } from './texts.ts'

const { octavo, post } = await openOctavo({
  PUBLIC_CONTACT_EMAIL: contact,
  ROADMAP_URL: 'https://roadmap.octavo.example',
  CHAT_URL: 'https://chat.octavo.example',
})

it('has a screen of every route', () => {
  expect(misplacedRoutes()).toEqual([])
})

/** One screen of each route, with the viewer who sees most of it. */
const first = [...Map.groupBy(screens, ({ route }) => route).values()].map(([screen]) => screen!)

/** A reader of a browser's own, with something on every screen, and a visitor. */
async function openBoth(name: string, language: Language, conditions: readonly Condition[]) {
  const options: BrowserContextOptions = { locale: language }
  for (const condition of conditions) Object.assign(options, condition.options)
  const reader = await openReader({ octavo, post }, name, options)
  const visitor = await openVisitor(octavo.url, options)
  for (const { context, allow } of [reader, visitor]) {
    // Forms without anything typed are refused.
    allow(/status of 4\d\d/)
    for (const { prepare, allowed } of conditions) {
      await prepare?.(context)
      if (allowed) allow(allowed)
    }
  }
  const filled = await fillLibrary(reader)
  const answer = await reader.context.request.post('/api/collections/imports/records', {
    headers: { 'X-Session': 'cookie', Origin: octavo.url },
    multipart: {
      file: { name: '1.csv', mimeType: 'text/csv', buffer: Buffer.from('Title,Author\n草枕,漱石') },
    },
  })
  filled.imported = ((await answer.json()) as { id: string }).id
  return { reader, visitor, filled }
}

/**
 * Opens the first screen of every route.
 *
 * @param look says what is wrong with a screen; not all are there
 * @returns what is wrong with any
 */
async function visitAll(
  { reader, visitor, filled }: Awaited<ReturnType<typeof openBoth>>,
  look: (page: Page, isThere: boolean) => Promise<(string | false)[]>,
): Promise<string[]> {
  const found: string[] = []
  const visit = (context: BrowserContext, viewer: 'visitor' | 'reader') =>
    each(
      context,
      first.filter(({ only = 'reader' }) => only === viewer),
      async (page, { path, status = 200 }) => {
        const address = path(filled)
        const answer = await page.goto(address)
        const problems = [
          answer?.status() !== status && `answers ${answer?.status()}`,
          ...(await look(page, status === 200)),
          (await errorOf(page)) !== (status === 200 ? undefined : String(status)) && 'fails',
        ]
        for (const problem of problems) if (problem) found.push(`${address}: ${problem}`)
      },
    )
  // What the reader presses may hide their profile.
  await visit(visitor.context, 'visitor')
  await visit(reader.context, 'reader')
  return found
}

/** @returns the status that stands where a screen would */
const errorOf = (page: Page) =>
  page.evaluate(() => /^[45]\d\d$/.exec(document.querySelector('h1')?.textContent ?? '')?.[0])

/** Runs in the page. @returns whether there was another button to press */
async function pressNext(times: number): Promise<boolean> {
  const settled = () =>
    new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve)))
  const pressOne = async (element: HTMLElement) => {
    // A menu opens as soon as its button is down.
    for (const name of ['pointerdown', 'pointerup'])
      element.dispatchEvent(new PointerEvent(name, { bubbles: true, pointerType: 'mouse' }))
    for (let n = 0; n < times; n++) element.click()
    await settled()
  }
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  await settled()
  const next = [...document.querySelectorAll<HTMLElement>('main button:enabled')].find(
    (one) => !one.dataset['pressed'] && one.checkVisibility(),
  )
  if (!next) return false
  next.dataset['pressed'] = ''
  await pressOne(next)
  const submit = document.querySelector<HTMLElement>('[role=dialog] [type=submit]:enabled')
  if (submit) await pressOne(submit)
  return true
}

/**
 * Presses the first buttons of a screen, and sends the form of each dialog that opens. What asks
 * whether the reader is sure is not confirmed.
 *
 * @returns the English that came with any of them
 */
async function press(page: Page, presses: number, isEnglish: Judge): Promise<string[]> {
  const found = [await englishOf(page, isEnglish)]
  for (let count = 0; count < 6; count++) {
    if (!(await page.evaluate(pressNext, presses))) break
    found.push(await englishOf(page, isEnglish))
  }
  return found
}

/** Follows a link that every screen has. */
async function leave(page: Page): Promise<void> {
  await page
    .locator('a[href="/terms"]')
    .first()
    .evaluate((link: HTMLElement) => link.click())
  await page.waitForURL('/terms')
}

const scrollsSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > innerWidth)

// Up to 15 s each: three dozen screens, and up to six presses on each.
describe.each(conditionedBrowsers)(
  '$name',
  { timeout: 300_000 },
  ({ number, language, conditions }) => {
    it('shows every screen, and takes every press', async () => {
      const both = await openBoth(`${2040 + number}`, language, conditions)
      await expectSaved(both.reader)
      const isEnglish = judgeOf(language)
      const presses = Math.max(...conditions.map((one) => one.presses ?? 1))
      let rating = 0
      const found = await visitAll(both, async (page, isThere) => {
        await untilHydrated(page.locator('body a').first())
        await rate(both, ++rating % 10)
        for (const { change } of conditions) await change?.(page)
        const isWide = await scrollsSideways(page)
        const english = isThere
          ? await press(page, presses, isEnglish)
          : [await englishOf(page, isEnglish)]
        const failed = isThere && (await errorOf(page))
        if (isThere) await leave(page)
        return [isWide && 'scrolls sideways', failed ? `shows ${failed}` : '', ...english]
      })
      expect(found).toEqual([])
    })
  },
)

/** Saves a page as a Japanese keyboard types it, and searches. */
async function expectSaved({ context, books }: Reader): Promise<void> {
  const page = await context.newPage()
  await page.goto('/explore')
  const field = page.locator('main input[inputmode=numeric]').first()
  await untilHydrated(field)
  await field.fill('１２１')
  await field.press('Enter')
  await expect.poll(async () => (await books()).map(({ progress }) => progress)).toContain(121)
  // What was searched for is remembered where it can be.
  await page.goto('/explore?q=sense')
  await page.getByRole('article').first().waitFor()
  await page.reload()
  await page.getByRole('article').first().waitFor()
  await page.close()
}

/** Writes as another device. */
const rate = ({ reader, filled }: { reader: Reader; filled: Library }, rating: number) =>
  reader.call('PATCH', `user_books/records/${filled.record}`, { rating })

it('shows every screen without scripts', async () => {
  const options = { javaScriptEnabled: false, viewport: { width: 320, height: 640 } }
  const both = await openBoth('2039', 'ar', [{ options }])
  const isEnglish = judgeOf('ar')
  const found = await visitAll(both, async (page) => [
    (await scrollsSideways(page)) && 'scrolls sideways',
    await englishOf(page, isEnglish),
  ])
  expect(found).toEqual([])
})
