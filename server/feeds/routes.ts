import { Hono, type Context } from 'hono'
import { ApiError, type Database } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { isKnownVersion, versionOf } from '#server/http/known-version.ts'
import type { Activity } from '#shared/activity.ts'
import type { Bookshelf } from '#shared/bookshelf.ts'
import type { DiaryEntry, DiaryPage } from '#shared/diary.ts'
import type { GoalList } from '#shared/goal.ts'
import type { UserBook } from '#shared/user-book.ts'
import { activityFeed, shelfFeed, type FeedOwner } from './atom.ts'
import { readingCalendar } from './calendar.ts'
import { readerOfSecret } from './secrets.ts'
import { feedLanguage, feedMessage, type Translate } from './sentences.ts'

/** Entries of a page of an Atom feed, which readers fetch again and again. */
const maxEntries = 50
/** Pages of an Atom feed: as far back as it goes. */
const maxPages = 200
/** Pages of the diary in a calendar, of 60 readings each. */
const calendarPages = 5

/** The paths of the feeds that everybody may fetch. */
export const feedPaths = {
  activity: '/u/:username/feed.atom',
  calendar: '/u/:username/calendar.ics',
  shelf: '/shelf/:shelf/feed.atom',
} as const

/** The path of a reader's own feeds, which have what only they see. */
export const privateFeedPath = '/feeds/:file{[a-z0-9]+\\.(?:atom|ics)}'

interface Profile extends FeedOwner {
  id: string
}

interface FeedDeps {
  /** Calls the API in process. */
  fetch: (request: Request) => Promise<Response>
  database: Database
  records: Pick<LibraryRecords, 'readAs'>
  /** The site's address, without a trailing slash. */
  appUrl: string
}

/**
 * Feeds of what a reader shows to everybody: what they do and what is on a shelf as Atom, finished
 * days and goals as a calendar. They are read through the API as a visitor, so they hold nothing else.
 * At a secret address they are read as their reader, private books included.
 */
export function feedRoutes(deps: FeedDeps): Hono {
  const { database, appUrl } = deps
  const open = apiOf(deps)

  async function calendarOf(c: Context, api: ReturnType<typeof apiOf>, owner: Profile) {
    const path = `/api/v1/users/${encodeURIComponent(owner.username)}/goals`
    const [entries, { data }] = await Promise.all([
      api.finishedBy(owner),
      api.get<{ data: GoalList }>(path),
    ])
    const { t } = opened(c, appUrl)
    return readingCalendar(owner, { entries, goals: data.goals }, appUrl, t)
  }

  async function activitiesOf(c: Context, api: ReturnType<typeof apiOf>, owner: Profile) {
    const filter = `user = ${JSON.stringify(owner.id)}`
    const page = pageOf(c)
    const query = { filter, sort: '-created,-id', page, perPage: maxEntries }
    const activities = await api.list<Activity>('activities', query)
    const { t, place } = opened(c, appUrl)
    return activityFeed(owner, activities, { ...place, ...pageAmong(page, activities) }, t)
  }

  return new Hono()
    .get(feedPaths.activity, async (c) => {
      const owner = await open.ownerNamed(c.req.param('username'))
      return answer(c, atomType, await activitiesOf(c, open, owner), appUrl)
    })
    .get(feedPaths.shelf, async (c) => {
      const id = encodeURIComponent(c.req.param('shelf'))
      const shelf = await open.get<Bookshelf>(`/api/collections/bookshelves/records/${id}`, {
        expand: 'user',
      })
      const owner = await open.ownerNamed(shelf.expand?.user?.username ?? '')
      const filter = `shelf = ${JSON.stringify(shelf.id)}`
      const page = pageOf(c)
      const books = await open.list<UserBook>('user_books', {
        filter,
        sort: '-created,-id',
        page,
        perPage: maxEntries,
      })
      const { t, place } = opened(c, appUrl)
      const feed = shelfFeed(owner, shelf, books, { ...place, ...pageAmong(page, books) }, t)
      return answer(c, atomType, feed, appUrl)
    })
    .get(feedPaths.calendar, async (c) => {
      const owner = await open.ownerNamed(c.req.param('username'))
      return answer(c, calendarType, await calendarOf(c, open, owner), appUrl)
    })
    .get(privateFeedPath, async (c) => {
      const [secret = '', format] = c.req.param('file').split('.')
      const user = await readerOfSecret(database, secret)
      if (!user) throw new ApiError(404)
      const own = apiOf(deps, user)
      const owner = await own.ownerWith(user)
      return format === 'atom'
        ? answer(c, atomType, await activitiesOf(c, own, owner), appUrl, ownHeaders)
        : answer(c, calendarType, await calendarOf(c, own, owner), appUrl, ownHeaders)
    })
}

/** @param reader whose eyes the API is read with; a visitor's if absent */
function apiOf({ fetch, records, appUrl }: FeedDeps, reader?: string) {
  /** @throws ApiError as the API answers */
  async function get<Answer>(path: string, query: Record<string, string | number> = {}) {
    const url = new URL(path, appUrl)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    const request = new Request(url)
    if (reader !== undefined) await records.readAs(request, 'users', reader)
    const answer = await fetch(request)
    if (!answer.ok) throw new ApiError(answer.status)
    return (await answer.json()) as Answer
  }

  const list = async <One>(collection: string, query: Record<string, string | number>) =>
    (
      await get<{ items: One[] }>(`/api/collections/${collection}/records`, {
        skipTotal: 1,
        ...query,
      })
    ).items

  const namedOwner = (owner: Profile): Profile => ({ ...owner, name: owner.name || owner.username })

  return {
    get,
    list,
    async ownerNamed(username: string): Promise<Profile> {
      const filter = `username = ${JSON.stringify(username.toLowerCase())}`
      const [owner] = await list<Profile>('profile', { filter, perPage: 1 })
      if (!owner) throw new ApiError(404)
      return namedOwner(owner)
    },
    ownerWith: async (id: string): Promise<Profile> =>
      namedOwner(await get<Profile>(`/api/collections/profile/records/${id}`)),
    async finishedBy(owner: FeedOwner): Promise<DiaryEntry[]> {
      const entries: DiaryEntry[] = []
      const path = `/api/v1/users/${encodeURIComponent(owner.username)}/diary`
      for (let page = 1; page <= calendarPages; page++) {
        const { data } = await get<{ data: DiaryPage }>(path, { page })
        entries.push(...data.items)
        if (!data.hasMore) break
      }
      return entries
    },
  }
}

const atomType = 'application/atom+xml; charset=utf-8'
const calendarType = 'text/calendar; charset=utf-8'

/** @throws ApiError 404 for a page that no feed has */
function pageOf(c: Context): number {
  const text = c.req.query('page') ?? '1'
  const page = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0
  if (page < 1 || page > maxPages) throw new ApiError(404)
  return page
}

/** Counting all entries would cost more than a page after the last, which is empty. */
const pageAmong = (page: number, entries: readonly unknown[]) => ({
  page,
  hasMore: entries.length === maxEntries && page < maxPages,
})

function opened(c: Context, appUrl: string) {
  const language = feedLanguage(c.req.raw)
  const t: Translate = (key, values) => feedMessage(language, key, values)
  const { pathname, search } = new URL(c.req.url)
  return { t, place: { appUrl, path: pathname + search, language } }
}

/**
 * Characters that neither XML nor a calendar can have. Books get some from files, and one would make
 * the whole feed unreadable. Source: XML 1.0, section 2.2
 */
const unwritable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const openHeaders = { 'Cache-Control': 'public, no-cache' }
/** No cache keeps what only its reader sees, and no search engine lists a secret address. */
const ownHeaders = { 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' }

/**
 * Readers of feeds ask whether it has changed, so what somebody hides is gone at the next look. The
 * version is of what is shown, wherever the site is.
 */
function answer(
  c: Context,
  type: string,
  written: string,
  appUrl: string,
  more: Readonly<Record<string, string>> = openHeaders,
): Response {
  const text = written.replaceAll(unwritable, '')
  const headers = {
    'Content-Type': type,
    Vary: 'Accept-Language, Cookie',
    ETag: `"${versionOf(text.replaceAll(appUrl, ''))}"`,
    ...more,
  }
  if (isKnownVersion(c.req.header('if-none-match'), headers.ETag)) return c.body(null, 304, headers)
  return c.body(text, 200, headers)
}
