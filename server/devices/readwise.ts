import * as z from 'zod'
import { sql } from 'kysely'
import { named, orNull, text, texts, throttle, type Database } from '#records/index.ts'
import { splitNames } from '#server/import/people.ts'
import { modify, query } from '#server/storage/query.ts'
import { cutText } from '#shared/text.ts'
import { storeQuotes, type DocumentQuotes } from './device-quotes.ts'
import type { Poll } from './polls.ts'
import { cleanText, highlight, toQuote } from './readwise-highlight.ts'

/** What the documents of this service begin with; KOReader's have no colon. */
export const readwisePrefix = 'readwise:'

/** How Octavo names itself there, by which it knows its own quotes again. */
const sourceType = 'octavo'

/** Quotes sent in one request, and requests at a time; the rest follows at once. */
const [batchSize, maxBatches] = [100, 5]

/** The most of what Readwise takes, in characters. */
const most = { text: 8191, title: 511, author: 1024 }

const exported = z.object({
  nextPageCursor: z.union([z.string(), z.number()]).nullish(),
  results: z.array(
    z.object({
      user_book_id: z.number(),
      title: cleanText.nullish(),
      author: cleanText.nullish(),
      source: z.string().nullish(),
      category: z.string().nullish(),
      is_deleted: z.boolean().nullish(),
      highlights: z.array(highlight.extend({ is_deleted: z.boolean().nullish() })),
    }),
  ),
})
type ExportedBook = z.infer<typeof exported>['results'][number]

/**
 * Reads the highlights of a reader's books that are new since the last time, and sends their quotes
 * if they want that, each once.
 *
 * @returns whether there is more to do at once
 * @throws ServiceError
 */
export async function pollReadwise(poll: Poll): Promise<boolean> {
  const { connection } = poll
  const hasMore = await readHighlights(poll)
  if (hasMore || !connection.sends) return hasMore
  return sendQuotes(poll)
}

/** Reads one page of the export. What is deleted there stays here. */
async function readHighlights({
  connection,
  services,
  store,
  now,
  signal,
}: Poll): Promise<boolean> {
  const { address, token, cursor } = connection
  const { since, page, begun } = cursor ?? { since: '', page: '', begun: '' }
  const asked = begun || now().toISOString()
  const search = new URLSearchParams({
    ...(since && { updatedAfter: since }),
    ...(page && { pageCursor: page }),
  })
  const { nextPageCursor, results } = await services.ask({
    url: `${address}/api/v2/export/?${search}`,
    authorization: `Token ${token}`,
    answer: exported,
    signal,
  })
  for (const book of results) {
    const marked = toDocument(book)
    if (marked && !(await throttle(() => store(storing(marked, now()))))) return false
  }
  const next = String(nextPageCursor ?? '')
  const known = next ? { since, page: next, begun: asked } : { since: asked, page: '', begun: '' }
  const isStored = await store(async (tx) => {
    await tx.update('connections', connection.id, { cursor: known })
    return true
  })
  return isStored && next !== ''
}

const storing =
  (marked: DocumentQuotes, now: Date): Parameters<Poll['store']>[0] =>
  async (tx, sender) => {
    await storeQuotes(tx, sender, marked, now)
    return true
  }

/** @returns a book's highlights; null for articles, what is empty, and what Octavo has sent there */
function toDocument(book: ExportedBook): DocumentQuotes | null {
  const title = book.title?.trim() ?? ''
  if (book.category !== 'books' || book.source === sourceType || !title) return null
  const quotes = book.highlights.filter((one) => !one.is_deleted && one.text.trim()).map(toQuote)
  if (!quotes.length) return null
  const document = `${readwisePrefix}${book.user_book_id}`
  return { document, title, authors: splitNames(book.author ?? ''), quotes }
}

/**
 * Sends quotes that haven't been sent. If the process is killed between sending and noting it, they
 * are sent again, and Readwise keeps one of the same text, title and author.
 */
async function sendQuotes({
  connection,
  database,
  services,
  store,
  signal,
}: Poll): Promise<boolean> {
  const { address, token, user, id } = connection
  for (let request = 0; request < maxBatches; request++) {
    const quotes = await unsent(database, { user, connection: id })
    if (!quotes.length) return false
    await services.ask({
      url: `${address}/api/v2/highlights/`,
      authorization: `Token ${token}`,
      answer: z.unknown(),
      body: { highlights: quotes.map(toHighlight) },
      signal,
    })
    const isNoted = await store(async (tx) => {
      const rows = quotes.map((quote) => sql`(${id}, ${quote.id})`)
      await modify(
        tx,
        'sent_quotes',
        sql`INSERT INTO sent_quotes (connection, quote) VALUES ${sql.join(rows)}
          ON CONFLICT DO NOTHING`,
      )
      return true
    })
    if (!isNoted) return false
  }
  return true
}

type UnsentQuote = Awaited<ReturnType<typeof unsent>>[number]

/** Quotes of books that the reader still has, without those that came from Readwise. */
async function unsent(database: Database, of: { user: string; connection: string }) {
  const rows = await query(
    database,
    sql`SELECT q.id, q.text, q.note, q.page, q.created, b.title, b.authors FROM quotes q
      JOIN user_books b ON b.id = (SELECT id FROM user_books
        WHERE "user" = q."user" AND book_key = q.book_key ORDER BY id LIMIT 1)
      WHERE q."user" = ${of.user}
        AND NOT EXISTS (SELECT 1 FROM sent_quotes s
          WHERE s.connection = ${of.connection} AND s.quote = q.id)
        AND NOT EXISTS (SELECT 1 FROM device_quotes d
          WHERE d."user" = q."user" AND d.document LIKE ${`${readwisePrefix}%`}
            AND d.effect LIKE '%"' || q.id || '"%')
      ORDER BY q.created, q.id LIMIT ${sql.lit(batchSize)}`,
  )
  return named(rows, {
    id: text,
    text,
    note: text,
    page: (value) => Number(value),
    created: text,
    title: text,
    authors: orNull(texts),
  })
}

function toHighlight({ text: quoted, note, page, created, title, authors }: UnsentQuote) {
  return {
    text: cutText(quoted, most.text),
    title: cutText(title, most.title),
    ...(authors?.length && { author: cutText(authors.join(', '), most.author) }),
    source_type: sourceType,
    category: 'books',
    ...(note && { note: cutText(note, most.text) }),
    ...(page > 0 && { location: page, location_type: 'page' }),
    highlighted_at: created.replace(' ', 'T'),
  }
}
