import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** A list of a reader's without books, and for that reader the way to the first. */
export function NoBooks(props: { icon: ReactNode; isOwner: boolean; children: ReactNode }) {
  const { icon, isOwner, children } = props
  return (
    <EmptyState
      icon={icon}
      action={
        isOwner ? (
          <Button asChild variant="primary">
            <Link to="/explore">Find a book</Link>
          </Button>
        ) : undefined
      }
    >
      {children}
    </EmptyState>
  )
}
