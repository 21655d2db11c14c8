import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { AccountPage } from '#web/features/account/account-page.tsx'
import { ConfirmEmailChangeForm } from '#web/features/account/confirm-email-change-form.tsx'
import { isSpent, LinkAnswer, SpentLink } from '#web/features/account/mail-link.tsx'
import { Button } from '#web/ui/button.tsx'

export const meta = () => [{ title: 'Confirm your new address | Octavo' }]

export default function ConfirmEmailChangeScreen() {
  const [search] = useSearchParams()
  const token = search.get('token') ?? ''
  const [face, setFace] = useState(() => (isSpent(token, Date.now()) ? 'spent' : 'form'))
  if (face === 'spent')
    return <SpentLink again={{ label: 'Ask for a new link', to: '/account/edit' }} />
  if (face === 'done')
    return (
      <LinkAnswer
        title="Your address is changed"
        action={
          <Button variant="primary" size="lg" asChild>
            <Link to="/login">Login</Link>
          </Button>
        }
      >
        Every device was signed out. Sign in with the new address now.
      </LinkAnswer>
    )
  return (
    <AccountPage
      title="Confirm your new address"
      description="The password of your account shows that it is you who wants this."
    >
      <ConfirmEmailChangeForm
        token={token}
        onDone={() => setFace('done')}
        onSpent={() => setFace('spent')}
      />
    </AccountPage>
  )
}
