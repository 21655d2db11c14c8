import { useState } from 'react'
import { Link, useActionData } from 'react-router'
import type { Refusal } from '#web/api/act.ts'
import { useHasMailServer, usePasswordSignIn } from '#web/api/site.ts'
import { AccountPage } from '#web/features/account/account-page.tsx'
import { ForgotPasswordForm } from '#web/features/account/forgot-password-form.tsx'
import { forgotPasswordAction } from '#web/features/account/account-actions.ts'
import { LinkResult } from '#web/features/account/link-result.tsx'
import { MailboxNote } from '#web/features/account/mailbox-note.tsx'
import { Button } from '#web/ui/button.tsx'
import { linkTo } from '#web/ui/link.tsx'
import { rich, t } from '#web/i18n/entry.ts'
import { sentenceSpace } from '#web/i18n/format.ts'

export const action = forgotPasswordAction

export const meta = () => [{ title: `${t('forgotPasswordTitle')} | Octavo` }]

const remembered = () => rich('rememberIt', { login: linkTo('/login') })

export default function ForgotPasswordScreen() {
  const posted = useActionData<{ sentTo?: string } & Refusal>() ?? {}
  const [email, setEmail] = useState(posted.sentTo ?? '')
  const hasMailServer = useHasMailServer()
  const hasPasswords = usePasswordSignIn()
  if (!hasPasswords)
    return (
      <LinkResult title={t('forgotPassword')} foot={remembered()} action={null}>
        {t('noPasswordsHere')}
      </LinkResult>
    )
  if (email)
    return (
      <LinkResult
        title={t('checkYourEmail')}
        foot={remembered()}
        action={
          <Button asChild>
            <Link to="/auth/forgot-password" onClick={() => setEmail('')}>
              {t('useAnotherEmail')}
            </Link>
          </Button>
        }
      >
        {rich('resetLinkSent', {
          email: (
            <strong className="text-ink wrap-anywhere">
              <bdi>{email}</bdi>
            </strong>
          ),
        })}
        {sentenceSpace()}
        {hasMailServer ? t('nothingAfterAFewMinutes') : null}
        <MailboxNote />
      </LinkResult>
    )
  return (
    <AccountPage
      title={t('forgotPassword')}
      description={t('forgotPasswordHint')}
      foot={remembered()}
    >
      <ForgotPasswordForm refusal={posted} onSent={setEmail} />
    </AccountPage>
  )
}
