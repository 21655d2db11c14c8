import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import type { Database } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { passedOnHeaders } from '#server/http/passed-on-headers.ts'
import { readerLanguage } from '#server/mail/reader-language.ts'
import { recordedFacts, type Book } from '#shared/book.ts'
import type { Settings } from '#shared/account.ts'
import type { Bookshelf } from '#shared/bookshelf.ts'
import { digitsOf, numberOf } from '#shared/digits.ts'
import { typedEmail } from '#shared/email.ts'
import type { Language } from '#shared/language.ts'
import { ratingScales } from '#shared/rating.ts'
import { minSuggestLength, type Suggestions } from '#shared/suggestion.ts'
import { cutText, displayWidth } from '#shared/text.ts'
import type { Status, UserBook } from '#shared/user-book.ts'
import {
  codeForm,
  finishForm,
  liteMessage,
  page,
  readingList,
  searchPage,
  signInElsewhere,
  signInForm,
  wantedList,
  type BookPage,
  type Html,
  type LiteKey,
  type Translate,
} from './pages.ts'

/** What a list shows of its books. */
const listed = 'id,book_key,title,authors,page_count,progress,progress_percent'

/** Books on a page, which is at most 14 KB however long their names are. */
const maxBooks = 8
/** Characters of a search, and of a page number that is shown again. */
const [maxSearch, maxTyped] = [200, 20]

interface LiteDeps {
  database: Database
  records: Pick<LibraryRecords, 'authenticate'>
  /** Calls the API in process, with what is known of the connection. */
  fetch: (request: Request, env?: object) => Response | Promise<Response>
  /** Whether readers have passwords; if not, they sign in on the full site. */
  passwordSignIn: boolean
}

/**
 * `/lite`: the daily loop as plain pages without a script, for the browsers of e-readers and old
 * phones. Each form calls the API in process with the browser's own headers, so that its rules,
 * limits and check of the origin hold here too.
 */
export function liteRoutes(deps: LiteDeps): Hono {
  return new Hono()
    .use(async (c, next) => {
      await next()
      c.header('Cache-Control', 'private, no-store')
    })
    .get('/', async (c) => {
      const lite = await open(deps, c)
      const signIn = deps.passwordSignIn ? signInForm : signInElsewhere
      if (!lite.user) return lite.show(lite.t('signIn'), signIn(lite.t))
      const books = await lite.booksOf('reading', '-updated,id')
      const note = c.req.query('saved') === '' ? 'saved' : undefined
      return lite.show(lite.t('readingNow'), readingList(lite.t, books), { note })
    })
    .get('/want', async (c) => {
      const lite = await open(deps, c)
      if (!lite.user) return lite.toStart()
      const books = await lite.booksOf('planning', '-position,-created,id')
      const note = c.req.query('added') === '' ? 'added' : undefined
      return lite.show(lite.t('wantToRead'), wantedList(lite.t, books), { note })
    })
    .get('/search', async (c) => {
      const lite = await open(deps, c)
      if (!lite.user) return lite.toStart()
      const text = cutText((c.req.query('q') ?? '').trim(), maxSearch)
      const isLong = displayWidth(text) >= minSuggestLength
      const query = new URLSearchParams({ q: text })
      const found = isLong
        ? await lite.call('GET', `/api/v1/book-info/suggest?${query.toString()}`)
        : null
      const isFound = found?.status === 200
      const data = isFound ? (found.body as { data: Suggestions }).data : null
      const failure = found && !isFound ? refused(found, 'failed') : {}
      return lite.show(lite.t('search'), searchPage(lite.t, text, data), failure)
    })
    .get('/finish', async (c) => {
      const lite = await open(deps, c)
      if (!lite.user) return lite.toStart()
      const book = await lite.findBook(c.req.query('book') ?? '')
      if (!book) return lite.notFound()
      const title = lite.t('finishBook', { title: book.title })
      const { language } = lite
      return lite.show(title, finishForm(lite.t, { language, scale: await lite.scale() }, book))
    })
    .post('/sign-in', signIn(deps))
    .post('/code', async (c) => {
      const lite = await open(deps, c)
      const { otpId = '', mfaId = '', code = '' } = await formOf(c)
      const sent = { otpId, mfaId, password: digitsOf(code) }
      const answer = await lite.call('POST', '/api/collections/users/auth-with-otp', sent)
      if (answer.status === 200) return lite.toStart(answer)
      return lite.show(lite.t('signIn'), signInForm(lite.t), refused(answer, 'codeFailed'))
    })
    .post('/sign-out', async (c) => {
      const lite = await open(deps, c)
      return lite.toStart(await lite.call('POST', '/api/v1/auth/logout'))
    })
    .post('/save', async (c) => {
      const { progress, progress_percent = '' } = await formOf(c)
      const typed = progress ?? progress_percent
      const at = numberIn(typed)
      const values = at !== null && { [progress ? 'progress' : 'progress_percent']: at }
      return change(deps, c, values, typed)
    })
    .post('/finish', async (c) => {
      const { rating: typed = '' } = await formOf(c)
      const rating = typed ? numberIn(typed) : undefined
      return change(deps, c, rating !== null && { status: 'completed', rating })
    })
    .post('/start', (c) => change(deps, c, { status: 'reading' }))
    .post('/want', want(deps))
    .all('*', async (c) => (await open(deps, c)).notFound())
}

/** @returns a form's fields as text; none of what isn't a form */
async function formOf(c: Context): Promise<Partial<Record<string, string>>> {
  const fields = Object.entries(await c.req.parseBody().catch(() => ({})))
  return Object.fromEntries(fields.filter((field) => typeof field[1] === 'string')) as Record<
    string,
    string
  >
}

/** @returns null for anything but a number from 0 on */
function numberIn(text: string): number | null {
  const number = numberOf(text)
  return number >= 0 ? number : null
}

interface ApiAnswer {
  status: number
  body: unknown
  cookies: string[]
}

/** A request's reader and language, and what a route does for them. */
async function open({ database, records, fetch }: LiteDeps, c: Context) {
  // Of an unsafe request the API checks the origin, too.
  const viewer = await records.authenticate(
    new Request(c.req.url, { headers: passedOnHeaders(c.req.raw) }),
  )
  const user = viewer?.id ?? ''
  const language: Language = await readerLanguage(database, user, true)
  const t: Translate = (key, values) => liteMessage(language, key, values)

  async function call(method: string, path: string, body?: object): Promise<ApiAnswer> {
    const headers = passedOnHeaders(c.req.raw)
    headers.set('X-Session', 'cookie')
    if (body) headers.set('Content-Type', 'application/json')
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fetch(new Request(new URL(path, c.req.url), init), c.env as object)
    const text = await answer.text()
    return {
      status: answer.status,
      body: text ? (JSON.parse(text) as unknown) : null,
      cookies: answer.headers.getSetCookie(),
    }
  }
  const keepCookies = ({ cookies }: Pick<ApiAnswer, 'cookies'>) => {
    for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true })
  }
  return {
    user,
    language,
    t,
    call,
    /** A page of the reader's books in a status, and the number of the next one; 0 for the last. */
    async booksOf(status: Status, sort: string): Promise<BookPage> {
      const filter = `user = "${user}" && status = "${status}"`
      const number = numberIn(c.req.query('page') ?? '') ?? 1
      const some = { fields: listed, page: String(number), perPage: String(maxBooks) }
      const query = new URLSearchParams({ filter, sort, ...some })
      const path = `/api/collections/user_books/records?${query.toString()}`
      const { items = [], totalPages = 0 } = (await call('GET', path)).body as {
        items?: UserBook[]
        totalPages?: number
      }
      const first = new Map(items.toReversed().map((book) => [book.book_key, book.id]))
      const books = items.filter(({ book_key, id }) => first.get(book_key) === id)
      return { books, next: number < totalPages ? number + 1 : 0 }
    },
    async findBook(id: string): Promise<UserBook | null> {
      const path = `/api/collections/user_books/records/${encodeURIComponent(id)}`
      const { status, body } = await call('GET', path)
      return status === 200 && (body as UserBook).user === user ? (body as UserBook) : null
    },
    /** The scale on which the reader's ratings are shown. */
    async scale(): Promise<string> {
      const own = new URLSearchParams({ filter: `user = "${user}"`, fields: 'rating_scale' })
      const answer = await call('GET', `/api/collections/settings/records?${own.toString()}`)
      const { items = [] } = answer.body as { items?: Pick<Settings, 'rating_scale'>[] }
      return items[0]?.rating_scale || ratingScales[0]
    },
    show(
      title: string,
      body: Html,
      said: { note?: LiteKey | undefined; status?: number; cookies?: string[] } = {},
    ) {
      keepCookies({ cookies: said.cookies ?? [] })
      const options = { language, isSignedIn: user !== '', note: said.note }
      return c.html(page(options, title, body), (said.status ?? 200) as 200)
    },
    notFound() {
      const options = { language, isSignedIn: user !== '' }
      return c.html(page(options, t('notFound'), html``), 404)
    },
    toStart(answer: Pick<ApiAnswer, 'cookies'> = { cookies: [] }) {
      keepCookies(answer)
      return c.redirect('/lite', 303)
    },
  }
}

type Lite = Awaited<ReturnType<typeof open>>

/** Signs in with a password, or asks for the code that the API has mailed. */
function signIn(deps: LiteDeps) {
  return async (c: Context): Promise<Response> => {
    const lite = await open(deps, c)
    const { identity: typed = '', password = '' } = await formOf(c)
    const identity = typedEmail(typed)
    const users = '/api/collections/users'
    const answer = await lite.call('POST', `${users}/auth-with-password`, { identity, password })
    const { mfaId } = answer.body as { mfaId?: string }
    if (answer.status === 200 && !mfaId) return lite.toStart(answer)
    const title = lite.t('signIn')
    if (!mfaId) return lite.show(title, signInForm(lite.t), refused(answer, 'signInFailed'))
    const sent = await lite.call('POST', `${users}/request-otp`, { email: identity, mfaId })
    const { otpId } = sent.body as { otpId?: string }
    if (!otpId) return lite.show(title, signInForm(lite.t), refused(sent, 'signInFailed'))
    return lite.show(title, codeForm(lite.t, { otpId, mfaId }))
  }
}

/** @param why what a 400 means */
function refused({ status }: ApiAnswer, why: LiteKey): { note: LiteKey; status: number } {
  if (status === 429) return { note: 'tooMany', status }
  return { note: status === 400 ? why : 'failed', status }
}

/**
 * Changes the book that a form names.
 *
 * @param values false if the form can't be read
 * @param typed what the reader has typed as the page, to be shown again if it is refused
 */
async function change(
  deps: LiteDeps,
  c: Context,
  values: object | false,
  typed?: string,
): Promise<Response> {
  const lite = await open(deps, c)
  if (!lite.user) return lite.toStart()
  const { book = '' } = await formOf(c)
  const path = `/api/collections/user_books/records/${encodeURIComponent(book)}`
  const answer = values
    ? await lite.call('PATCH', path, values)
    : { status: 400, body: null, cookies: [] }
  if (answer.status === 200) return c.redirect('/lite?saved', 303)
  if (answer.status === 404) return lite.notFound()
  const page = await lite.booksOf('reading', '-updated,id')
  const list =
    typed === undefined
      ? readingList(lite.t, page)
      : readingList(lite.t, await withBook(lite, page, book), {
          book,
          typed: cutText(typed, maxTyped),
        })
  return lite.show(lite.t('readingNow'), list, refused(answer, 'pageWrong'))
}

/** @returns the page with a book of the reader's that may be on a later one */
async function withBook(lite: Lite, { books, next }: BookPage, id: string): Promise<BookPage> {
  const found = books.some((book) => book.id === id) ? null : await lite.findBook(id)
  return { books: found ? [found, ...books.slice(0, maxBooks - 1)] : books, next }
}

/** Puts a book of the catalogue on the shelf of wanted books. */
function want(deps: LiteDeps) {
  return async (c: Context): Promise<Response> => {
    const lite = await open(deps, c)
    if (!lite.user) return lite.toStart()
    const { book: id = '' } = await formOf(c)
    const found = await lite.call('GET', `/api/v1/book-info/${encodeURIComponent(id)}`)
    // Some names are those of other routes, whose answers have no book.
    const book = (found.body as { data?: { book?: Book } }).data?.book
    if (found.status !== 200 || !book) return lite.notFound()
    const shelf = await wantShelf(lite)
    const answer = await lite.call('POST', '/api/collections/user_books/records', {
      shelf,
      status: 'planning',
      ...recordedFacts(book),
    })
    // The one reason left is that it is there already.
    if (answer.status === 200 || answer.status === 400) return c.redirect('/lite/want?added', 303)
    return lite.show(lite.t('search'), searchPage(lite.t, '', null), refused(answer, 'failed'))
  }
}

/** @returns the id of the reader's shelf of wanted books, which is made if there is none; '' if that fails */
async function wantShelf({ user, t, call }: Lite): Promise<string> {
  const shelves = '/api/collections/bookshelves/records'
  const filter = encodeURIComponent(`user = "${user}" && kind = "want"`)
  const { items = [] } = (await call('GET', `${shelves}?filter=${filter}`)).body as {
    items?: Bookshelf[]
  }
  if (items[0]) return items[0].id
  const made = { name: t('wantShelf'), visibility: 'public', kind: 'want' }
  return ((await call('POST', shelves, made)).body as Partial<Bookshelf>).id ?? ''
}
