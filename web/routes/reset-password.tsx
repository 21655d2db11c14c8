import type * as z from 'zod'
import type { newPasswordForm } from '#shared/account-forms.ts'
import { rulesOf } from '#web/features/account/lazy-rules.ts'
import { MailedLink } from '#web/features/account/mailed-link.tsx'
import { NewPasswordFields } from '#web/features/account/new-password-fields.tsx'
import { t } from '#web/i18n/entry.ts'

export const meta = () => [{ title: `${t('setANewPassword')} | Octavo` }]

export default function ResetPasswordScreen() {
  return (
    <MailedLink<z.infer<typeof newPasswordForm>>
      title={t('setANewPassword')}
      description={t('setANewPasswordHint')}
      again="/auth/forgot-password"
      done={{
        title: t('yourPasswordHasBeenChanged'),
        text: t('signInWithNewPassword'),
      }}
      resolver={rulesOf('newPassword')}
      send={(users, token, { password, confirmPassword }) =>
        users.confirmPasswordReset(token, password, confirmPassword)
      }
      submit={t('setPassword')}
    >
      {({ register, formState }) => (
        <NewPasswordFields
          password={register('password')}
          confirm={register('confirmPassword')}
          errors={formState.errors}
        />
      )}
    </MailedLink>
  )
}
