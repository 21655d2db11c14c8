import { useQueryClient } from '@tanstack/react-query'
import { Eye, EyeOff, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Activity } from '#shared/activity.ts'
import { useApi } from '#web/api/context.ts'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast.tsx'
import { t } from '#web/i18n/people.ts'
import { actOnActivity } from './activity-action.ts'

/** What an owner can do with an entry. Fetched because it was asked for, so it begins open. */
export default function EntryMenu(props: {
  trigger: ReactNode
  activity: Activity
  /** Told once it is gone, to offer the way back. */
  onRemoved: (activity: Activity) => void
}) {
  const { trigger, activity, onRemoved } = props
  const api = useApi()
  const queries = useQueryClient()
  const [open, setOpen] = useState(true)
  async function act(action: 'update' | 'delete'): Promise<void> {
    try {
      await actOnActivity(api, activity, action)
      if (action === 'delete') onRemoved(activity)
      else toast.success(activity.isPrivate ? t('everyoneCanSeeItAgain') : t('onlyYouSeeItNow'))
    } catch (error) {
      toast.error(error instanceof Error ? error.message : 'failed to update')
    } finally {
      void queries.invalidateQueries({ queryKey: ['activities'] })
    }
  }
  return (
    <Menu trigger={trigger} open={open} onOpenChange={setOpen}>
      <MenuItem
        icon={activity.isPrivate ? <Eye /> : <EyeOff />}
        onSelect={() => void act('update')}
      >
        {activity.isPrivate ? t('unhide') : t('hide')}
      </MenuItem>
      <MenuItem icon={<Trash2 />} tone="danger" onSelect={() => void act('delete')}>
        {t('delete')}
      </MenuItem>
    </Menu>
  )
}
