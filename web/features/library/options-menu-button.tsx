import { EllipsisVertical } from 'lucide-react'
import { t } from '#web/i18n/books.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { lazy } from '#web/ui/lazy.ts'
import type { MenuEntry } from '#web/ui/menu.tsx'
import { OnDemand } from '#web/ui/on-demand.tsx'

const fetchMenu = () => import('./options-menu.tsx')
const Menu = lazy(fetchMenu)

/** The options menu of a screen, behind one button. */
export function OptionsMenu({ entries }: { entries: readonly MenuEntry[] }) {
  return (
    <OnDemand
      preload={fetchMenu}
      button={
        <IconButton label={t('options')} className="size-11!">
          <EllipsisVertical aria-hidden />
        </IconButton>
      }
    >
      {(trigger) => <Menu trigger={trigger} entries={entries} />}
    </OnDemand>
  )
}
