import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { noFirefox, openFirefox } from './firefox.ts'
import { BrowserGone, Pilot, type Driver } from './pilot.ts'
import { noWebKit, openWebKit } from './webkit.ts'

interface Size {
  width: number
  height: number
}

interface OtherBrowser {
  name: string
  /** What it takes to test it here. */
  missing: string | undefined
  open: (size: Size) => Promise<Driver<unknown>>
}

/** The browsers that Playwright doesn't drive. */
export const otherBrowsers: readonly OtherBrowser[] = [
  { name: 'Firefox', missing: noFirefox, open: (size) => openFirefox(size) },
  { name: 'WebKit', missing: noWebKit, open: openWebKit },
]

for (const { name, missing } of otherBrowsers)
  if (missing) process.stderr.write(`Nothing is tried in ${name}: that takes ${missing}.\n`)

/**
 * Does something in a browser, and once more if the browser itself ends.
 *
 * @param what names its picture
 * @param work is told which try it is
 * @returns the errors that the browser logged
 */
export async function pilotThrough(
  what: string,
  open: () => Promise<Driver<unknown>>,
  origin: string,
  work: (pilot: Pilot, tries: number) => Promise<void>,
): Promise<string[]> {
  try {
    return await tryThrough(what, await open(), origin, (pilot) => work(pilot, 1))
  } catch (error) {
    if (!(error instanceof BrowserGone)) throw error
    process.stderr.write(`${what} is tried again: ${error.message}, ${String(error.cause)}\n`)
    return tryThrough(what, await open(), origin, (pilot) => work(pilot, 2))
  }
}

async function tryThrough(
  what: string,
  driver: Driver<unknown>,
  origin: string,
  work: (pilot: Pilot) => Promise<void>,
): Promise<string[]> {
  try {
    await work(new Pilot(driver, origin))
    return await driver.problems()
  } catch (error) {
    if (error instanceof BrowserGone) throw error
    const picture = await driver.screenshot().catch(() => null)
    if (!picture) throw new BrowserGone('the browser answers no more', { cause: error })
    const path = join(inject('lastingFolder'), `octavo-${what.replaceAll(' ', '-')}.png`)
    writeFileSync(path, picture)
    process.stderr.write(`${what} looked like ${path}\n`)
    throw error
  } finally {
    await driver.close()
  }
}
