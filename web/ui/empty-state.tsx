import type { ReactNode } from 'react'
import { EmptyLedge } from './ledge.tsx'

type EmptyStateProps = {
  /** One sentence. */
  children: ReactNode
  title?: ReactNode
  action?: ReactNode
}

/** What a list shows that has nothing in it. */
export function EmptyState({ children, title, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-4 px-4 py-10 text-center text-balance">
      <EmptyLedge />
      {title ? <h2 className="mt-2 text-2xl">{title}</h2> : null}
      <p className={title ? 'max-w-prose text-ink-soft' : 'mt-2 max-w-prose font-serif text-2xl'}>
        {children}
      </p>
      {action ? <div className="pt-2">{action}</div> : null}
    </div>
  )
}
