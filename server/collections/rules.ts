import type { Field } from '#records/index.ts'
import { trashDays } from '#shared/trash.ts'

/** The viewer's own records. */
export const own = 'user = @request.auth.id'

/** Records that readers make for themselves, and only they change. */
export const ownersWrite = {
  create: `@request.auth.id != "" && ${own}`,
  update: own,
  delete: own,
}

/**
 * A public profile: neither its owner nor the operator hides it. A reader without settings is
 * private, as an unknown value is never `false`. {@link isPublicProfile} says the same in SQL.
 */
export const isPublic = (settings: string) =>
  `${settings}isPrivate = false && ${settings}isHidden = false`
export const ownerIsPublic = isPublic('user.settings_via_user.')

export const owner = {
  name: 'user',
  type: 'relation',
  collection: 'users',
  required: true,
  cascadeDelete: true,
  fill: 'viewer',
  writable: 'create',
} as const satisfies Field
/** How long removed records can be restored; seconds. */
export const trashLife = trashDays * 24 * 60 * 60

export const created = {
  name: 'created',
  type: 'autodate',
  onUpdate: false,
} as const satisfies Field
export const updated = {
  name: 'updated',
  type: 'autodate',
  onUpdate: true,
} as const satisfies Field
