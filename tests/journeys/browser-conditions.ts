import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { languages, type Language } from '#shared/language.ts'

/** What a browser can be put into. */
export interface Condition {
  options?: BrowserContextOptions
  /** Called before any page of it is opened; a blank page lacks what it changes. */
  prepare?: (context: BrowserContext) => Promise<unknown>
  /** Called with each screen once it is live. */
  change?: (page: Page) => Promise<unknown>
  /** How often a button is pressed before anything answers. */
  presses?: number
  /** What the console may say. */
  allowed?: RegExp
}

const none: Condition = {}
const script = (before: () => void): Condition => ({
  prepare: (context) => context.addInitScript(`if (isSecureContext) (${String(before)})()`),
})

const storages: Record<string, Condition> = {
  'every storage': none,
  'no local storage': script(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { value: null })
  }),
  'refused storages': script(() => {
    const refuse = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get: refuse })
    IDBFactory.prototype.open = refuse
    const reject = () => Promise.reject(new DOMException('', 'SecurityError'))
    for (const name of ['open', 'has', 'keys', 'match', 'delete'])
      Object.defineProperty(CacheStorage.prototype, name, { value: reject })
    // Firefox refuses these two together with cookies.
    LockManager.prototype.request = reject
    Object.defineProperty(window, 'BroadcastChannel', {
      value: function BroadcastChannel() {
        refuse()
      },
    })
  }),
  'full storages': script(() => {
    const full = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
    Storage.prototype.setItem = full
    IDBObjectStore.prototype.add = full
    Cache.prototype.put = () => Promise.reject(new DOMException('', 'QuotaExceededError'))
  }),
  'no database': script(() => Object.defineProperty(window, 'indexedDB', { value: null })),
  'no service worker': script(() => {
    Object.defineProperty(navigator, 'serviceWorker', { value: undefined })
    Object.defineProperty(window, 'caches', { value: undefined })
  }),
}

const windows: Record<string, Condition> = {
  'a wide window': none,
  '320 pixels': { options: { viewport: { width: 320, height: 640 } } },
  'a zoom of 400 %': { options: { viewport: { width: 320, height: 200 }, deviceScaleFactor: 4 } },
  'letters twice as large': {
    change: (page) =>
      page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%')),
  },
}

/** Sets the clock of all pages ahead. */
const clock = (days: number): Condition => ({
  prepare: (context) =>
    context.addInitScript((ahead) => {
      const Real = Date
      globalThis.Date = class extends Real {
        constructor(...parts: []) {
          super(...((parts.length > 0 ? parts : [Real.now() + ahead]) as []))
        }
        static override now = () => Real.now() + ahead
      } as DateConstructor
    }, days * 86_400_000),
})

const clocks: Record<string, Condition> = {
  'a right clock': none,
  'a clock three days ahead': clock(3),
  'a clock three days behind': clock(-3),
}

const streams: Record<string, Condition> = {
  'a live stream': none,
  'a stream that hangs': script(() => {
    class Silent extends EventTarget {
      readonly readyState = 0
      close(): void {}
    }
    Object.defineProperty(window, 'EventSource', { value: Silent })
  }),
  'a stream that breaks': script(() => {
    class Broken extends EventTarget {
      onerror?: (event: Event) => void
      constructor() {
        super()
        queueMicrotask(() => this.onerror?.(new Event('error')))
      }
      close(): void {}
    }
    Object.defineProperty(window, 'EventSource', { value: Broken })
  }),
}

/** React draws a part of a page anew that was translated before its scripts ran, and says so. */
const drawnAnew = /React error #418/

const texts: Record<string, Condition> = {
  // Parts of a page come to life after its first link.
  'translated texts': { allowed: drawnAnew, change: (page) => page.evaluate(translate) },
  'texts as they came': none,
  'texts translated before scripts run': {
    allowed: drawnAnew,
    prepare: (context) =>
      context.addInitScript(
        `document.addEventListener('readystatechange', ${String(translate)}, { once: true })`,
      ),
  },
  'texts that others replace': {
    allowed: drawnAnew,
    change: (page) => page.evaluate(replaceTexts),
  },
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 100,
    downloadThroughput: 250_000,
    uploadThroughput: 100_000,
  })
}

const lines: Record<string, Condition> = {
  'a fast line': none,
  'a slow line': {
    async prepare(context) {
      context.on('page', (page) => void slowDown(page))
    },
  },
  'a line that the browser denies': script(() =>
    Object.defineProperty(navigator, 'onLine', { value: false }),
  ),
}

const hands: Record<string, Condition> = { 'one press': none, 'double presses': { presses: 2 } }

const kinds = [storages, windows, clocks, streams, texts, lines, hands]
const others = (Object.keys(languages) as Language[]).filter((tag) => tag !== 'en')

/** A browser in one condition of each kind. */
export interface ConditionedBrowser {
  number: number
  name: string
  language: Language
  conditions: readonly Condition[]
}

/** As many browsers as it takes for every condition: those of smaller kinds come again. */
export const conditionedBrowsers: readonly ConditionedBrowser[] = Array.from(
  { length: Math.max(others.length, ...kinds.map((kind) => Object.keys(kind).length)) },
  (_, number) => {
    const nth = <T>(all: readonly T[]): T => all[number % all.length]!
    const language = nth(others)
    const chosen = kinds.map((kind) => nth(Object.entries(kind)))
    return {
      number,
      name: [language, ...chosen.map(([name]) => name)].join(', '),
      language,
      conditions: chosen.map(([, condition]) => condition),
    }
  },
)

/** Runs in the page: translates it and what comes later, as Chromium does. */
export function translate(): void {
  const skipped = 'script, style, textarea, title, font'
  // Each text is replaced by two elements.
  const wrapAll = () => {
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT)
    const found: Text[] = []
    while (walker.nextNode()) found.push(walker.currentNode as Text)
    for (const text of found) {
      if (!text.data.trim() || text.parentElement?.closest(skipped)) continue
      const font = document.createElement('font')
      font.append(document.createElement('font'))
      font.firstElementChild!.textContent = text.data
      text.replaceWith(font)
    }
  }
  const { documentElement } = document
  // Octavo doesn't have this language.
  documentElement.lang = 'pl'
  documentElement.classList.add('translated-ltr')
  wrapAll()
  new MutationObserver(wrapAll).observe(document, {
    childList: true,
    subtree: true,
    characterData: true,
  })
}

/** Runs in the page: translates it as Edge does, which puts another text in the place of each. */
export function replaceTexts(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  while (walker.nextNode()) found.push(walker.currentNode as Text)
  for (const text of found)
    if (text.data.trim() && !text.parentElement?.closest('script, style, textarea'))
      text.replaceWith(document.createTextNode(text.data))
}
