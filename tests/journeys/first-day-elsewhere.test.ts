import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { closeFirefox, noFirefox, openFirefox } from '#tests/firefox.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { BrowserGone, Pilot, type Driver } from '#tests/pilot.ts'
import { noWebKit, openWebKit } from '#tests/webkit.ts'

const password = 'a quiet afternoon'

interface Elsewhere {
  name: string
  /** What it takes to test it here. */
  missing: string | undefined
  open: (size: { width: number; height: number }) => Promise<Driver<unknown>>
}

const browsers: readonly Elsewhere[] = [
  { name: 'Firefox', missing: noFirefox, open: openFirefox as Elsewhere['open'] },
  { name: 'WebKit', missing: noWebKit, open: openWebKit as Elsewhere['open'] },
]

const sizes = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]

// This takes a minute: a driver takes one command after the other, a dozen for each press.
afterAll(closeFirefox)
const { octavo, post } = await openOctavo()

for (const { name, missing, open } of browsers) {
  if (missing)
    process.stderr.write(`The first day isn’t tried in ${name}: that takes ${missing}.\n`)

  describe.skipIf(missing)(`in ${name}`, { timeout: 300_000 }, () => {
    it.each(sizes)('goes through the first day at $width pixels', async (size) => {
      const email = `${name.toLowerCase()}-${size.width}@example.org`
      const problems = await passDaysOrReopen(name, () => open(size), email)
      expect(problems, problems.join('\n')).toEqual([])
    })
  })
}

async function passDaysOrReopen(name: string, open: () => Promise<Driver<unknown>>, email: string) {
  try {
    return await passDays(name, await open(), email)
  } catch (error) {
    if (!(error instanceof BrowserGone)) throw error
    process.stderr.write(`${name} is tried again: ${error.message}, ${String(error.cause)}\n`)
    return passDays(name, await open(), `again-${email}`)
  }
}

/** @returns the errors that the browser logged */
async function passDays(name: string, driver: Driver<unknown>, email: string): Promise<string[]> {
  const pilot = new Pilot(driver, octavo.url)
  try {
    await firstDay(pilot, email)
    await readingLife(pilot)
    return await driver.problems()
  } catch (error) {
    if (error instanceof BrowserGone) throw error
    const picture = await driver.screenshot().catch(() => null)
    if (!picture) throw new BrowserGone('the browser answers no more', { cause: error })
    const path = join(inject('lastingFolder'), `octavo-${email}.png`)
    writeFileSync(path, picture)
    process.stderr.write(`${name} looked like ${path}\n`)
    throw error
  } finally {
    await driver.close()
  }
}

async function firstDay(pilot: Pilot, email: string): Promise<void> {
  // The first click of a new visitor counts.
  await pilot.goto('/')
  await pilot.click('link', 'Start your first shelf')
  await pilot.isAt('/signup')
  await pilot.fill('Email', email)
  await pilot.fill('Password', password)
  await pilot.fill('Confirm password', password)
  await pilot.click('button', 'Sign Up')
  await pilot.sees('Two-Step Verification')
  const mail = await post.nextMail(email)
  await pilot.fill('Code', /\b\d{6}\b/.exec(mail.text ?? '')?.[0] ?? '')
  await pilot.isAt('/welcome')
  await pilot.click('link', 'Look around')

  await pilot.isAt('/explore')
  await pilot.sees('Most Popular Classics')
  await pilot.fill('Search the catalogue', 'frankenstein')
  await pilot.press('Enter')
  await resultsAreHere(pilot)
  await pilot.click('link', 'Frankenstein')
  await pilot.isAt('/book/')
  await pilot.click('button', 'Add to shelf')
  await pilot.click('button', 'New Shelf')
  await pilot.fill('Name', 'Gothic nights')
  await pilot.click('button', 'Create shelf')
  await pilot.click('radio', 'Reading')
  await dialogIsWhole(pilot)
  await pilot.click('button', 'Add')
  await pilot.sees('Added Frankenstein to Gothic nights')

  // Back, with whatever the browser animates.
  await pilot.driver.run('() => history.back()')
  await resultsAreHere(pilot)
  await pilot.click('link', 'Frankenstein')
  await pilot.isAt('/book/')

  await pilot.goto('/explore')
  await pilot.fill('Page of Frankenstein', '57')
  await pilot.press('Enter')
  await pilot.sees('Saved page 57 of Frankenstein')
  await rowsHaveNoScrollbar(pilot)

  await pilot.click('link', 'Profile')
  await pilot.sees('Read 57 page of Frankenstein')
}

/** The page before has a link to Frankenstein, too, which would be gone under the press. */
async function resultsAreHere(pilot: Pilot): Promise<void> {
  await pilot.isAt('q=frankenstein')
  await pilot.sees('Relevance')
}

/** When it was read, tags, a note and a quote; then what is remembered is found again. */
async function readingLife(pilot: Pilot): Promise<void> {
  await pilot.goto('/explore?q=frankenstein')
  await pilot.click('link', 'Frankenstein')
  await pilot.isAt('/book/')
  await pilot.click('button', 'Log a reading')
  await pilot.fill('Finished: year', '2009')
  await pilot.click('button', 'Save reading')
  await pilot.sees('Finished in 2009')
  await pilot.click('button', 'Change tags, note and review of Frankenstein')
  await pilot.fill('Tags', 'gothic,')
  await pilot.fill('Private note', 'Lent to Harriet')
  await pilot.click('button', 'Save changes')
  await pilot.sees('Lent to Harriet')
  await pilot.click('button', 'Add a quote')
  await pilot.fill('Quote', 'Beware, for I am fearless')
  await pilot.fill('On page', '57')
  await pilot.click('button', 'Save quote')
  // In the field it isn't text of the page yet.
  await pilot.sees('Beware, for I am fearless')

  await pilot.goto('/explore')
  await pilot.click('link', 'Profile')
  await pilot.isAt('/u/')
  await pilot.click('link', 'Books')
  await pilot.fill('Search my books', 'fearless')
  await pilot.sees('Beware, for I am fearless')
  await pilot.isAt('q=fearless')
  await pilot.driver.run('() => history.back()')
  await pilot.click('link', 'Diary')
  await pilot.sees('2009, month unknown')
}

/** A dialog shows its foot and its fields: WebKit once made it a slit. */
async function dialogIsWhole(pilot: Pilot): Promise<void> {
  const height = `() => document.querySelector('[role=dialog]').getBoundingClientRect().height`
  expect(await pilot.driver.run<number>(height)).toBeGreaterThan(240)
}

/** What is scrolled to the right shows it by what is cut off. */
async function rowsHaveNoScrollbar(pilot: Pilot): Promise<void> {
  const bars = `() => [...document.querySelectorAll('main ul, main ol, main fieldset')]
    .filter((row) => /auto|scroll/.test(getComputedStyle(row).overflowX) &&
      row.offsetHeight - row.clientHeight > 4).length`
  expect(await pilot.driver.run<number>(bars)).toBe(0)
}
