import { Hono, type Context } from 'hono'
import { ApiError } from '#records/index.ts'
import { isKnownVersion, versionOf } from '#server/http/known-version.ts'
import type { Activity } from '#shared/activity.ts'
import type { Bookshelf } from '#shared/bookshelf.ts'
import type { DiaryEntry, DiaryPage } from '#shared/diary.ts'
import type { GoalList } from '#shared/goal.ts'
import type { UserBook } from '#shared/user-book.ts'
import { activityFeed, shelfFeed, type FeedOwner } from './atom.ts'
import { readingCalendar } from './calendar.ts'
import { feedLanguage, feedMessage, type Translate } from './sentences.ts'

/** Entries of an Atom feed, which readers fetch again and again. */
const maxEntries = 50
/** Pages of the diary in a calendar, of 60 readings each. */
const calendarPages = 5

/** The paths of the feeds. */
export const feedPaths = {
  activity: '/u/:username/feed.atom',
  calendar: '/u/:username/calendar.ics',
  shelf: '/shelf/:shelf/feed.atom',
} as const

interface Profile extends FeedOwner {
  id: string
}

/**
 * Feeds of what a reader shows to everybody: what they do and what is on a shelf as Atom, finished
 * days and goals as a calendar. They are read through the API as a visitor, so they hold nothing else.
 *
 * @param deps.fetch calls the API in process, as a visitor
 * @param deps.appUrl the site's address, without a trailing slash
 */
export function feedRoutes(deps: {
  fetch: (request: Request) => Promise<Response>
  appUrl: string
}): Hono {
  const { fetch, appUrl } = deps

  /** @throws ApiError as the API answers */
  async function get<Answer>(path: string, query: Record<string, string | number> = {}) {
    const url = new URL(path, appUrl)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    const answer = await fetch(new Request(url))
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

  async function ownerNamed(username: string): Promise<Profile> {
    const filter = `username = ${JSON.stringify(username.toLowerCase())}`
    const [owner] = await list<Profile>('profile', { filter, perPage: 1 })
    if (!owner) throw new ApiError(404)
    return { ...owner, name: owner.name || owner.username }
  }

  async function finishedBy(owner: FeedOwner): Promise<DiaryEntry[]> {
    const entries: DiaryEntry[] = []
    const path = `/api/v1/users/${encodeURIComponent(owner.username)}/diary`
    for (let page = 1; page <= calendarPages; page++) {
      const { data } = await get<{ data: DiaryPage }>(path, { page })
      entries.push(...data.items)
      if (!data.hasMore) break
    }
    return entries
  }

  return new Hono()
    .get(feedPaths.activity, async (c) => {
      const owner = await ownerNamed(c.req.param('username'))
      const filter = `user = ${JSON.stringify(owner.id)}`
      const query = { filter, sort: '-created,-id', perPage: maxEntries }
      const activities = await list<Activity>('activities', query)
      const { t, place } = opened(c, appUrl)
      return answer(c, atomType, activityFeed(owner, activities, place, t), appUrl)
    })
    .get(feedPaths.shelf, async (c) => {
      const id = encodeURIComponent(c.req.param('shelf'))
      const shelf = await get<Bookshelf>(`/api/collections/bookshelves/records/${id}`, {
        expand: 'user',
      })
      const owner = await ownerNamed(shelf.expand?.user?.username ?? '')
      const filter = `shelf = ${JSON.stringify(shelf.id)}`
      const books = await list<UserBook>('user_books', {
        filter,
        sort: '-created,-id',
        perPage: maxEntries,
      })
      const { t, place } = opened(c, appUrl)
      return answer(c, atomType, shelfFeed(owner, shelf, books, place, t), appUrl)
    })
    .get(feedPaths.calendar, async (c) => {
      const owner = await ownerNamed(c.req.param('username'))
      const path = `/api/v1/users/${encodeURIComponent(owner.username)}/goals`
      const [entries, { data }] = await Promise.all([
        finishedBy(owner),
        get<{ data: GoalList }>(path),
      ])
      const { t } = opened(c, appUrl)
      const text = readingCalendar(owner, { entries, goals: data.goals }, appUrl, t)
      return answer(c, 'text/calendar; charset=utf-8', text, appUrl)
    })
}

const atomType = 'application/atom+xml; charset=utf-8'

function opened(c: Context, appUrl: string) {
  const language = feedLanguage(c.req.raw)
  const t: Translate = (key, values) => feedMessage(language, key, values)
  const { pathname, search } = new URL(c.req.url)
  return { t, place: { appUrl, path: pathname + search, language } }
}

/**
 * Readers of feeds ask whether it has changed, so what somebody hides is gone at the next look. The
 * version is of what is shown, wherever the site is.
 */
function answer(c: Context, type: string, text: string, appUrl: string): Response {
  const headers = {
    'Content-Type': type,
    'Cache-Control': 'public, no-cache',
    Vary: 'Accept-Language, Cookie',
    ETag: `"${versionOf(text.replaceAll(appUrl, ''))}"`,
  }
  if (isKnownVersion(c.req.header('if-none-match'), headers.ETag)) return c.body(null, 304, headers)
  return c.body(text, 200, headers)
}
