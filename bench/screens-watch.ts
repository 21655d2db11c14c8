import type { Page } from 'playwright-core'
import { isShort } from './measure.ts'

/** Milliseconds after which a page has done what it does by itself. */
export const calm = isShort ? 100 : 1500

/** What a page notes about itself. */
interface PageMetrics {
  shifted: number
  longest: number
  /** Milliseconds from an input to the next paint after it, the longest since it was reset. */
  slowestInput: number
}

/** Has a page note layout shifts, long tasks and how long inputs wait for the next paint. */
export async function observePage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const here: PageMetrics = { shifted: 0, longest: 0, slowestInput: 0 }
    Object.assign(globalThis, { watched: here })
    const observe = (type: string, note: (entry: PerformanceEntry) => void, more = {}) =>
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) note(entry)
      }).observe({ type, buffered: true, ...more })
    observe('layout-shift', (entry) => {
      const { value, hadRecentInput } = entry as unknown as Record<string, number>
      if (!hadRecentInput) here.shifted += value ?? 0
    })
    observe('longtask', ({ duration }) => (here.longest = Math.max(here.longest, duration)))
    observe(
      'event',
      (entry) => {
        const { interactionId = 0 } = entry as PerformanceEntry & { interactionId?: number }
        if (interactionId) here.slowestInput = Math.max(here.slowestInput, entry.duration)
      },
      { durationThreshold: 16 },
    )
  })
}

export function watched(page: Page): Promise<PageMetrics> {
  return page.evaluate(() => (globalThis as unknown as { watched: PageMetrics }).watched)
}

export function resetMetrics(page: Page): Promise<void> {
  return page.evaluate(() => {
    Object.assign((globalThis as unknown as { watched: PageMetrics }).watched, {
      shifted: 0,
      longest: 0,
      slowestInput: 0,
    })
  })
}

/** @returns milliseconds from the input of a deed to its next paint */
export async function inputToPaint(page: Page, act: () => Promise<unknown>): Promise<string> {
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(calm)
  await resetMetrics(page)
  await act()
  await page.waitForTimeout(isShort ? calm : 800)
  return `${(await watched(page)).slowestInput.toFixed(0)} ms`
}

/** @returns what moved by itself while a deed was done */
export async function shiftOf(page: Page, act: () => Promise<unknown>): Promise<string> {
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(calm)
  await resetMetrics(page)
  await act()
  await page.waitForTimeout(calm)
  return (await watched(page)).shifted.toFixed(3)
}

export interface Scrolled {
  framesPerSecond: number
  /** Of the samples, those with a book in sight that had not come yet. */
  unready: number
}

/**
 * Scrolls a page on as a finger does.
 *
 * @param pixels a second
 */
export function scroll(page: Page, pixels: number, seconds: number): Promise<Scrolled> {
  return page.evaluate(
    ({ speed, length }) =>
      new Promise<Scrolled>((resolve) => {
        const begin = performance.now()
        let last = begin
        let frames = 0
        let unready = 0
        const step = (now: number) => {
          frames++
          window.scrollBy(0, (speed * (now - last)) / 1000)
          last = now
          const seen = document.elementsFromPoint(195, 400)
          if (seen.some((element) => element.closest('li > [aria-hidden]:only-child'))) unready++
          if (now - begin < length * 1000) return void requestAnimationFrame(step)
          resolve({ framesPerSecond: (frames * 1000) / (now - begin), unready: unready / frames })
        }
        requestAnimationFrame(step)
      }),
    { speed: pixels, length: seconds },
  )
}
