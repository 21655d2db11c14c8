import type { Page } from 'playwright-core'

interface Shifted {
  shifted: number
}

/** Notes from the next page on what moves by itself, half a second or more after an input. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const here = globalThis as unknown as Shifted
    here.shifted = 0
    new PerformanceObserver((list) => {
      const entries = list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
      })[]
      for (const { value, hadRecentInput } of entries) if (!hadRecentInput) here.shifted += value
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** @returns how far things have moved, as browsers score it */
export const shiftsOf = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as Shifted).shifted)
