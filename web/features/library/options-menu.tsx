import type { ReactNode } from 'react'
import { Menu, MenuEntries, type MenuEntry } from '#web/ui/menu.tsx'

/** The opened menu of `OptionsMenu`, fetched when it is wanted. */
export default function OptionsMenu(props: { trigger: ReactNode; entries: readonly MenuEntry[] }) {
  return (
    <Menu trigger={props.trigger} defaultOpen>
      <MenuEntries of={props.entries} />
    </Menu>
  )
}
