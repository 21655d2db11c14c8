import type { ReactNode } from 'react'
import { SideNav, SideNavItem } from '#web/ui/navigation.tsx'
import { DestinationLink } from './destination-link.tsx'
import { useDestinations } from './viewer.ts'

/** One titled group of links; `onFollow` is told when one was taken. */
export function SideLinks(props: {
  place: 'top' | 'account' | 'library'
  label: string
  /** Above the links; the library's is its label unless told otherwise. */
  title?: ReactNode
  onFollow?: () => void
}) {
  const { place, label, title = place === 'library' ? label : undefined, onFollow } = props
  return (
    <SideNav label={label} title={title}>
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
