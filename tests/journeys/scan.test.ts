import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { CuratedSections } from '#shared/book.ts'
import { freePort } from '#tests/free-port.ts'
import { accessibilityViolations, afterRetries, openVisitor } from '#tests/browser.ts'
import { cameraSeeing, photographCover, type BackCover } from '#tests/covers.ts'
import { startOctavo } from '#tests/octavo.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }
const title = 'Add book by scanning ISBN'

const { octavo, post } = await openOctavo()
/** Books the catalogue has, by ISBN-13. */
let known: [isbn: string, title: string][]
let film: string[]

beforeAll(async () => {
  const answer = await fetch(`${octavo.url}/api/v1/explore`)
  const { data } = (await answer.json()) as { data: CuratedSections }
  known = [...data.classics, ...data.manga].flatMap((book) =>
    book.isbns.ISBN_13 ? [[book.isbns.ISBN_13, book.title] as [string, string]] : [],
  )
  const cover = { digits: known[0]![0], addOn: '51095', tilt: 8, blur: 1.2 }
  film = cameraSeeing(await photographCover(cover))
})

/** What a page's script keeps for {@link isCameraOff} and {@link showCover}. */
interface Cameras {
  opened: MediaStream[]
  show: (picture: string) => Promise<void>
  torch: unknown[]
}

/** Runs in the page: notes the streams it opens. */
function noteCameras(): void {
  const window = globalThis as unknown as { cameras: Pick<Cameras, 'opened'> }
  window.cameras = { opened: [] }
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    const stream = await open(wanted)
    window.cameras.opened.push(stream)
    return stream
  }
}

const isCameraOff = (page: Page) =>
  page.evaluate(() => {
    const { cameras } = globalThis as unknown as { cameras: Cameras }
    const tracks = cameras.opened.flatMap((stream) => stream.getTracks())
    return tracks.length > 0 && tracks.every((track) => track.readyState === 'ended')
  })

/** Runs in the page: a camera with a light, that sees what a test shows it. */
function standInCamera(): void {
  const window = globalThis as unknown as { cameras: Cameras }
  const canvas = document.createElement('canvas')
  canvas.width = 1280
  canvas.height = 720
  const brush = canvas.getContext('2d')
  const image = new Image()
  window.cameras = {
    opened: [],
    torch: [],
    async show(picture) {
      image.src = picture
      await image.decode()
    },
  }
  navigator.mediaDevices.getUserMedia = async () => {
    // A camera goes on sending what stands still.
    setInterval(() => brush?.drawImage(image, 0, 0), 100)
    const stream = canvas.captureStream(10)
    const [track] = stream.getVideoTracks()
    if (track) {
      track.getCapabilities = () => ({ torch: true }) as MediaTrackCapabilities
      track.applyConstraints = (wanted) =>
        Promise.resolve(void window.cameras.torch.push(wanted?.advanced?.[0]))
    }
    window.cameras.opened.push(stream)
    return stream
  }
}

async function showCover(page: Page, cover: BackCover): Promise<void> {
  const picture = `data:image/jpeg;base64,${(await photographCover(cover)).toString('base64')}`
  await page.evaluate(
    (address) => (globalThis as unknown as { cameras: Cameras }).cameras.show(address),
    picture,
  )
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: title })

/** By the bottom bar on a phone, by the menu of the books page on a desktop. */
async function openScanner(page: Page, home: string, isPhone: boolean) {
  await page.goto(`${home}/books`)
  if (isPhone) await page.getByRole('button', { name: 'Scan', exact: true }).click()
  else {
    await page.getByRole('button', { name: 'Add Book' }).click()
    await page.getByRole('menuitem', { name: 'Scan ISBN' }).click()
  }
  const dialog = dialogOf(page)
  await dialog.waitFor()
  return dialog
}

it('sends a visitor who wants to scan to sign in', async () => {
  const { page } = await openVisitor(octavo.url, { viewport: phone })
  await page.goto('/explore')
  await page.getByRole('navigation').getByRole('link', { name: 'Scan' }).click()
  await page.waitForURL('**/login')
  expect(await dialogOf(page).count()).toBe(0)
})

// 5 s: a browser of its own, with a camera.
it('reads a cover, tilted, blurred and with a price beside it, and shelves the book', async () => {
  const reader = await openReader({ octavo, post }, 'scanner', {
    viewport: phone,
    hasTouch: true,
    switches: film,
  })
  const { page, home, shelve, add, books } = reader
  const [isbn, name] = known[0]!
  const had = await shelve('Already read')
  await shelve('Bought today')
  await add(had, name, { isbn, status: 'reading', page_count: 500, progress: 120 })
  const wasm: string[] = []
  page.on('response', (response) => {
    if (!response.url().includes('.wasm')) return
    wasm.push(`${response.status()} ${response.headers()['content-type']}`)
  })
  await page.addInitScript(noteCameras)
  await page.goto(`${home}/books`)
  const policy = (await page.request.get(`${home}/books`)).headers()['content-security-policy']
  expect(policy).not.toContain('unsafe-eval')

  const dialog = await openScanner(page, home, true)
  await dialog.getByRole('heading', { name }).waitFor()
  expect(wasm).toEqual(['200 application/wasm'])
  await dialog.getByText('You already have this book: Reading · Page 120.').waitFor()
  for (const theme of ['dark', 'light']) {
    await page.evaluate((look) => void (document.documentElement.className = look), theme)
    expect(await accessibilityViolations(page), theme).toEqual([])
  }

  await dialog.getByRole('button', { name: 'Scan Again' }).click()
  await dialog.getByRole('heading', { name }).waitFor()
  const put = dialog.getByRole('button', { name: 'Add to shelf' })
  expect(await put.isDisabled()).toBe(true)
  const shelves = dialog.getByLabel('Shelf')
  const taken = shelves.getByRole('option', { name: 'Already read (has this book)' })
  expect(await taken.isDisabled()).toBe(true)
  await shelves.selectOption('Bought today')
  await put.click()
  await page.getByText(`Added ${name} to Bought today · Reading · Page 120`).waitFor()
  expect(await isCameraOff(page)).toBe(true)
  await page.getByRole('link', { name: 'View Book' }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  const copies = await books()
  expect(copies).toHaveLength(2)
  for (const copy of copies) expect(copy).toMatchObject({ isbn, status: 'reading', progress: 120 })
})

it('takes typed ISBNs and those of a barcode scanner, and helps where a book is unknown', async () => {
  const reader = await openReader({ octavo, post }, 'typist', { viewport: desktop })
  const { page, home, shelve, books, allow } = reader
  allow(/status of 404/)
  await shelve('On my desktop')
  const [isbn, name] = known[1]!
  const dialog = await openScanner(page, home, false)
  const field = dialog.getByLabel('ISBN', { exact: true })
  await field.fill('9780141439519')
  await field.press('Enter')
  await dialog.getByText('One digit is wrong.').waitFor()
  expect(await field.inputValue()).toBe('9780141439519')
  // A scanner types wherever the focus is; what was wrong is replaced.
  await dialog.getByRole('button', { name: 'Close' }).last().focus()
  await page.keyboard.type(isbn)
  await page.keyboard.press('Enter')
  await dialog.getByRole('heading', { name }).waitFor()
  // The only shelf there is, is chosen.
  const chosen = dialog.getByLabel('Shelf').locator('option:checked')
  await expect.poll(() => chosen.innerText()).toBe('On my desktop')
  await page.keyboard.type('9798886451740')
  await page.keyboard.press('Enter')
  await dialog.getByText('We don’t have a book with the ISBN 9798886451740 yet.').waitFor()
  await dialog.getByRole('button', { name: 'Add by hand' }).click()
  const form = page.getByRole('dialog', { name: 'Add Book' })
  expect(await form.locator('input[name=isbn]').inputValue()).toBe('9798886451740')
  await form.getByLabel('Title', { exact: true }).fill('A zine of the harbour')
  await form.getByRole('button', { name: 'Next' }).click()
  const last = page.getByRole('dialog', { name: 'Choose a shelf' })
  await last.getByLabel('Shelf').selectOption('On my desktop')
  await last.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Added A zine of the harbour to On my desktop').waitFor()
  expect((await books()).map((book) => book['isbn'])).toEqual(['9798886451740'])
})

it('scans a pile of twenty: all of them right, and none that is not there', async () => {
  const reader = await openReader({ octavo, post }, 'sweeper', { viewport: phone, hasTouch: true })
  const { page, home, shelve, add, books, allow } = reader
  allow(/status of 404/)
  const other = await shelve('Sci-fi')
  await shelve('Living room')
  const pile = known.slice(0, 20)
  const [elsewhere] = known.slice(20)
  const position = { status: 'reading', page_count: 500, progress: 41 }
  await add(other, elsewhere![1], { isbn: elsewhere![0], ...position })
  // The camera is looked at once a second.
  await page.clock.install()
  await page.addInitScript(standInCamera)
  const dialog = await openScanner(page, home, true)
  await dialog.getByRole('radio', { name: 'A pile' }).click()
  await dialog.getByText('Choose a shelf, then scan.').waitFor()
  await dialog.getByLabel('Shelf for all').selectOption('Living room')
  const row = (text: string) => dialog.getByRole('listitem').filter({ hasText: text })

  const unusual: Record<number, Partial<BackCover>> = {
    4: { tilt: 45, blur: 0 },
    5: { tilt: -50, blur: 0 },
    7: { isInverted: true },
    // A score has the code of the music beside that of the book.
    8: { second: '9790260000438', tilt: 0, blur: 0 },
    10: { isInverted: true, second: '9790260000438', tilt: 0, blur: 0 },
    11: { isInverted: true, tilt: 45, blur: 0 },
    13: { isInverted: true, second: '070999002255', tilt: 0, blur: 0 },
  }
  for (const [place, [isbn, name]] of pile.entries()) {
    await showCover(page, {
      digits: isbn,
      tilt: ((place * 7) % 31) - 15,
      blur: (place % 3) * 0.7,
      colour: place % 2 ? '#24405c' : '#7a2e2b',
      ...(place % 3 ? {} : { addOn: place % 2 ? '90000' : '51095' }),
      ...unusual[place],
    })
    await afterRetries(page, row(name).first().getByText('Added to “Living room”'))
  }
  // The list is under the fold of a phone: right below the camera it says what became of the last.
  await dialog
    .getByRole('status')
    .filter({ hasText: `${pile[19]![1]}: Added to “Living room”` })
    .and(dialog.locator(':visible'))
    .waitFor()
  await dialog.getByRole('heading', { name: '20 added' }).waitFor()
  const shelved = (await books()).filter((book) => book['shelf'] !== other)
  expect(shelved).toHaveLength(20)
  expect(new Set(shelved.map((book) => book['isbn']))).toEqual(new Set(pile.map(([isbn]) => isbn)))
  expect(await accessibilityViolations(page)).toEqual([])

  // The same book again; one that stands elsewhere; one nobody knows; and what is no book.
  await showCover(page, { digits: pile[3]![0] })
  await afterRetries(page, dialog.getByText('This book is already in the list.'))
  await showCover(page, { digits: elsewhere![0] })
  await afterRetries(page, row(elsewhere![1]).getByText('You have it on “Sci-fi”'))
  await showCover(page, { digits: '070999002255', addOn: '30054' })
  await afterRetries(page, dialog.getByText('This is a price code (UPC)', { exact: false }))
  await showCover(page, { digits: '4006381333931' })
  await afterRetries(
    page,
    dialog.getByText('Scan the one that starts with 978 or 979.', { exact: false }),
  )
  await showCover(page, { digits: '9798886451740' })
  await afterRetries(page, row('9798886451740').getByText('Not in the catalogue.'))
  expect(await books()).toHaveLength(21)

  await dialog.getByRole('button', { name: `Undo: ${pile[19]![1]}` }).click()
  await row(pile[19]![1]).getByText('Removed again.').waitFor()
  expect(await books()).toHaveLength(20)
  await dialog.getByRole('button', { name: `Add here too: ${elsewhere![1]}` }).click()
  await row(elsewhere![1]).getByText('Added to “Living room” · Reading · Page 41').waitFor()

  // Closed and opened again, what is still to do is there.
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Scan', exact: true }).click()
  await dialog.getByRole('radio', { name: 'A pile' }).click()
  await dialog.getByRole('button', { name: 'Add by hand: 9798886451740' }).waitFor()
})

it('says of a book of the pile that stands on the very shelf, and of a line that fails', async () => {
  const reader = await openReader({ octavo, post }, 'doubler', { viewport: desktop })
  const { page, home, shelve, add, books, allow } = reader
  allow(/Failed to load resource|ERR_/)
  const shelf = await shelve('Hall')
  const [isbn, name] = known[2]!
  await add(shelf, name, { isbn })
  await page.clock.install()
  await page.addInitScript(standInCamera)
  const dialog = await openScanner(page, home, false)
  await dialog.getByRole('radio', { name: 'A pile' }).click()
  const field = dialog.getByLabel('ISBN', { exact: true })
  await field.fill(isbn)
  await field.press('Enter')
  await dialog.getByText('Choose a shelf first.').waitFor()
  await dialog.getByLabel('Shelf for all').selectOption('Hall')
  await field.fill(isbn)
  await field.press('Enter')
  await dialog.getByRole('listitem').getByText('Already on “Hall”').waitFor()

  await page.route('**/api/collections/user_books/records**', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await page.keyboard.type(known[3]![0])
  await page.keyboard.press('Enter')
  const line = dialog.getByRole('listitem')
  await line.getByText('It’ll be added when you’re online.').waitFor()
  await page.unroute('**/api/collections/user_books/records**')
  await afterRetries(page, line.getByText('Added when you were back online.'))
  expect(await books()).toHaveLength(2)
})

it('lights the torch of a camera that has one, and turns all off at the end', async () => {
  const { page, home } = await openReader({ octavo, post }, 'lamplighter', { viewport: desktop })
  await page.addInitScript(standInCamera)
  const dialog = await openScanner(page, home, false)
  const torch = dialog.getByRole('button', { name: 'Torch' })
  await torch.click()
  await expect.poll(() => torch.getAttribute('aria-pressed')).toBe('true')
  await torch.click()
  await expect.poll(() => torch.getAttribute('aria-pressed')).toBe('false')
  const asked = await page.evaluate(
    () => (globalThis as unknown as { cameras: Cameras }).cameras.torch,
  )
  expect(asked).toEqual([{ torch: true }, { torch: false }])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => isCameraOff(page)).toBe(true)
})

const allowing = '--use-fake-ui-for-media-stream'
const device = '--use-fake-device-for-media-stream'

describe('a camera that shows nothing is explained', () => {
  it.each([
    ['denied', 'Octavo isn’t allowed to use the camera.', [device, `${allowing}=deny`]],
    ['missing', 'No camera was found.', [allowing]],
    ['busy', 'Another app is using the camera.', []],
  ])('%s', async (name, sentence, switches) => {
    const { page, home } = await openReader({ octavo, post }, `without-${name}`, {
      viewport: phone,
      switches,
    })
    // No switch makes a browser's camera busy; this is what it answers then.
    if (name === 'busy') await page.addInitScript(refuseCamera)
    const dialog = await openScanner(page, home, true)
    await dialog.getByRole('alert').getByText(sentence, { exact: false }).waitFor()
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByRole('alert').getByText(sentence, { exact: false }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await dialog.getByLabel('ISBN', { exact: true }).fill(known[4]![0])
    await page.keyboard.press('Enter')
    await dialog.getByRole('heading', { name: known[4]![1] }).waitFor()
  })

  it('at an insecure address', async () => {
    const port = await freePort()
    const url = `http://octavo.test:${port}`
    const insecure = await startOctavo({
      SMTP_URL: post.url,
      PORT: String(port),
      APP_URL: url,
    })
    onTestFinished(() => insecure.stop().then(() => undefined))
    const { page, allow } = await openVisitor(url, {
      viewport: phone,
      switches: [allowing, device, '--host-resolver-rules=MAP octavo.test 127.0.0.1'],
    })
    // The browser's own remark on such an address.
    allow(/Cross-Origin-Opener-Policy/)
    const email = 'far-away@example.org'
    await page.goto('/signup')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('a quiet afternoon')
    await page.getByLabel('Confirm password').fill('a quiet afternoon')
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await page.getByRole('heading', { name: 'Two-Step Verification' }).waitFor()
    const code = /\b\d{6}\b/.exec((await post.nextMail(email)).text ?? '')?.[0]
    await page.getByLabel('Code').fill(code ?? '')
    await page.waitForURL('**/welcome')
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    const sentence = 'The camera needs a secure connection.'
    await dialogOf(page).getByRole('alert').getByText(sentence, { exact: false }).waitFor()
    expect(await dialogOf(page).getByRole('button', { name: 'Try again' }).count()).toBe(0)
  })
})

/** Runs in the page. */
function refuseCamera(): void {
  navigator.mediaDevices.getUserMedia = () =>
    Promise.reject(new DOMException('Could not start video source', 'NotReadableError'))
}
