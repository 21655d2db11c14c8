import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type * as z from 'zod'
import { newPasswordForm } from '#shared/account.ts'
import { checkSession } from '#web/api/account.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { useHydrated } from '#web/ui/hydrated.ts'
import { isRefusedLink } from './mail-link.tsx'
import { showFieldErrors } from './server-errors.ts'

type Form = z.infer<typeof newPasswordForm>

/** A new password in exchange for the mailed token. */
export function ResetPasswordForm(props: {
  token: string
  onDone: () => void
  onSpent: () => void
}) {
  const { token, onDone, onSpent } = props
  const api = useApi()
  const queries = useQueryClient()
  const hydrated = useHydrated()
  const { register, handleSubmit, setError, formState } = useForm<Form>({
    resolver: zodResolver(newPasswordForm),
  })
  const { errors } = formState
  const save = useMutation({
    mutationFn: async ({ password, confirmPassword }: Form) => {
      await api.collection('users').confirmPasswordReset(token, password, confirmPassword)
      await checkSession(api, queries)
    },
    onSuccess: onDone,
    onError: (error) => {
      if (isRefusedLink(error)) onSpent()
      else showFieldErrors(error, ['password'], setError)
    },
  })
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void handleSubmit((form) => save.mutate(form))(event)}
      className="grid gap-2"
    >
      {save.error && !errors.password ? (
        <ErrorState title="Data Error" message={errorMessage(save.error)} />
      ) : null}
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
        variant="primary"
        size="lg"
        disabled={!hydrated}
        pending={save.isPending}
      >
        Set password
      </Button>
    </form>
  )
}
