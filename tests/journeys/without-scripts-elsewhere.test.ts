import { afterAll, expect, test } from 'vitest'
import { closeFirefox, noFirefox, openFirefox } from '#tests/firefox.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { pilotThrough } from '#tests/other-browsers.ts'
import { openReader, password } from '#tests/reader.ts'

afterAll(closeFirefox)
const { octavo, post, mailedCode } = await openOctavo()
const size = { width: 390, height: 844 }

test.skipIf(noFirefox)(
  'a reader’s day in Firefox with scripts off',
  async () => {
    const reader = await openReader({ octavo, post }, 'plain-firefox')
    const { home, email, books, call, id } = reader
    const isbn = '9780141439587'
    const shelf = await reader.shelve('By the window')
    await reader.add(shelf, 'Emma', { page_count: 300, isbn })
    await reader.add(shelf, 'Persuasion', { status: 'completed', authors: ['Jane Austen'] })
    const book = async (title: string) => (await books()).find((one) => one['title'] === title)
    const problems = await pilotThrough(
      'Firefox-without-scripts',
      () => openFirefox(size, { 'javascript.enabled': false }),
      octavo.url,
      async (pilot) => {
        await pilot.goto('/login?origin=%2Fexplore')
        await pilot.fill('Email', email)
        await pilot.fill('Password', password)
        await pilot.click('button', 'Login')
        await pilot.sees('Two-Step Verification')
        await pilot.fill('Code', await mailedCode(email))
        await pilot.click('button', 'Verify Code')

        await pilot.fill('Page of Emma', '57')
        await pilot.press('Enter')
        await expect.poll(() => book('Emma')).toMatchObject({ progress: 57 })

        await pilot.fill('Search the catalogue', 'pride and prejudice')
        await pilot.press('Enter')
        await pilot.click('link', 'Pride and Prejudice')
        await pilot.click('button', 'Want to read')
        await pilot.choose('Rate Pride and Prejudice', '4 out of 5')
        await pilot.click('button', 'Save')
        await expect
          .poll(() => book('Pride and Prejudice'))
          .toMatchObject({ status: 'planning', rating: 8 })

        await pilot.goto(`${home}/books`)
        await pilot.click('button', 'Completed…')
        await pilot.isAt('status=completed')
        await pilot.click('button', 'Filters…')
        await pilot.fill('Author', 'austen')
        await pilot.click('button', 'Apply')
        await pilot.isAt('author=austen&genre=')
        await pilot.sees('Persuasion')
        await pilot.click('button', 'All…')
        await pilot.isAt('?author=austen')

        await pilot.goto(`${home}/books`)
        await pilot.click('button', 'Finish Emma')
        await pilot.choose('Rate Emma', '4.5 out of 5')
        // Leap years, as the day may be the last of February.
        await pilot.fill('Finished: year', '2996')
        await pilot.click('button', 'Done')
        await pilot.sees('is in the future')
        await pilot.fill('Finished: year', '2008')
        await pilot.click('button', 'Done')
        await pilot.sees('Persuasion')

        await pilot.goto('/account/edit')
        await pilot.fill('Name', 'Fay')
        await pilot.click('button', 'Save')
        await expect.poll(() => call('GET', `users/records/${id}`)).toMatchObject({ name: 'Fay' })
      },
    )
    expect(problems, problems.join('\n')).toEqual([])
    expect(await book('Emma')).toMatchObject({ status: 'completed', rating: 9, progress: 300 })
    const filter = encodeURIComponent(`user = "${id}" && title = "Emma"`)
    expect((await call('GET', `readings/records?filter=${filter}`))['items']).toMatchObject([
      { finished: expect.stringMatching(/^2008-/) },
    ])
  },
  300_000,
)
