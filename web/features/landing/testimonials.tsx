import type { Testimonial } from '#shared/testimonial.ts'
import { Container } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/landing.ts'

/** Testimonials that the operator has set. */
export default function Testimonials({ testimonials }: { testimonials: readonly Testimonial[] }) {
  return (
    <Container className="py-12 md:py-16">
      <h2 className="mb-8 text-2xl md:text-3xl">{t('whatReadersSay')}</h2>
      <ul className="grid gap-8 md:grid-cols-3">
        {testimonials.map(({ text, who }) => (
          <li key={text}>
            <figure className="flex h-full flex-col gap-4 border-s-2 border-rubric ps-5">
              <blockquote className="font-serif text-xl leading-8 wrap-anywhere">
                {t('quotation', { text })}
              </blockquote>
              <figcaption className="mt-auto text-sm text-ink-soft">{who}</figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Container>
  )
}
