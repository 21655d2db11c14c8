import { SideNav, SideNavItem } from '#web/ui/navigation.tsx'
import { DestinationLink } from './destination-link.tsx'
import { useDestinations } from './viewer.ts'

/** One titled group of links; `onFollow` is told when one was taken. */
export function SideLinks({
  place,
  label,
  onFollow,
}: {
  place: 'top' | 'library'
  label: string
  onFollow?: () => void
}) {
  return (
    <SideNav label={label} title={place === 'library' ? label : undefined}>
      {useDestinations(place).map((entry) => (
        <SideNavItem key={entry.label} current={entry.current}>
          <DestinationLink to={entry} {...(onFollow ? { onClick: onFollow } : {})}>
            <entry.icon aria-hidden />
            {entry.label}
          </DestinationLink>
        </SideNavItem>
      ))}
    </SideNav>
  )
}
