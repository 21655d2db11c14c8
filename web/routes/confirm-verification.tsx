import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { checkSession } from '#web/api/account.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { useHydrated } from '#web/ui/hydrated.ts'
import { isRefusedLink, isSpent, LinkAnswer, SpentLink } from '#web/features/account/mail-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'

export const meta = () => [{ title: 'Confirm your email | Octavo' }]

/** A press and not the visit confirms: mail programs visit links by themselves. */
export default function ConfirmVerificationScreen() {
  const api = useApi()
  const queries = useQueryClient()
  const hydrated = useHydrated()
  const [search] = useSearchParams()
  const token = search.get('token') ?? ''
  const [spent] = useState(() => isSpent(token, Date.now()))
  const confirm = useMutation({
    mutationFn: async () => {
      await api.collection('users').confirmVerification(token)
      return checkSession(api, queries)
    },
  })
  if (spent || isRefusedLink(confirm.error))
    return <SpentLink again={{ label: 'Ask for a new link', to: '/account/settings' }} />
  if (confirm.isSuccess)
    return (
      <LinkAnswer
        title="Your email is confirmed"
        action={
          <Button variant="primary" size="lg" asChild>
            {confirm.data ? <Link to="/explore">Continue</Link> : <Link to="/login">Login</Link>}
          </Button>
        }
      >
        Thank you. Emails about your account will reach you.
      </LinkAnswer>
    )
  return (
    <LinkAnswer
      title="Confirm your email"
      action={
        <>
          {confirm.error ? (
            <ErrorState title="Data Error" message={errorMessage(confirm.error)} />
          ) : null}
          <Button
            variant="primary"
            size="lg"
            disabled={!hydrated}
            pending={confirm.isPending}
            onClick={() => confirm.mutate()}
          >
            Confirm email
          </Button>
        </>
      }
    >
      Press the button to show that our emails reach you here.
    </LinkAnswer>
  )
}
