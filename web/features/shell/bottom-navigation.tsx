import { Ellipsis } from 'lucide-react'
import { type ComponentProps } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { BottomBar, BottomBarItem } from '#web/ui/navigation.tsx'
import { DestinationLink } from './destination-link.tsx'
import { OnDemand } from '#web/ui/on-demand.tsx'
import { scanAction, type Destination } from './destinations.ts'
import { useDestinations } from './viewer.ts'
import { t } from '#web/i18n/shell.ts'
import { ScriptButton } from '#web/ui/script-button.tsx'

const fetchMore = () => import('./more-menu.tsx')
const MoreMenu = lazy(fetchMore)
const fetchScanner = () => import('#web/features/scan/scan-action.tsx')
const ScanAction = lazy(fetchScanner)

/** Phones: what is wanted most, under the thumb. */
export function BottomNavigation() {
  return (
    <BottomBar>
      {useDestinations('bottom').map((entry) =>
        entry.href === scanAction ? (
          <OnDemand key={entry.label} button={<BarButton of={entry} />} preload={fetchScanner}>
            {(button) => <ScanAction button={button} />}
          </OnDemand>
        ) : (
          <BottomBarItem key={entry.label} current={entry.current}>
            <DestinationLink to={entry}>
              <entry.icon aria-hidden />
              {entry.label}
            </DestinationLink>
          </BottomBarItem>
        ),
      )}
      <OnDemand
        button={<BarButton of={{ label: t('more'), icon: Ellipsis }} />}
        preload={fetchMore}
      >
        {(trigger) => <MoreMenu trigger={trigger} />}
      </OnDemand>
    </BottomBar>
  )
}

function BarButton({
  of: { label, icon: Icon },
  ...button
}: ComponentProps<'button'> & { of: Pick<Destination, 'label' | 'icon'> }) {
  return (
    <BottomBarItem>
      <ScriptButton {...button}>
        <Icon aria-hidden />
        {label}
      </ScriptButton>
    </BottomBarItem>
  )
}
