import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import {
  ApiError,
  type Change,
  type Database,
  type FieldError,
  type Transaction,
  named,
  number,
  text,
} from '#records/index.ts'
import { modify, query } from '#server/storage/query.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import { invitationParameter, type SignUps } from '#shared/sign-up.ts'
import { fieldError } from '#server/http/field-error.ts'

const day = 24 * 60 * 60 * 1000

/** An invitation that nobody has used yet. */
export interface Invitation {
  id: string
  created: Date
  expires: Date
}

/**
 * Creates an invitation for one new reader.
 *
 * @returns the invitation and its key, of which only a hash is stored
 */
export async function createInvitation(
  database: Database,
  days: number,
  now: Date,
): Promise<Invitation & { key: string }> {
  // Only letters and digits: a command would take a leading hyphen for an option, and mail programs
  // cut a trailing one off a link.
  const [id, key] = [4, 20].map((bytes) => randomBytes(bytes).toString('hex')) as [string, string]
  const expires = new Date(now.getTime() + days * day)
  await database.transaction(async (tx) => {
    await modify(tx, 'invitations', sql`DELETE FROM invitations WHERE expires <= ${now.getTime()}`)
    await modify(
      tx,
      'invitations',
      sql`INSERT INTO invitations (id, hash, created, expires)
        VALUES (${id}, ${hashOf(key)}, ${now.getTime()}, ${expires.getTime()})`,
    )
  })
  return { id, key, created: now, expires }
}

/** @returns the open invitations, the next to expire first */
export async function listInvitations(database: Database, now: Date): Promise<Invitation[]> {
  const rows = await query(
    database,
    sql`SELECT id, created, expires FROM invitations WHERE expires > ${now.getTime()}
      ORDER BY expires, id`,
  )
  const invitations = named(rows, { id: text, created: number, expires: number })
  return invitations.map(({ id, created, expires }) => ({
    id,
    created: new Date(created),
    expires: new Date(expires),
  }))
}

/** @returns whether there was such an open invitation */
export async function revokeInvitation(
  database: Database,
  id: string,
  now: Date,
): Promise<boolean> {
  const withdrawn = await database.transaction((tx) =>
    modify(
      tx,
      'invitations',
      sql`DELETE FROM invitations WHERE id = ${id} AND expires > ${now.getTime()} RETURNING id`,
    ),
  )
  return withdrawn.length > 0
}

/**
 * Admits a sign-up, and uses up its invitation if one is needed.
 *
 * @param request null for the server itself, which can always create accounts
 * @throws ApiError 403 while nobody can sign up; 400 without an invitation that is still open
 */
export async function admitSignUp(
  tx: Transaction,
  signUps: SignUps,
  request: Change['request'],
  now: Date,
): Promise<void> {
  if (!request || signUps === 'open') return
  if (signUps === 'closed') throw new ApiError(403, answers.signUpsClosed)
  const key = request.body[invitationParameter]
  if (typeof key !== 'string' || !key)
    throw refused(fieldError('invitationRequired', {}, 'validation_required'))
  // Deleted in the transaction, so that only one of two concurrent sign-ups can use it.
  const used = await modify(
    tx,
    'invitations',
    sql`DELETE FROM invitations WHERE hash = ${hashOf(key)} AND expires > ${now.getTime()}
      RETURNING id`,
  )
  if (used.length === 0)
    throw refused(fieldError('invitationSpent', {}, 'validation_invalid_invitation'))
}

function refused(error: FieldError): ApiError {
  return new ApiError(400, error.message, { [invitationParameter]: error })
}

/** Hashed, so that the table or a backup holds no usable key. */
const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')
