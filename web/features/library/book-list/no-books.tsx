import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { t } from '#web/i18n/books.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** A list of a reader's without books; its owner is told how to get the first one. */
export function NoBooks(props: { isOwner: boolean; children: ReactNode }) {
  const { isOwner, children } = props
  return (
    <EmptyState
      action={
        isOwner ? (
          <Button asChild variant="primary">
            <Link to="/explore">{t('findABook')}</Link>
          </Button>
        ) : undefined
      }
    >
      {isOwner ? children : t('noBooksHereYet')}
    </EmptyState>
  )
}
