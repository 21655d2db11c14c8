import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openVisitor } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader, password } from '#tests/reader.ts'

const { octavo, post, newAccount, mailedCode } = await openOctavo()
const phone = { viewport: { width: 390, height: 844 }, javaScriptEnabled: false }

const press = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click()

async function givePassword(page: Page, email: string, typed = password): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(typed)
  await press(page, 'Login')
}

async function giveCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code').fill(code)
  await press(page, 'Verify Code')
}

/** @returns the path of the mailed link */
async function mailedLink(email: string): Promise<string> {
  const { text = '' } = await post.nextMail(email)
  const { pathname, search } = new URL(/https?:\/\/\S+token=\S+/.exec(text)?.[0] ?? '')
  return pathname + search
}

describe('without scripts', () => {
  test('signs in, is told what is wrong, and goes where it was going', async () => {
    const email = 'plain@example.org'
    await newAccount(email)
    const { context, page, allow } = await openVisitor(octavo.url, phone)
    allow(/status of 400/)
    await page.goto('/login?origin=%2Fpricing')
    await givePassword(page, 'nobody', 'short')
    await page.getByText('Password must be at least 8 character(s)').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe('nobody')
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('')

    await givePassword(page, email, `${password}?`)
    await page.getByText('Failed to authenticate', { exact: false }).waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe(email)

    await givePassword(page, email)
    await page.getByRole('heading', { name: 'Two-Step Verification' }).waitFor()
    expect(await page.content()).not.toContain(password)
    const code = await mailedCode(email)
    await giveCode(page, code === '000000' ? '111111' : '000000')
    await page.locator('input[name=code][aria-invalid]').waitFor()
    await giveCode(page, code)
    await page.waitForURL('/pricing')
    const [session] = (await context.cookies()).filter(({ name }) => name === 'pb_auth')
    expect(session?.httpOnly).toBe(true)
  })

  test('has another code mailed, and goes back to the email', async () => {
    const email = 'twice@example.org'
    await newAccount(email)
    const { page } = await openVisitor(octavo.url, phone)
    await page.goto('/login')
    await givePassword(page, email)
    await page.getByRole('heading', { name: 'Two-Step Verification' }).waitFor()
    await post.nextMail(email)
    await page.getByRole('link', { name: 'Use another email' }).click()
    await givePassword(page, email)
    await mailedCode(email)
    await press(page, 'Resend OTP')
    await giveCode(page, await mailedCode(email))
    await page.waitForURL('/explore')
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Explore')
  })

  test('signs up', async () => {
    const email = 'new@example.org'
    const { page, allow } = await openVisitor(octavo.url, phone)
    allow(/status of 400/)
    await page.goto('/signup')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm password').fill(`${password}?`)
    await press(page, 'Sign Up')
    await page.getByText('Passwords do not match', { exact: false }).waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm password').fill(password)
    await press(page, 'Sign Up')
    await page.getByRole('heading', { name: 'Two-Step Verification' }).waitFor()
    await giveCode(page, await mailedCode(email))
    await page.waitForURL('/welcome')
  })

  test('sets a new password by a mailed link, once', async () => {
    const email = 'forgets@example.org'
    await newAccount(email)
    const { page } = await openVisitor(octavo.url, phone)
    await page.goto('/auth/forgot-password')
    await page.getByLabel('Email').fill(email)
    await press(page, 'Send link')
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    const link = await mailedLink(email)
    const setPassword = async () => {
      await page.goto(link)
      await page.getByLabel('New password').fill('another quiet evening')
      await page.getByLabel('Confirm password').fill('another quiet evening')
      await press(page, 'Set password')
    }
    await setPassword()
    await page.getByRole('heading', { name: 'Your password has been changed' }).waitFor()
    await setPassword()
    const title = page.getByRole('heading', { name: 'This link no longer works' })
    await title.waitFor()
    expect(await title.isVisible()).toBe(true)
  })
})

describe('a reader without scripts', () => {
  test('starts a book, saves its page, is told of a wrong one, rates it and finishes it', async () => {
    const { page, shelve, add, books, allow } = await openReader(
      { octavo, post },
      'plain-ann',
      phone,
    )
    allow(/status of 400/)
    const isbn = '9780141439518'
    await add(await shelve('By the window'), 'Emma', { status: 'planning', page_count: 300, isbn })
    await page.goto('/explore')
    await page.getByRole('button', { name: 'Start reading Emma' }).click()
    const field = page.getByLabel('Page of Emma')
    await field.fill('57')
    await field.press('Enter')
    await expect.poll(async () => (await books())[0]?.['progress']).toBe(57)
    expect(await field.inputValue()).toBe('57')

    await field.fill('301')
    await page.getByRole('main').getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('of 300', { exact: false }).first().waitFor()
    await page.locator('input[name=position][aria-invalid]').waitFor()
    expect(await field.inputValue()).toBe('301')
    expect((await books())[0]).toMatchObject({ progress: 57 })

    await page.getByRole('link', { name: 'Emma' }).first().click()
    const choice = page.getByRole('combobox', { name: 'Rate Emma' })
    await choice.selectOption('4.5 out of 5')
    const rating = page.locator('form', { has: choice })
    await rating.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await books())[0]?.['rating']).toBe(9)
    await page.getByRole('button', { name: 'Finish reading Emma' }).click()
    await expect.poll(async () => (await books())[0]?.['status']).toBe('completed')
    expect((await books())[0]).toMatchObject({ progress: 300, rating: 9 })
  })

  test.each([
    ['home', '/explore'],
    ['my-books', '/u/plain-my-books/books'],
    ['profile', '/u/plain-profile'],
    ['book', '/book/emma-9780141439587'],
  ])('finishes a book on %s, and says when that was and what it was like', async (name, path) => {
    const reader = await openReader({ octavo, post }, `plain-${name}`, phone)
    const { page, shelve, add, books, allow, call, id } = reader
    allow(/status of 400/)
    const isbn = '9780141439587'
    await add(await shelve('By the window'), 'Emma', { page_count: 474, progress: 90, isbn })
    await page.goto(path)
    await page.getByRole('button', { name: /^Finish (?:reading )?Emma$/ }).click()
    await page.getByRole('heading', { name: 'Finished Emma' }).waitFor()
    await page.getByRole('combobox', { name: 'Rate Emma' }).selectOption('4.5 out of 5')
    await page.getByLabel('Finished: day').fill('٣١')
    await page.getByLabel('Finished: month').selectOption('')
    await page.getByLabel('Finished: year').fill('2009')
    await page.getByLabel('A line for other readers').fill('Better than I remembered.')
    await press(page, 'Done')
    await page.getByText('Enter a year, a month and year, or a full date.').waitFor()
    expect(await page.getByLabel('Finished: day').inputValue()).toBe('31')
    await page.getByLabel('Finished: day').fill('')
    await page.getByLabel('Finished: year').fill('2999')
    await press(page, 'Done')
    await page.getByText('is in the future').waitFor()
    expect(await page.getByLabel('Finished: year').inputValue()).toBe('2999')
    expect(await page.getByLabel('Rate Emma').inputValue()).toBe('9')
    expect(await books()).toMatchObject([{ status: 'completed', rating: 0, review: '' }])
    await page.getByLabel('Finished: year').fill('2009')
    await press(page, 'Done')
    await page.waitForURL(path)
    expect(await books()).toMatchObject([
      { progress: 474, rating: 9, review: 'Better than I remembered.' },
    ])
    const filter = encodeURIComponent(`user = "${id}"`)
    expect((await call('GET', `readings/records?filter=${filter}`))['items']).toMatchObject([
      { finished: '2009', outcome: 'finished', rating: 9 },
    ])
  })

  test('takes a finish back', async () => {
    const reader = await openReader({ octavo, post }, 'plain-gus', phone)
    const { page, shelve, add, books, home } = reader
    await add(await shelve('By the window'), 'Emma', { page_count: 474, progress: 90 })
    await page.goto(`${home}/books`)
    await page.getByRole('button', { name: 'Finish Emma' }).click()
    await press(page, 'Undo')
    await page.getByRole('button', { name: 'Finish Emma' }).waitFor()
    expect(await books()).toMatchObject([{ status: 'reading', progress: 90 }])
    expect(new URL(page.url()).pathname).toBe(`${home}/books`)
  })

  test('is asked only about a book of their own', async () => {
    const ann = await openReader({ octavo, post }, 'plain-hal')
    const book = await ann.add(await ann.shelve('Here'), 'Emma', { page_count: 300 })
    const path = `${ann.home}/books/${book}/finished?origin=%2F%2Fevil.example`
    const form = { rating: '1', day: '', month: '', year: '2009', review: 'Not mine' }
    const send = (reader: typeof ann, origin: string) =>
      reader.context.request.post(octavo.url + path, {
        headers: { Origin: origin },
        form,
        maxRedirects: 0,
      })
    const bob = await openReader({ octavo, post }, 'plain-ida')
    expect((await bob.context.request.get(octavo.url + path)).status()).toBe(404)
    expect((await send(bob, octavo.url)).status()).toBe(404)
    expect((await send(ann, 'https://evil.example')).status()).toBe(403)
    expect(await ann.books()).toMatchObject([{ status: 'reading', rating: 0, review: '' }])
    const done = await send(ann, octavo.url)
    expect([done.status(), done.headers()['location']]).toEqual([303, '/explore'])
  })

  test('filters their books', async () => {
    const { page, shelve, add, home } = await openReader({ octavo, post }, 'plain-jim', phone)
    const shelf = await shelve('By the window')
    await add(shelf, 'Emma', { authors: ['Jane Austen'] })
    await add(shelf, 'Dracula', { authors: ['Bram Stoker'] })
    await add(shelf, 'Persuasion', { authors: ['Jane Austen'], status: 'completed' })
    const titles = () => page.getByRole('main').getByRole('heading', { level: 3 }).allInnerTexts()
    await page.goto(`${home}/books?sort=title`)
    await page.getByRole('button', { name: /^Reading/ }).click()
    await page.waitForURL(/\?sort=title&status=reading$/)
    expect(await titles()).toEqual(['Dracula', 'Emma'])
    await page.locator('summary').filter({ hasText: 'Filters' }).click()
    await page.getByLabel('Author', { exact: true }).fill('austen')
    await press(page, 'Apply')
    await page.waitForURL(/author=austen/)
    expect(await titles()).toEqual(['Emma'])
    await page.getByRole('button', { name: /^All/ }).click()
    await page.waitForURL(/\?author=austen&sort=title$/)
    expect(await titles()).toEqual(['Emma', 'Persuasion'])

    await page.locator('summary').filter({ hasText: 'Filters' }).click()
    await page.getByLabel('Author', { exact: true }).fill('')
    await page.getByRole('checkbox', { name: 'No review' }).check()
    await page.getByLabel('Sort', { exact: true }).last().selectOption('Z-A')
    await press(page, 'Apply')
    await page.waitForURL(/sort=-title/)
    expect(await titles()).toEqual(['Persuasion', 'Emma', 'Dracula'])
  })

  test('wants a book', async () => {
    const { page, books } = await openReader({ octavo, post }, 'plain-eve', phone)
    await page.goto('/book/pride-and-prejudice-9780141439518')
    await page.getByRole('button', { name: 'Want to read' }).first().click()
    await page.getByRole('button', { name: 'Start reading Pride and Prejudice' }).waitFor()
    expect(await books()).toMatchObject([{ title: 'Pride and Prejudice', status: 'planning' }])
  })

  test('changes their name, and who sees their profile', async () => {
    const { page, allow, call, id } = await openReader({ octavo, post }, 'plain-fay', phone)
    allow(/status of 400/)
    const settings = async () =>
      (await call('GET', `settings/records?filter=(user="${id}")`))['items'] as object[]
    await page.goto('/account/edit')
    await page.getByLabel('Name', { exact: true }).fill('Fay')
    await page.getByLabel('Username').fill('admin')
    await page.getByRole('radio', { name: /^Private/ }).check()
    const form = page.locator('form', { has: page.getByLabel('Username') })
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This username is reserved.').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Fay')
    expect(await page.getByLabel('Username').inputValue()).toBe('admin')
    expect(await page.getByRole('radio', { name: /^Private/ }).isChecked()).toBe(true)
    expect(await settings()).toMatchObject([{ isPrivate: false }])

    await page.getByLabel('Username').fill('plain-faye')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.waitForLoadState()
    await expect.poll(settings).toMatchObject([{ isPrivate: true }])
    const saved = { name: 'Fay', username: 'plain-faye' }
    expect(await call('GET', `users/records/${id}`)).toMatchObject(saved)
    await page.goto('/account/edit')
    expect(await page.getByLabel('Username').inputValue()).toBe('plain-faye')
  })

  test('changes their settings', async () => {
    const { page, call, id } = await openReader({ octavo, post }, 'plain-jan', phone)
    const settings = async () =>
      (await call('GET', `settings/records?filter=(user="${id}")`))['items'] as object[]
    const choose = async (name: string, choice: string) => {
      await page.goto('/account/settings')
      const form = page.locator('form', { has: page.getByLabel(name, { exact: true }) })
      await form.getByRole('combobox').selectOption(choice)
      await form.getByRole('button', { name: 'Save' }).click()
      await page.waitForLoadState()
    }
    await choose('Who can see your profile', 'Private')
    await choose('Show ratings', 'Out of 10')
    await choose('Day ends at', '4 AM')
    await choose('Country', 'Germany')
    await page.getByRole('radio', { name: 'Forest' }).check({ force: true })
    const accents = page.locator('form', { has: page.getByRole('radio', { name: 'Forest' }) })
    await accents.getByRole('button', { name: 'Save' }).click()
    await page.waitForLoadState()
    await choose('Language', 'Deutsch')
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Einstellungen')
    expect(await settings()).toMatchObject([
      {
        isPrivate: true,
        rating_scale: '10',
        day_ends: '4',
        country: 'DE',
        accent: 'forest',
        language: 'de',
      },
    ])
  })

  test('is told why a setting was refused, and changes only their own', async () => {
    const ann = await openReader({ octavo, post }, 'plain-kay')
    const path = `${octavo.url}/account/settings`
    const send = (value: string, { origin = octavo.url, from = ann.context } = {}) =>
      from.request.post(path, {
        headers: { Origin: origin },
        form: { setting: 'day_ends', value },
        maxRedirects: 0,
      })
    const saved = async () =>
      (await ann.call('GET', `settings/records?filter=(user="${ann.id}")`))['items']
    const refused = await send('99')
    expect(refused.status()).toBe(400)
    expect(await refused.text()).toContain('Invalid value 99.')
    expect((await send('2', { origin: 'https://evil.example' })).status()).toBe(403)
    const { context } = await openVisitor(octavo.url)
    const visitor = await send('2', { from: context })
    expect([visitor.status(), visitor.headers()['location']]).toEqual([
      303,
      '/login?origin=%2Faccount%2Fsettings',
    ])
    expect(await saved()).toMatchObject([{ day_ends: '' }])
    const done = await send('2')
    expect([done.status(), done.headers()['location']]).toEqual([303, '/account/settings'])
    expect(await saved()).toMatchObject([{ day_ends: '2' }])
  })

  test('reaches the settings from the page of the menus, and signs out there', async () => {
    const { page, context } = await openReader({ octavo, post }, 'plain-gil', phone)
    await page.goto('/explore')
    await page.getByRole('link', { name: 'Menu', exact: true }).click()
    await page.getByRole('main').getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    const foreign = { headers: { Origin: 'https://evil.example' }, maxRedirects: 0 }
    expect((await context.request.post(`${octavo.url}/menu`, foreign)).status()).toBe(403)
    await page.goto('/menu')
    await press(page, 'Logout')
    await page.waitForURL(`${octavo.url}/`)
    await page.getByRole('link', { name: 'Login', exact: true }).first().waitFor()
    expect((await context.cookies()).some(({ name }) => name === 'pb_auth')).toBe(false)
  })

  test('saves nothing by a form of another site', async () => {
    const reader = await openReader({ octavo, post }, 'plain-bob')
    const book = await reader.add(await reader.shelve('Here'), 'Emma', { page_count: 300 })
    const answer = await reader.context.request.post(`${octavo.url}/explore`, {
      headers: { Origin: 'https://evil.example' },
      form: { book, position: '99' },
      maxRedirects: 0,
    })
    expect(answer.status()).toBe(403)
    expect((await reader.books())[0]).toMatchObject({ progress: 0 })
  })

  test('saves nothing of another reader', async () => {
    const ann = await openReader({ octavo, post }, 'plain-cat')
    const book = await ann.add(await ann.shelve('Here'), 'Emma', { page_count: 300 })
    const bob = await openReader({ octavo, post }, 'plain-dan')
    const answer = await bob.context.request.post(`${octavo.url}/explore`, {
      headers: { Origin: octavo.url },
      form: { book, position: '99' },
      maxRedirects: 0,
    })
    expect(answer.status()).toBe(404)
    expect((await ann.books())[0]).toMatchObject({ progress: 0 })
  })
})

describe('the form of signing in', () => {
  const send = (headers: Record<string, string>, typed = password) =>
    fetch(`${octavo.url}/login`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams({ email: 'guessed@example.org', password: typed }),
    })

  test('is refused from another site, and from a sibling of this one', async () => {
    for (const origin of ['https://evil.example', 'http://login.localhost', 'null', '']) {
      const answer = await send(origin ? { Origin: origin } : {})
      expect(answer.status, origin).toBe(403)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect((await send({ Origin: octavo.url })).status).toBe(400)
  })
})
