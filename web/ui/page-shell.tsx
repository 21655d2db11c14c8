import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

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

/** Around the whole page: room for the bottom bar on phones. */
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
  title: ReactNode
  description?: ReactNode
  /** Beside the title, for example a `Badge` with the count. */
  badge?: ReactNode
  actions?: ReactNode
}

export function PageHeader({ title, description, badge, actions }: PageHeaderProps) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4 md:mb-8">
      <div className="grid min-w-0 grid-cols-1 gap-1">
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
      {children}
    </section>
  )
}

/** As many covers to the row as fit, never fewer than two. */
export const coverGridClass =
  'grid grid-cols-2 gap-x-4 gap-y-6 min-[26rem]:grid-cols-3 sm:grid-cols-4 md:gap-x-6 md:gap-y-8 lg:grid-cols-5 xl:grid-cols-6'

/** @returns how many columns {@link coverGridClass} has in a window of this width, in pixels */
export function coverColumns(width: number): number {
  const wider = [416, 640, 1024, 1280].filter((min) => width >= min)
  return 2 + wider.length
}
