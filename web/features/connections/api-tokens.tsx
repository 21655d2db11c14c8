import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ApiToken } from '#shared/api-token.ts'
import { apiTokensQuery, revokeApiToken } from '#web/api/api-tokens.ts'
import { useApi } from '#web/api/context.ts'
import { dataError, errorMessage } from '#web/api/errors.ts'
import { keys } from '#web/api/query-keys.ts'
import { rich, t } from '#web/i18n/connections.ts'
import { formatList } from '#web/i18n/format.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { keepFocusInRows } from '#web/ui/keep-focus-in-rows.ts'
import { LazyConfirmButton } from '#web/ui/lazy-confirm-button.tsx'
import { useLazyDialog } from '#web/ui/lazy-dialog.ts'
import { Section } from '#web/ui/page-shell.tsx'
import { Ago, Day } from '#web/ui/timestamp.tsx'
import { toast } from '#web/ui/toast.tsx'
import { collectionLabel } from './token-collections.ts'

const loadDialog = async () => (await import('./api-token-dialog.tsx')).ApiTokenDialog

/** The keys with which programs act for a reader: making one, and what each may do. */
export function ApiTokens({ user }: { user: string }) {
  const query = useQuery(apiTokensQuery(useApi(), user))
  const { Dialog, round, state, button } = useLazyDialog(loadDialog)
  return (
    <Section title={t('tokens')}>
      <p className="-mt-2 mb-4 text-sm text-ink-soft">{t('tokensHint')}</p>
      {query.isError && !query.data ? <ErrorState {...dataError(query)} /> : null}
      {query.data?.length ? (
        <ul ref={keepFocusInRows} aria-label={t('tokens')} className="border-t border-line">
          {query.data.map((token) => (
            <Row key={token.id} token={token} />
          ))}
        </ul>
      ) : null}
      <Button icon={<Plus />} className={query.data?.length ? 'mt-4' : undefined} {...button}>
        {t('tokenNew')}
      </Button>
      {Dialog ? <Dialog key={round} {...state} /> : null}
    </Section>
  )
}

function Row({ token }: { token: ApiToken }) {
  const { name, scope, collections } = token
  const api = useApi()
  const queries = useQueryClient()
  async function revoke(): Promise<void> {
    try {
      await revokeApiToken(api, token)
    } catch (error) {
      toast.error(errorMessage(error))
      throw error
    }
    await queries.invalidateQueries({ queryKey: keys.connections })
  }
  const covers = collections.length
    ? formatList(collections.map(collectionLabel))
    : t('tokenEverything')
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <span className="grid size-11 shrink-0 place-items-center rounded-md bg-sunken text-ink-soft">
        <KeyRound aria-hidden className="size-5" />
      </span>
      <div className="grid min-w-0 grow basis-40 gap-0.5">
        <h3 className="text-base font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </h3>
        <p className="text-sm wrap-anywhere text-ink-soft">
          {t(scope === 'write' ? 'tokenWrites' : 'tokenReads', { covers })}
        </p>
        <p className="text-sm text-ink-soft">
          <LastUse token={token} />
        </p>
      </div>
      <LazyConfirmButton
        variant="danger"
        description={t('tokenRevokeQuestion', { name })}
        confirmLabel={t('revoke')}
        onConfirm={revoke}
      >
        {t('revoke')}
      </LazyConfirmButton>
    </li>
  )
}

function LastUse({ token: { last_used, expires } }: { token: ApiToken }): ReactNode {
  const day = <Day timestamp={expires} />
  if (!last_used) return rich('tokenUnused', { day })
  return rich('tokenUsed', { ago: <Ago timestamp={last_used} />, day })
}
