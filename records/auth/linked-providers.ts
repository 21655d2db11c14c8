import type { Viewer } from '../filter/request.ts'
import { ApiError } from '../errors.ts'
import type { Collection } from '../schema/collection.ts'
import { lockRow } from '../write/rows.ts'
import type { Core } from '../write/core.ts'
import { transact } from '../write/transaction.ts'
import { deleteExternalAuth, listExternalAuths } from './external-auths.ts'
import { listPasskeys } from './passkeys.ts'

/**
 * Unlinks an account at a provider, which then no longer signs in. Sessions that came from it stay.
 *
 * @throws ApiError 404 if the viewer's account isn't linked to one there, 400 if nothing else signs
 *   in
 */
export async function unlinkProvider(
  core: Core,
  collection: Collection,
  viewer: Viewer,
  provider: string,
): Promise<void> {
  await transact(core, async (tx) => {
    await lockRow(tx, collection, viewer.id, 'update')
    const linked = await listExternalAuths(tx, collection, viewer.id)
    if (!linked.some((one) => one.provider === provider)) throw new ApiError(404)
    const passkeys = await listPasskeys(tx, collection, viewer.id)
    // Without a password it would be the last way in.
    if (collection.auth?.passwords === false && linked.length === 1 && !passkeys.length)
      throw new ApiError(400, 'This is your only way to sign in. Link another provider first.')
    await deleteExternalAuth(tx, viewer.id, provider)
  })
}
