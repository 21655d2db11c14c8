import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { LogIn } from 'lucide-react'
import type { ReactNode } from 'react'
import { useApi } from '#web/api/context.ts'
import { dataError, errorMessage } from '#web/api/errors.ts'
import {
  linkedProvidersQuery,
  unlinkProvider,
  type LinkedProvider,
} from '#web/api/linked-providers.ts'
import { keys } from '#web/api/query-keys.ts'
import { useSite, type SignInProvider } from '#web/api/site.ts'
import { rich, t } from '#web/i18n/connections.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { keepFocusInRows } from '#web/ui/keep-focus-in-rows.ts'
import { LazyConfirmButton } from '#web/ui/lazy-confirm-button.tsx'
import { Section } from '#web/ui/page-shell.tsx'
import { Ago, Day } from '#web/ui/timestamp.tsx'
import { toast } from '#web/ui/toast.tsx'

/** The providers that a reader signs in with, or can link. */
export function LinkedProviders({ user }: { user: string }) {
  const { providers = [] } = useSite()
  const query = useQuery(linkedProvidersQuery(useApi(), user))
  const linked = query.data ?? []
  // One that the operator has taken away can still be unlinked.
  const gone = linked.filter(({ provider }) => !providers.some(({ name }) => name === provider))
  const all = [
    ...providers,
    ...gone.map(({ provider }): SignInProvider => ({ name: provider, displayName: provider })),
  ]
  if (!all.length) return null
  return (
    <Section title={t('providers')}>
      <p className="-mt-2 mb-4 text-sm text-ink-soft">{t('providersHint')}</p>
      {query.isError && !query.data ? <ErrorState {...dataError(query)} /> : null}
      {query.data ? (
        <ul ref={keepFocusInRows} aria-label={t('providers')} className="border-t border-line">
          {all.map((provider) => (
            <Row
              key={provider.name}
              user={user}
              provider={provider}
              linked={linked.find((one) => one.provider === provider.name)}
            />
          ))}
        </ul>
      ) : null}
    </Section>
  )
}

function Row(props: {
  user: string
  provider: SignInProvider
  linked: LinkedProvider | undefined
}) {
  const { user, provider, linked } = props
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <span className="grid size-11 shrink-0 place-items-center rounded-md bg-sunken text-ink-soft">
        <LogIn aria-hidden className="size-5 rtl:-scale-x-100" />
      </span>
      <div className="grid min-w-0 grow basis-40 gap-0.5">
        <h3 className="text-base font-medium wrap-anywhere">
          <bdi>{provider.displayName}</bdi>
        </h3>
        <p className="text-sm text-ink-soft">
          <LastUse linked={linked} />
        </p>
      </div>
      {linked ? (
        <UnlinkButton provider={provider} />
      ) : (
        <LinkButton user={user} provider={provider} />
      )}
    </li>
  )
}

function LastUse({ linked }: { linked: LinkedProvider | undefined }): ReactNode {
  if (!linked) return t('providerNotLinked')
  const day = <Day timestamp={linked.created} />
  if (!linked.used) return rich('providerLinked', { day })
  return rich('providerUsed', { ago: <Ago timestamp={linked.used} />, day })
}

/** Leaves the page for the provider, which sends the browser back here. */
function LinkButton({ user, provider }: { user: string; provider: SignInProvider }) {
  const api = useApi()
  const link = useMutation({
    mutationFn: async () => {
      const { startProviderSignIn, providerErrorMessage } = await import('#web/api/providers.ts')
      const visit = { origin: '/account/connections', account: user }
      await startProviderSignIn(api, provider, visit).catch((error: unknown) => {
        toast.error(providerErrorMessage(error, provider))
      })
    },
  })
  return (
    <Button
      aria-label={t('providerLinkNamed', { provider: provider.displayName })}
      pending={link.isPending}
      onClick={() => link.mutate()}
    >
      {t('providerLink')}
    </Button>
  )
}

function UnlinkButton({ provider: { name, displayName } }: { provider: SignInProvider }) {
  const api = useApi()
  const queries = useQueryClient()
  async function unlink(): Promise<void> {
    try {
      await unlinkProvider(api, name)
    } catch (error) {
      toast.error(errorMessage(error))
      throw error
    }
    await queries.invalidateQueries({ queryKey: keys.connections })
  }
  return (
    <LazyConfirmButton
      variant="danger"
      description={t('providerUnlinkQuestion', { provider: displayName })}
      confirmLabel={t('providerUnlink')}
      onConfirm={unlink}
    >
      {t('providerUnlink')}
    </LazyConfirmButton>
  )
}
