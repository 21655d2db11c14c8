import { Link, redirect, useLoaderData, type ClientLoaderFunctionArgs } from 'react-router'
import { getBrowserClient } from '#web/api/client.ts'
import { finishGoogleSignIn } from '#web/api/google.ts'
import { getQueryClient } from '#web/api/query-client.ts'
import { useSite } from '#web/api/site.ts'
import { AccountPage } from '#web/features/account/account-page.tsx'
import { GoogleRedirectButton } from '#web/features/account/google-sign-in.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { t } from '#web/i18n/entry.ts'

/** Runs in the browser, which keeps the state of the visit to Google in session storage. */
export async function clientLoader({ request }: ClientLoaderFunctionArgs) {
  const search = new URL(request.url).searchParams
  const visit = await finishGoogleSignIn(getBrowserClient(), getQueryClient(), search)
  const { origin, invitation, problem } = visit
  if (problem === undefined) throw redirect(origin)
  return { origin, invitation, problem }
}
clientLoader.hydrate = true as const

export const meta = () => [{ title: `${t('login')} | Octavo` }]

export function HydrateFallback() {
  return (
    <AccountPage title={t('login')}>
      <p className="flex items-center gap-3">
        <Spinner /> {t('signingInWithGoogle')}
      </p>
    </AccountPage>
  )
}

/** The page that Google redirects to; only seen if signing in failed. */
export default function GoogleReturnScreen() {
  const { origin, invitation, problem } = useLoaderData<typeof clientLoader>()
  const { google } = useSite()
  const search = `?origin=${encodeURIComponent(origin)}`
  return (
    <AccountPage
      title={t('login')}
      foot={
        <TextLink asChild>
          <Link to={{ pathname: '/login', search }}>{t('loginWithEmail')}</Link>
        </TextLink>
      }
    >
      <div className="grid gap-4">
        <ErrorState title={t('loginError')} message={problem} />
        {google ? <GoogleRedirectButton origin={origin} invitation={invitation} /> : null}
      </div>
    </AccountPage>
  )
}
