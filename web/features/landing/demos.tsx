import type { ReactNode } from 'react'
import { Container } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/landing.ts'
import { SearchDemo } from './search-demo.tsx'
import type { LandingBook } from './landing-books.ts'
import { CommandDemo } from './command-demo.tsx'
import { ViewDemo } from './view-demo.tsx'

/** Three things that Octavo does, each doing it here. Nothing of what is tried is kept. */
export function Demos(props: { books: readonly LandingBook[]; found: LandingBook | null }) {
  const { books, found } = props
  if (books.length === 0) return null
  return (
    <Container className="py-12 md:py-16">
      <h2 className="mb-2 text-2xl md:text-3xl">{t('seeItWork')}</h2>
      <p className="mb-8 max-w-prose text-ink-soft">{t('seeItWorkText')}</p>
      <ul className="grid grid-cols-1 gap-4 md:gap-6 lg:grid-cols-3">
        <Trial title={t('sayItInALine')} text={t('sayItInALineText')}>
          <CommandDemo books={books} />
        </Trial>
        <Trial title={t('seeItYourWay')} text={t('seeItYourWayText')}>
          <ViewDemo books={books} />
        </Trial>
        <Trial title={t('findItMisspelt')} text={t('findItMisspeltText')}>
          <SearchDemo found={found} />
        </Trial>
      </ul>
    </Container>
  )
}

function Trial(props: { title: string; text: string; children: ReactNode }) {
  const { title, text, children } = props
  return (
    <li className="flex min-w-0 flex-col gap-4 rounded-md border border-line bg-surface p-5">
      <div className="grid gap-1">
        <h3 className="text-xl">{title}</h3>
        <p className="text-ink-soft">{text}</p>
      </div>
      {children}
    </li>
  )
}
