import { useQueryClient } from '@tanstack/react-query'
import { Eye, EyeOff, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Activity } from '#shared/activity.ts'
import { useApi } from '#web/api/context.ts'
import { applyEntryChange } from '#web/api/timeline.ts'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast.tsx'
import { t } from '#web/i18n/profile.ts'
import { actOnActivity } from './activity-action.ts'
import { keys } from '#web/api/query-keys.ts'

/** The owner's actions on the entries of a timeline row. */
export default function EntryMenu(props: {
  trigger: ReactNode
  entries: readonly Activity[]
  /** Called after they are deleted, to offer Undo. */
  onRemoved: (ids: readonly string[]) => void
}) {
  const { trigger, entries, onRemoved } = props
  const api = useApi()
  const queries = useQueryClient()
  const isHidden = entries.every(({ isPrivate }) => isPrivate)
  async function act(action: 'update' | 'delete'): Promise<void> {
    const changed = entries.filter(({ isPrivate }) => action === 'delete' || isPrivate === isHidden)
    try {
      for (const record of changed) {
        await actOnActivity(api, record, action)
        applyEntryChange(queries, { action, record: { ...record, isPrivate: !isHidden } })
      }
      if (action === 'delete') onRemoved(changed.map(({ id }) => id))
      else toast.success(isHidden ? t('everyoneCanSeeItAgain') : t('onlyYouSeeItNow'))
    } catch (error) {
      toast.error(error instanceof Error ? error.message : t('failedToUpdate'))
    } finally {
      void queries.invalidateQueries({ queryKey: keys.timelines })
    }
  }
  return (
    <Menu trigger={trigger} defaultOpen>
      <MenuItem icon={isHidden ? <Eye /> : <EyeOff />} onSelect={() => void act('update')}>
        {isHidden ? t('unhide') : t('hide')}
      </MenuItem>
      <MenuItem icon={<Trash2 />} tone="danger" onSelect={() => void act('delete')}>
        {t('delete')}
      </MenuItem>
    </Menu>
  )
}
