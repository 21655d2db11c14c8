import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { AccountPage } from '#web/features/account/account-page.tsx'
import { isSpent, LinkAnswer, SpentLink } from '#web/features/account/mail-link.tsx'
import { ResetPasswordForm } from '#web/features/account/reset-password-form.tsx'
import { Button } from '#web/ui/button.tsx'

export const meta = () => [{ title: 'Set a new password | Octavo' }]

export default function ResetPasswordScreen() {
  const [search] = useSearchParams()
  const token = search.get('token') ?? ''
  const [face, setFace] = useState(() => (isSpent(token, Date.now()) ? 'spent' : 'form'))
  if (face === 'spent')
    return <SpentLink again={{ label: 'Ask for a new link', to: '/auth/forgot-password' }} />
  if (face === 'done')
    return (
      <LinkAnswer
        title="Your password is set"
        action={
          <Button variant="primary" size="lg" asChild>
            <Link to="/login">Login</Link>
          </Button>
        }
      >
        Every device was signed out. Sign in with the new password now.
      </LinkAnswer>
    )
  return (
    <AccountPage
      title="Set a new password"
      description="It signs you out on every device, so that only you come back."
    >
      <ResetPasswordForm
        token={token}
        onDone={() => setFace('done')}
        onSpent={() => setFace('spent')}
      />
    </AccountPage>
  )
}
