import type { FieldErrors, UseFormRegisterReturn } from 'react-hook-form'
import { PasswordField } from '#web/ui/password-field.tsx'
import { t } from '#web/i18n/entry.ts'

/** A password that is to be, typed twice. */
export function NewPasswordFields(props: {
  label?: string
  password: UseFormRegisterReturn
  confirm: UseFormRegisterReturn
  errors: FieldErrors<{ password: string; confirmPassword?: string | undefined }>
}) {
  const { label = t('newPassword'), password, confirm, errors } = props
  return (
    <>
      <PasswordField
        label={label}
        autoComplete="new-password"
        hint={t('passwordLength')}
        error={errors.password?.message}
        {...password}
      />
      <PasswordField
        label={t('confirmPassword')}
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...confirm}
      />
    </>
  )
}
