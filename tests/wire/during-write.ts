import type { Records } from '#records/index.ts'
import { rejection, type Fixture } from './fixture.ts'

/**
 * What a call is answered that has read what it needs, and then waits while `work` is written.
 *
 * @param call compares or makes the hash of a password before it writes
 */
export async function duringWrite<T>(
  fixture: Fixture,
  work: Parameters<Records['write']>[0],
  call: () => Promise<T>,
): Promise<T> {
  const [free, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const writing = fixture.records.write(async (tx) => {
    await work(tx)
    held.resolve()
    await free.promise
  })
  await held.promise
  const answer = call()
  answer.catch(() => undefined)
  // Passwords wait in line: once this one was compared, so was the call's.
  await rejection(
    fixture.client().collection('members').authWithPassword('no@example.org', 'wrong'),
  )
  free.resolve()
  await writing
  return answer
}
