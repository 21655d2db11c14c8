import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { TextLink } from '#web/ui/link.tsx'
import { rich } from '#web/i18n/entry.ts'

const linkTo = (path: string) => (text: ReactNode) => (
  <TextLink tone="ink" asChild>
    <Link to={path}>{text}</Link>
  </TextLink>
)

/** Said before anybody goes on. */
export function LegalNote() {
  return (
    <p className="mt-4 text-xs text-ink-soft">
      {rich('byContinuingYouAgree', { terms: linkTo('/terms'), privacy: linkTo('/privacy') })}
    </p>
  )
}
