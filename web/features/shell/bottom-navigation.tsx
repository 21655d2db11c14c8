import { Ellipsis } from 'lucide-react'
import { lazy, type ComponentProps } from 'react'
import { BottomBar, BottomBarItem } from '#web/ui/navigation.tsx'
import { DestinationLink } from './destination-link.tsx'
import { OnDemand } from '#web/ui/on-demand.tsx'
import { useDestinations } from './viewer.ts'

const fetchMore = () => import('./more-menu.tsx')
const MoreMenu = lazy(fetchMore)

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
      <OnDemand button={<MoreButton />} preload={fetchMore}>
        {(trigger) => <MoreMenu trigger={trigger} />}
      </OnDemand>
    </BottomBar>
  )
}

function MoreButton(button: ComponentProps<'button'>) {
  return (
    <BottomBarItem>
      <button {...button} type="button">
        <Ellipsis aria-hidden />
        More
      </button>
    </BottomBarItem>
  )
}
