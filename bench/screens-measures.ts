import type { Page } from 'playwright-core'
import { entries, shelf } from './screens-data.ts'
import { calm, inputToPaint, resetMetrics, scroll, shiftOf, watched } from './screens-watch.ts'

export interface Screens {
  page: Page
  /** Changes a record as another device does. */
  call: (path: string, body: object) => Promise<Response>
  /** The reader's profile. */
  home: string
  isShort: boolean
}

interface Measure {
  name: string
  bar: string
  take: (screens: Screens) => Promise<string>
}

const wait = (page: Page, ms: number) => page.waitForTimeout(ms)
const allBooks = (home: string) => `${home}/books?sort=title`

/** Scrolls a timeline on until its end is in the page. */
async function wholeTimeline({ page, home, isShort }: Screens): Promise<void> {
  await page.goto(home, { waitUntil: 'networkidle' })
  const status = page.locator('main output').last()
  const wanted = isShort ? 45 : entries
  const reached = async () => Number.parseInt(await status.innerText(), 10) || 0
  while ((await reached()) < wanted) {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await wait(page, 100)
  }
}

/** @returns requests, and their bytes, that follow what other devices change */
async function requestsAfter(screens: Screens, changes: number): Promise<string> {
  const { page, call } = screens
  await wholeTimeline(screens)
  let requests = 0
  let bytes = 0
  page.on('response', async (response) => {
    if (!response.url().includes('/api/')) return
    requests++
    bytes += (await response.body().catch(() => Buffer.alloc(0))).length
  })
  for (let n = 0; n < changes; n++)
    await call(`user_books/records/b00000000000001`, { progress: 31 + n })
  await wait(page, 3000)
  return `${requests} (${(bytes / 1000).toFixed(0)} kB)`
}

async function timelineSpeed(screens: Screens): Promise<string> {
  await wholeTimeline(screens)
  await screens.page.evaluate(() => window.scrollTo(0, 0))
  const { framesPerSecond } = await scroll(screens.page, 2000, screens.isShort ? 1 : 5)
  return framesPerSecond.toFixed(0)
}

async function scrollBooks({ page, home, isShort }: Screens): Promise<string> {
  await page.goto(allBooks(home), { waitUntil: 'networkidle' })
  // The start of the page isn't scrolling, and neither is what it fetches when idle.
  await wait(page, 3000)
  await resetMetrics(page)
  const { framesPerSecond, unready } = await scroll(page, 2000, isShort ? 1 : 8)
  const { longest } = await watched(page)
  return `${framesPerSecond.toFixed(0)}, ${longest.toFixed(0)} ms, ${(unready * 100).toFixed(0)} %`
}

async function openSheet(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Volume 0000.*Edit$/ })
    .first()
    .tap()
  await page.getByRole('dialog').waitFor()
}

async function searchForEmma(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Search the catalogue' }).fill('emma')
  await page.waitForURL('**/explore?q=emma')
  await page.waitForLoadState('networkidle')
}

async function tapWanted(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Want to read \d/ }).tap()
  await page.waitForURL('**status=planning**')
}

/** How long an input waits for the next paint. */
function nextPaint(
  name: string,
  address: (home: string) => string,
  act: (page: Page) => Promise<unknown>,
  prepare = async (_page: Page): Promise<unknown> => undefined,
): Measure {
  return {
    name: `Next paint: ${name}`,
    bar: '150 ms',
    async take({ page, home }) {
      await page.goto(address(home), { waitUntil: 'networkidle' })
      await prepare(page)
      return inputToPaint(page, () => act(page))
    },
  }
}

/** What moves by itself while other results come. */
function searchShift(name: string, address: string): Measure {
  return {
    name: `Layout shift: ${name} on Explore`,
    bar: '0',
    async take({ page }) {
      await page.goto(address, { waitUntil: 'networkidle' })
      return shiftOf(page, () => searchForEmma(page))
    },
  }
}

/** @returns milliseconds from the touch, by the page's own clock, to the sheet */
async function sheetOnSlowNetwork({ page, home }: Screens): Promise<string> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  })
  await page.goto(allBooks(home), { waitUntil: 'networkidle' })
  await wait(page, 8000)
  const opened = page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        addEventListener(
          'pointerdown',
          ({ timeStamp }) => {
            const look = () =>
              document.querySelector('[role=dialog]')
                ? resolve(performance.now() - timeStamp)
                : void requestAnimationFrame(look)
            look()
          },
          { once: true, capture: true },
        ),
      ),
  )
  await openSheet(page)
  return `${(await opened).toFixed(0)} ms`
}

/** @returns milliseconds from the press of a chip, by the page's own clock, to the request of its list */
async function chipApplied({ page, home }: Screens): Promise<string> {
  await page.goto(allBooks(home), { waitUntil: 'networkidle' })
  await wait(page, calm)
  const chip = page.getByRole('button', { name: /^Want to read \d/ })
  const pressed = chip.evaluate(
    (button) =>
      new Promise<number>((resolve) =>
        button.addEventListener('click', ({ timeStamp }) => resolve(timeStamp), { once: true }),
      ),
  )
  const answered = page.waitForResponse((response) => response.url().includes('planning'))
  await chip.tap()
  await (await answered).finished()
  const at = await pressed
  const requested = await page.evaluate((from) => {
    const requests = performance.getEntriesByType('resource')
    const next = requests.find((one) => one.startTime > from && one.name.includes('planning'))
    return next?.startTime ?? Number.NaN
  }, at)
  return `${(requested - at).toFixed(0)} ms`
}

export const screenMeasures: readonly Measure[] = [
  {
    name: `Elements with ${entries} entries of the timeline`,
    bar: '2000',
    take: async (screens) => {
      await wholeTimeline(screens)
      return String(await screens.page.locator('*').count())
    },
  },
  { name: 'Frames a second along them', bar: '50', take: timelineSpeed },
  { name: 'Requests after one change', bar: '5', take: (screens) => requestsAfter(screens, 1) },
  { name: 'Requests after fifty', bar: '40', take: (screens) => requestsAfter(screens, 50) },
  searchShift('other results', '/explore?q=dracula'),
  searchShift('first results', '/explore'),
  {
    name: 'Layout shift: a status chip',
    bar: '0',
    take: async ({ page, home }) => {
      await page.route('**/api/collections/user_books/records?**', async (route) => {
        // What moves within half a second of a press is counted as wanted.
        await new Promise((resolve) => setTimeout(resolve, 800))
        await route.continue()
      })
      await page.goto(allBooks(home), { waitUntil: 'networkidle' })
      return shiftOf(page, async () => {
        await tapWanted(page)
        await page.waitForLoadState('networkidle')
      })
    },
  },
  { name: 'A status chip, until the list is asked for', bar: '150 ms', take: chipApplied },
  {
    name: 'My Books: frames a second, longest task, places without their book',
    bar: '50, 50 ms, 0 %',
    take: scrollBooks,
  },
  nextPaint('a status chip', allBooks, tapWanted),
  nextPaint(
    'opening the palette',
    (home) => `${home}/books`,
    async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
    },
  ),
  nextPaint(
    'opening a shelf',
    (home) => `${home}/shelves`,
    async (page) => {
      await page.locator(`a[href="/shelf/${shelf}"]`).first().tap()
      await page.waitForURL('**/shelf/**')
    },
  ),
  nextPaint('opening the sheet', allBooks, openSheet),
  nextPaint(
    'closing the sheet',
    allBooks,
    async (page) => {
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Close' }).tap()
      await dialog.waitFor({ state: 'hidden' })
    },
    openSheet,
  ),
  nextPaint(
    'saving a page',
    () => '/explore',
    async (page) => {
      await page.keyboard.type('42')
      await page.keyboard.press('Enter')
      await page.getByText('Saved page 42').waitFor()
    },
    (page) => page.getByLabel(/^Page of Volume 00001/).tap(),
  ),
  { name: 'The first sheet on a slow network', bar: '600 ms', take: sheetOnSlowNetwork },
]
