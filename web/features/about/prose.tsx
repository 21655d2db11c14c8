import type { ReactNode } from 'react'
import { useSite } from '#web/api/site.ts'
import { TextLink } from '#web/ui/link.tsx'
import { Container } from '#web/ui/page-shell.tsx'
import { formatDate } from '#web/i18n/format.ts'
import { t } from '#web/i18n/legal.ts'

/** A page to be read: a title, when it was last changed, and text in sections. */
export function Prose(props: { title: string; updated?: Date | undefined; children: ReactNode }) {
  const { title, updated, children } = props
  return (
    <Container width="prose">
      <header className="mb-8 grid gap-2 border-b border-line pb-6">
        <h1 className="text-3xl">{title}</h1>
        {updated ? (
          <p className="text-sm text-ink-soft">
            {t('lastUpdated', { date: formatDate(updated, utcDay) })}
          </p>
        ) : null}
      </header>
      <div className="grid gap-8">{children}</div>
    </Container>
  )
}

export function ProseSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-3 [&_li]:ms-5 [&_li]:list-disc [&_li]:ps-1 [&_ul]:grid [&_ul]:gap-2">
      <h2 className="text-xl">{title}</h2>
      {children}
    </section>
  )
}

/** @returns what a sentence about writing to the operator needs: the email, or `none` */
export function useContact() {
  const { contactEmail } = useSite()
  return {
    email: contactEmail || 'none',
    mail: (text: ReactNode) => <TextLink href={`mailto:${contactEmail}`}>{text}</TextLink>,
  }
}

/** When both legal texts were last changed. */
export const legalUpdated = new Date('2025-05-12')

const utcDay = { dateStyle: 'medium', timeZone: 'UTC' } as const
