import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { preparedWrite, type Dialect } from '#records/index.ts'
import type { LibraryTransaction } from '#server/collections/stored.ts'
import { tagKey } from '#shared/tags.ts'
import type { Audience } from '#server/collections/audience.ts'

/*
 * `tag_totals` counts the books that have a tag in one spelling, `tag_key_totals` those that have it
 * in any: a book whose copies spell it differently counts once.
 */

/** A tag or its key, and how many more books of an audience have it. */
export type TagChange = [audience: Audience, tag: string, more: number]

/** Tags written at a time. */
const tagsAtOnce = 250

/** Adds to how many of a reader's books have each tag. */
export async function addTags(
  tx: LibraryTransaction,
  user: string,
  changes: readonly TagChange[],
): Promise<void> {
  const rows = changes.map(([audience, tag, more]) => [more, audience, tagKey(tag), tag])
  await addRows(tx, spellings, user, rows)
}

/** Adds to how many of a reader's books have a tag of each key. */
export async function addTagKeys(
  tx: LibraryTransaction,
  user: string,
  changes: readonly TagChange[],
): Promise<void> {
  const rows = changes.map(([audience, key, more]) => [more, audience, key])
  await addRows(tx, keys, user, rows)
}

async function addRows(
  tx: LibraryTransaction,
  { add, deleteEmpty }: Counter,
  user: string,
  rows: readonly (readonly (string | number)[])[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += tagsAtOnce) {
    // SQLite calls are synchronous: let other requests run.
    if (at) await setImmediate()
    const some = rows.slice(at, at + tagsAtOnce)
    await add(tx, { user, rows: JSON.stringify(some) })
    const fewer = some.filter(([more]) => Number(more) < 0)
    if (fewer.length) await deleteEmpty(tx, { user, rows: JSON.stringify(fewer) })
  }
}

/** The statements that count in a table by reader and some columns. */
type Counter = ReturnType<typeof counter>

const spellings = counter('tag_totals', ['audience', 'key', 'tag'])
const keys = counter('tag_key_totals', ['audience', 'key'])

/** Each row sent to it is how many more, then the columns. */
function counter(table: string, columns: readonly string[]) {
  const names = sql.join(columns.map((name) => sql.ref(name)))
  const sent = (dialect: Dialect) =>
    sql.join(columns.map((_, at) => dialect.jsonText(sql`c.value`, [String(at + 1)])))
  return {
    add: preparedWrite<{ user: string; rows: string }>(
      table,
      (value, dialect) => sql`INSERT INTO ${sql.table(table)} AS t ("user", ${names}, books)
        SELECT ${dialect.text(value('user'))}, ${sent(dialect)},
          ${dialect.jsonNumber(sql`c.value`, ['0'])}
        FROM ${dialect.jsonEach(dialect.text(value('rows')))} AS c WHERE TRUE
        ON CONFLICT ("user", ${names}) DO UPDATE SET books = t.books + excluded.books`,
    ),
    deleteEmpty: preparedWrite<{ user: string; rows: string }>(
      table,
      (value, dialect) => sql`DELETE FROM ${sql.table(table)} WHERE "user" = ${value('user')}
        AND books <= 0 AND (${names}) IN (SELECT ${sent(dialect)}
          FROM ${dialect.jsonEach(dialect.text(value('rows')))} AS c)`,
    ),
  }
}
