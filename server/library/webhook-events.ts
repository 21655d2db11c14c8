import { sql } from 'kysely'
import { formatDate, named, perTransaction, prepared, text } from '#records/index.ts'
import type { LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { maxWaiting, type WebhookEvent } from '#shared/webhook.ts'

/**
 * Writes a delivery for each of a reader's webhooks that is subscribed of an event, in the transaction of
 * the change. One that too many deliveries wait for already is paused instead.
 *
 * @param event.at when it happened
 * @param event.data asked for only if there is such a webhook
 */
export async function tellWebhooks(
  tx: LibraryTransaction,
  user: string,
  { type, at, data }: { type: WebhookEvent; at: Date; data: () => object | Promise<object> },
): Promise<void> {
  const subscribed = (await webhooksOf(tx, user)).filter(({ events }) => events.includes(type))
  if (!subscribed.length) return
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data: await data() })
  for (const webhook of subscribed) {
    if (await isBehind(tx, webhook.id)) {
      webhook.events = []
      await tx.update('webhooks', webhook.id, { paused: true, pause_reason: 'behind' })
      continue
    }
    // Due when the transaction has been committed.
    const due = formatDate(new Date())
    const values = { user, webhook: webhook.id, event: type, body, due, state: 'waiting' } as const
    await tx.create('webhook_deliveries', values)
  }
}

interface FoundWebhook {
  id: string
  events: readonly string[]
}

/** The webhooks of readers who changed something, so that a batch looks for them once. */
const foundWebhooks = perTransaction(() => new Map<string, FoundWebhook[]>())

async function webhooksOf(tx: LibraryTransaction, user: string): Promise<FoundWebhook[]> {
  const known = foundWebhooks(tx).get(user)
  if (known) return known
  const rows = named(await active(tx, { user }), { id: text, events: text })
  const found = rows.map(({ id, events }) => ({ id, events: JSON.parse(events) as string[] }))
  foundWebhooks(tx).set(user, found)
  return found
}

const active = prepared<{ user: unknown }>(
  (value) => sql`SELECT id, events FROM webhooks WHERE "user" = ${value('user')} AND NOT paused`,
)

async function isBehind(tx: LibraryTransaction, webhook: string): Promise<boolean> {
  return (await lastAllowed(tx, { webhook })).length > 0
}

const lastAllowed = prepared<{ webhook: unknown }>(
  (value) => sql`SELECT 1 FROM webhook_deliveries
    WHERE webhook = ${value('webhook')} AND state = 'waiting'
    LIMIT 1 OFFSET ${sql.lit(maxWaiting - 1)}`,
)

const bookFields = [
  ...(['id', 'book_key', 'shelf', 'title', 'authors', 'isbn', 'page_count', 'duration'] as const),
  ...(['format', 'isPrivate', 'status', 'progress', 'progress_average'] as const),
  ...(['progress_percent', 'progress_minutes', 'rating'] as const),
] as const

/** What events say of a book, with the names that its record has. */
export const bookData = (book: Stored<'user_books'>): object =>
  Object.fromEntries(bookFields.map((name) => [name, book[name]]))

/** What events say of a quote. */
export async function quoteData(tx: LibraryTransaction, quote: Stored<'quotes'>): Promise<object> {
  const { id, user, book_key, page, percent, note, isPrivate } = quote
  const [book] = named(await quoted(tx, { user, book_key }), { title: text, authors: text })
  return {
    quote: { id, text: quote.text, note, page, percent, isPrivate },
    book: { book_key, title: book?.title ?? '', authors: JSON.parse(book?.authors ?? '[]') },
  }
}

const quoted = prepared<Record<'user' | 'book_key', unknown>>(
  (value) => sql`SELECT title, authors FROM user_books
    WHERE "user" = ${value('user')} AND book_key = ${value('book_key')}
    ORDER BY updated DESC, id LIMIT 1`,
)
