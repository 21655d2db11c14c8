import { afterAll, describe, expect, it } from 'vitest'
import { closeFirefox } from '#tests/firefox.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { otherBrowsers, pilotThrough } from '#tests/other-browsers.ts'
import type { Pilot } from '#tests/pilot.ts'

const password = 'a quiet afternoon'

const sizes = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]

// This takes a minute: a driver takes one command after the other, a dozen for each press.
afterAll(closeFirefox)
const { octavo, post } = await openOctavo()

for (const { name, missing, open } of otherBrowsers)
  describe.skipIf(missing)(`in ${name}`, { timeout: 300_000 }, () => {
    it.each(sizes)('goes through the first day at $width pixels', async (size) => {
      const what = `${name.toLowerCase()}-${size.width}`
      const problems = await pilotThrough(
        what,
        () => open(size),
        octavo.url,
        async (pilot, tries) => {
          await firstDay(pilot, `${what}-${tries}@example.org`)
          await readingLife(pilot)
        },
      )
      expect(problems, problems.join('\n')).toEqual([])
    })
  })

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
  await pilot.isAt('/u/')
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
