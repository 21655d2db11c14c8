import { Suspense } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { useSession } from '#web/api/session.ts'
import { useSite } from '#web/api/site.ts'
import { rich, t } from '#web/i18n/shell.ts'
import { Container } from '#web/ui/page-shell.tsx'
import { TextLink, linkTo } from '#web/ui/link.tsx'
import { DestinationLink } from './destination-link.tsx'
import { useDestinations } from './viewer.ts'

/** Readers have it in their settings. */
const LanguageChoice = lazy(() => import('./language-choice.tsx'))

export function Footer() {
  const { contactEmail } = useSite()
  const entries = useDestinations('footer')
  const isReader = Boolean(useSession())
  return (
    // While a list above it grows, it does not jump about in sight.
    <footer className="in-[:has([data-growing])]:not-focus-within:invisible border-t border-line py-8 text-sm text-ink-soft max-md:pb-28 print:hidden">
      <Container className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-3">
        <p>© Octavo</p>
        {entries.length > 0 ? (
          <nav aria-label={t('footer.about')} className="flex flex-wrap gap-x-6 md:gap-y-2">
            {entries.map((entry) => (
              <TextLink
                key={entry.label}
                tone="soft"
                className="max-md:inline-flex max-md:min-h-11 max-md:items-center"
                asChild
              >
                <DestinationLink to={entry}>{entry.label}</DestinationLink>
              </TextLink>
            ))}
          </nav>
        ) : null}
        <p>
          {contactEmail
            ? rich('footer.write', {
                address: contactEmail,
                mail: (text) => (
                  <TextLink tone="ink" href={`mailto:${contactEmail}`}>
                    {text}
                  </TextLink>
                ),
              })
            : rich('footer.help', { contact: linkTo('/contact', 'ink') })}
        </p>
        {isReader ? null : (
          <Suspense>
            <LanguageChoice />
          </Suspense>
        )}
      </Container>
    </footer>
  )
}
