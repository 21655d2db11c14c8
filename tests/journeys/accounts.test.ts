import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Locator, Page, Route } from 'playwright-core'
import { forgetSession, openVisitor, untilHydrated } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { password } from '#tests/reader.ts'

const { octavo, post, newAccount, mailedCode } = await openOctavo()

const fields = (page: Page) => ({
  email: page.getByLabel('Email'),
  password: page.getByLabel('Password', { exact: true }),
  confirm: page.getByLabel('Confirm password'),
  code: page.getByLabel('Code'),
})

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name, exact: true }).click()
}

/** The first step of signing in, up to the screen for the code. */
async function givePassword(page: Page, email: string): Promise<void> {
  await fields(page).email.fill(email)
  await fields(page).password.fill(password)
  await press(page, 'Login')
  await page.getByRole('heading', { name: 'Two-Step Verification' }).waitFor()
}

/** A new account at the screen for its code. @param allowed the error that the test provokes */
async function halfway(email: string, allowed: RegExp): Promise<Page> {
  const { page, allow } = await openVisitor(octavo.url)
  allow(allowed)
  await newAccount(email)
  await page.goto('/login')
  await givePassword(page, email)
  return page
}

async function giveCode(page: Page, code: string): Promise<void> {
  const field = fields(page).code
  await field.fill('')
  // Its last digit sends it.
  await field.fill(code)
}

async function signIn(page: Page, email: string, path = '/login'): Promise<void> {
  await page.goto(path)
  await givePassword(page, email)
  await giveCode(page, await mailedCode(email))
}

/** What is said at a field, as a screen reader finds it. */
function noteAt(field: Locator): Promise<string> {
  return field.evaluate((element) => {
    const note = document.getElementById(element.getAttribute('aria-describedby') ?? '')
    return element.getAttribute('aria-invalid') === 'true' ? (note?.textContent ?? '') : ''
  })
}

const isFocused = (field: Locator) => field.evaluate((one) => one === document.activeElement)

/** Waits for the sentence at its field, and sees that what was typed is still there. */
async function refused(field: Locator, typed: string, sentence: string): Promise<void> {
  await expect.poll(() => noteAt(field)).toBe(sentence)
  await expect.poll(() => field.inputValue()).toBe(typed)
}

it('says at its field what is wrong with a new account', async () => {
  const visitor = await openVisitor(octavo.url)
  const { page } = visitor
  await page.goto('/signup')
  const { email, password: secret, confirm } = fields(page)
  const wrongEmail = 'Must be a valid email address.'
  // Nobody has set it up here.
  expect(await page.getByRole('button', { name: 'Continue with Google' }).count()).toBe(0)

  await press(page, 'Sign Up')
  await refused(email, '', wrongEmail)
  await refused(secret, '', 'Password must be at least 8 character(s)')
  await refused(confirm, '', 'Confirm password must be at least 8 character(s)')
  expect(await isFocused(email)).toBe(true)

  await email.fill('reader at example')
  await secret.fill('seven77')
  await confirm.fill('seven7')
  await press(page, 'Sign Up')
  await refused(email, 'reader at example', wrongEmail)
  await refused(secret, 'seven77', 'Password must be at least 8 character(s)')
  await refused(confirm, 'seven7', 'Confirm password must be at least 8 character(s)')
  expect(await isFocused(email)).toBe(true)

  const long = 'a'.repeat(72)
  await email.fill('new@example.org')
  await secret.fill(long)
  await confirm.fill(long)
  await press(page, 'Sign Up')
  await refused(secret, long, 'Password must not exceed 71 character(s)')
  await refused(confirm, long, 'Confirm password must not exceed 71 character(s)')
  expect(await noteAt(email)).toBe('')
  expect(await isFocused(secret)).toBe(true)

  await secret.fill(password)
  await confirm.fill(`${password}s`)
  await press(page, 'Sign Up')
  await refused(confirm, `${password}s`, 'Passwords do not match')
  expect(await isFocused(confirm)).toBe(true)
  // Mending it takes the sentence away before anything is sent.
  await confirm.fill(password)
  await expect.poll(() => noteAt(confirm)).toBe('')

  await newAccount('taken@example.org')
  visitor.allow(/status of 400/)
  await email.fill('Taken@example.org')
  await press(page, 'Sign Up')
  const taken = 'There’s already an account with this email.'
  await refused(email, 'Taken@example.org', taken)
  expect(await isFocused(email)).toBe(true)
  await expect.poll(() => secret.inputValue()).toBe(password)
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)

  await secret.fill('a'.repeat(71))
  await confirm.fill('a'.repeat(71))
  await email.fill('new@example.org')
  await press(page, 'Sign Up')
  await page.getByText('The code expires in 3 minutes.').waitFor()
  await giveCode(page, await mailedCode('new@example.org'))
  await page.waitForURL(`${octavo.url}/welcome`)
})

it('says what is wrong with a sign-in, and nothing about who has an account', async () => {
  const visitor = await openVisitor(octavo.url)
  const { page } = visitor
  await newAccount('careful@example.org')
  await page.goto('/login')
  const { email, password: secret } = fields(page)

  await press(page, 'Login')
  await refused(email, '', 'Must be a valid email address.')
  await refused(secret, '', 'Password must be at least 8 character(s)')
  expect(await isFocused(email)).toBe(true)

  await email.fill('careful@example.org')
  await secret.fill('a'.repeat(72))
  await secret.press('Enter')
  await refused(secret, 'a'.repeat(72), 'Password must not exceed 71 character(s)')
  expect(await isFocused(secret)).toBe(true)

  visitor.allow(/status of 400/)
  const said: string[] = []
  for (const address of ['careful@example.org', 'nobody@example.org']) {
    await email.fill(address)
    await secret.fill('another afternoon')
    const answer = page.waitForResponse(/auth-with-password/)
    await press(page, 'Login')
    await answer
    const alert = page.getByRole('alert')
    await alert.getByText('Login Error').waitFor()
    said.push(await alert.innerText())
    await expect.poll(() => email.inputValue()).toBe(address)
    await expect.poll(() => secret.inputValue()).toBe('another afternoon')
  }
  expect(said[0]).toContain('Failed to authenticate.')
  expect(said[1]).toBe(said[0])

  await page.getByRole('button', { name: 'Show password' }).click()
  expect(await secret.getAttribute('type')).toBe('text')
  await expect.poll(() => secret.inputValue()).toBe('another afternoon')
  await page.getByRole('button', { name: 'Hide password' }).click()
  expect(await secret.getAttribute('type')).toBe('password')
  expect(post.mailsTo('careful@example.org')).toHaveLength(0)
})

it('takes a code that is six digits, right and new', async () => {
  const email = 'patient@example.org'
  const visitor = await openVisitor(octavo.url)
  const { page } = visitor
  await newAccount(email)
  await page.clock.install()
  await page.goto('/login')
  await givePassword(page, email)
  const { code } = fields(page)
  await expect.poll(() => isFocused(code)).toBe(true)
  await page.getByText(/^2:5\d left$/).waitFor()

  await code.pressSequentially('12a34')
  await press(page, 'Verify Code')
  await refused(code, '1234', 'Enter the 6-digit code.')
  expect(await isFocused(code)).toBe(true)

  visitor.allow(/status of 400/)
  const first = await mailedCode(email)
  const wrong = first === '000000' ? '000001' : '000000'
  await giveCode(page, wrong)
  await refused(code, wrong, 'Invalid or expired OTP.')
  await expect.poll(() => isFocused(code)).toBe(true)

  // A new try takes the sentence away, and the time that is left is seen again.
  await code.fill(first.slice(0, 5))
  await expect.poll(() => noteAt(code)).toBe('')
  await page.clock.fastForward('03:00')
  await page.getByText('The code has expired. Ask for a new one with Resend OTP.').waitFor()
  letCodesExpire()
  await code.fill(first)
  await refused(code, first, 'Invalid or expired OTP.')
  await press(page, 'Verify Code')
  await refused(code, first, 'Invalid or expired OTP.')

  await press(page, 'Resend OTP')
  await page.getByText('re-sent verification email').waitFor()
  await page.getByText(/^(3:00|2:5\d) left$/).waitFor()
  await expect.poll(() => code.inputValue()).toBe('')
  expect(await isFocused(code)).toBe(true)
  const second = await mailedCode(email)
  if (first !== second) {
    await giveCode(page, first)
    await refused(code, first, 'Invalid or expired OTP.')
  }
  await giveCode(page, second)
  await page.waitForURL(`${octavo.url}/explore`)
})

it('comes back to the code after a reload, without having kept the password', async () => {
  const email = 'reloading@example.org'
  const { page } = await openVisitor(octavo.url)
  await newAccount(email)
  await page.goto('/login?origin=%2Fusers')
  await givePassword(page, email)
  await page.getByRole('heading', { name: 'Two-Step Verification' }).waitFor()
  await mailedCode(email)

  await page.reload()
  await page.getByRole('heading', { name: 'Two-Step Verification' }).waitFor()
  await page.getByText(email).waitFor()
  const stored = await page.evaluate(() =>
    JSON.stringify([history.state, sessionStorage, localStorage]),
  )
  expect(stored).toContain(email)
  expect(stored).not.toContain(password)
  await press(page, 'Resend OTP')
  await page.getByText('re-sent verification email').waitFor()
  // The code that was mailed last, also after another reload.
  await page.reload()
  await giveCode(page, await mailedCode(email))
  await page.waitForURL(`${octavo.url}/users`)

  await forgetSession(page)
  await page.goto('/login')
  await givePassword(page, email)
  await page.getByRole('heading', { name: 'Two-Step Verification' }).waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'Use another email' }).click()
  expect(await fields(page).email.inputValue()).toBe(email)
  await page.reload()
  await page.getByRole('heading', { name: 'Login' }).waitFor()
})

/** The server's clock cannot be turned forward from here, so its codes are made older. */
function letCodesExpire(): void {
  const database = new DatabaseSync(join(octavo.dataDir, 'octavo.db'), { timeout: 5000 })
  const { changes } = database.prepare('UPDATE _otps SET expires = created').run()
  database.close()
  expect(Number(changes)).toBeGreaterThan(0)
}

it('burns a code after five wrong ones', async () => {
  const email = 'guessed@example.org'
  const page = await halfway(email, /status of 400/)
  const right = await mailedCode(email)
  const wrong = right === '000000' ? '000001' : '000000'
  for (const code of [wrong, wrong, wrong, wrong, wrong, right]) {
    const answer = page.waitForResponse(/auth-with-otp/)
    await giveCode(page, code)
    expect((await answer).status()).toBe(400)
    await refused(fields(page).code, code, 'Invalid or expired OTP.')
  }
  await press(page, 'Resend OTP')
  await giveCode(page, await mailedCode(email))
  await page.waitForURL(`${octavo.url}/explore`)
})

it('lets one in of two who use the same code at once', async () => {
  const email = 'overheard@example.org'
  const page = await halfway(email, /status of 400/)
  let thief: Promise<number> | undefined
  await page.route(/auth-with-otp/, async (route) => {
    const request = route.request()
    const same = fetch(request.url(), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: request.postData(),
    })
    thief = same.then(({ status }) => status)
    await route.continue()
  })
  const answer = page.waitForResponse(/auth-with-otp/)
  await giveCode(page, await mailedCode(email))
  const reader = (await answer).status()
  expect(await thief).toBe(reader === 200 ? 400 : 200)
  expect([200, 400]).toContain(reader)
  if (reader === 200) await page.waitForURL(`${octavo.url}/explore`)
  // The winner uses up the code and, a moment later, the half-done sign-in.
  else await page.getByText(/^Invalid or expired (OTP|MFA session)\./).waitFor()
})

it('goes back from the code to an address that was mistyped, with all that was typed', async () => {
  const { page } = await openVisitor(octavo.url)
  const { email, password: secret, confirm, code } = fields(page)
  await page.goto('/signup')
  await email.fill('mistyped@exmaple.org')
  await secret.fill(password)
  await confirm.fill(password)
  await press(page, 'Sign Up')
  await code.waitFor()
  await page.getByRole('link', { name: 'Use another email' }).click()
  await expect.poll(() => isFocused(email)).toBe(true)
  expect(await email.inputValue()).toBe('mistyped@exmaple.org')
  // The same once more is no second account, but another code.
  await press(page, 'Sign Up')
  await code.waitFor()
  await page.getByRole('link', { name: 'Use another email' }).click()
  await email.fill('typed-well@example.org')
  await press(page, 'Sign Up')
  await giveCode(page, await mailedCode('typed-well@example.org'))
  await page.waitForURL(`${octavo.url}/welcome`)
})

it('keeps what was typed without a connection, and sends it once there is one', async () => {
  const { page, allow } = await openVisitor(octavo.url)
  allow(/ERR_INTERNET_DISCONNECTED/)
  const { email, password: secret } = fields(page)
  await newAccount('far-away@example.org')
  await page.goto('/login')
  await untilHydrated(email)
  await page.context().setOffline(true)
  await email.fill('far-away@example.org')
  await secret.fill(password)
  await press(page, 'Login')
  await page.getByText('Octavo cannot be reached.', { exact: false }).waitFor()
  await page.context().setOffline(false)
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await press(page, 'Login')
  await page.getByRole('heading', { name: 'Two-Step Verification' }).waitFor()
  expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
})

it('says what to do when somebody else used the code', async () => {
  const email = 'robbed@example.org'
  const page = await halfway(email, /status of 400/)
  let thief = 0
  const steal = async (route: Route) => {
    const request = route.request()
    const same = await fetch(request.url(), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: request.postData(),
    })
    thief = same.status
    await route.continue()
  }
  await page.route(/auth-with-otp/, steal, { times: 1 })
  const code = await mailedCode(email)
  await giveCode(page, code)
  const said = 'Invalid or expired MFA session. Ask for a new code with Resend OTP.'
  await refused(fields(page).code, code, said)
  expect(thief).toBe(200)
  await press(page, 'Resend OTP')
  await giveCode(page, await mailedCode(email))
  await page.waitForURL(`${octavo.url}/explore`)
})

it('does not lose a sign-in to another tab’s session that has just ended', async () => {
  const email = 'back-again@example.org'
  const visitor = await openVisitor(octavo.url)
  const { page, context } = visitor
  // What a tab still asks, or says on its stream of events, may come after the session is gone.
  visitor.allow(/status of (401|400 .*\/user_books\/records|404 .*\/api\/realtime)/)
  await newAccount(email)
  await signIn(page, email)
  await page.waitForURL(`${octavo.url}/explore`)
  const other = await context.newPage()
  const held = Promise.withResolvers<Route>()
  await other.route(/auth-refresh/, (route) => held.resolve(route))
  await other.goto('/explore')
  const refresh = await held.promise
  endSessions()

  // Meanwhile somebody signs in here, which waits for its turn.
  const order: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('auth-with-password')) order.push('the password is sent')
  })
  await page.goto('/login')
  await fields(page).email.fill(email)
  await fields(page).password.fill(password)
  await press(page, 'Login')
  order.push('the other tab is refused')
  const refused = other.waitForResponse(/auth-refresh/)
  await refresh.continue()
  expect((await refused).status()).toBe(401)
  await page.getByRole('heading', { name: 'Two-Step Verification' }).waitFor()
  expect(order).toEqual(['the other tab is refused', 'the password is sent'])
  await giveCode(page, await mailedCode(email))
  await page.waitForURL(`${octavo.url}/explore`)
  const cookies = await context.cookies(octavo.url)
  expect(cookies.map(({ name }) => name)).toContain('pb_auth')
})

/** As another device would, without a word to this one. */
function endSessions(): void {
  const database = new DatabaseSync(join(octavo.dataDir, 'octavo.db'), { timeout: 5000 })
  database.prepare('DELETE FROM _sessions').run()
  database.close()
}

it('says when no more codes are mailed, and keeps the last one good whoever else asks', async () => {
  const email = 'impatient@example.org'
  const page = await halfway(email, /status of 429/)
  await mailedCode(email)
  await press(page, 'Resend OTP')
  await mailedCode(email)
  await press(page, 'Resend OTP')
  const last = await mailedCode(email)
  await page.getByText('re-sent verification email').last().waitFor()
  await press(page, 'Resend OTP')
  await page.getByText(/^Too many codes were sent\. Please try again in \d+ minutes\.$/).waitFor()
  const answer = await fetch(`${octavo.url}/api/collections/users/request-otp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  })
  expect(answer.status).toBe(200)
  await giveCode(page, last)
  await page.waitForURL(`${octavo.url}/explore`)
})

it('brings a reader back to where signing in was asked for, and to no other site', async () => {
  const email = 'traveller@example.org'
  const { page } = await openVisitor(octavo.url)
  await newAccount(email)
  const book = '/book/pride-and-prejudice-9780141439518'
  await page.goto(book)
  await page.getByRole('link', { name: 'Add to shelf' }).click()
  await page.waitForURL(`${octavo.url}/login?origin=${encodeURIComponent(book)}`)
  // The way back survives a look at the other form.
  await page.getByRole('main').getByRole('link', { name: 'Sign Up' }).click()
  await page.waitForURL(`${octavo.url}/signup?origin=${encodeURIComponent(book)}`)
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
  await page.getByRole('heading', { name: 'Login', level: 1 }).waitFor()
  await givePassword(page, email)
  await giveCode(page, await mailedCode(email))
  await page.waitForURL(octavo.url + book)
  await page.getByRole('button', { name: 'Add to shelf' }).waitFor()

  for (const path of ['/login', '/signup', `/login?origin=${book}`]) {
    await page.goto(path)
    expect(page.url()).toBe(`${octavo.url}/explore`)
  }
})

it('asks a visitor to sign in before a page of their own, and shows it then', async () => {
  const email = 'settled@example.org'
  const { page } = await openVisitor(octavo.url)
  await newAccount(email)
  await page.goto('/account/settings')
  await page.waitForURL(`${octavo.url}/login?origin=%2Faccount%2Fsettings`)
  await givePassword(page, email)
  await giveCode(page, await mailedCode(email))
  await page.waitForURL(`${octavo.url}/account/settings`)
  await expect.poll(() => page.title()).toBe('Settings | Octavo')
})

// shared/origin.test.ts has all the others.
it.each([
  ['another site', '//evil.example'],
  ['a path that is no screen', '/api/v1/auth/logout'],
])('goes to Explore instead of %s', async (name, origin) => {
  const email = `${name.replaceAll(' ', '-')}@example.org`
  const { page } = await openVisitor(octavo.url)
  await newAccount(email)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await signIn(page, email, `/login?origin=${encodeURIComponent(origin)}`)
  await page.waitForURL(`${octavo.url}/explore`)
  await page.getByRole('heading', { name: 'Explore', level: 1 }).waitFor()
  expect(asked.filter((url) => !url.startsWith(`${octavo.url}/`))).toEqual([])
  expect(asked.filter((url) => url.endsWith('/auth/logout'))).toEqual([])
})

it('signs out of every tab at once', async () => {
  const email = 'two-tabs@example.org'
  const { context, page } = await openVisitor(octavo.url)
  await newAccount(email)
  await signIn(page, email)
  await page.waitForURL(`${octavo.url}/explore`)
  const account = page.getByRole('button', { name: /^Account of / })
  const username = (await account.getAttribute('aria-label'))?.replace('Account of ', '') ?? ''
  const other = await context.newPage()
  await other.goto(`/u/${username}/shelves`)
  await other.getByRole('button', { name: 'New Shelf' }).first().waitFor()

  await account.click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.waitForURL(`${octavo.url}/`)
  await other.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor()
  await other.getByRole('button', { name: 'New Shelf' }).first().waitFor({ state: 'hidden' })
  expect((await context.cookies()).some(({ name }) => name === 'pb_auth')).toBe(false)
})
