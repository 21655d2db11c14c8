import * as z from 'zod'
import { sql } from 'kysely'
import { named, number, prepared, text, throttle } from '#records/index.ts'
import { cutText, withoutZeros } from '#shared/text.ts'
import type { ListenedBook, Session } from './listening.ts'
import { storeListening } from './listening.ts'
import { ServiceError } from './service-client.ts'
import type { Poll } from './polls.ts'

/** What the documents of this service begin with; KOReader's have no colon. */
export const audiobookshelfPrefix = 'audiobookshelf:'

/** Books that are read from a service at a time; the rest follows at once. */
const booksAtOnce = 50
/** Sessions in an answer, and answers about one book. */
const [sessionsAtOnce, mostPages] = [100, 50]
/** Positions in an answer, which have some 500 bytes each. */
const mostPositions = 50_000
/** Milliseconds after a change in which the service may not have told all that belongs to it. */
const settlesWithin = 10 * 60_000

const cleanText = z.string().transform(withoutZeros)
/** Milliseconds since 1970, up to 2096. */
const time = z.number().min(0).max(4_000_000_000_000)
const seconds = z.coerce.number().min(0).max(10_000_000)

/** A list that is read only if it isn't too long. */
const listOf = <T>(most: number, one: z.ZodType<T>) =>
  z.array(z.unknown()).max(most).pipe(z.array(one))

const metadata = z.object({
  title: cleanText.nullish(),
  authors: z.array(z.object({ name: cleanText })).nullish(),
  isbn: cleanText.nullish(),
  asin: cleanText.nullish(),
})
type Metadata = z.infer<typeof metadata>

const progress = z.object({
  libraryItemId: z.string().regex(/^[\w-]{1,100}$/),
  duration: z.number().nullish(),
  progress: z.number().nullish(),
  ebookProgress: z.number().nullish(),
  isFinished: z.boolean().nullish(),
  lastUpdate: time,
  finishedAt: time.nullish(),
})
type Progress = z.infer<typeof progress>

/** What else than a book a position may be of: an episode of a podcast, or of an item that is gone. */
const otherProgress = z.union([
  z.object({ episodeId: z.string().min(1) }),
  z.object({ mediaItemType: z.literal('podcastEpisode') }),
  z.object({ libraryItemId: z.null() }),
])

const allProgress = z.object({
  mediaProgress: listOf(mostPositions, z.union([otherProgress.transform(() => null), progress])),
})

const session = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  timeListening: seconds.nullish(),
  startTime: seconds.nullish(),
  currentTime: seconds.nullish(),
  duration: seconds.nullish(),
  startedAt: time,
  mediaMetadata: metadata.nullish(),
})

const sessionPage = z.object({ numPages: z.number(), sessions: listOf(sessionsAtOnce, session) })

const item = z.object({ media: z.object({ metadata }) })

/**
 * Reads what a reader has listened to since the last time: the positions of all books, and the
 * sessions of those that have changed. Podcasts are left aside.
 *
 * @returns whether there is more to read at once
 * @throws ServiceError
 */
export async function pollAudiobookshelf({
  connection,
  database,
  services,
  store,
  now,
  signal,
}: Poll): Promise<boolean> {
  const { address, user, token } = connection
  const ask = <T>(path: string, answer: z.ZodType<T>) =>
    services.ask({ url: address + path, authorization: `Bearer ${token}`, answer, signal })
  const { mediaProgress } = await ask('/api/me/progress', allProgress).catch((error: unknown) => {
    // Before version 2.31, it was only told with the account.
    if (isMissing(error)) return ask('/api/me', allProgress)
    throw error
  })
  const rows = await seenOf(database, { user, prefix: `${audiobookshelfPrefix}%` })
  const seen = new Map(
    named(rows, { document: text, title: text, seen: number }).map((one) => [one.document, one]),
  )
  const changed = mediaProgress
    .filter((one) => one !== null)
    .map((one) => ({ document: audiobookshelfPrefix + one.libraryItemId, one }))
    .filter(({ document, one }) => seen.get(document)?.seen !== one.lastUpdate)
    .toSorted((a, b) => a.one.lastUpdate - b.one.lastUpdate)
  for (const { document, one } of changed.slice(0, booksAtOnce)) {
    const heard = durationOf(one) > 0 ? await sessionsOf(ask, one.libraryItemId) : noSessions
    const isNew = !seen.get(document)?.title
    const about = heard.about ?? (isNew ? await aboutItem(ask, one.libraryItemId) : {})
    const book = toListenedBook(document, one, heard.sessions, about)
    // An item that is gone, of which nothing was ever known.
    if (isNew && !book.title) continue
    const at = now()
    const isSettled = at.getTime() - one.lastUpdate > settlesWithin
    for (const [part, sessions] of partsOf(book.sessions).entries()) {
      const isWhole = isSettled && (part + 1) * sessionsAtOnce >= book.sessions.length
      const some = { ...book, sessions }
      const stored = await throttle(() =>
        store((tx, sender) => storeListening(tx, sender, some, { now: at, isSettled: isWhole })),
      )
      if (!stored) return false
    }
  }
  return changed.length > booksAtOnce
}

/** @returns sessions in parts that are written together; at least one */
const partsOf = (sessions: readonly Session[]) =>
  Array.from({ length: Math.max(1, Math.ceil(sessions.length / sessionsAtOnce)) }, (_, part) =>
    sessions.slice(part * sessionsAtOnce, (part + 1) * sessionsAtOnce),
  )

type Ask = <T>(path: string, answer: z.ZodType<T>) => Promise<T>

/** What is gone, or was hidden from the reader: the token itself has been accepted before. */
const isMissing = (error: unknown) =>
  error instanceof ServiceError && (error.status === 404 || error.status === 403)

/** A book's sessions, and what the first of them that knows its title says about it. */
interface Heard {
  sessions: Session[]
  about: Metadata | null | undefined
}

const noSessions: Heard = { sessions: [], about: undefined }

/** Reads a book's sessions, of which no more is kept than is needed. */
async function sessionsOf(ask: Ask, id: string): Promise<Heard> {
  const all: Session[] = []
  let about: Heard['about']
  for (let page = 0; page < mostPages; page++) {
    const path = `/api/me/item/listening-sessions/${id}?itemsPerPage=${sessionsAtOnce}&page=${page}`
    const answer = await ask(path, sessionPage).catch((error: unknown) => {
      if (isMissing(error)) return { numPages: 0, sessions: [] }
      throw error
    })
    about ??= answer.sessions.find(({ mediaMetadata }) => mediaMetadata?.title)?.mediaMetadata
    all.push(...answer.sessions.map(toSession).filter(({ seconds: length }) => length > 0))
    if (page + 1 >= answer.numPages) break
  }
  return { sessions: all, about }
}

const toSession = (one: z.infer<typeof session>): Session => ({
  id: one.id,
  started: one.startedAt,
  seconds: one.timeListening ?? 0,
  from: one.startTime ?? 0,
  to: one.currentTime ?? 0,
  length: one.duration ?? 0,
})

async function aboutItem(ask: Ask, id: string): Promise<Metadata> {
  try {
    return (await ask(`/api/items/${id}`, item)).media.metadata
  } catch (error) {
    if (isMissing(error)) return {}
    throw error
  }
}

function toListenedBook(
  document: string,
  one: Progress,
  sessions: readonly Session[],
  { title, authors, isbn, asin }: Metadata,
): ListenedBook {
  const { progress: share, ebookProgress, isFinished, finishedAt, lastUpdate } = one
  const percentage = isFinished ? 1 : (share ?? 0) || (ebookProgress ?? 0)
  return {
    document,
    title: cutText(title?.trim() ?? '', 500),
    authors: (authors ?? []).slice(0, 20).map(({ name }) => cutText(name.trim(), 200)),
    // The ASIN of a printed book is its ISBN.
    isbns: [isbn ?? '', asin ?? ''],
    sessions,
    percentage: Math.min(1, Math.max(0, percentage)),
    changed: lastUpdate,
    finished: isFinished ? (finishedAt ?? 0) : 0,
    duration: durationOf(one),
  }
}

/** @returns the seconds of a recording; 0 for an e-book */
const durationOf = ({ duration }: Progress) => Math.max(0, duration ?? 0)

const seenOf = prepared<Record<'user' | 'prefix', unknown>>(
  (value) => sql`SELECT document, title, seen FROM device_books
    WHERE "user" = ${value('user')} AND document LIKE ${value('prefix')}`,
)
