import { Container } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/landing.ts'

const promises = [
  { title: 'takeItWithYou', text: 'takeItWithYouText' },
  { title: 'showWhatYouLike', text: 'showWhatYouLikeText' },
  { title: 'hostItYourself', text: 'hostItYourselfText' },
] as const

/** Whose the data is, and how to host Octavo. */
export function Yours() {
  return (
    <Container className="pb-12 md:pb-16">
      <h2 className="mb-6 text-2xl md:text-3xl">{t('yourLibraryIsYours')}</h2>
      <ul className="grid gap-8 md:grid-cols-3">
        {promises.map(({ title, text }) => (
          <li key={title} className="grid content-start gap-2">
            <h3 className="text-xl">{t(title)}</h3>
            <p className="text-ink-soft">{t(text)}</p>
          </li>
        ))}
      </ul>
    </Container>
  )
}
