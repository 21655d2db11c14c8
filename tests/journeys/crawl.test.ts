import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Language } from '#shared/language.ts'
import { openVisitor, untilHydrated } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader, type Reader } from '#tests/reader.ts'
import { conditionedBrowsers, type Condition } from './browser-conditions.ts'
import {
  each,
  fillLibrary,
  misplacedRoutes,
  screens,
  type Library,
  type Screen,
} from './screens.ts'
import { contact, englishOf, judgeOf, type Judge } from './texts.ts'

const { octavo, post } = await openOctavo({
  PUBLIC_CONTACT_EMAIL: contact,
  ROADMAP_URL: 'https://roadmap.octavo.example',
  CHAT_URL: 'https://chat.octavo.example',
})

it('has a screen of every route', () => {
  expect(misplacedRoutes()).toEqual([])
})

const views = ['grid', 'list', 'spines']

/** A reader of a browser's own, with something on every screen, one with nothing, and a visitor. */
async function openViewers(number: number, language: Language, conditions: readonly Condition[]) {
  const options: BrowserContextOptions = { locale: language }
  for (const condition of conditions) Object.assign(options, condition.options)
  const reader = await openReader({ octavo, post }, `${2040 + number}`, options)
  const newcomer = await openReader({ octavo, post }, `${3040 + number}`, options)
  const visitor = await openVisitor(octavo.url, options)
  // Each view comes with other conditions the second time.
  const nth = number + Math.floor(number / views.length)
  const view = { value: views.at(nth % views.length)!, url: octavo.url }
  for (const { context, allow } of [reader, newcomer, visitor]) {
    await context.addCookies(['shelf-view', 'books-view'].map((name) => ({ name, ...view })))
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
  return { reader, newcomer, visitor, filled }
}

type Viewers = Awaited<ReturnType<typeof openViewers>>

const profiles = screens.filter(({ route }) => route.startsWith('u/:username'))

/** What each looks at: a visitor at somebody else's profile too. */
const visits: Record<'visitor' | 'newcomer' | 'reader', readonly Screen[]> = {
  visitor: [
    ...screens.filter(({ only }) => only === 'visitor'),
    ...profiles.filter(({ only }) => !only),
  ],
  newcomer: profiles.filter(
    ({ route, only }) =>
      only !== 'visitor' && only !== 'administrator' && !route.includes(':bookId'),
  ),
  reader: screens.filter(({ only }) => !only || only === 'reader'),
}

/**
 * Opens every screen.
 *
 * @param look says what is wrong with a screen; not all are there
 * @returns what is wrong with any
 */
async function visitAll(
  { filled, ...viewers }: Viewers,
  look: (
    page: Page,
    screen: Pick<Screen, 'signsOut'> & { isThere: boolean },
  ) => Promise<(string | false)[]>,
): Promise<string[]> {
  const found: string[] = []
  const visit = (viewer: keyof typeof visits, library: Library) =>
    each(
      viewers[viewer].context,
      visits[viewer],
      async (page, { path, status = 200, signsOut }) => {
        const address = path(library)
        const answer = await page.goto(address)
        const problems = [
          answer?.status() !== status && `answers ${answer?.status()}`,
          ...(await look(page, { isThere: status === 200, signsOut })),
          (await errorOf(page)) !== (status === 200 ? undefined : String(status)) && 'fails',
        ]
        for (const problem of problems)
          if (problem) found.push(`${viewer} at ${address}: ${problem}`)
      },
    )
  // What the reader presses may hide their profile.
  await visit('visitor', filled)
  await visit('newcomer', { ...filled, home: viewers.newcomer.home })
  await visit('reader', filled)
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

// Up to 30 s each: six dozen screens, and up to six presses on each.
describe.each(conditionedBrowsers)(
  '$name',
  { timeout: 300_000 },
  ({ number, language, conditions }) => {
    it('shows every screen, and takes every press', async () => {
      const viewers = await openViewers(number, language, conditions)
      await expectSaved(viewers.reader)
      const isEnglish = judgeOf(language)
      const presses = Math.max(...conditions.map((one) => one.presses ?? 1))
      let rating = 0
      const found = await visitAll(viewers, async (page, { isThere, signsOut }) => {
        await untilHydrated(page.locator('body a').first())
        await rate(viewers, ++rating % 10)
        for (const { change } of conditions) await change?.(page)
        const isWide = await scrollsSideways(page)
        const english =
          isThere && !signsOut
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
  const viewers = await openViewers(-1, 'ar', [{ options }])
  const isEnglish = judgeOf('ar')
  const found = await visitAll(viewers, async (page) => [
    (await scrollsSideways(page)) && 'scrolls sideways',
    await englishOf(page, isEnglish),
  ])
  expect(found).toEqual([])
})
