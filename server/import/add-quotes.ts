import { sql } from 'kysely'
import { formatDate, letRequestsRun } from '#records/index.ts'
import { selectBy } from '#server/collections/select.ts'
import type { LibraryTransaction, Stored, StoredValues } from '#server/collections/stored.ts'
import type { ImportedQuote } from '#shared/import.ts'
import { quoteKey } from './highlights.ts'
import { change, versionOf, type ChangedRecord, type RecordVersion } from './record-versions.ts'

type KnownQuote = Pick<Stored<'quotes'>, 'id' | 'note'>

/**
 * Adds the quotes that a reader's book doesn't have yet, for the reader alone. One that was marked
 * anew since takes the place of the earlier one, and one without a note gets it.
 *
 * @param book of which any record will do, as quotes are stored by its key
 * @param isAdded whether a quote that the book doesn't have is added
 */
export async function addQuotes(
  tx: LibraryTransaction,
  { user, book_key }: { user: string; book_key: string },
  quotes: readonly ImportedQuote[],
  isAdded: (quote: ImportedQuote) => boolean = () => true,
): Promise<{ quotes: RecordVersion[]; requoted: ChangedRecord[] }> {
  const added: RecordVersion[] = []
  const requoted: ChangedRecord[] = []
  if (!quotes.length) return { quotes: added, requoted }
  const known = new Map<string, KnownQuote>()
  for (const one of await quotesOf(tx, { user, book_key })) known.set(quoteKey(one.text), one)
  const changeQuote = async (
    { id, note }: KnownQuote,
    quote: ImportedQuote,
    values: StoredValues<'quotes'>,
  ) => {
    const noted = { ...values, ...(!note && quote.note && { note: quote.note }) }
    if (Object.keys(noted).length) requoted.push(await change(tx, 'quotes', id, noted))
  }
  for (const [at, quote] of quotes.entries()) {
    const same = known.get(quoteKey(quote.text))
    const earlier = quote.earlier?.map((one) => known.get(quoteKey(one))).find((one) => one)
    if (same) await changeQuote(same, quote, {})
    else if (earlier) await changeQuote(earlier, quote, { text: quote.text })
    else if (isAdded(quote))
      added.push(versionOf(await tx.create('quotes', toQuote(quote, at, { user, book_key }))))
    await letRequestsRun()
  }
  return { quotes: added, requoted }
}

const quotesOf = selectBy('quotes', ['id', 'text', 'note'], ['user', 'book_key'], sql`ORDER BY id`)

/** @param at its place among the book's quotes, which those of the same day keep */
function toQuote(
  { text: quoted, note, page, percent, at: marked }: ImportedQuote,
  at: number,
  key: { user: string; book_key: string },
) {
  // Noon UTC is the same day almost everywhere.
  const noon = marked.length === 10 ? Date.parse(`${marked}T12:00:00Z`) : Date.now()
  const created = marked.length > 10 ? marked : formatDate(noon + at)
  return { ...key, text: quoted, note, page, percent, isPrivate: true, created }
}
