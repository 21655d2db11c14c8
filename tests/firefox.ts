import { existsSync } from 'node:fs'
import puppeteer, { type Browser, type ElementHandle } from 'puppeteer-core'
import type { Driver } from './pilot.ts'

const executablePath = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path))

/** Why no test can run in Firefox here; undefined where one can. */
export const noFirefox = executablePath ? undefined : 'Firefox (package firefox-esr)'

/**
 * What React Router and Firefox say of what a page still fetches when it is left, by a link too, such
 * as the scripts of a link under the pointer. On a page that stays, what was not fetched is missed.
 */
const isFetchOfLeft = (problem: string) =>
  /^(?:Failed to fetch manifest patches|Error loading route module)/.test(problem) ||
  problem.startsWith('TypeError: error loading dynamically imported module') ||
  /^Failed to load ‘\S+’\. A ServiceWorker intercepted the request/.test(problem)

/** An error would reach the driver as a handle only, which can't be read once its page is left. */
const logErrorsAsText = () => {
  const { error } = console
  console.error = (...values: unknown[]) =>
    error(...values.map((value) => (value instanceof Error ? String(value) : value)))
}

const isReloaded = () =>
  performance.getEntriesByType('navigation').some((one) => 'type' in one && one.type === 'reload')

type Preferences = Readonly<Record<string, boolean | number>>

const running = new Map<string, Promise<Browser>>()

/** Starts Firefox with a fresh profile, driven by WebDriver BiDi. */
const startFirefox = (extraPrefsFirefox: Preferences) =>
  puppeteer.launch({
    browser: 'firefox',
    extraPrefsFirefox,
    executablePath: executablePath ?? '',
    headless: true,
    timeout: 120_000,
    protocolTimeout: 120_000,
    // As root there is no sandbox to be had.
    env: { ...process.env, MOZ_DISABLE_CONTENT_SANDBOX: '1' },
  })

/** Ends each Firefox of this file; call it in afterAll. */
export async function closeFirefox(): Promise<void> {
  const browsers = [...running.values()]
  running.clear()
  await Promise.all(browsers.map(async (browser) => (await browser).close()))
}

/**
 * Opens a page with cookies of its own.
 *
 * @param preferences of the whole browser, by their names in `about:config`
 * @param before runs in each page before its own scripts
 */
export async function openFirefox(
  size: { width: number; height: number },
  preferences: Preferences = {},
  before?: string,
): Promise<Driver<ElementHandle>> {
  const key = JSON.stringify(preferences)
  const browser = await running.getOrInsertComputed(key, () => startFirefox(preferences))
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.evaluateOnNewDocument(logErrorsAsText)
  if (before) await page.evaluateOnNewDocument(before)
  await page.setViewport(size)
  page.setDefaultTimeout(60_000)
  const problems: string[] = []
  const note = (problem: string, stack: string[]) => {
    if (isFetchOfLeft(problem)) return
    // React's own calls are a hundred, and would hide what it says.
    problems.push([`${page.url()}: ${problem}`, ...stack.slice(0, 8)].join('\n'))
  }
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    const calls = message.stackTrace().map((at) => `    at ${at.url}:${at.lineNumber}`)
    note(message.text(), calls)
  })
  page.on('pageerror', (error) => {
    const { message, stack = '' } = error as Error
    note(message, stack.split('\n').slice(message.split('\n').length))
  })
  // From under a bar, which the driver takes for the element.
  const show = (element: ElementHandle) =>
    element.evaluate((node) => node.scrollIntoView({ block: 'center' }))
  /** Firefox fails a navigation while the page before it still loads, with NS_BINDING_ABORTED. */
  const untilLoaded = () =>
    page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          if (document.readyState === 'complete') resolve()
          else addEventListener('load', () => resolve(), { once: true })
        }),
    )
  /** The driver clicks whatever lies there. @throws as other drivers do, if that isn't the element */
  const refuseCovered = async (element: ElementHandle) => {
    const { x, y } = await element.clickablePoint()
    const isCovered = await element.evaluate(
      (node, left, top) => !node.contains(document.elementFromPoint(left, top)),
      x,
      y,
    )
    if (isCovered) throw new Error('click intercepted')
  }
  const hasScripts = preferences['javascript.enabled'] !== false
  /** The driver looks for the point with the page's scripts. */
  const press = async (element: ElementHandle, count: number) => {
    if (hasScripts) return element.click({ count })
    const { x, y } = await element.evaluate((node) => {
      const { left, top, width, height } = node.getBoundingClientRect()
      return { x: left + width / 2, y: top + height / 2 }
    })
    await page.mouse.click(x, y, { count }).catch((error: unknown) => {
      if (!String(error).includes('NS_ERROR_FAILURE')) throw error
      throw new Error('stale element: its page is being left', { cause: error })
    })
  }
  const call = (code: string, args: readonly string[]) =>
    `(${code})(${args.map((arg) => JSON.stringify(arg)).join()})`
  return {
    goto: async (address) => {
      await untilLoaded()
      const go = () => page.goto(address, { waitUntil: 'load' })
      await go().catch(async (error: unknown) => {
        if (!String(error).includes('NS_BINDING_ABORTED')) throw error
        await untilLoaded()
        // A page that loads itself anew would stop a reader's navigation, too.
        if (await page.evaluate(isReloaded)) problems.push(`${page.url()}: loaded itself anew`)
        await go()
      })
    },
    find: async (code, ...args) =>
      (await page.evaluateHandle(call(code, args))).asElement() as ElementHandle | null,
    run: async <T>(code: string, ...args: string[]) => (await page.evaluate(call(code, args))) as T,
    click: async (element) => {
      await show(element)
      if (hasScripts) await refuseCovered(element)
      await press(element, 1)
    },
    type: async (element, text) => {
      await show(element)
      await press(element, 3)
      await page.keyboard.type(text)
    },
    press: (key) => page.keyboard.press(key),
    screenshot: async () => Buffer.from(await page.screenshot()),
    problems: () => Promise.resolve(problems),
    close: () => context.close(),
  }
}
