import { useState } from 'react'
import { Link } from 'react-router'
import { AccountPage } from '#web/features/account/account-page.tsx'
import { ForgotPasswordForm } from '#web/features/account/forgot-password-form.tsx'
import { LinkAnswer } from '#web/features/account/mail-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextLink } from '#web/ui/link.tsx'

export const meta = () => [{ title: 'Forgot password | Octavo' }]

const remembered = (
  <>
    Remembered it?{' '}
    <TextLink asChild>
      <Link to="/login">Login</Link>
    </TextLink>
  </>
)

export default function ForgotPasswordScreen() {
  const [email, setEmail] = useState('')
  if (email)
    return (
      <LinkAnswer
        title="Look into your mail"
        foot={remembered}
        action={<Button onClick={() => setEmail('')}>Use another address</Button>}
      >
        If there is an account for <strong className="text-ink wrap-anywhere">{email}</strong>, a
        link to set a new password is on its way. It works for half an hour. Nothing there after a
        few minutes? Look among the spam, then ask again.
      </LinkAnswer>
    )
  return (
    <AccountPage
      title="Forgot password?"
      description="We mail you a link to set a new one."
      foot={remembered}
    >
      <ForgotPasswordForm onSent={setEmail} />
    </AccountPage>
  )
}
