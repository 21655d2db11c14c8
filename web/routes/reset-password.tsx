import type * as z from 'zod'
import type { newPasswordForm } from '#shared/account-forms.ts'
import { lazyResolver } from '#web/features/account/lazy-resolver.ts'
import { loadLink } from '#web/features/account/link-result.tsx'
import { PasswordLinkPage } from '#web/features/account/password-link-page.tsx'
import { NewPasswordFields } from '#web/features/account/new-password-fields.tsx'
import { t } from '#web/i18n/entry.ts'

export const loader = loadLink

export const meta = () => [{ title: `${t('setANewPassword')} | Octavo` }]

export default function ResetPasswordScreen() {
  return (
    <PasswordLinkPage<z.infer<typeof newPasswordForm>>
      title={t('setANewPassword')}
      description={t('setANewPasswordHint')}
      again="/auth/forgot-password"
      done={{
        title: t('yourPasswordHasBeenChanged'),
        text: t('signInWithNewPassword'),
      }}
      resolver={lazyResolver('newPassword')}
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
    </PasswordLinkPage>
  )
}
