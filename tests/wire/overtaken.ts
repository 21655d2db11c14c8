import type { Records } from '#records/index.ts'
import { refusal, type World } from './world.ts'

/**
 * What a call is answered that has read what it needs, and then waits while `work` is written.
 *
 * @param call compares or makes the hash of a password before it writes
 */
export async function overtaken<T>(
  world: World,
  work: Parameters<Records['write']>[0],
  call: () => Promise<T>,
): Promise<T> {
  const [free, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const writing = world.records.write(async (tx) => {
    await work(tx)
    held.resolve()
    await free.promise
  })
  await held.promise
  const answer = call()
  answer.catch(() => undefined)
  // Passwords wait in line: once this one was compared, so was the call's.
  await refusal(world.client().collection('members').authWithPassword('no@example.org', 'wrong'))
  free.resolve()
  await writing
  return answer
}
