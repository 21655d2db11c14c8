import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import type * as z from 'zod'
import type { changePasswordForm } from '#shared/account-forms.ts'
import type { User } from '#shared/account.ts'
import { changePassword } from '#web/api/account.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { endSession, removeInactiveQueries, loginPath } from '#web/api/session.ts'
import { TextLink } from '#web/ui/link.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { t } from '#web/i18n/account.ts'
import { AccountForm } from './account-form.tsx'
import { accountResolver } from './account-resolver.ts'
import { NewPasswordFields } from './new-password-fields.tsx'
import { showFieldErrors } from './server-errors.ts'

type Form = z.infer<typeof changePasswordForm>

/** A new password for who knows the old one. */
export default function PasswordForm({ user }: { user: User }) {
  const { register, handleSubmit, setError, formState } = useForm<Form>({
    resolver: accountResolver('changePassword'),
  })
  const { errors } = formState
  const change = usePasswordChange(user.id, (error) => {
    if (!showFieldErrors(error, ['oldPassword', 'password'], setError))
      toast.error(errorMessage(error))
  })
  return (
    <AccountForm
      isCard
      onSubmit={handleSubmit((form) => change.mutate(form))}
      submit={t('changePassword')}
      pending={change.isPending}
    >
      <input type="text" autoComplete="username" value={user.email ?? ''} readOnly hidden />
      <PasswordField
        label={t('currentPassword')}
        autoComplete="current-password"
        aside={
          <TextLink tone="soft" asChild className="text-sm">
            <Link to="/auth/forgot-password">{t('forgotPassword')}</Link>
          </TextLink>
        }
        error={errors.oldPassword?.message}
        {...register('oldPassword')}
      />
      <NewPasswordFields
        password={register('password')}
        confirm={register('confirmPassword')}
        errors={errors}
      />
    </AccountForm>
  )
}

function usePasswordChange(user: string, onError: (error: unknown) => void) {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (form: Form) => changePassword(api, user, form),
    onSuccess: async () => {
      toast.success(t('passwordChanged'), { duration: 4000 })
      await endSession(queries)
      await navigate(loginPath('/account/edit'))
      removeInactiveQueries(queries)
    },
    onError,
  })
}
