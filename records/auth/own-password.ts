import { invalidForm } from '../errors.ts'
import type { Viewer } from '../filter/request.ts'
import { passwordAttempts } from '../limits/attempts.ts'
import { findRecord } from '../read/read.ts'
import { errors } from '../schema/validate.ts'
import type { Core } from '../write/core.ts'

/**
 * Checks that a viewer knows their account's password. A wrong one counts like a wrong one at
 * sign-in.
 *
 * @param network where the request comes from
 * @throws ApiError 400 with an error of `password` if it is wrong, 429 after too many wrong ones
 */
export async function requirePassword(
  { database, schema, passwords, limits }: Core,
  viewer: Viewer,
  password: string,
  network: string,
): Promise<void> {
  const attempts = passwordAttempts(network, String(viewer.record['email']))
  await limits.attempt(attempts, async () => {
    const account = await findRecord(database, schema.get(viewer.collectionId), viewer.id)
    const stored = account ? String(account['password']) : undefined
    if (!(await passwords.verify(stored, password)))
      throw invalidForm({ password: errors.oldPassword })
  })
}
