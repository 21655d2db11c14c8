import { zodResolver } from '@hookform/resolvers/zod'
import type * as z from 'zod'
import { newPasswordForm } from '#shared/account.ts'
import { MailedLink } from '#web/features/account/mailed-link.tsx'
import { NewPasswordFields } from '#web/features/account/new-password-fields.tsx'

export const meta = () => [{ title: 'Set a new password | Octavo' }]

export default function ResetPasswordScreen() {
  return (
    <MailedLink<z.infer<typeof newPasswordForm>>
      title="Set a new password"
      description="This signs you out on every device."
      again="/auth/forgot-password"
      done={{
        title: 'Your password has been changed',
        text: 'We’ve signed you out on every device. Sign in with your new password.',
      }}
      resolver={zodResolver(newPasswordForm)}
      send={(users, token, { password, confirmPassword }) =>
        users.confirmPasswordReset(token, password, confirmPassword)
      }
      submit="Set password"
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
