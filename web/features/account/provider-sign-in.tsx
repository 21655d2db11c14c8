import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '#web/api/context.ts'
import { providerErrorMessage, startProviderSignIn } from '#web/api/providers.ts'
import type { SignInProvider } from '#web/api/site.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { t } from '#web/i18n/entry.ts'
import { ProviderButton } from './provider-button.tsx'

interface Visit {
  origin: string
  invitation?: string | undefined
  account?: string | undefined
}

/** The ways in beside the password. */
export function OtherWaysIn({ isAlone, children }: { isAlone: boolean; children: ReactNode }) {
  return (
    <>
      {isAlone ? null : <Or />}
      <div className="grid gap-3">{children}</div>
    </>
  )
}

/** The button that leaves the page for a provider. */
export function ProviderRedirectButton({
  provider,
  ...visit
}: Visit & { provider: SignInProvider }) {
  const api = useApi()
  const leave = useMutation({ mutationFn: () => startProviderSignIn(api, provider, visit) })
  return (
    <div className="grid gap-3">
      {leave.error ? (
        <ErrorState title={t('loginError')} message={providerErrorMessage(leave.error, provider)} />
      ) : null}
      <ProviderButton
        provider={provider}
        pending={leave.isPending}
        onClick={() => leave.mutate()}
      />
    </div>
  )
}

function Or() {
  return (
    <p className="my-4 flex items-center gap-3 text-xs font-medium text-ink-soft">
      <span aria-hidden className="h-px flex-1 bg-line" />
      {t('or')}
      <span aria-hidden className="h-px flex-1 bg-line" />
    </p>
  )
}
