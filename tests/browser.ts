import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type Locator,
  type Page,
} from 'playwright-core'
import { afterAll, expect, inject, onTestFinished, type RunnerTask } from 'vitest'
import { chromiumSwitches, findChromium } from './chromium.ts'

const running = new Map<string, Promise<Browser>>()

/**
 * The one browser of this worker; it ends with the process.
 *
 * @param switches a browser of its own for these, such as one with another camera
 * @param through a command that is given the browser's own as its last words, and becomes it
 */
function openBrowser(
  switches: readonly string[] = [],
  through: readonly string[] = [],
): Promise<Browser> {
  const key = [...through, ...switches].join(' ')
  let browser = running.get(key)
  if (!browser) {
    browser = findChromium(inject('lastingFolder')).then(({ executablePath, env }) =>
      chromium.launch({
        executablePath: through.length ? wrapped(through, executablePath) : executablePath,
        args: [...chromiumSwitches, ...switches],
        env: { ...process.env, ...env },
      }),
    )
    running.set(key, browser)
  }
  return browser
}

/** @returns a program that is the browser, through a command */
function wrapped(through: readonly string[], executablePath: string): string {
  const program = join(mkdtempSync(join(tmpdir(), 'octavo-browser-')), 'browser')
  const words = [...through, executablePath].map((word) => `'${word}'`)
  writeFileSync(program, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o700 })
  return program
}

/** Ends the browsers; call it in afterAll. */
export async function closeBrowser(): Promise<void> {
  const browsers = [...running.values()]
  running.clear()
  await Promise.all(browsers.map(async (browser) => (await browser).close()))
}

type ContextOptions = Parameters<Browser['newContext']>[0] & {
  /** Of the browser's command line. */
  switches?: readonly string[]
  /** A command that is given the browser's own as its last words, and becomes it. */
  through?: readonly string[]
  jar?: CookieJar | undefined
}

/**
 * One browser's cookies, from visitor to visitor of a file. A page renews its session, which ends if
 * the replaced cookie is used again.
 */
export interface CookieJar {
  state?: Awaited<ReturnType<BrowserContext['storageState']>>
}

/** A visitor with cookies of their own. The test fails when any of their pages shows an error. */
export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  /** What went wrong on any page so far: console errors, uncaught errors, crashes. */
  readonly problems: readonly string[]
  /** Leaves out problems a test provokes on purpose, such as the browser's line about a 404. */
  allow: (problem: RegExp) => void
}

/** A visitor for the test that calls this. */
export async function openVisitor(
  baseURL: string,
  { jar, ...options }: ContextOptions = {},
): Promise<Visitor> {
  const { visitor, end } = await openContext(baseURL, { ...options, jar })
  const { context } = visitor
  const finishRenewals = jar && (await trackRenewals(context))
  onTestFinished(({ task }) =>
    end(task, async () => {
      await finishRenewals?.()
      if (jar) jar.state = await context.storageState()
      await context.close()
    }),
  )
  return visitor
}

/**
 * One visitor for all tests of a suite, which leave nothing behind: another page in the same process
 * costs half of the first. Call it while the suite is declared.
 *
 * @param prepare called once, with the new visitor
 * @returns the visitor, for the test that calls it
 */
export function shareVisitor(
  baseURL: string,
  options: ContextOptions = {},
  prepare: (visitor: Visitor) => Promise<unknown> = () => Promise.resolve(),
): () => Promise<Visitor> {
  const open = async () => {
    const opened = await openContext(baseURL, options)
    await prepare(opened.visitor)
    return opened
  }
  let opened: ReturnType<typeof open> | undefined
  afterAll(async () => {
    if (!opened) return
    const { context, page } = (await opened).visitor
    if (options.jar) {
      // So that no renewal is under way.
      await page.waitForLoadState('networkidle')
      options.jar.state = await context.storageState()
    }
    await context.close()
  })
  return async () => {
    const { visitor, end } = await (opened ??= open())
    onTestFinished(({ task }) => end(task))
    return visitor
  }
}

interface OpenContext {
  visitor: Visitor
  /** @throws with what went wrong in a test */
  end: (test: Readonly<RunnerTask>, close?: () => Promise<void>) => Promise<void>
}

async function openContext(
  baseURL: string,
  { switches, through, jar, ...options }: ContextOptions,
): Promise<OpenContext> {
  const browser = await openBrowser(switches, through)
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    reducedMotion: 'reduce',
    // What a worker answers, a test could not hold back or change.
    serviceWorkers: 'block',
    ...(jar?.state && { storageState: jar.state }),
    ...options,
  })
  context.setDefaultTimeout(15_000)
  const allowed: RegExp[] = []
  const problems: string[] = []
  const note = (problem: string) => {
    if (!allowed.some((pattern) => pattern.test(problem))) problems.push(problem)
  }
  await context.addInitScript(() =>
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`forbidden by ${violatedDirective}: ${blockedURI}`),
    ),
  )
  context.on('console', (message) => {
    if (message.type() === 'error') note(`${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => note(error.error().stack || String(error.error())))
  context.on('page', (page) => page.on('crash', () => note(`crashed: ${page.url()}`)))
  const page = await context.newPage()
  return {
    visitor: { context, page, problems, allow: (problem) => allowed.push(problem) },
    async end({ result }, close) {
      if (result?.state === 'fail' || problems.length) await takeScreenshots(context)
      await close?.()
      const found = problems.splice(0)
      allowed.length = 0
      if (found.length) throw new Error(`errors in the browser:\n${found.join('\n')}`)
    },
  }
}

/**
 * Knows the renewals of a session, so that none is under way when the cookies are read.
 *
 * @returns waits for those that were sent, and holds back all that come later
 */
async function trackRenewals(context: BrowserContext): Promise<() => Promise<unknown>> {
  const renewals: Promise<void>[] = []
  let over = false
  await context.route('**/auth-refresh', (route) => {
    if (over) return
    const renewal = route.fetch().then((response) => route.fulfill({ response }))
    // The page may be gone before it has its answer; the cookie is kept all the same.
    renewals.push(renewal.catch(() => undefined))
  })
  return () => {
    over = true
    return Promise.all(renewals)
  }
}

/**
 * Takes the session from the browser. A renewal that is under way outlives its page and would bring the
 * session back.
 */
export async function forgetSession(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.goto('about:blank')
  await page.context().clearCookies({ name: 'pb_auth' })
}

/**
 * Waits until the page's script takes the presses of an element. Before, a link is the browser's own:
 * it opens what the server made, and nothing is asked for that a test could change.
 */
export async function untilHydrated(element: Locator): Promise<void> {
  const isScripted = () =>
    element.evaluate((node) => Object.keys(node).some((key) => key.startsWith('__reactProps')))
  await expect.poll(isScripted).toBe(true)
  // React has set them before the page's own listeners are in place.
  await element.page().evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
}

/**
 * Waits for what a page says once it gives up asking; the pauses between its tries are skipped.
 *
 * @param page whose clock was installed before it was opened
 */
export async function afterRetries(page: Page, said: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.fastForward(1000)
      return said.isVisible()
    })
    .toBe(true)
}

/**
 * Rules of the accessibility checker that a page breaks, each with the elements that break it.
 *
 * @param rules only those about colours, such as for a second theme
 */
export async function accessibilityViolations(
  page: Page,
  rules: 'all' | 'colours' = 'all',
): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in globalThis)
  if (!isThere) await page.evaluate(axeSource)
  return page.evaluate(
    async (only) => {
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
      // Describing the elements that pass takes longer than checking them.
      const { violations } = await axe.run({
        resultTypes: ['violations'],
        ...(only.length && { runOnly: { type: 'rule', values: only } }),
      })
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
      )
    },
    rules === 'all' ? [] : colourRules,
  )
}

/** Those of the tag cat.color that run unless asked for others. */
const colourRules = ['color-contrast', 'link-in-text-block']

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

async function takeScreenshots(context: BrowserContext): Promise<void> {
  const folder = mkdtempSync(join(inject('lastingFolder'), 'octavo-failed-'))
  for (const [index, page] of context.pages().entries()) {
    const path = join(folder, `${index}.png`)
    await page.screenshot({ path }).catch(() => undefined)
    process.stderr.write(`${page.url()} looked like ${path}\n`)
  }
}
