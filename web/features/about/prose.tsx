import type { ReactNode } from 'react'
import { useSite } from '#web/api/site.ts'
import { TextLink } from '#web/ui/link.tsx'
import { Container } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/legal.ts'

/** A page to be read: a title, when it was last changed, and text in sections. */
export function Prose({
  title,
  updated,
  children,
}: {
  title: string
  updated?: string | undefined
  children: ReactNode
}) {
  return (
    <Container width="prose">
      <header className="mb-8 grid gap-2 border-b border-line pb-6">
        <h1 className="text-3xl">{title}</h1>
        {updated ? <p className="text-sm text-ink-soft">Last updated {updated}</p> : null}
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

/** How to write to whoever runs this Octavo, as a part of a sentence. */
export function WriteToUs() {
  const { contactEmail } = useSite()
  return contactEmail ? (
    <TextLink href={`mailto:${contactEmail}`}>{contactEmail}</TextLink>
  ) : (
    <>{t('theAdministratorOfThisSite')}</>
  )
}

/** When both legal texts were last changed. */
export const legalUpdated = 'May 12, 2025'
