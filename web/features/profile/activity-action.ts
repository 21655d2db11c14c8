import type PocketBase from 'pocketbase'
import type { Activity } from '#shared/activity.ts'
import { t } from '#web/i18n/profile.ts'

/**
 * What an owner does to an entry: `update` hides it, or shows it again; `delete` removes it.
 *
 * @throws Error with the sentence to show
 */
export async function actOnActivity(
  api: PocketBase,
  { id, isPrivate }: Pick<Activity, 'id' | 'isPrivate'>,
  action: string,
): Promise<void> {
  const activities = api.collection('activities')
  if (action !== 'update' && action !== 'delete') throw new Error(t('invalidAction'))
  try {
    if (action === 'update') await activities.update(id, { isPrivate: !isPrivate })
    else await activities.delete(id)
  } catch (error) {
    throw new Error(t('failedToUpdate'), { cause: error })
  }
}
