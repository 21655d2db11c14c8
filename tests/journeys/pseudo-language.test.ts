import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, expect, it } from 'vitest'
import { visitorViewSearch } from '#shared/visitor-view.ts'
import { addAuthenticator } from '#tests/browser-authenticator.ts'
import { openVisitor, shareVisitor, type CookieJar } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openProvider } from '#tests/openid.ts'
import { pseudoLanguage, pseudoOf, pseudoProgram } from '#tests/pseudo-language.ts'
import { openReader, password } from '#tests/reader.ts'
import { runModule } from '#tests/run-module.ts'
import {
  classic,
  each,
  fillLibrary,
  misplacedRoutes,
  reading,
  screens,
  type Library,
} from './screens.ts'
import { contact, englishOf, latinJudge } from './texts.ts'

const root = join(import.meta.dirname, '../..')

const redirectUrls: string[] = []
const google = await openProvider(redirectUrls)
afterAll(() => google.close())
const { octavo, post } = await openOctavo(
  {
    PUBLIC_CONTACT_EMAIL: contact,
    ROADMAP_URL: 'https://roadmap.octavo.example',
    CHAT_URL: 'https://chat.octavo.example',
    GOOGLE_CLIENT_ID: google.provider.clientId,
    GOOGLE_CLIENT_SECRET: google.provider.clientSecret,
    GOOGLE_ISSUER: google.provider.issuer,
  },
  await pseudoProgram(),
)
redirectUrls.push(`${octavo.url}/auth/google`)

const account = pseudoOf('account')
const admin = pseudoOf('admin')
const books = pseudoOf('books')
const bulk = pseudoOf('bulk')
const catalogue = pseudoOf('catalogue')
const connections = pseudoOf('connections')
const directory = pseudoOf('directory')
const finish = pseudoOf('finish')
const goals = pseudoOf('goals')
const imports = pseudoOf('import')
const library = pseudoOf('library')
const offline = pseudoOf('offline')
const profile = pseudoOf('profile')
const readings = pseudoOf('readings')
const scan = pseudoOf('scan')
const shell = pseudoOf('shell')
const webhooks = pseudoOf('webhooks')

const phone = { width: 390, height: 844 }
const home = '/u/2026'
let filled: Library
const jar: CookieJar = {}

const isEnglish = latinJudge()

/** @returns what a page says that is neither in the pseudo-language nor data, line by line */
const english = (page: Page) => englishOf(page, isEnglish)

const makeAdmin = (username: string) =>
  runModule(join(root, 'server/commands/readers.ts'), ['admin', username], {
    DATA_DIR: octavo.dataDir,
    APP_URL: 'http://octavo.test',
  })

/** Waits for what a page still fetches. */
async function look(page: Page): Promise<void> {
  await expect.poll(() => english(page), { timeout: 5000 }).toBe('')
}

const options = { locale: pseudoLanguage, jar }
const openShared = shareVisitor(octavo.url, options)
const ownOptions = { locale: pseudoLanguage, serviceWorkers: 'allow' } as const

it('is what emails and the first screens are in', async () => {
  const reader = await openReader({ octavo, post }, '2026', options)
  filled = await fillLibrary(reader)
  const empty = await openReader({ octavo, post }, '2028', { locale: pseudoLanguage })
  await empty.page.goto('/u/2028')
  await look(empty.page)
  expect(await empty.page.title()).toContain('2028')
})

it('has a screen of every route', () => {
  expect(misplacedRoutes()).toEqual([])
})

/** How a dialog, sheet or menu comes to be open, by the file that has it. */
interface Opening {
  at: string | (() => string)
  viewport?: typeof phone
  /** A reader of its own, by username: for what ends the session or needs the service worker. */
  reader?: string
  /** Whether that reader is made an administrator. */
  isAdmin?: true
  /** @param book of that reader, who is at its page 57 */
  open: (page: Page, book: string) => Promise<unknown>
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const press = (page: Page, name: string) => button(page, name).first().click()
const choose = (page: Page, name: string) =>
  page.getByRole('menuitem', { name, exact: true }).click()
const bookButton = (action: 'details' | 'edit') =>
  books('bookButton', {
    title: reading,
    status: shell('status.reading'),
    unit: 'page',
    number: 57,
    action,
  })
const edit = bookButton('edit')
const own = `${home}/books`
const shelves = `${home}/shelves`
const openMenu = async (page: Page, name: string, item: string) => {
  await press(page, name)
  await choose(page, item)
}

const openings: Record<string, Opening> = {
  'admin/confirmed-acts': {
    at: '/admin?q=2051',
    reader: '2051',
    isAdmin: true,
    async open(page) {
      await press(page, admin('manageNamed', { username: '2051' }))
      await press(page, admin('signOut'))
      await page.getByLabel(admin('password'), { exact: true }).waitFor()
    },
  },
  'admin/reader-dialog': {
    at: '/admin?q=2052',
    reader: '2052',
    isAdmin: true,
    open: (page) => press(page, admin('manageNamed', { username: '2052' })),
  },
  'account/danger-zone': {
    at: '/account/settings',
    open: (page) => press(page, account('resetEverything')),
  },
  'account/pictures-card': {
    at: '/account/edit',
    async open(page) {
      const buffer = await sharp({
        create: { width: 300, height: 300, channels: 3, background: '#2163ae' },
      })
        .png()
        .toBuffer()
      await page
        .getByLabel(account('profileImage'))
        .setInputFiles({ name: '1.png', mimeType: 'image/png', buffer })
      await press(page, account('save'))
      await page.getByText(account('updated')).waitFor()
      await look(page)
      await press(page, account('remove'))
    },
  },
  'account/sessions-row': {
    at: '/account/settings',
    open: (page) => press(page, account('signOutEverywhere')),
  },
  'account/store-dialog': {
    at: '/account/settings',
    async open(page) {
      await press(page, account('addAStore'))
      await page
        .getByRole('dialog')
        .getByRole('button', { name: account('add') })
        .click()
    },
  },
  'catalogue/advanced-dialog': {
    at: '/explore',
    open: (page) => page.getByRole('button', { name: catalogue('advancedSearch') }).click(),
  },
  'catalogue/offers-dialog': {
    at: classic,
    open: (page) => openMenu(page, books('options'), books('viewOffers')),
  },
  'connections/api-token-dialog': {
    at: '/account/connections',
    async open(page) {
      await press(page, connections('tokenNew'))
      await page.getByLabel(connections('tokenCovers')).selectOption('some')
      await press(page, connections('tokenCreate'))
    },
  },
  'connections/api-tokens': {
    at: '/account/connections',
    async open(page) {
      await press(page, connections('tokenNew'))
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(connections('name')).fill('台所')
      await press(page, connections('tokenCreate'))
      // Generated in Latin letters.
      await press(page, connections('tokenDone'))
      await press(page, connections('revoke'))
    },
  },
  'connections/connection-list': {
    at: '/account/connections',
    async open(page) {
      await page.getByLabel(connections('name')).first().fill('寝室')
      await press(page, connections('addKoreader'))
      // Names what is generated in Latin letters.
      await press(page, connections('typedThem'))
      await press(page, connections('revoke'))
    },
  },
  'connections/linked-providers': {
    at: '/account/connections',
    async open(page) {
      const email = '2027@example.org'
      google.people.set('2027', { sub: '2027', email, email_verified: true })
      google.whoever = '2027'
      await press(page, connections('providerLinkNamed', { provider: 'Google' }))
      await press(page, connections('providerUnlink'))
    },
  },
  'connections/passkey-dialog': {
    at: '/account/connections',
    async open(page) {
      await press(page, connections('passkeyAdd'))
      await page
        .getByRole('dialog')
        .getByLabel(account('currentPassword'), { exact: true })
        .fill('1')
      await press(page, connections('passkeyContinue'))
      await page.locator('input[aria-invalid=true]').waitFor()
    },
  },
  'connections/passkeys': {
    at: '/account/connections',
    async open(page) {
      await addAuthenticator(page)
      await press(page, connections('passkeyAdd'))
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(connections('name')).fill('電話')
      await dialog.getByLabel(account('currentPassword'), { exact: true }).fill(password)
      await press(page, connections('passkeyContinue'))
      await press(page, connections('passkeyRemove'))
    },
  },
  'connections/webhook-row': {
    at: '/account/connections',
    async open(page) {
      await page.locator('summary', { hasText: webhooks('addWebhook') }).click()
      const form = page.locator('form').filter({ hasText: webhooks('addWebhook') })
      await form.getByLabel(webhooks('address')).fill('https://example.org/')
      await form.getByText(webhooks('addWebhook')).click()
      await press(page, webhooks('savedIt'))
      await press(page, webhooks('remove'))
    },
  },
  'connections/private-feeds': {
    at: '/account/connections',
    async open(page) {
      await press(page, connections('feedsMake'))
      await press(page, connections('feedsEnd'))
    },
  },
  'import/import-view': {
    at: () => `/account/imports/${filled.imported}`,
    open: (page) => press(page, imports('undoImport')),
  },
  'library/add-book/add-book-dialog': {
    at: own,
    async open(page) {
      await openMenu(page, books('addBook'), books('byHand'))
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: library('next'), exact: true }).click()
      await look(page)
      await dialog.getByLabel(library('title'), { exact: true }).fill('草枕')
      await dialog.getByRole('button', { name: library('next'), exact: true }).click()
      await dialog.getByRole('button', { name: library('back'), exact: true }).waitFor()
    },
  },
  'library/add-to-shelf/add-to-shelf-dialog': {
    at: '/book/persuasion-9780192802637',
    async open(page) {
      await press(page, books('addToShelf'))
      await look(page)
      await press(page, library('newShelf'))
      await press(page, library('createShelf'))
    },
  },
  'library/book-editor/book-editor': {
    at: own,
    async open(page) {
      await press(page, edit)
      const dialog = page.getByRole('dialog')
      await dialog.getByText(library('details'), { exact: true }).click()
      await dialog.getByText(library('datesTagsNotesAndQuotes')).click()
      await look(page)
      await press(page, readings('logAReading'))
      await press(page, readings('addAQuote'))
      await press(page, readings('changeAbout', { title: reading }))
      await look(page)
      await press(page, library('remove'))
    },
  },
  'library/bulk-edit/bulk-bar': {
    at: () => `/shelf/${filled.shelf}`,
    async open(page) {
      await openMenu(page, books('options'), books('bulkEdit'))
      await page.getByRole('checkbox').first().press(' ')
      for (const menu of ['move', 'setStatus', 'bulkDetails']) {
        await press(page, bulk(menu))
        await look(page)
        await page.keyboard.press('Escape')
      }
      await openMenu(page, bulk('bulkDetails'), bulk('addTags'))
      await look(page)
      await page.keyboard.press('Escape')
      await press(page, bulk('remove'))
    },
  },
  'library/shelves/delete-shelf-dialog': {
    at: () => `/shelf/${filled.shelf}`,
    open: (page) => openMenu(page, books('options'), books('deleteShelf')),
  },
  'library/trash/trash-list': {
    at: '/account/removed',
    open: (page) => press(page, library('deleteAllPermanently')),
  },
  'library/shelves/shelf-form': {
    at: shelves,
    async open(page) {
      await openMenu(page, books('manage'), library('newShelf'))
      await press(page, library('createShelf'))
    },
  },
  'library/book-editor/book-of-reader': {
    at: `${home}/books${visitorViewSearch}`,
    open: (page) => press(page, bookButton('details')),
  },
  'library/shelves/shelves-menu': { at: shelves, open: (page) => press(page, books('manage')) },
  'library/options-menu': {
    at: () => `/shelf/${filled.shelf}`,
    open: (page) => press(page, books('options')),
  },
  'library/wishlist/wishlist-menu': {
    at: `${home}/wishlist`,
    open: (page) =>
      page
        .getByRole('main')
        .getByRole('listitem')
        .first()
        .locator('button[aria-haspopup=menu]')
        .click(),
  },
  'library/finish/finish-sheet': {
    at: '/u/2031',
    reader: '2031',
    async open(page) {
      await press(page, books('stepReading.finish', { title: reading }))
      const sheet = page.getByRole('dialog')
      await sheet.getByRole('radio', { name: finish('anotherDay') }).click()
      await sheet.getByRole('button', { name: finish('moreRoom') }).click()
    },
  },
  'library/reading/up-next-dialog': {
    at: home,
    open: (page) => press(page, books('changeUpNext')),
  },
  'offline/outbox-dialog': {
    at: '/u/2030',
    reader: '2030',
    async open(page, book) {
      const isKept = () => page.evaluate(async () => Boolean(await caches.match(location.pathname)))
      await expect.poll(isKept).toBe(true)
      await page.context().setOffline(true)
      await page.reload()
      const place = page.getByLabel(books('pageInput', { title: reading }), { exact: true }).first()
      await place.fill('58')
      await place.press('Enter')
      await page.getByText(offline('changesKept', { count: 1 })).waitFor()
      await look(page)
      const path = `/api/collections/user_books/records/${book}`
      const headers = { 'X-Session': 'cookie', Origin: octavo.url }
      const saved = await page.context().request.patch(path, { headers, data: { progress: 61 } })
      expect(saved.ok()).toBe(true)
      await page.context().setOffline(false)
      await button(page, offline('review')).click({ timeout: 40_000 })
    },
  },
  'profile/entry-menu': {
    at: home,
    open: (page) =>
      page
        .getByRole('button', { name: profile('entryMenu', { entry: '' }) })
        .first()
        .click(),
  },
  'profile/goal-dialog': {
    at: `${home}/stats`,
    async open(page) {
      await press(page, goals('setAGoal'))
      await page.getByRole('dialog').getByLabel(goals('days')).selectOption('0')
    },
  },
  'profile/profile-menu': { at: home, open: (page) => press(page, profile('profileMenu')) },
  'profile/report-dialog': {
    at: '/u/2028',
    async open(page) {
      await openMenu(page, profile('profileMenu'), profile('report'))
      await press(page, directory('sendReport'))
    },
  },
  'scan/add-book-menu': { at: own, open: (page) => press(page, books('addBook')) },
  'scan/scan-dialog': {
    at: own,
    async open(page) {
      await openMenu(page, books('addBook'), books('scanIsbn'))
      const dialog = page.getByRole('dialog')
      const field = dialog.getByRole('textbox')
      await field.fill('1234')
      await field.press('Enter')
      await look(page)
      await dialog.getByRole('radio', { name: scan('aPile') }).click()
      await look(page)
      await dialog.getByRole('radio', { name: scan('oneBook') }).click()
      await field.fill('9780141439587')
      await field.press('Enter')
      await dialog.getByRole('button', { name: scan('scanAgain') }).waitFor()
    },
  },
  'shell/drawer-panel': { at: '/', viewport: phone, open: (page) => press(page, shell('menu')) },
  'shell/shortcut-list': { at: '/pricing', open: (page) => page.keyboard.press('?') },
  'shell/more-menu': {
    at: '/explore',
    viewport: phone,
    open: (page) => press(page, shell('more')),
  },
  'shell/palette': {
    at: '/pricing',
    async open(page) {
      await page.keyboard.press('Control+k')
      await look(page)
      await page.getByRole('combobox').fill('雪')
      await page.getByRole('option', { name: reading }).first().waitFor()
    },
  },
  'shell/user-menu-items': {
    at: '/pricing',
    open: (page) => press(page, shell('accountOf', { username: '2026' })),
  },
  'account/sign-in-again': {
    at: '/account/edit',
    reader: '2029',
    async open(page) {
      await page.context().clearCookies({ name: 'pb_auth' })
      await page.getByLabel(account('name'), { exact: true }).fill('二〇二六')
      await page.getByLabel(account('name'), { exact: true }).press('Enter')
    },
  },
}

it('has an opening of every dialog, sheet and menu', () => {
  const source = (file: string) => readFileSync(join(root, file), 'utf8')
  const opening =
    /import .*\b(?:Dialog|ConfirmDialog|LazyConfirmButton|useLazyConfirmDialog|Menu)\b.* from '(?:#web\/ui\/(?:dialog-sheet|confirm-dialog|lazy-confirm-button|menu)\.tsx|radix-ui)'/
  const found = globSync('web/{features,routes}/**/*.tsx', { cwd: root })
    .filter((file) => opening.test(source(file)))
    .map((file) => file.replace(/^web\/(?:features\/)?|\.tsx$/g, ''))
  expect(found.toSorted()).toEqual(Object.keys(openings).toSorted())
})

const at = (place: string | (() => string)) => (typeof place === 'string' ? place : place())

it('brings in a file without a word of English', async () => {
  const { page } = await openShared()
  const choice = page.getByLabel(imports('chooseFile'))
  const csv = (text: string) => ({ name: '1.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.goto('/account/imports')
  await choice.setInputFiles(csv('1,2\n3,4'))
  await page.getByRole('alert').waitFor()
  await look(page)
  await page.goto('/account/imports')
  await choice.setInputFiles(
    csv(`Book Id,Title,Author,ISBN,ISBN13,My Rating,Date Read,Date Added,Exclusive Shelf
1,吾輩は猫である,夏目漱石,,,5,2020/05/04,2019/12/31,読了
2,Moby-Dick,Herman Melville,,,0,,2021/01/01,読みたい
,,,,,,,,
`),
  )
  await page.waitForURL('**/account/imports/*')
  filled.imported = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const add = page.getByRole('button', { name: imports('addBooks', { count: 2 }) })
  await add.waitFor()
  await look(page)
  await add.click()
  await button(page, imports('undoImport')).waitFor()
  expect(await english(page)).toBe('')
})

// 12 to 23 s each: opens every screen, and then everything that a screen opens.
it.each(['visitor', 'reader'] as const)('no screen says anything else to a %s', async (viewer) => {
  const one =
    viewer === 'reader'
      ? await openShared()
      : await openVisitor(octavo.url, { locale: pseudoLanguage })
  one.allow(/status of 4\d\d/)
  const found: string[] = []
  const seen = screens.filter(({ only = viewer }) => only === viewer)
  await each(one.context, seen, async (page, screen) => {
    const path = screen.path(filled)
    const answer = await page.goto(path, { waitUntil: 'networkidle' })
    expect(answer?.status(), path).toBe(screen.status ?? 200)
    expect(await page.locator('html').getAttribute('lang'), path).toBe(pseudoLanguage)
    const texts = await english(page)
    if (texts) found.push(`${path}: ${texts}`)
  })
  expect(found).toEqual([])
})

// What the checks and the site's parts are called is not translated.
it('the administrator’s page says nothing else', async () => {
  const { page } = await openReader({ octavo, post }, '2050', { locale: pseudoLanguage })
  await makeAdmin('2050')
  for (const { path } of screens.filter(({ only }) => only === 'administrator')) {
    await page.goto(path(filled), { waitUntil: 'networkidle' })
    await page.getByRole('heading', { name: admin('administration'), level: 1 }).waitFor()
    await page.locator('[lang=en]').evaluateAll((parts) => parts.forEach((part) => part.remove()))
    expect(await english(page), path(filled)).toBe('')
  }
})

/** @returns the language of the page, once what a file has was opened and read */
async function lookInto(page: Page, file: string, book = ''): Promise<string | null> {
  const { at: place, open } = openings[file]!
  try {
    await page.goto(at(place), { waitUntil: 'networkidle' })
    await open(page, book)
    await page.locator('[role$=dialog], [role=menu]').last().waitFor()
    await look(page)
    return await page.locator('html').getAttribute('lang')
  } catch (cause) {
    throw new Error(`what ${file} opens`, { cause })
  }
}

const expected = /status of (?:0|4\d\d)|ERR_INTERNET_DISCONNECTED|Failed to fetch/

it('what the screens open says nothing else', async () => {
  const one = await openShared()
  one.allow(expected)
  const size = one.page.viewportSize()!
  const files = Object.keys(openings).filter((file) => !openings[file]?.reader)
  await each(one.context, files, async (page, file) => {
    await page.setViewportSize(openings[file]?.viewport ?? size)
    expect(await lookInto(page, file), file).toBe(pseudoLanguage)
  })
})

it.each(Object.keys(openings).filter((file) => openings[file]?.reader))(
  'what %s opens to a reader of its own says nothing else',
  async (file) => {
    const own = await openReader({ octavo, post }, openings[file]?.reader ?? '', ownOptions)
    own.allow(expected)
    if (openings[file]?.isAdmin) await makeAdmin(openings[file].reader ?? '')
    const book = await own.add(await own.shelve('冬の本棚'), reading, { progress: 57 })
    expect(await lookInto(own.page, file, book)).toBe(pseudoLanguage)
  },
)
