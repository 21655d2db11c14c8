import { useState } from 'react'
import { Link } from 'react-router'
import { useHasMailServer } from '#web/api/site.ts'
import { AccountPage } from '#web/features/account/account-page.tsx'
import { ForgotPasswordForm } from '#web/features/account/forgot-password-form.tsx'
import { LinkAnswer } from '#web/features/account/mail-link.tsx'
import { MailboxNote } from '#web/features/account/mailbox-note.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextLink } from '#web/ui/link.tsx'

export const meta = () => [{ title: 'Forgot password | Octavo' }]

const remembered = (
  <>
    Remember it?{' '}
    <TextLink asChild>
      <Link to="/login">Login</Link>
    </TextLink>
  </>
)

export default function ForgotPasswordScreen() {
  const [email, setEmail] = useState('')
  const hasMailServer = useHasMailServer()
  if (email)
    return (
      <LinkAnswer
        title="Check your email"
        foot={remembered}
        action={<Button onClick={() => setEmail('')}>Use another email</Button>}
      >
        If there’s an account for <strong className="text-ink wrap-anywhere">{email}</strong>, we’ve
        sent a link to set a new password. It expires after 30 minutes.{' '}
        {hasMailServer
          ? 'Nothing after a few minutes? Check your spam folder, then ask again.'
          : null}
        <MailboxNote />
      </LinkAnswer>
    )
  return (
    <AccountPage
      title="Forgot password?"
      description="We’ll email you a link to set a new one."
      foot={remembered}
    >
      <ForgotPasswordForm onSent={setEmail} />
    </AccountPage>
  )
}
