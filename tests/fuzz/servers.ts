/** The product over each database, with the same two readers. */

import PocketBase, { type ClientResponseError } from 'pocketbase'
import { afterAll } from 'vitest'
import { newPostgresUrl } from '#tests/databases.ts'
import { startOctavo, type Octavo } from '#tests/octavo.ts'
import { openMailServer, type MailServer } from '#tests/smtp.ts'
import { id } from '#tests/wire/scenarios/fixture.ts'
import { closeConnections } from './send.ts'

export type Caller = '' | 'ann' | 'bob'

export interface Server {
  database: 'sqlite' | 'postgres'
  octavo: Octavo
  /** @returns a token for every call: a new session */
  signIn: (who: Exclude<Caller, ''>) => Promise<string>
}

const password = 'burning the midnight oil'

/**
 * Starts both, for all tests of the file that awaits this at its top; they end with the file.
 *
 * @param settings on top of those of {@link startOctavo}
 */
export async function openServers(settings: Record<string, string> = {}): Promise<Server[]> {
  afterAll(closeConnections)
  const postgres = await newPostgresUrl(afterAll)
  return Promise.all([
    openServer('sqlite', settings),
    openServer('postgres', { DATABASE_URL: postgres, ...settings }),
  ])
}

async function openServer(
  database: Server['database'],
  settings: Record<string, string>,
): Promise<Server> {
  const post = await openMailServer()
  afterAll(() => post.close())
  const octavo = await startOctavo({ SMTP_URL: post.url, ...settings })
  afterAll(async () => void (await octavo.stop()))
  for (const who of ['ann', 'bob'] as const) {
    const email = emailOf(who)
    await new PocketBase(octavo.url)
      .collection('users')
      .create({ id: id(who), email, username: who, password, passwordConfirm: password })
  }
  return { database, octavo, signIn: (who) => signIn(octavo, post, emailOf(who)) }
}

const emailOf = (who: string) => `${who}@example.org`

async function signIn({ url }: Octavo, post: MailServer, email: string): Promise<string> {
  const users = new PocketBase(url).collection('users')
  const halfway: unknown = await users.authWithPassword(email, password).catch((error) => error)
  const { mfaId } = (halfway as ClientResponseError).response as { mfaId: string }
  const { otpId } = await users.requestOTP(email)
  return (await users.authWithOTP(otpId, await code(post, email), { mfaId })).token
}

/** Of the next mail that has one: a reader is told of new devices, too. */
async function code(post: MailServer, email: string): Promise<string> {
  const { text = '' } = await post.nextMail(email)
  return /\b\d{6}\b/.exec(text)?.[0] ?? code(post, email)
}
