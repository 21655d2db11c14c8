import { afterAll, expect, test } from 'vitest'
import { closeFirefox, noFirefox, openFirefox } from '#tests/firefox.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { pilotThrough } from '#tests/other-browsers.ts'
import { openReader, password } from '#tests/reader.ts'

afterAll(closeFirefox)
const { octavo, post, mailedCode } = await openOctavo()
const size = { width: 600, height: 800 }
const withoutScripts = { 'javascript.enabled': false }

test.skipIf(noFirefox)(
  'the plain pages work in Firefox with scripts off',
  async () => {
    const reader = await openReader({ octavo, post }, 'lamplight')
    const shelf = await reader.shelve('Novels')
    const book = await reader.add(shelf, 'Emma', { page_count: 282, progress: 12 })
    await reader.call('PATCH', `user_books/records/${book}`, { progress: 13 })
    const problems = await pilotThrough(
      'firefox-lite',
      () => openFirefox(size, withoutScripts),
      octavo.url,
      async (pilot) => {
        await pilot.goto('/login')
        await pilot.click('link', 'Open the plain pages, which work without scripts')
        await pilot.sees('New accounts are created on the full site.')
        await pilot.fill('Email', reader.email)
        await pilot.fill('Password', password)
        await pilot.click('button', 'Sign in')
        await pilot.fill('6-digit code', await mailedCode(reader.email))
        await pilot.click('button', 'Continue')
        await pilot.sees('Reading now')
        await pilot.fill('Page of 282', '120')
        await pilot.click('button', 'Save')
        await pilot.sees('Saved.')
        await pilot.click('link', 'Finish')
        await pilot.click('button', 'Finish')
        await pilot.sees('Saved.')
      },
    )
    expect(problems, problems.join('\n')).toEqual([])
    const finished = await reader.call('GET', `user_books/records/${book}`)
    expect(finished).toMatchObject({ status: 'completed' })
  },
  300_000,
)
