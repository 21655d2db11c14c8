import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import type { Destination } from './destinations.ts'
import { t } from '#web/i18n/shell.ts'

type DestinationLinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  to: Pick<Destination, 'href' | 'external'>
  children: ReactNode
}

/** A link of the navigation; external ones open in a new tab. */
export function DestinationLink({ to, children, ...rest }: DestinationLinkProps) {
  if (!to.external) {
    return (
      <Link {...rest} to={to.href} prefetch="intent">
        {children}
      </Link>
    )
  }
  return (
    <a {...rest} href={to.href} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="sr-only"> {t('opensInANewTab')}</span>
    </a>
  )
}
