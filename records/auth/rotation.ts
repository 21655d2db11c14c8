import { sql } from 'kysely'
import { number } from '../database/columns.ts'
import type { Dialect, Transaction } from '../database/database.ts'
import { modify, query } from '../database/query.ts'
import { textType } from '../schema/table.ts'
import type { Pauses } from './pauses.ts'

/**
 * Milliseconds for which a replaced token still works: requests under way carry it, and of two tabs
 * that refresh at once one comes second. A browser that never got its new token can't be told from
 * a copy, so a lost answer ends the session if the reader comes back later than this.
 */
const grace = 10_000

/** Replaced tokens to keep track of, for clients that refresh many times in 10 s. */
const maxReplaced = 50

/** Which of a session's tokens is the current one. */
export interface Rotation {
  /** The `gen` claim of the current token; every refresh adds one. */
  generation: number
  /**
   * When earlier tokens were replaced, newest first: milliseconds since 1970, separated by commas.
   */
  replaced: string
}

/** The columns of `_sessions` behind token rotation. Tokens of earlier releases are generation 0. */
export function rotationTables(dialect: Dialect['name']): string[] {
  return [
    `ALTER TABLE _sessions ADD COLUMN generation INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE _sessions ADD COLUMN replaced ${textType(dialect)} NOT NULL DEFAULT ''`,
  ]
}

/**
 * Whether a token was replaced longer ago than any request under way could explain, which means
 * someone kept a copy. A token newer than the database counts as current: a backup was restored.
 */
export function isReused(session: Rotation, generation: number, moment: Moment): boolean {
  if (generation >= session.generation) return false
  const at = timesOf(session)[session.generation - 1 - generation]
  return at === undefined || !isRecent(at, moment)
}

interface Moment {
  /** Milliseconds since 1970. */
  now: number
  /** Milliseconds since the request came: a busy server doesn't make it late. */
  waited?: number
  pauses: Pauses
}

/**
 * What came while the server was stopped is answered when the clock says that it's late. A clock that
 * is set back doesn't prolong the grace by what it is set back.
 */
function isRecent(at: number, { now, waited = 0, pauses }: Moment): boolean {
  const age = now - at
  return age >= -grace && age - waited - pauses.since(at) <= grace
}

/**
 * Replaces the session's current token with the next one. If another request has just replaced it,
 * that request's token becomes current for both.
 *
 * @param generation of the token in the request
 * @returns the generation of the token to issue; null if the session has ended
 */
export async function rotateToken(
  tx: Transaction,
  session: Rotation & { id: string },
  generation: number,
  now: number,
  pauses: Pauses,
): Promise<number | null> {
  const recent = timesOf(session).filter((at) => isRecent(at, { now, pauses }))
  const replaced = [now, ...recent].slice(0, maxReplaced).join()
  const next = generation + 1
  const [rotated] = await modify(
    tx,
    '_sessions',
    sql`UPDATE _sessions SET generation = ${next}, replaced = ${replaced}, used = ${now}
      WHERE id = ${session.id} AND generation <= ${generation} RETURNING id`,
  )
  if (rotated) return next
  const [current] = await query(
    tx,
    sql`SELECT generation FROM _sessions WHERE id = ${session.id}`,
    {
      generation: number,
    },
  )
  return current?.generation ?? null
}

const timesOf = ({ replaced }: Rotation) => (replaced ? replaced.split(',').map(Number) : [])
