import type * as z from 'zod'
import { newPasswordForm } from '#shared/account-forms.ts'
import { accountResolver } from '#web/features/account/account-resolver.ts'
import { loadLink } from '#web/features/account/link-result.tsx'
import { PasswordLinkPage } from '#web/features/account/password-link-page.tsx'
import { linkAction, type SendPassword } from '#web/features/account/account-actions.ts'
import { NewPasswordFields } from '#web/features/account/new-password-fields.tsx'
import { t } from '#web/i18n/entry.ts'

type Form = z.infer<typeof newPasswordForm>

export const loader = loadLink

const send: SendPassword<Form> = (users, token, { password, confirmPassword }) =>
  users.confirmPasswordReset(token, password, confirmPassword)

export const action = linkAction(newPasswordForm, send)

export const meta = () => [{ title: `${t('setANewPassword')} | Octavo` }]

export default function ResetPasswordScreen() {
  return (
    <PasswordLinkPage<Form>
      title={t('setANewPassword')}
      description={t('setANewPasswordHint')}
      again="/auth/forgot-password"
      done={{
        title: t('yourPasswordHasBeenChanged'),
        text: t('signInWithNewPassword'),
      }}
      resolver={accountResolver('newPassword')}
      send={send}
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
