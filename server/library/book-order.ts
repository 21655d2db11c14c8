import { sql, type RawBuilder } from 'kysely'
import { ApiError, number } from '#records/index.ts'
import type { LibraryRecords, LibraryTransaction, Stored } from '#server/collections/stored.ts'
import type { BookMove } from '#shared/book-order.ts'
import { modify, query } from '#server/storage/query.ts'
import { lockReader } from '#server/collections/locks.ts'
import { columnsOf } from '#server/collections/select.ts'
import { copiesOf } from './shared-state.ts'

/**
 * Moves a book in one of the reader's own orders. A higher `position` comes first; among equals,
 * such as books that were never moved, the latest added.
 *
 * @throws ApiError 404 unless both books are the reader's and in the list
 */
export async function moveBook(
  records: Pick<LibraryRecords, 'write'>,
  user: string,
  move: BookMove,
): Promise<void> {
  await records.write(async (tx) => {
    await lockReader(tx, user)
    const { list, moved } = await findMoved(tx, user, move)
    const position = await positionAfter(tx, list, moved, move.after)
    if (position === null) return
    for (const id of moved) await tx.update('user_books', id, { position })
  })
}

type Condition = RawBuilder<unknown>

/**
 * @returns the condition for the list's rows, and the records that move: in the queue all copies of
 *   the book
 */
async function findMoved(
  tx: LibraryTransaction,
  user: string,
  { list, book }: BookMove,
): Promise<{ list: Condition; moved: string[] }> {
  const record = await tx.find('user_books', book)
  if (!record || record.user !== user) throw new ApiError(404)
  if (list === 'shelf') return { list: sql`shelf = ${record.shelf}`, moved: [book] }
  if (record.status !== 'planning') throw new ApiError(404)
  const copies = await copiesOf(tx, record)
  return {
    list: sql`"user" = ${user} AND status = 'planning'`,
    moved: [book, ...copies.map(({ id }) => id)],
  }
}

const order = sql`position DESC, created DESC, id`

type Place = Pick<Stored<'user_books'>, 'position' | 'created' | 'id'>

/** @returns the position right after a record; null if the list has nothing else */
async function positionAfter(
  tx: LibraryTransaction,
  list: Condition,
  moved: readonly string[],
  after: string,
): Promise<number | null> {
  const others = sql`${list} AND id NOT IN (${sql.join(moved)})`
  if (!after) {
    const [first] = await query(
      tx,
      sql`SELECT position FROM user_books WHERE ${others}
      ORDER BY ${order} LIMIT 1`,
      { position: number },
    )
    return first ? first.position + 1 : null
  }
  const [above] = await query(
    tx,
    sql`SELECT position, created, id FROM user_books
    WHERE ${others} AND id = ${after}`,
    columnsOf('user_books', 'position', 'created', 'id'),
  )
  if (!above) throw new ApiError(404)
  const [below] = await query(
    tx,
    sql`SELECT position FROM user_books
    WHERE ${others} AND NOT ${upTo(above)} ORDER BY ${order} LIMIT 1`,
    { position: number },
  )
  const top = above.position
  if (!below) return top - 1
  const bottom = below.position
  const middle = (top + bottom) / 2
  if (middle < top && middle > bottom) return middle
  await makeRoom(tx, sql`${others} AND ${upTo(above)}`, bottom + 2)
  return bottom + 1
}

/** Whether a row is at or before another in the order. */
function upTo({ position, created, id }: Place): Condition {
  return sql`(position > ${position} OR position = ${position}
    AND (created > ${created} OR created = ${created} AND id <= ${id}))`
}

/**
 * Renumbers rows from `lowest` on, in their order. Nobody else sees a position, so no events are
 * needed.
 */
async function makeRoom(tx: LibraryTransaction, rows: Condition, lowest: number): Promise<void> {
  await modify(
    tx,
    'user_books',
    sql`UPDATE user_books SET position = ranked.place
      FROM (SELECT id AS ranked_id, ${lowest} - 1.0 + ROW_NUMBER() OVER
          (ORDER BY position, created, id DESC) AS place
        FROM user_books WHERE ${rows}) ranked
      WHERE user_books.id = ranked.ranked_id`,
  )
}
