import { useMutation } from '@tanstack/react-query'
import { useApi } from '#web/api/context.ts'
import { googleErrorMessage, startGoogleSignIn } from '#web/api/google.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { t } from '#web/i18n/entry.ts'
import { GoogleButton } from './google-button.tsx'

/** The other way in: through Google, and back to where the reader was going. */
export function GoogleSignIn(visit: { origin: string; invitation?: string | undefined }) {
  return (
    <>
      <p className="my-4 flex items-center gap-3 text-xs font-medium text-ink-soft">
        <span aria-hidden className="h-px flex-1 bg-line" />
        {t('or')}
        <span aria-hidden className="h-px flex-1 bg-line" />
      </p>
      <GoogleRedirectButton {...visit} />
    </>
  )
}

/** The button that leaves the page for Google. */
export function GoogleRedirectButton(visit: { origin: string; invitation?: string | undefined }) {
  const api = useApi()
  const leave = useMutation({ mutationFn: () => startGoogleSignIn(api, visit) })
  return (
    <div className="grid gap-3">
      {leave.error ? (
        <ErrorState title={t('loginError')} message={googleErrorMessage(leave.error)} />
      ) : null}
      <GoogleButton pending={leave.isPending} onClick={() => leave.mutate()} />
    </div>
  )
}
