import { useState } from 'react'
import { useHasMailServer } from '#web/api/site.ts'
import { AccountPage } from '#web/features/account/account-page.tsx'
import { ForgotPasswordForm } from '#web/features/account/forgot-password-form.tsx'
import { LinkResult } from '#web/features/account/link-result.tsx'
import { MailboxNote } from '#web/features/account/mailbox-note.tsx'
import { Button } from '#web/ui/button.tsx'
import { linkTo } from '#web/ui/link.tsx'
import { rich, t } from '#web/i18n/entry.ts'
import { sentenceSpace } from '#web/i18n/format.ts'

export const meta = () => [{ title: `${t('forgotPasswordTitle')} | Octavo` }]

const remembered = () => rich('rememberIt', { login: linkTo('/login') })

export default function ForgotPasswordScreen() {
  const [email, setEmail] = useState('')
  const hasMailServer = useHasMailServer()
  if (email)
    return (
      <LinkResult
        title={t('checkYourEmail')}
        foot={remembered()}
        action={<Button onClick={() => setEmail('')}>{t('useAnotherEmail')}</Button>}
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
      <ForgotPasswordForm onSent={setEmail} />
    </AccountPage>
  )
}
