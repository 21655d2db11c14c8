import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Part } from './part.tsx'

/** A sheet of paper on the page: settings, plans, forms. */
export function Panel(props: {
  title?: ReactNode
  description?: ReactNode
  /** At the far end of the title. */
  actions?: ReactNode
  footer?: ReactNode
  tone?: 'normal' | 'danger' | undefined
  className?: string | undefined
  children?: ReactNode
}) {
  const { title, description, actions, footer, tone, className, children } = props
  return (
    <section
      className={classNames(
        'rounded-md border bg-surface',
        tone === 'danger' ? 'border-danger/50' : 'border-line',
        className,
      )}
    >
      {title ? (
        <header className="flex items-start justify-between gap-3 px-5 pt-5">
          <div className="grid min-w-0 gap-1">
            <h2 className={classNames('text-xl', tone === 'danger' && 'text-danger')}>{title}</h2>
            {description ? <p className="text-sm text-ink-soft">{description}</p> : null}
          </div>
          {actions}
        </header>
      ) : null}
      {children ? (
        <div className="p-5">
          <Part>{children}</Part>
        </div>
      ) : null}
      {footer ? (
        <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-4">
          {footer}
        </footer>
      ) : null}
    </section>
  )
}
