import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useLoaderData, useSearchParams } from 'react-router'
import { checkSession } from '#web/api/account.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { useHydrated } from '#web/ui/hydrated.ts'
import {
  isRefusedLink,
  LinkResult,
  ExpiredLink,
  loadLink,
} from '#web/features/account/link-result.tsx'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { t } from '#web/i18n/entry.ts'

export const loader = loadLink

export const meta = () => [{ title: `${t('confirmYourEmail')} | Octavo` }]

/** Confirms by a press, as mail programs open links by themselves. */
export default function ConfirmVerificationScreen() {
  const api = useApi()
  const queries = useQueryClient()
  const hydrated = useHydrated()
  const [search] = useSearchParams()
  const token = search.get('token') ?? ''
  const { isExpired } = useLoaderData<typeof loader>()
  const confirm = useMutation({
    mutationFn: async () => {
      await api.collection('users').confirmVerification(token)
      return checkSession(api, queries)
    },
  })
  if (isExpired || isRefusedLink(confirm.error))
    return <ExpiredLink again={{ label: t('askForANewLink'), to: '/account/settings' }} />
  if (confirm.isSuccess)
    return (
      <LinkResult
        title={t('yourEmailIsConfirmed')}
        action={
          <Button variant="primary" size="lg" asChild>
            {confirm.data ? (
              <Link to="/explore">{t('continue')}</Link>
            ) : (
              <Link to="/login">{t('login')}</Link>
            )}
          </Button>
        }
      >
        {t('emailConfirmed')}
      </LinkResult>
    )
  return (
    <LinkResult
      title={t('confirmYourEmail')}
      action={
        <>
          {confirm.error ? (
            <ErrorState title={t('dataError')} message={errorMessage(confirm.error)} />
          ) : null}
          <Button
            variant="primary"
            size="lg"
            disabled={!hydrated}
            pending={confirm.isPending}
            onClick={() => confirm.mutate()}
          >
            {t('confirmEmail')}
          </Button>
        </>
      }
    >
      {t('pressToConfirmEmail')}
    </LinkResult>
  )
}
