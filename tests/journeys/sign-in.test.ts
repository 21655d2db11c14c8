import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import {
  accessibilityViolations,
  forgetSession,
  openVisitor,
  type Visitor,
  untilHydrated,
} from '#tests/browser.ts'
import { startOctavo } from '#tests/octavo.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openProvider } from '#tests/openid.ts'
import { password } from '#tests/reader.ts'
import { openMailServer } from '#tests/smtp.ts'

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }
const book = '/book/pride-and-prejudice-9780141439518'

const redirectUrls: string[] = []
const google = await openProvider(redirectUrls)
const library = await openProvider(redirectUrls)
afterAll(() => Promise.all([google.close(), library.close()]))
const { octavo, post, newAccount, mailedCode } = await openOctavo({
  GOOGLE_CLIENT_ID: google.provider.clientId,
  GOOGLE_CLIENT_SECRET: google.provider.clientSecret,
  GOOGLE_ISSUER: google.provider.issuer,
  OIDC_NAME: 'Lost Post',
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'client',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC2_NAME: 'Town Library',
  OIDC2_ISSUER: library.provider.issuer,
  OIDC2_CLIENT_ID: library.provider.clientId,
  OIDC2_CLIENT_SECRET: library.provider.clientSecret,
  // The log says that Lost Post is away.
  LOG_LEVEL: 'silent',
})
redirectUrls.push(
  `${octavo.url}/auth/google`,
  `${octavo.url}/auth/oidc2`,
  `${octavo.url}/api/oauth2-redirect`,
)
beforeEach(() => void (google.cancels = false))

/** Who sits at the browser when a provider asks. */
function sitsDown(name: string, { at = google, verified = true } = {}): string {
  const email = `${name}@example.org`
  at.people.set(name, { sub: name, email, email_verified: verified, name })
  at.whoever = name
  return email
}

const press = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click()

async function givePassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Login')
}

async function giveCode(page: Page, email: string): Promise<void> {
  await page.getByRole('heading', { name: 'Two-Step Verification' }).waitFor()
  await page.getByLabel('Code').fill(await mailedCode(email))
}

async function signIn(page: Page, email: string, origin = '/explore'): Promise<void> {
  await page.goto(`/login?origin=${encodeURIComponent(origin)}`)
  await givePassword(page, email)
  await giveCode(page, email)
  await page.waitForURL(octavo.url + origin)
}

/** Ends the session as time does: the browser has no cookie any more, the page does not know. */
async function letSessionRunOut(visitor: Visitor): Promise<void> {
  visitor.allow(/status of 40[0134]/)
  await visitor.context.clearCookies({ name: 'pb_auth' })
}

/** Opens a page that is then told by the server when its session ends. */
async function openListening(page: Page, path: string): Promise<void> {
  const listens = page.waitForResponse(
    (answer) =>
      answer.url().endsWith('/api/realtime') &&
      answer.request().method() === 'POST' &&
      answer.request().headers()['referer'] === octavo.url + path,
  )
  await page.goto(path)
  await listens
}

const sessionsCard = (page: Page) => page.getByRole('group', { name: 'Where you’re signed in' })

/** The page as of a visitor: the navigation offers to sign in. */
const isVisitors = (page: Page) =>
  page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor()

describe('on a phone', () => {
  it('a trusted device is asked for no code, until it is trusted no longer', async () => {
    const email = 'trusting@example.org'
    const { page, context } = await openVisitor(octavo.url, { viewport: phone })
    await newAccount(email)
    await page.goto('/login')
    await givePassword(page, email)
    await page.getByLabel('Trust this device for 30 days').check()
    expect(await accessibilityViolations(page)).toEqual([])
    await giveCode(page, email)
    await page.waitForURL(`${octavo.url}/explore`)

    await forgetSession(page)
    await page.goto('/login?origin=%2Faccount%2Fsettings')
    await givePassword(page, email)
    await page.waitForURL(`${octavo.url}/account/settings`)
    const devices = sessionsCard(page).getByRole('list', { name: 'Trusted devices' })
    await devices.getByText('This device').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await devices.getByRole('button', { name: /^Remove / }).click()
    await devices.waitFor({ state: 'detached' })

    await forgetSession(page)
    await page.goto('/login')
    await givePassword(page, email)
    await giveCode(page, email)
    await page.waitForURL(`${octavo.url}/explore`)
    const cookies = await context.cookies(`${octavo.url}/api/`)
    expect(cookies.find((one) => one.name === 'pb_device')).toMatchObject({ httpOnly: true })
  })

  it('Google leads to a new account, and back to where it was asked for', async () => {
    const email = sitsDown('googler')
    const { page } = await openVisitor(octavo.url, { viewport: phone })
    await page.goto(`/login?origin=${encodeURIComponent(book)}`)
    await page.getByText('OR', { exact: true }).waitFor()
    await press(page, 'Continue with Google')
    await page.waitForURL(octavo.url + book)
    await page.getByRole('button', { name: 'Add to shelf' }).waitFor()
    await page.goto('/account/settings')
    await page.getByRole('main').getByText(email).first().waitFor()
    expect(post.mailsTo(email)).toHaveLength(0)

    await forgetSession(page)
    await page.goto('/signup')
    await press(page, 'Continue with Google')
    await page.waitForURL(`${octavo.url}/explore`)
    await page.goto('/account/settings')
    await page.getByRole('main').getByText(email).first().waitFor()
  })

  it('says what went wrong on the way through Google', async () => {
    sitsDown('unlucky')
    const { page } = await openVisitor(octavo.url, { viewport: phone })
    const alert = page.getByRole('alert')
    google.cancels = true
    await page.goto(`/login?origin=${encodeURIComponent(book)}`)
    await press(page, 'Continue with Google')
    await alert.getByText('You cancelled signing in with Google.').waitFor()
    await alert.getByText('Login Error').waitFor()

    // Somebody else's way back is no way in here.
    await page.goto('/auth/google?state=theirs&code=theirs')
    await alert.getByText("State parameters don't match.").waitFor()

    // From there it can be tried again.
    google.cancels = false
    await press(page, 'Continue with Google')
    await page.waitForURL(`${octavo.url}/welcome`)
    expect(await page.getByRole('banner').getByRole('link', { name: 'Login' }).count()).toBe(0)
  })

  it('a provider of the operator’s own signs up and in, by the name it has there', async () => {
    const email = sitsDown('librarian', { at: library })
    const { page, context, allow } = await openVisitor(octavo.url, { viewport: phone })
    allow(/status of 400/)
    const main = page.getByRole('main')
    await page.goto('/signup')
    await press(page, 'Continue with Town Library')
    await page.waitForURL(`${octavo.url}/welcome`)

    await forgetSession(page)
    await page.goto('/login')
    await main.getByRole('button', { name: 'Continue with Google' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    // One that is away says so, and the others still work.
    await press(page, 'Continue with Lost Post')
    await page.getByRole('alert').getByText('Missing or invalid provider').waitFor()
    await press(page, 'Continue with Town Library')
    await page.waitForURL(`${octavo.url}/explore`)
    await page.goto('/account/settings')
    await main.getByText(email).first().waitFor()

    await forgetSession(page)
    await context.clearCookies({ domain: '127.0.0.1' })
    sitsDown('nobody', { at: library, verified: false })
    await page.goto('/login')
    await press(page, 'Continue with Town Library')
    await page.getByRole('alert').getByText('Town Library hasn’t verified your email.').waitFor()
    library.forgesKey = true
    await press(page, 'Continue with Town Library')
    await page
      .getByRole('alert')
      .getByText('Town Library could not sign you in. Please try again.')
      .waitFor()
    library.forgesKey = false
  })

  it('a provider is linked and unlinked on the page Connections', async () => {
    const email = 'linking@example.org'
    await newAccount(email)
    await newAccount(sitsDown('someone', { at: library }))
    const { page, context, allow } = await openVisitor(octavo.url, { viewport: phone })
    allow(/status of 400/)
    await signIn(page, email, '/account/connections')
    const list = page.getByRole('list', { name: 'Sign-in providers' })
    const row = list.getByRole('listitem').filter({ hasText: 'Town Library' })
    await row.getByText('Not linked').waitFor()
    // Another reader's account there stays theirs: its email is taken here by nobody but them.
    const other = await openVisitor(octavo.url, { viewport: phone })
    await other.page.goto('/login')
    await press(other.page, 'Continue with Town Library')
    await other.page.waitForURL(`${octavo.url}/explore`)
    await press(page, 'Link Town Library')
    await page.getByText('This Town Library account already signs in another reader.').waitFor()
    await page.getByRole('link', { name: 'Back to connections' }).click()
    await row.getByText('Not linked').waitFor()

    await context.clearCookies({ domain: '127.0.0.1' })
    sitsDown('elsewhere', { at: library })
    await press(page, 'Link Town Library')
    await row.getByText('Last used').waitFor()
    expect(new URL(page.url()).pathname).toBe('/account/connections')
    expect(await accessibilityViolations(page)).toEqual([])
    expect((await post.nextMail(email)).subject).toBe('Town Library can now sign you in to Octavo')
    await row.getByRole('button', { name: 'Unlink' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('You can no longer sign in with Town Library.').waitFor()
    await dialog.getByRole('button', { name: 'Unlink' }).click()
    await row.getByText('Not linked').waitFor()
  })

  it('a session that ends at the provider ends here, on the open page too', async () => {
    sitsDown('leaving', { at: library })
    const { page, allow } = await openVisitor(octavo.url, { viewport: phone })
    allow(/status of 40[0134]/)
    await page.goto('/login?origin=%2Faccount%2Fsettings')
    await press(page, 'Continue with Town Library')
    await page.waitForURL(`${octavo.url}/account/settings`)
    await openListening(page, '/account/settings')
    const users = `${octavo.url}/api/collections/users`
    await library.endSession('leaving', `${users}/backchannel-logout/oidc2`)
    await page.waitForURL(`${octavo.url}/login?origin=%2Faccount%2Fsettings`)
    expect(new URL(page.url()).pathname).toBe('/login')
  })

  it('a session that has run out is begun again over a form, which is then saved', async () => {
    const email = 'typing@example.org'
    await newAccount(email)
    const visitor = await openVisitor(octavo.url, { viewport: phone })
    const { page } = visitor
    await signIn(page, email, book)
    await page.getByRole('button', { name: 'Add to shelf' }).click()
    const form = await startShelf(page, 'Kept through the night')
    await letSessionRunOut(visitor)
    await form.save()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByText(email).waitFor()
    await dialog.getByLabel('Password', { exact: true }).fill('not my password')
    await dialog.getByRole('button', { name: 'Login' }).click()
    await dialog.getByText('Failed to authenticate.').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Login' }).click()
    await giveCode(page, email)
    await form.saved()
    expect(new URL(page.url()).pathname).toBe(book)
  })
})

describe('on a desktop', () => {
  // 6 s: three browsers sign in.
  it('sessions are seen, and one or all of them ended, live', async () => {
    const email = 'everywhere@example.org'
    await newAccount(email)
    const [here, there, third] = await Promise.all([
      openVisitor(octavo.url, { viewport: desktop }),
      openVisitor(octavo.url, { viewport: desktop }),
      openVisitor(octavo.url, { viewport: desktop }),
    ])
    for (const one of [here, there, third]) one.allow(/status of 40[0134]/)
    await signIn(there.page, email)
    await signIn(here.page, email, '/account/settings')
    await openListening(there.page, '/account/settings')
    const open = sessionsCard(here.page).getByRole('list', { name: 'Open sessions' })
    await expect.poll(() => open.getByRole('listitem').count()).toBe(2)
    await open.getByRole('listitem').getByText('This device').waitFor()
    await open.getByRole('button', { name: /^Sign out / }).click()
    await expect.poll(() => open.getByRole('listitem').count()).toBe(1)
    await there.page.waitForURL(`${octavo.url}/login?origin=%2Faccount%2Fsettings`)
    await isVisitors(there.page)

    await signIn(third.page, email)
    const stolen = await third.context.cookies()
    await openListening(third.page, book)
    await third.page.getByRole('button', { name: 'Add to shelf' }).waitFor()
    await here.page.getByRole('button', { name: 'Sign out everywhere' }).click()
    const dialog = here.page.getByRole('alertdialog', { name: 'Are you absolutely sure?' })
    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
    await here.page.waitForURL(`${octavo.url}/`)
    await isVisitors(third.page)
    await third.page.getByRole('link', { name: 'Add to shelf' }).waitFor()

    await there.context.addCookies(stolen)
    await there.page.goto('/account/settings')
    expect(there.page.url()).toBe(`${octavo.url}/login?origin=%2Faccount%2Fsettings`)
  })

  // 6 s: three browsers sign in.
  it('two sessions are ended without waiting for the first', async () => {
    const email = 'tidy@example.org'
    await newAccount(email)
    const visitors = await Promise.all(
      [1, 2, 3].map(() => openVisitor(octavo.url, { viewport: desktop })),
    )
    for (const one of visitors) {
      one.allow(/status of 40[0134]/)
      await signIn(one.page, email)
    }
    const { page } = visitors[0]!
    await page.goto('/account/settings')
    const open = sessionsCard(page).getByRole('list', { name: 'Open sessions' })
    const end = open.getByRole('button', { name: /^Sign out / })
    await expect.poll(() => end.count()).toBe(2)
    await untilHydrated(end.first())
    const held = Promise.withResolvers<void>()
    await page.route(/users\/sessions\//, async (route) => {
      await held.promise
      await route.continue()
    })
    await end.first().press('Enter')
    await end.last().press('Enter')
    await expect.poll(() => open.locator('[aria-busy]').count()).toBe(2)
    held.resolve()
    await expect.poll(() => open.getByRole('listitem').count()).toBe(1)
    // Nothing is left to press in the list.
    const heading = page.getByRole('heading', { name: 'Where you’re signed in' })
    await heading.and(page.locator(':focus')).waitFor()
  })

  it('Google signs in to the account of a proved address, which is told', async () => {
    const email = sitsDown('linked')
    await newAccount(email)
    const first = await openVisitor(octavo.url, { viewport: desktop })
    await signIn(first.page, email, '/account/settings')
    const { page } = await openVisitor(octavo.url, { viewport: desktop })
    await page.goto('/login')
    await press(page, 'Continue with Google')
    await page.waitForURL(`${octavo.url}/explore`)
    expect((await post.nextMail(email)).subject).toBe('Google can now sign you in to Octavo')
    // The password's session is still there: it is one account, and its owner's.
    await first.page.reload()
    await first.page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  })

  it('and so is one through Google, in a window of its own', async () => {
    const email = sitsDown('window')
    const visitor = await openVisitor(octavo.url, { viewport: desktop })
    const { page, context } = visitor
    await page.goto(`/login?origin=${encodeURIComponent(book)}`)
    await press(page, 'Continue with Google')
    await page.waitForURL(octavo.url + book)
    await page.getByRole('button', { name: 'Add to shelf' }).click()
    const form = await startShelf(page, 'Kept through a window')
    await letSessionRunOut(visitor)
    await form.save()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByText(email).waitFor()
    // The wrong one first: nothing becomes of it, neither a session nor an account.
    const wrong = sitsDown('other')
    await context.clearCookies({ domain: '127.0.0.1' })
    const wrongWindow = context.waitForEvent('page')
    await dialog.getByRole('button', { name: 'Continue with Google' }).click()
    await dialog.getByText('That was another account.').waitFor()
    await expect.poll(async () => (await wrongWindow).isClosed()).toBe(true)
    expect(await context.cookies(octavo.url).then(names)).not.toContain('pb_auth')
    expect(post.mailsTo(wrong)).toEqual([])

    google.whoever = 'window'
    await context.clearCookies({ domain: '127.0.0.1' })
    const opened = context.waitForEvent('page')
    await dialog.getByRole('button', { name: 'Continue with Google' }).click()
    const popup = await opened
    await form.saved()
    await expect.poll(() => popup.isClosed()).toBe(true)
  })
})

const names = (cookies: { name: string }[]) => cookies.map(({ name }) => name)

/** A shelf of this name is about to be made, from a book's page. */
async function startShelf(page: Page, shelf: string) {
  await page.getByRole('dialog').getByRole('button', { name: 'New Shelf' }).click()
  const name = page.getByLabel('Name')
  await name.fill(shelf)
  return {
    save: () => name.press('Enter'),
    saved: () => page.getByRole('dialog').getByText(shelf).first().waitFor(),
  }
}

// 9 s: a server of its own, which tries the mail again after a pause.
it('signs in while the mail server is away, says so, and mails the code when it is back', async () => {
  const email = 'waiting@example.org'
  const folder = mkdtempSync(join(tmpdir(), 'octavo-sign-in-'))
  const before = await openMailServer()
  const { port } = new URL(before.url)
  const own = await startOctavo({
    SMTP_URL: before.url,
    DATA_DIR: folder,
    GOOGLE_CLIENT_ID: 'client',
    GOOGLE_CLIENT_SECRET: 'secret',
    GOOGLE_ISSUER: 'http://127.0.0.1:9',
    // It says that Google cannot be reached.
    LOG_LEVEL: 'silent',
  })
  await before.close()
  const visitor = await openVisitor(own.url)
  const { page } = visitor
  await page.goto('/signup')
  // Google is set up, and away as well.
  await press(page, 'Continue with Google')
  await page.getByRole('alert').getByText('Missing or invalid provider').waitFor()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await press(page, 'Sign Up')
  await page.getByRole('heading', { name: 'Two-Step Verification' }).waitFor()
  await page.getByText('Your email is delayed').waitFor()
  const after = await openMailServer(Number(port))
  try {
    const { text } = await after.nextMail(email, 60_000)
    expect(after.mailsTo(email)).toHaveLength(1)
    await page.getByText('Your email is delayed').waitFor({ state: 'hidden' })
    await page.getByLabel('Code').fill(/\b\d{6}\b/.exec(text ?? '')?.[0] ?? '')
    await page.waitForURL(`${own.url}/welcome`)
  } finally {
    await page.goto('about:blank')
    await own.stop()
    await after.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
