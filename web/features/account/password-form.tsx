import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import type * as z from 'zod'
import { changePasswordForm, type User } from '#shared/account.ts'
import { changePassword } from '#web/api/account.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { forgetUnseen, loginPath, sessionQuery } from '#web/api/session.ts'
import { Button } from '#web/ui/button.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useHydrated } from '#web/ui/hydrated.ts'
import { showFieldErrors } from './server-errors.ts'

type Form = z.infer<typeof changePasswordForm>

/** A new password for who knows the old one. */
export default function PasswordForm({ user }: { user: User }) {
  const hydrated = useHydrated()
  const { register, handleSubmit, setError, formState } = useForm<Form>({
    resolver: zodResolver(changePasswordForm),
  })
  const { errors } = formState
  const change = usePasswordChange(user.id, (error) => {
    if (!showFieldErrors(error, ['oldPassword', 'password'], setError))
      toast.error(errorMessage(error))
  })
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void handleSubmit((form) => change.mutate(form))(event)}
      className="grid gap-2"
    >
      <input type="text" autoComplete="username" value={user.email ?? ''} readOnly hidden />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        aside={
          <TextLink tone="soft" asChild className="text-sm">
            <Link to="/auth/forgot-password">Forgot it, or never had one?</Link>
          </TextLink>
        }
        error={errors.oldPassword?.message}
        {...register('oldPassword')}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint="8 to 71 characters"
        error={errors.password?.message}
        {...register('password')}
      />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...register('confirmPassword')}
      />
      <Button
        type="submit"
        disabled={!hydrated}
        pending={change.isPending}
        className="justify-self-end"
      >
        Change password
      </Button>
    </form>
  )
}

function usePasswordChange(user: string, onError: (error: unknown) => void) {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (form: Form) => changePassword(api, user, form),
    onSuccess: async () => {
      toast.success('Your password is changed. Please sign in again.', { duration: 4000 })
      queries.setQueryData(sessionQuery(api).queryKey, null)
      await navigate(loginPath('/account/edit'))
      forgetUnseen(queries)
    },
    onError,
  })
}
