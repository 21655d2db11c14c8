import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { t } from '#web/i18n/shell.ts'
import { DestinationLink } from './destination-link.tsx'
import { triggerShortcut } from './shortcut.ts'
import { ThemeMenuItem } from './theme-menu-item.tsx'
import { useDestinations } from './viewer.ts'

export default function MoreMenu({ trigger }: { trigger: ReactNode }) {
  const entries = useDestinations('more')
  return (
    <Menu trigger={trigger} defaultOpen>
      {entries.map((entry) => (
        <MenuItem key={entry.label} asChild>
          <DestinationLink to={entry}>
            <entry.icon aria-hidden />
            {entry.label}
          </DestinationLink>
        </MenuItem>
      ))}
      {entries.length > 0 ? <MenuSeparator /> : null}
      <MenuItem icon={<Search aria-hidden />} onSelect={() => triggerShortcut('palette')}>
        {t('findAnything')}
      </MenuItem>
      <ThemeMenuItem />
    </Menu>
  )
}
