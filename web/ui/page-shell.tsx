import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Part } from './part.tsx'

/** The page's width (1200) and margins; `narrow` for forms, `prose` for reading. */
export function Container(props: {
  width?: 'page' | 'narrow' | 'prose' | undefined
  className?: string | undefined
  children: ReactNode
}) {
  const { width = 'page', className, children } = props
  const widths = { page: 'max-w-page', narrow: 'max-w-xl', prose: 'max-w-prose' }
  return (
    <div className={classNames('mx-auto w-full px-4 md:px-6', widths[width], className)}>
      {children}
    </div>
  )
}

/** Wraps the whole page and leaves room for the bottom bar on phones. */
export function PageMain(props: { className?: string | undefined; children: ReactNode }) {
  const { className, children } = props
  return (
    <main
      id="main"
      tabIndex={-1}
      className={classNames('min-h-[70dvh] py-6 outline-none max-md:pb-28 md:py-10', className)}
    >
      {children}
    </main>
  )
}

type PageHeaderProps = {
  /** Above the title. */
  eyebrow?: ReactNode
  title: ReactNode
  description?: ReactNode
  /** Shown beside the title, for example a `Badge` with the count. */
  badge?: ReactNode
  actions?: ReactNode
}

export function PageHeader({ eyebrow, title, description, badge, actions }: PageHeaderProps) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4 md:mb-8">
      <div className="grid min-w-0 grid-cols-1 gap-1">
        {eyebrow ? <p className="text-sm text-ink-soft">{eyebrow}</p> : null}
        <h1
          dir="auto"
          className="flex flex-wrap items-center gap-3 text-2xl wrap-anywhere md:text-3xl"
        >
          {title}
          {badge}
        </h1>
        {description ? (
          <p className="max-w-prose text-ink-soft wrap-anywhere">{description}</p>
        ) : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </header>
  )
}

/** Above a list: one row, so that the list begins high up; `search` folds into it on a phone. */
export function ListHeader(props: {
  title: ReactNode
  /** How many there are, and marks such as 'Private'. */
  badge?: ReactNode
  description?: ReactNode
  search?: ReactNode
  actions?: ReactNode
}) {
  const { title, badge, description, search, actions } = props
  return (
    <header className="mb-1">
      <div className="relative flex min-h-11 flex-wrap items-center gap-x-2">
        <h1
          dir="auto"
          className="flex min-w-0 flex-[1_1_7.5rem] flex-wrap items-baseline gap-x-3 text-2xl wrap-anywhere"
        >
          {title}
          {badge}
        </h1>
        {search}
        {actions ? <div className="flex max-w-full flex-wrap items-center">{actions}</div> : null}
      </div>
      {description ? <p className="max-w-prose text-sm text-ink-soft">{description}</p> : null}
    </header>
  )
}

/** Shown beside the title of a list. */
export function HeaderCount({ children }: { children: ReactNode }) {
  return (
    <span className="font-serif text-lg font-normal text-ink-faint tabular-nums">{children}</span>
  )
}

type SectionProps = {
  title: ReactNode
  /** At the far end of the title. */
  aside?: ReactNode
  className?: string | undefined
  children: ReactNode
}

export function Section({ title, aside, className, children }: SectionProps) {
  return (
    <section className={classNames('mb-10', className)}>
      <div className="mb-4 flex items-baseline justify-between gap-4">
        <h2 className="text-xl">{title}</h2>
        {aside}
      </div>
      <Part>{children}</Part>
    </section>
  )
}

/** As many covers to the row as fit, never fewer than two. */
export const coverGridClass =
  'grid grid-cols-2 gap-x-4 gap-y-6 min-[26rem]:grid-cols-3 sm:grid-cols-4 md:gap-x-6 md:gap-y-8 lg:grid-cols-5 xl:grid-cols-6'
