import type { ReactNode } from 'react'

type EmptyStateProps = {
  children: ReactNode
  title?: ReactNode
  icon?: ReactNode
  action?: ReactNode
}

export function EmptyState({ children, title, icon, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-3 rounded-md border border-dashed border-line-strong/60 px-6 py-12 text-center">
      {icon ? (
        <span aria-hidden className="text-ink-faint [&>svg]:size-8 [&>svg]:stroke-[1.25]">
          {icon}
        </span>
      ) : null}
      {title ? <h2 className="text-xl">{title}</h2> : null}
      <p className="max-w-prose text-ink-soft">{children}</p>
      {action ? <div className="pt-2">{action}</div> : null}
    </div>
  )
}
