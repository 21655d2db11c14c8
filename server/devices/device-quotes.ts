import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { formatDate } from '#records/index.ts'
import type { DeviceQuote, QuotesEffect } from '#server/collections/connections.ts'
import { lockReader } from '#server/collections/locks.ts'
import type { LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { addQuotes } from '#server/import/add-quotes.ts'
import { joinQuotes, quoteKey } from '#server/import/highlights.ts'
import { deleteAll, haveChanged, restore } from '#server/import/record-versions.ts'
import { selectBy } from '#server/collections/select.ts'
import type { ImportedQuote } from '#shared/import.ts'
import { cutText, isVisible } from '#shared/text.ts'
import type { StatisticsSender } from './reading-times.ts'
import { isFull } from './store-push.ts'

/** A document's highlights, as a device's file has them. */
export interface DocumentQuotes {
  /** As KOReader's progress sync names it; '' if the file doesn't say. */
  document: string
  title: string
  authors: string[]
  quotes: readonly ImportedQuote[]
}

/** Characters of a document's title. */
const maxTitle = 500
/** Earlier texts of a passage to keep. */
const maxEarlier = 5

/**
 * Stores what a device has marked in a document, to be applied by the job. What is known already
 * changes nothing, and nothing is ever removed.
 *
 * @returns false if no more of the reader's documents are remembered
 */
export async function storeQuotes(
  tx: LibraryTransaction,
  { user, connection, name }: StatisticsSender,
  { document, title: fullTitle, authors, quotes: marked }: DocumentQuotes,
  now: Date,
): Promise<boolean> {
  const title = cutText(fullTitle, maxTitle)
  // A highlight in a scanned page may have no text.
  const quotes = marked.filter((quote) => isVisible(quote.text))
  if (!quotes.length) return true
  await lockReader(tx, user)
  const known = await deviceBookOf(tx, user, { document, title, authors })
  if (!known && (await isFull(tx, user))) return false
  const key = known?.document ?? (document || nameOf(title, authors))
  const [found] = await ofDocument(tx, { user, document: key })
  const before = found ? await tx.find('device_quotes', found.id) : null
  const after = withQuotes(before?.quotes ?? [], quotes)
  const isKnown = JSON.stringify(after) === JSON.stringify(before?.quotes ?? [])
  // What waits for its book is tried again: the reader may have it by now.
  if (isKnown && before?.book_key) return true
  if (before) await tx.update('device_quotes', before.id, { quotes: after })
  else await tx.create('device_quotes', { user, document: key, quotes: after })
  if (known) await tx.update('device_books', known.id, { pending: true })
  else {
    const pushed = formatDate(now)
    const device = { user, document: key, connection, device: name, pushed, title, authors }
    await tx.create('device_books', { ...device, pending: true })
  }
  return true
}

/** @returns the reader's document of that name, or else one of that title and authors */
async function deviceBookOf(
  tx: LibraryTransaction,
  user: string,
  { document, title, authors }: Omit<DocumentQuotes, 'quotes'>,
): Promise<Stored<'device_books'> | null> {
  const [found] = document
    ? await byDocument(tx, { user, document })
    : await byTitle(tx, { user, title, authors: [...authors] })
  return found ? tx.find('device_books', found.id) : null
}

/** The name of a document that is known by its title and authors alone. */
const nameOf = (title: string, authors: readonly string[]) =>
  createHash('sha256')
    .update(JSON.stringify([title, authors]))
    .digest('hex')

/**
 * Adds what is new. A highlight of the same time of which a device has more or less of the text by
 * now, and no longer the text that is known, was marked anew.
 */
export function withQuotes(
  known: readonly DeviceQuote[],
  incoming: readonly ImportedQuote[],
): DeviceQuote[] {
  const sent = new Set(incoming.map(({ text: marked }) => quoteKey(marked)))
  const all = new Map(known.map((quote) => [quoteKey(quote.text), quote]))
  const unsent = [...all].filter(([key, { at }]) => at !== '' && !sent.has(key))
  const byTime = Map.groupBy(unsent, ([, { at }]) => at)
  for (const quote of incoming) {
    const key = quoteKey(quote.text)
    const same = all.get(key)
    if (same) {
      const isNoted = quote.note !== '' && quote.note !== same.note
      if (isNoted) all.set(key, { ...same, note: quote.note, state: changed(same) })
      continue
    }
    const before = byTime
      .get(quote.at)
      ?.find(([other]) => all.has(other) && (other.includes(key) || key.includes(other)))
    if (before) {
      const [other, { text: earlier, earlier: texts = [], ...rest }] = before
      all.delete(other)
      const latest = [...texts, earlier].slice(-maxEarlier)
      all.set(key, { ...rest, ...quote, earlier: latest, state: changed(before[1]) })
    } else all.set(key, { ...quote, state: 'new' })
  }
  return joinQuotes([...all.values()])
}

const changed = ({ state }: DeviceQuote) => (state === 'new' ? state : 'changed')

const noEffect: QuotesEffect = { quotes: [], requoted: [] }

/**
 * Makes a document's highlights quotes of the book that it is, and takes them back from the one that
 * it was taken for before. A quote that the reader has deleted isn't made again.
 *
 * @param proposed the book that it becomes as long as the reader hasn't said which it is; '' for none
 * @returns the book whose quotes they are; '' if there are none, or they wait
 */
export async function applyQuotes(
  tx: LibraryTransaction,
  { user, document, book_key: bound, timed_key }: Stored<'device_books'>,
  proposed: string,
): Promise<string> {
  const [found] = await ofDocument(tx, { user, document })
  const record = found && (await tx.find('device_quotes', found.id))
  if (!record) return ''
  // The reader has just taken it back from the book that it was.
  const held = !bound && (record.held || timed_key !== '')
  const book_key = held ? '' : bound || record.book_key || proposed
  const isOther = record.book_key !== book_key
  if (isOther && record.effect) await takeBackQuotes(tx, record.effect)
  const quotes = (record.quotes ?? []).map((quote): DeviceQuote =>
    isOther ? { ...quote, state: 'new' } : quote,
  )
  const open = quotes.filter(({ state }) => state !== 'applied')
  const isNew = ({ text: marked }: ImportedQuote) =>
    open.some((quote) => quote.text === marked && quote.state === 'new')
  const added = book_key ? await addQuotes(tx, { user, book_key }, open, isNew) : noEffect
  const done = quotes.map((quote): DeviceQuote => ({ ...quote, state: 'applied' }))
  await tx.update('device_quotes', record.id, {
    book_key,
    held,
    quotes: book_key ? done : quotes,
    effect: withEffect(isOther ? noEffect : (record.effect ?? noEffect), added),
  })
  return book_key
}

/** @returns both effects; a quote that was made and then changed is one that was made */
function withEffect(before: QuotesEffect, { quotes, requoted }: QuotesEffect): QuotesEffect {
  const latest = new Map(requoted.map((one) => [one.id, one]))
  const made = before.quotes.map(({ id, updated }) => ({
    id,
    updated: latest.get(id)?.updated ?? updated,
  }))
  const ids = new Set(made.map(({ id }) => id))
  const first = new Set(before.requoted.map(({ id }) => id))
  return {
    quotes: [...made, ...quotes],
    requoted: [
      ...before.requoted.map((one) => ({
        ...one,
        updated: latest.get(one.id)?.updated ?? one.updated,
      })),
      ...requoted.filter(({ id }) => !ids.has(id) && !first.has(id)),
    ],
  }
}

/** Takes quotes back that their reader hasn't changed since. */
async function takeBackQuotes(
  tx: LibraryTransaction,
  { quotes, requoted }: QuotesEffect,
): Promise<void> {
  for (const one of quotes)
    if (!(await haveChanged(tx, 'quotes', [one]))) await deleteAll(tx, 'quotes', [one])
  for (const { before, ...one } of requoted) {
    const isAsLeft = !(await haveChanged(tx, 'quotes', [one]))
    if (isAsLeft && (await tx.find('quotes', one.id))) await restore(tx, 'quotes', one.id, before)
  }
}

const ofDocument = selectBy('device_quotes', ['id'], ['user', 'document'])
const byDocument = selectBy('device_books', ['id'], ['user', 'document'])
const byTitle = selectBy(
  'device_books',
  ['id'],
  ['user', 'title', 'authors'],
  sql`ORDER BY id LIMIT 1`,
)
