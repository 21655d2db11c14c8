import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Settings, User } from '#shared/account.ts'
import { useApi } from '#web/api/context.ts'
import { sessionQuery } from '#web/api/session.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Container } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/account.ts'

/** The sheet of cards on which a reader changes what is theirs; empty once they have signed out. */
export function OwnSettings({
  children,
}: {
  children: (own: { user: User; settings: Settings }) => ReactNode
}) {
  const { data: session, refetch, isFetching } = useSuspenseQuery(sessionQuery(useApi()))
  if (!session) return null
  const { user, settings } = session
  return (
    <Container>
      {settings ? (
        children({ user, settings })
      ) : (
        <ErrorState
          title={t('dataError')}
          message={t('invalidSettings')}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
    </Container>
  )
}
