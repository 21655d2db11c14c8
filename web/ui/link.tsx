import { ExternalLink } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Link, type To } from 'react-router'
import { classNames } from './class-names.ts'
import { Slot } from './slot.tsx'
import { t } from '#web/i18n/shell.ts'

const tones = {
  rubric: 'text-rubric underline decoration-rubric/40 hover:decoration-rubric',
  ink: 'text-ink underline decoration-line-strong/60 hover:decoration-ink',
  soft: 'text-ink-soft hover:text-ink hover:underline',
}

type TextLinkProps = ComponentProps<'a'> & {
  tone?: keyof typeof tones | undefined
  /** Opens elsewhere: a mark says so, and the new page learns nothing of this one. */
  external?: boolean | undefined
  /** Puts the look on the one child instead, for example a router link. */
  asChild?: boolean | undefined
}

export function TextLink({
  tone = 'rubric',
  external = false,
  asChild = false,
  className,
  children,
  ...rest
}: TextLinkProps) {
  const look = classNames(
    'rounded-cover underline-offset-4 transition-colors',
    tones[tone],
    className,
  )
  if (asChild) {
    return (
      <Slot className={look} {...rest}>
        {children}
      </Slot>
    )
  }
  return (
    <a
      {...rest}
      className={look}
      {...(external ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
    >
      {children}
      {external ? (
        <>
          <ExternalLink aria-hidden className="ms-1 inline size-[0.85em] align-baseline" />
          <span className="sr-only"> {t('opensInANewTab')}</span>
        </>
      ) : null}
    </a>
  )
}

/** @returns what a message's tag becomes: a link to another screen */
export const linkTo =
  (to: To, tone?: keyof typeof tones) =>
  (text: ReactNode): ReactNode => (
    <TextLink tone={tone} asChild>
      <Link to={to}>{text}</Link>
    </TextLink>
  )
