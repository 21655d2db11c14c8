import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { preparedWrite, type Dialect } from '#records/index.ts'
import type { LibraryTransaction } from '#server/collections/stored.ts'
import { tagKey } from '#shared/tags.ts'
import type { Audience } from '#server/collections/audience.ts'

/** A tag of an audience, and how many more books have it. */
export type TagChange = [audience: Audience, tag: string, more: number]

/** Tags written at a time. */
const tagsAtOnce = 250

/** Adds to how many of a reader's books have each tag. */
export async function addTags(
  tx: LibraryTransaction,
  user: string,
  changes: readonly TagChange[],
): Promise<void> {
  for (let at = 0; at < changes.length; at += tagsAtOnce) {
    // SQLite calls are synchronous: let other requests run.
    if (at) await setImmediate()
    await addSome(tx, user, changes.slice(at, at + tagsAtOnce))
  }
}

async function addSome(
  tx: LibraryTransaction,
  user: string,
  changes: readonly TagChange[],
): Promise<void> {
  const rows = changes.map(([audience, tag, more]) => [audience, tagKey(tag), tag, more] as const)
  await addTagRows(tx, { user, rows: JSON.stringify(rows) })
  const fewer = rows.filter(([, , , more]) => more < 0)
  if (fewer.length) await deleteTagRows(tx, { user, rows: JSON.stringify(fewer) })
}

const names = ['audience', 'key', 'tag'] as const

const rowOf = (dialect: Dialect) =>
  sql.join(names.map((_, at) => dialect.jsonText(sql`c.value`, [String(at)])))

const addTagRows = preparedWrite<{ user: string; rows: string }>(
  'tag_totals',
  (value, dialect) => sql`INSERT INTO tag_totals AS t ("user", audience, key, tag, books)
    SELECT ${dialect.text(value('user'))}, ${rowOf(dialect)},
      ${dialect.jsonNumber(sql`c.value`, ['3'])}
    FROM ${dialect.jsonEach(dialect.text(value('rows')))} AS c WHERE TRUE
    ON CONFLICT ("user", audience, key, tag) DO UPDATE SET books = t.books + excluded.books`,
)

const deleteTagRows = preparedWrite<{ user: string; rows: string }>(
  'tag_totals',
  (value, dialect) => sql`DELETE FROM tag_totals WHERE "user" = ${value('user')} AND books <= 0
    AND (audience, key, tag) IN (SELECT ${rowOf(dialect)}
      FROM ${dialect.jsonEach(dialect.text(value('rows')))} AS c)`,
)
