import { ListChecks, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '#web/i18n/library.ts'
import { Menu, MenuItem } from '#web/ui/menu.tsx'

/** The owner's actions on their shelves. */
export default function ShelvesMenu(props: {
  trigger: ReactNode
  onNew: () => void
  /** Absent if there is nothing to select. */
  onBulkEdit?: (() => void) | undefined
}) {
  const { trigger, onNew, onBulkEdit } = props
  return (
    <Menu trigger={trigger} defaultOpen>
      <MenuItem icon={<Plus />} onSelect={onNew}>
        {t('newShelf')}
      </MenuItem>
      <MenuItem icon={<ListChecks />} disabled={!onBulkEdit} onSelect={onBulkEdit}>
        {t('bulkEdit')}
      </MenuItem>
    </Menu>
  )
}
