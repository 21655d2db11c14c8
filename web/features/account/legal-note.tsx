import { linkTo } from '#web/ui/link.tsx'
import { rich } from '#web/i18n/entry.ts'

/** Links to the terms before signing up. */
export function LegalNote() {
  return (
    <p className="mt-4 text-xs text-ink-soft">
      {rich('byContinuingYouAgree', {
        terms: linkTo('/terms', 'ink'),
        privacy: linkTo('/privacy', 'ink'),
      })}
    </p>
  )
}
