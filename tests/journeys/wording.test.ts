import { expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { openVisitor, shareVisitor, untilHydrated } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
const desktop = { viewport: { width: 1280, height: 800 } }
const sizes = { phone, desktop }
type Viewer = 'visitor' | 'owner' | 'other'

const classic = '/book/pride-and-prejudice-9780141439518'

const { octavo, post } = await openOctavo({
  PLAN_DEFAULT: 'free',
  PUBLIC_CONTACT_EMAIL: 'help@octavo.example',
  ROADMAP_URL: 'https://roadmap.octavo.example',
  CHAT_URL: 'https://chat.octavo.example',
  GOOGLE_CLIENT_ID: 'id',
  GOOGLE_CLIENT_SECRET: 'secret',
})
let shelf = ''
/** The cookies of who is signed in. */
const signedIn = { owner: {}, other: {} }

interface Screen {
  path: () => string
  title: string
  /** Who looks; a visitor unless told. */
  as?: readonly Viewer[]
  /** Words that stand in the page, as the specification has them. */
  words?: readonly (string | RegExp)[]
  /** What is pressed, chosen or filled in, by role. */
  controls?: Readonly<Partial<Record<Parameters<Locator['getByRole']>[0], readonly string[]>>>
}

const at = (path: string) => () => path
const everyone = ['visitor', 'other', 'owner'] as const
const guests = ['visitor', 'other'] as const
const home = (path = '') => `/u/wordsmith${path}`
const tabs = ['Overview', 'Books', 'Shelves', 'Wishlist']

const screens: Record<string, Screen> = {
  'the landing page': {
    path: at('/'),
    title: 'Octavo',
    words: ['Track Progress', 'Custom Shelves', 'AI Powered Search', 'Buy Legally', '4.2'],
    controls: { link: ['Browse All Books'] },
  },
  login: {
    path: at('/login'),
    title: 'Login | Octavo',
    words: ['OR', /By continuing you agree/],
    controls: {
      textbox: ['Email', 'Password'],
      button: ['Show password', 'Login', 'Continue with Google'],
      link: ['Sign Up', 'Terms of Service', 'Privacy Policy'],
    },
  },
  'sign up': {
    path: at('/signup'),
    title: 'Sign Up | Octavo',
    controls: {
      textbox: ['Email', 'Password', 'Confirm password'],
      button: ['Show password', 'Sign Up', 'Continue with Google'],
      link: ['Login', 'Terms of Service', 'Privacy Policy'],
    },
  },
  Explore: {
    path: at('/explore'),
    title: 'Explore | Octavo',
    as: guests,
    words: [
      'Search and filter books around the world.',
      'Most Popular Classics',
      'Manga and Light Novels',
    ],
    controls: { combobox: ['Search the catalogue'], button: ['Advanced Search'] },
  },
  'a book, to a visitor': {
    path: at(classic),
    title: 'Pride and Prejudice | Octavo',
    words: ['Jane Austen', 'Description', 'More Details', 'Pages', 'Published', 'ISBN', 'Genres'],
    controls: { link: ['Add to shelf'], button: ['View Offers'] },
  },
  'a book, to a reader': {
    path: at(classic),
    title: 'Pride and Prejudice | Octavo',
    as: ['other'],
    words: ['2003 by Penguin Classics', 'Language', 'English'],
    controls: { button: ['Add to shelf', 'View Offers'] },
  },
  'a profile': {
    path: at(home()),
    title: 'wordsmith’s profile | Octavo',
    as: everyone,
    words: [
      'Avg Rating',
      'Books Read',
      'Pages Read',
      'Reading now',
      // The owner has a field for the page.
      'of 300',
      'Activity Timeline',
      'Started Reading',
      'Finished Reading',
      'Added Planned to Winter reading',
      'Paused Reading',
      'Dropped',
      'Read 57 page of Begun',
    ],
    controls: { link: tabs, button: ['Profile menu'] },
  },
  'the own books': {
    path: at(home('/books')),
    title: 'My Books | Octavo',
    as: ['owner'],
    words: ['Filters'],
    controls: { button: ['Add Book', 'Options'] },
  },
  'books of somebody': {
    path: at(home('/books')),
    title: 'wordsmith’s Books | Octavo',
    as: guests,
    words: ['Filters'],
  },
  'the own shelves': {
    path: at(home('/shelves')),
    title: 'My Shelves | Octavo',
    as: ['owner'],
    // Four covers, and how many more there are.
    words: ['+2'],
    controls: { button: ['Manage'] },
  },
  'shelves of somebody': {
    path: at(home('/shelves')),
    title: 'wordsmith’s Shelves | Octavo',
    as: guests,
    words: ['+2', '6 books'],
  },
  'the own wishlist': {
    path: at(home('/wishlist')),
    title: 'My Wishlist | Octavo',
    as: ['owner'],
    controls: { button: ['Start Planned', 'Options for Planned'] },
  },
  'a wishlist of somebody': {
    path: at(home('/wishlist')),
    title: 'wordsmith’s Wishlist | Octavo',
    as: guests,
    words: ['View Offers'],
  },
  'a shelf': {
    path: () => `/shelf/${shelf}`,
    title: 'Winter reading | Octavo',
    as: everyone,
    words: ['Winter reading', '6 books'],
  },
  users: {
    path: at('/users'),
    title: 'Users | Octavo',
    as: guests,
    words: ['Discover users with similar taste', '6 books · 1 shelf'],
    controls: { combobox: ['Sort'], link: ['wordsmith'] },
  },
  pricing: {
    path: at('/pricing'),
    title: 'Pricing | Octavo',
    words: [
      'This site doesn’t take payments: everyone has Free Forever, with 5 bookshelves and the newest 100 entries of their timeline.',
      'Free Forever',
      'Premium Scholar',
      'Popular',
      '$0',
      '$5',
    ],
    controls: { tab: ['Monthly', 'Yearly (save 20%)'], link: ['Get in Touch'] },
  },
  contact: {
    path: at('/contact'),
    title: 'Contact | Octavo',
    words: ['small side project'],
    controls: { link: ['help@octavo.example', 'Premium Scholar plan'] },
  },
  settings: {
    path: at('/account/settings'),
    title: 'Settings | Octavo',
    as: ['owner'],
    words: [
      'Edit Profile',
      'Profile Visibility',
      'Theme',
      'Manage Subscription',
      'Inactive',
      'Help & Support',
      'Danger Zone',
    ],
    controls: {
      combobox: ['Who can see your profile'],
      switch: ['Dark theme'],
      button: ['Reset Everything', 'Delete Account'],
    },
  },
  'editing the profile': {
    path: at('/account/edit'),
    title: 'Edit Profile | Octavo',
    as: ['owner'],
    words: [
      'Profile and Background Image',
      'Account Settings',
      'Recommended 1287 × 480 px',
      'Visible to others',
      'Public',
      'Private',
    ],
    controls: { textbox: ['Name', 'Username'], button: ['Save'] },
  },
}

test('has a reader who did everything a timeline tells', async () => {
  await openReader({ octavo, post }, 'passer-by', { jar: signedIn.other })
  const owner = await openReader({ octavo, post }, 'wordsmith', { jar: signedIn.owner })
  shelf = await owner.shelve('Winter reading')
  const add = (title: string, status: string, more = {}) =>
    owner.add(shelf, title, { page_count: 300, status, ...more })
  await add('Finished', 'completed', { progress: 300, rating: 9 })
  await add('Planned', 'planning', { isbn: '9780141439518' })
  await add('Laid aside', 'paused')
  await add('Given up', 'dropped')
  await add('Another', 'reading')
  const begun = await add('Begun', 'reading')
  await owner.call('PATCH', `user_books/records/${begun}`, { progress: 57 })
  expect(await owner.books()).toHaveLength(6)
})

const cases = Object.entries(screens).flatMap(([name, screen]) =>
  (screen.as ?? (['visitor'] as const)).map((viewer) => ({ name, screen, viewer })),
)

const viewers: Record<Viewer, ReturnType<typeof shareVisitor>> = {
  visitor: shareVisitor(octavo.url),
  other: shareVisitor(octavo.url, { ...phone, jar: signedIn.other }),
  owner: shareVisitor(octavo.url, { ...phone, jar: signedIn.owner }),
}

/** The page of the viewer in a window of that size. */
async function look(viewer: Viewer, size: keyof typeof sizes): Promise<Page> {
  const { page } = await viewers[viewer]()
  await page.setViewportSize(sizes[size].viewport)
  return page
}

// Visitors sit at a desktop here, and readers have a phone: no sentence depends on it.
test.each(cases)('the words of $name, to the $viewer', async ({ screen, viewer }) => {
  const { path, title, words = [], controls = {} } = screen
  const page = await look(viewer, viewer === 'visitor' ? 'desktop' : 'phone')
  await page.goto(path())
  await expect.poll(() => page.title()).toBe(title)
  const main = page.getByRole('main')
  for (const text of words)
    await main
      .getByText(text, { exact: text === 'OR' })
      .filter({ visible: true })
      .first()
      .waitFor()
  for (const [role, names] of Object.entries(controls))
    for (const name of names)
      await main
        .getByRole(role as Parameters<Locator['getByRole']>[0], { name, exact: true })
        .first()
        .waitFor()
})

test('a menu of a profile: to the owner Edit, to others Report', async () => {
  const feeds = ['Atom feed', 'Reading calendar']
  for (const [viewer, has] of [
    ['owner', ['Copy Link', 'Edit', 'View as visitor', ...feeds, 'Hide Menu']],
    ['other', ['Copy Link', 'Report', ...feeds, 'Hide Menu']],
    ['visitor', ['Copy Link', 'Report', ...feeds, 'Hide Menu']],
  ] as const) {
    const page = await look(viewer, 'phone')
    await page.goto(home())
    await page.getByRole('button', { name: 'Profile menu' }).click()
    const items = page.getByRole('menuitem')
    await items.first().waitFor()
    expect(await items.allInnerTexts(), viewer).toEqual(has)
  }
})

test('the tabs of the own library are the header of a phone', async () => {
  const page = await look('owner', 'phone')
  await page.goto(home('/books'))
  const header = page.getByRole('banner').getByRole('navigation', { name: 'Library' })
  await header.waitFor()
  expect(await header.getByRole('link').allInnerTexts()).toEqual([
    ...tabs,
    'Diary',
    'Stats',
    'Year',
  ])
  expect((await header.boundingBox())?.y).toBe(0)
})

test('a menu of the own shelves: New Shelf and Bulk Edit', async () => {
  const page = await look('owner', 'desktop')
  await page.goto(home('/shelves'))
  await page.getByRole('button', { name: 'Manage' }).click()
  const items = page.getByRole('menuitem')
  await items.first().waitFor()
  expect(await items.allInnerTexts()).toEqual(['New Shelf', 'Bulk Edit'])
})

test.each([
  [
    'My Books',
    () => home('/books'),
    'Options',
    ['Bulk Edit', 'Group by series', 'Copy Link', 'Edit'],
  ],
  ['a wanted book', () => home('/wishlist'), 'Options for Planned', ['View Offers', 'Edit']],
  [
    'the own shelf',
    () => `/shelf/${shelf}`,
    'Options',
    ['Bulk Edit', 'Edit shelf', 'View as visitor', 'Delete shelf'],
  ],
])('the menu of %s, two taps away', async (_, path, name, first) => {
  const page = await look('owner', 'phone')
  await page.goto(path())
  await page.getByRole('button', { name, exact: true }).tap()
  const items = page.getByRole('menuitem')
  await items.first().waitFor()
  expect((await items.allInnerTexts()).slice(0, first.length)).toEqual(first)
})

test('a long description is opened, a book of which nothing is known says so', async () => {
  const { page } = await openVisitor(octavo.url, phone)
  let book: Record<string, unknown> = {}
  await page.route('**/api/v1/book-info/isbn/*', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { data: { book: object } }
    body.data.book = { ...body.data.book, ...book }
    await route.fulfill({ response: answer, json: body })
  })
  const open = async (known: Record<string, unknown>) => {
    book = known
    await page.goto('/explore')
    const link = page.getByRole('link', { name: 'Pride and Prejudice' }).first()
    await untilHydrated(link)
    await link.click()
    await page.getByRole('heading', { name: 'More Details' }).waitFor()
  }
  await open({ description: 'A sentence that is told again and again. '.repeat(60) })
  const more = page.getByRole('button', { name: 'Show More' })
  await more.click()
  await page.getByRole('button', { name: 'Show Less' }).click()
  await more.waitFor()

  const nothing = { description: '', page_count: 0, published_date: '', publisher: '' }
  await open({ ...nothing, genres: [], language: '' })
  await page.getByText('No information available.').waitFor()
  expect(await more.count()).toBe(0)
  const facts = await page.getByRole('definition').allInnerTexts()
  expect(facts).toEqual(['Unknown', 'Unknown', 'Unknown', expect.any(String), 'Unknown'])
})

test.each(['phone', 'desktop'] as const)('the scanner, on a %s', async (size) => {
  const page = await look('other', size)
  if (size === 'phone') {
    await page.goto('/explore')
    await page.getByRole('button', { name: 'Scan' }).click()
  } else {
    await page.goto('/u/passer-by/books')
    await page.getByRole('button', { name: 'Add Book' }).click()
    await page.getByRole('menuitem', { name: /scan/i }).click()
  }
  const dialog = page.getByRole('dialog', { name: 'Add book by scanning ISBN' })
  await expect.poll(() => dialog.getByRole('button', { name: 'Close' }).count()).toBe(2)
})
