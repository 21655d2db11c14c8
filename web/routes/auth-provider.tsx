import { Link, redirect, useLoaderData, type ClientLoaderFunctionArgs } from 'react-router'
import { getBrowserClient } from '#web/api/client.ts'
import { finishProviderSignIn, providerNamed } from '#web/api/providers.ts'
import { getQueryClient } from '#web/api/query-client.ts'
import { useSite } from '#web/api/site.ts'
import { AccountPage } from '#web/features/account/account-page.tsx'
import { ProviderRedirectButton } from '#web/features/account/provider-sign-in.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { t } from '#web/i18n/entry.ts'

/** Runs in the browser, which keeps the state of the visit to the provider in session storage. */
export async function clientLoader({ request }: ClientLoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(request.url)
  const queries = getQueryClient()
  const { name, displayName } = providerNamed(queries, pathname.replace('/auth/', ''))
  const provider = { name, displayName }
  const visit = await finishProviderSignIn(getBrowserClient(), queries, provider, searchParams)
  const { origin, invitation, account, problem } = visit
  if (problem === undefined) throw redirect(origin)
  return { name, origin, invitation, account, problem }
}
clientLoader.hydrate = true as const

export const meta = () => [{ title: `${t('login')} | Octavo` }]

export function HydrateFallback() {
  return (
    <AccountPage title={t('login')}>
      <p className="flex items-center gap-3">
        <Spinner /> {t('signingIn')}
      </p>
    </AccountPage>
  )
}

/** The page that a provider redirects to; only seen if signing in failed. */
export default function ProviderReturnScreen() {
  const { name, origin, invitation, account, problem } = useLoaderData<typeof clientLoader>()
  const provider = useSite().providers?.find((one) => one.name === name)
  const login = { pathname: '/login', search: `?origin=${encodeURIComponent(origin)}` }
  return (
    <AccountPage
      title={
        account && provider ? t('provider.link', { provider: provider.displayName }) : t('login')
      }
      foot={
        <TextLink asChild>
          {account ? (
            <Link to={origin}>{t('provider.back')}</Link>
          ) : (
            <Link to={login}>{t('loginWithEmail')}</Link>
          )}
        </TextLink>
      }
    >
      <div className="grid gap-4">
        <ErrorState title={t('loginError')} message={problem} />
        {provider ? (
          <ProviderRedirectButton
            provider={provider}
            origin={origin}
            invitation={invitation}
            account={account}
          />
        ) : null}
      </div>
    </AccountPage>
  )
}
