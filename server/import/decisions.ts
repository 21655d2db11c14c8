import { sql } from 'kysely'
import { type Database, named, text } from '#records/index.ts'
import type { ImportCandidate, ImportedBook, ImportRecord } from '#shared/import.ts'
import { foldText } from '#shared/text.ts'
import { query } from '#server/storage/query.ts'

/** What a reader once decided about a row: which book it is, or null if it was left out. */
interface Decision {
  book: ImportCandidate | null
}

/** The rows that a reader has decided in imports that are done, so that none is asked about again. */
export class EarlierDecisions {
  readonly #byRow = new Map<string, Decision>()

  static async open(
    database: Database,
    { id, user }: Pick<ImportRecord, 'id' | 'user'>,
  ): Promise<EarlierDecisions> {
    const rows = await query(
      database,
      sql`SELECT r.state, r."read", r.book FROM imports i JOIN import_rows r ON r.import = i.id
        WHERE i."user" = ${user} AND i.id <> ${id} AND i.state = 'done' AND r.settled
          AND r.state IN ('applied', 'duplicate', 'skipped')
        ORDER BY i.created, r.number`,
    )
    const decisions = new EarlierDecisions()
    for (const { state, read, book } of named(rows, { state: text, read: text, book: text })) {
      const row = JSON.parse(read) as ImportedBook | null
      if (!row) continue
      const chosen = JSON.parse(book) as ImportCandidate | null
      decisions.#byRow.set(keyOf(row), { book: state === 'skipped' ? null : chosen })
    }
    return decisions
  }

  of(read: ImportedBook): Decision | undefined {
    return this.#byRow.get(keyOf(read))
  }
}

/** What stays the same of a row in later exports. Its ISBN is left out where another book has it. */
const keyOf = ({ source_id, title, authors }: ImportedBook) =>
  JSON.stringify([source_id, foldText(title), authors.map(foldText)])
