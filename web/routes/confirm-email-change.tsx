import { zodResolver } from '@hookform/resolvers/zod'
import type * as z from 'zod'
import { passwordForm } from '#shared/account.ts'
import { MailedLink } from '#web/features/account/mailed-link.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'

export const meta = () => [{ title: 'Confirm your new email | Octavo' }]

export default function ConfirmEmailChangeScreen() {
  return (
    <MailedLink<z.infer<typeof passwordForm>>
      title="Confirm your new email"
      description="Enter your password to show that it’s you."
      again="/account/edit"
      done={{
        title: 'Your email has been changed',
        text: 'We’ve signed you out on every device. Sign in with your new email.',
      }}
      resolver={zodResolver(passwordForm)}
      send={(users, token, { password }) => users.confirmEmailChange(token, password)}
      submit="Use this email"
    >
      {({ register, formState }) => (
        <PasswordField
          label="Password"
          autoComplete="current-password"
          error={formState.errors.password?.message}
          {...register('password')}
        />
      )}
    </MailedLink>
  )
}
