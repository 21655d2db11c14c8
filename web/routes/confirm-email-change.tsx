import { zodResolver } from '@hookform/resolvers/zod'
import type * as z from 'zod'
import { passwordForm } from '#shared/account.ts'
import { MailedLink } from '#web/features/account/mailed-link.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { t } from '#web/i18n/entry.ts'

export const meta = () => [{ title: `${t('confirmYourNewEmail')} | Octavo` }]

export default function ConfirmEmailChangeScreen() {
  return (
    <MailedLink<z.infer<typeof passwordForm>>
      title={t('confirmYourNewEmail')}
      description={t('enterPasswordForNewEmail')}
      again="/account/edit"
      done={{
        title: t('yourEmailHasBeenChanged'),
        text: t('signInWithNewEmail'),
      }}
      resolver={zodResolver(passwordForm)}
      send={(users, token, { password }) => users.confirmEmailChange(token, password)}
      submit={t('useThisEmail')}
    >
      {({ register, formState }) => (
        <PasswordField
          label={t('password')}
          autoComplete="current-password"
          error={formState.errors.password?.message}
          {...register('password')}
        />
      )}
    </MailedLink>
  )
}
