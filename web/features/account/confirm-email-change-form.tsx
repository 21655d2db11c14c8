import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { passwordForm } from '#shared/account.ts'
import { checkSession } from '#web/api/account.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { useHydrated } from '#web/ui/hydrated.ts'
import { isRefusedLink } from './mail-link.tsx'
import { showFieldErrors } from './server-errors.ts'

/** The account's password, which the link to a new address asks for. */
export function ConfirmEmailChangeForm(props: {
  token: string
  onDone: () => void
  onSpent: () => void
}) {
  const { token, onDone, onSpent } = props
  const api = useApi()
  const queries = useQueryClient()
  const hydrated = useHydrated()
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(passwordForm),
    defaultValues: { password: '' },
  })
  const { errors } = formState
  const save = useMutation({
    mutationFn: async (password: string) => {
      await api.collection('users').confirmEmailChange(token, password)
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
      onSubmit={(event) => void handleSubmit(({ password }) => save.mutate(password))(event)}
      className="grid gap-2"
    >
      {save.error && !errors.password ? (
        <ErrorState title="Data Error" message={errorMessage(save.error)} />
      ) : null}
      <PasswordField
        label="Password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...register('password')}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        disabled={!hydrated}
        pending={save.isPending}
      >
        Use this address
      </Button>
    </form>
  )
}
