import { useMutation } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import type { User } from '#shared/account.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { toast } from '#web/ui/toast.tsx'
import { rich, t } from '#web/i18n/account.ts'
import { MailboxNote } from './mailbox-note.tsx'

/** For an address that nobody has shown to be theirs. */
export function VerificationCard({ user, className }: { user: User; className?: string }) {
  const api = useApi()
  const { email = '' } = user
  const ask = useMutation({
    mutationFn: () => api.collection('users').requestVerification(email),
    onError: (error) => toast.error(errorMessage(error)),
  })
  if (user.verified) return null
  return (
    <Panel
      className={className}
      title={t('confirmYourEmail')}
      description={rich('confirmThatEmailsReachYou', {
        email: (
          <strong className="text-ink wrap-anywhere">
            <bdi>{email}</bdi>
          </strong>
        ),
      })}
    >
      {ask.isSuccess ? null : (
        <Button icon={<MailCheck />} pending={ask.isPending} onClick={() => ask.mutate()}>
          {t('sendLink')}
        </Button>
      )}
      <output className="text-sm grid gap-2">
        {ask.isSuccess ? t('confirmationSent') : null}
        {ask.isSuccess ? <MailboxNote /> : null}
      </output>
    </Panel>
  )
}
