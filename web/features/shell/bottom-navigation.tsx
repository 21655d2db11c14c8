import { Ellipsis } from 'lucide-react'
import { BottomBar, BottomBarItem } from '#web/ui/navigation.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { DestinationLink } from './destination-link.tsx'
import { ThemeMenuItem } from './user-menu.tsx'
import { useDestinations } from './viewer.ts'

/** Phones: what is wanted most, under the thumb. */
export function BottomNavigation() {
  return (
    <BottomBar>
      {useDestinations('bottom').map((entry) => (
        <BottomBarItem key={entry.label} current={entry.current}>
          <DestinationLink to={entry}>
            <entry.icon aria-hidden />
            {entry.label}
          </DestinationLink>
        </BottomBarItem>
      ))}
      <MoreMenu />
    </BottomBar>
  )
}

function MoreMenu() {
  const entries = useDestinations('more')
  const trigger = (
    <button type="button">
      <Ellipsis aria-hidden />
      More
    </button>
  )
  return (
    <Menu trigger={<BottomBarItem>{trigger}</BottomBarItem>}>
      {entries.map((entry) => (
        <MenuItem key={entry.label} asChild>
          <DestinationLink to={entry}>
            <entry.icon aria-hidden />
            {entry.label}
          </DestinationLink>
        </MenuItem>
      ))}
      {entries.length > 0 ? <MenuSeparator /> : null}
      <ThemeMenuItem />
    </Menu>
  )
}
