import { zodResolver } from '@hookform/resolvers/zod'
import type * as z from 'zod'
import { passwordForm } from '#shared/account.ts'
import { MailedLink } from '#web/features/account/mailed-link.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'

export const meta = () => [{ title: 'Confirm your new address | Octavo' }]

export default function ConfirmEmailChangeScreen() {
  return (
    <MailedLink<z.infer<typeof passwordForm>>
      title="Confirm your new address"
      description="The password of your account shows that it is you who wants this."
      again="/account/edit"
      done={{
        title: 'Your address is changed',
        text: 'Every device was signed out. Sign in with the new address now.',
      }}
      resolver={zodResolver(passwordForm)}
      send={(users, token, { password }) => users.confirmEmailChange(token, password)}
      submit="Use this address"
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
