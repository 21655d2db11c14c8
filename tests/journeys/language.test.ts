import { expect, it } from 'vitest'
import { openVisitor, untilHydrated } from '#tests/browser.ts'
import { messagesOf } from '#tests/messages.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo()

/** The language and direction of a page as the server sends it. */
async function languageOf(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(octavo.url + path, { headers })
  expect(answer.headers.get('vary')).toMatch(/Accept-Language, Cookie/)
  return /<html lang="([\w-]+)" dir="(\w+)"/.exec(await answer.text())?.slice(1, 3)
}

it('sends a page in the language of the address, else the chosen one, else the browser’s', async () => {
  const german = { 'Accept-Language': 'de-AT, en;q=0.5' }
  const chosen = { 'Accept-Language': 'en', Cookie: 'language=de' }
  for (const path of ['/', '/explore', '/login']) {
    expect(await languageOf(path)).toEqual(['en', 'ltr'])
    expect(await languageOf(path, german)).toEqual(['de', 'ltr'])
    expect(await languageOf(path, chosen)).toEqual(['de', 'ltr'])
    expect(await languageOf(`${path}?lang=en`, german)).toEqual(['en', 'ltr'])
    expect(await languageOf(`${path}?lang=tlh`, german)).toEqual(['de', 'ltr'])
    expect(await languageOf(path, { ...chosen, Cookie: 'language=tlh' })).toEqual(['en', 'ltr'])
  }
})

it('names the addresses of a page in each language', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/pricing?lang=de')
  const links = await page
    .locator('link[rel=canonical], link[rel=alternate][hreflang]')
    .evaluateAll((all) =>
      all.map((link) => [link.getAttribute('hreflang') ?? '', link.getAttribute('href')]),
    )
  const url = `${octavo.url}/pricing`
  expect(links).toEqual(
    expect.arrayContaining([
      ['', `${url}?lang=de`],
      ['x-default', url],
      ['en', `${url}?lang=en`],
      ['de', `${url}?lang=de`],
    ]),
  )
  await page.goto('/pricing')
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(url)
})

it('lets a visitor choose a language in the footer, and loads only that one', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/explore?lang=en#main')
  await page.getByLabel('Language', { exact: true }).selectOption('Deutsch')
  await page.getByRole('link', { name: 'Entdecken' }).first().waitFor()
  expect(page.url()).toBe(`${octavo.url}/explore#main`)
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  await page.goto('/login')
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  await page.getByLabel('Sprache', { exact: true }).waitFor()
  const catalogues = loaded.filter((url) => url.includes('/assets/locale-'))
  expect(catalogues.length).toBeGreaterThan(0)
  expect(catalogues.filter((url) => !/-de-\w+\.js$/.test(url))).toEqual([])
})

it('shows a reader the language of their settings on every device', async () => {
  const reader = await openReader({ octavo, post }, 'polyglot', { locale: 'en-GB' })
  const { page, context } = reader
  await page.goto('/account/settings')
  expect(await page.getByRole('contentinfo').getByLabel('Language').count()).toBe(0)
  const choice = page.getByRole('main').getByRole('combobox', { name: 'Language' })
  expect(await choice.inputValue()).toBe('')
  await choice.selectOption('Deutsch')
  await page.waitForFunction(() => document.documentElement.lang === 'de')

  // Another browser of theirs has no cookie of it.
  await context.clearCookies({ name: 'language' })
  await page.goto('/explore')
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  await page.goto('/account/settings')
  expect(await page.locator('select:has([value=de])').inputValue()).toBe('de')
  await page.locator('select:has([value=de])').selectOption('')
  await page.waitForFunction(() => document.documentElement.lang === 'en')
})

it('mails in the language of the settings, else in the browser’s', async () => {
  /** @returns the subject of a mail that a browser in Austria asks for */
  async function mailed(email: string) {
    const answer = await fetch(`${octavo.url}/api/collections/users/request-password-reset`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Accept-Language': 'de-AT, en;q=0.5' },
      body: JSON.stringify({ email }),
    })
    expect(answer.status).toBe(204)
    return (await post.nextMail(email)).subject
  }
  const follower = await openReader({ octavo, post }, 'follower')
  expect(await mailed(follower.email)).toBe('Neues Passwort für Octavo')
  const chooser = await openReader({ octavo, post }, 'chooser')
  const { items } = await chooser.call('GET', `settings/records?filter=(user="${chooser.id}")`)
  const [{ id: settings }] = items as [{ id: string }]
  await chooser.call('PATCH', `settings/records/${settings}`, { language: 'fr' })
  expect(await mailed(chooser.email)).toBe('Nouveau mot de passe pour Octavo')
})

it('refuses a language that there is not', async () => {
  const { call, id } = await openReader({ octavo, post }, 'klingon')
  const { items } = await call('GET', `settings/records?filter=(user="${id}")`)
  const [{ id: settings }] = items as [{ id: string }]
  await expect(call('PATCH', `settings/records/${settings}`, { language: 'tlh' })).rejects.toThrow(
    /validation_invalid_value|Invalid value/,
  )
})

it('says in the reader’s language what is wrong with a page, wherever it is typed', async () => {
  const { page, home, shelve, add } = await openReader({ octavo, post }, 'leserin', {
    locale: 'de',
  })
  const [books, rules] = [messagesOf('de', 'books'), messagesOf('de', 'rules')]
  const title = 'Pride and Prejudice'
  const isbn = '9780141439518'
  await add(await shelve('Winter'), title, {
    authors: ['Jane Austen'],
    status: 'reading',
    page_count: 474,
    progress: 10,
    isbn,
  })
  for (const path of ['/explore', home, `/book/pride-and-prejudice-${isbn}`]) {
    await page.goto(path)
    const field = page.getByLabel(books('pageInput', { title })).first()
    await untilHydrated(field)
    for (const [typed, message] of [
      ['abc', rules('notANumber', { name: rules('name.progress') })],
      ['9999', rules('progressBeyondBook')],
    ] as const) {
      await field.fill(typed)
      await field.press('Enter')
      await page.getByText(message).first().waitFor()
      expect(await field.getAttribute('aria-invalid')).toBe('true')
    }
    await field.press('Escape')
  }
})

it('speaks the reader’s language without a connection', async () => {
  const options = { serviceWorkers: 'allow', locale: 'de-DE' } as const
  const reader = await openReader({ octavo, post }, 'offline-leser', options)
  const { page, context, home } = reader
  reader.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|status of (?:0|503)/)
  await page.goto(`${home}/books`)
  await expect
    .poll(() => page.evaluate(async () => Boolean(await caches.match(location.pathname))))
    .toBe(true)
  await context.setOffline(true)
  await page.goto('/pricing')
  await page.getByRole('heading', { name: 'Du bist offline' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  await page.getByRole('heading', { name: 'Auf diesem Gerät gespeicherte Seiten' }).waitFor()
})

it('mirrors sliders in Arabic: keys, pointer, and what is filled', async () => {
  const reader = await openReader({ octavo, post }, 'qari', { locale: 'ar' })
  const { page, home } = reader
  const books = messagesOf('ar', 'books')
  const title = 'الأيام'
  await reader.add(await reader.shelve('رف الشتاء'), title, { page_count: 200, progress: 100 })
  await page.goto(home)
  const far = page.getByRole('slider', { name: books('progressOf', { title }) }).first()
  await untilHydrated(far)
  const filled = (one: Element) => {
    const bar = one.previousElementSibling!
    const [whole, part] = [bar, bar.firstElementChild!].map((box) => box.getBoundingClientRect())
    return Math.round(whole!.right - part!.right)
  }
  expect(await far.evaluate(filled)).toBe(0)
  await far.press('ArrowLeft')
  await expect.poll(() => far.inputValue()).toBe('51')
  await far.press('ArrowRight')
  await expect.poll(() => far.inputValue()).toBe('50')

  await page.goto(`${home}/books`)
  const finish = page.getByRole('button', { name: books('stepOf.finish', { title }), exact: true })
  await finish.first().click()
  const stars = page.getByRole('slider', { name: books('rateNamed', { title }) })
  await stars.press('3')
  await stars.press('ArrowLeft')
  await expect.poll(() => stars.inputValue()).toBe('7')
  const { width = 0 } = (await stars.boundingBox()) ?? {}
  await stars.click({ position: { x: width * 0.01, y: 20 } })
  await expect.poll(() => stars.inputValue()).toBe('10')
  await stars.click({ position: { x: width * 0.8, y: 20 } })
  await expect.poll(() => stars.inputValue()).toBe('2')
  // What is filled begins at the drawing's left, which is shown on the right.
  const mirrored = stars.evaluate((one) => {
    const drawing = one.parentElement!.querySelector('svg')!
    const filled = drawing.querySelector('clipPath rect') as SVGRectElement
    return [getComputedStyle(drawing).scale, filled.x.baseVal.value, filled.width.baseVal.value]
  })
  expect(await mirrored).toEqual(['-1 1', 0, 24])
})

it('turns hints, addresses and icons that have a direction in Arabic', async () => {
  const { page, email } = await openReader({ octavo, post }, '1001', { locale: 'ar' })
  await page.goto('/explore')
  const words = page.getByRole('main').getByRole('combobox').first()
  const direction = () => words.evaluate((field) => getComputedStyle(field).direction)
  expect(await direction()).toBe('rtl')
  await words.fill('Emma')
  expect(await direction()).toBe('ltr')
  await page.goto('/account/settings')
  expect(await page.locator('bdi', { hasText: email }).first().textContent()).toBe(email)
  await page.goto('/account/edit')
  const icon = page.getByRole('main').getByRole('link').first().locator('svg')
  expect(
    await icon.evaluate((one) => [getComputedStyle(one).scale, one.getBoundingClientRect().width]),
  ).toEqual(['-1 1', 16])
})

it.each(['de', 'fr', 'es', 'pt-BR', 'ja', 'ar'])(
  'has room for signing in beside the name on a phone in %s',
  async (locale) => {
    const viewport = { width: 390, height: 844 }
    const { page } = await openVisitor(octavo.url, { locale, viewport })
    await page.goto('/pricing')
    expect((await page.getByRole('banner').boundingBox())?.height).toBeLessThan(60)
  },
)

it.each([1440, 900])(
  'keeps what a row of books says apart in German, %i pixels wide',
  async (width) => {
    const viewport = { width, height: 900 }
    const reader = await openReader({ octavo, post }, `reihe-${width}`, { locale: 'de', viewport })
    const shelf = await reader.shelve('Abgebrochenes')
    for (const status of ['dropped', 'paused', 'planning', 'reading'])
      await reader.add(shelf, `Buch ${status}`, { page_count: 480, progress: 100, status })
    const { page, home } = reader
    await page.goto(`${home}/books`)
    const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: '480 Seiten' })
    const gaps = await rows.evaluateAll((all) =>
      all.map((row) => {
        const told = row.querySelector('progress')!.parentElement!.lastElementChild!
        const step = [...row.querySelectorAll('button')].at(-1)!
        return step.getBoundingClientRect().left - told.getBoundingClientRect().right
      }),
    )
    expect(gaps).toHaveLength(4)
    expect(Math.min(...gaps)).toBeGreaterThan(0)
  },
)
