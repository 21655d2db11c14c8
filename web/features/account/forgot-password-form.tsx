import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { forgotPasswordForm } from '#shared/account.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useHydrated } from '#web/ui/hydrated.ts'

/** Asks for the link; the answer is the same whether there is such an account or not. */
export function ForgotPasswordForm({ onSent }: { onSent: (email: string) => void }) {
  const api = useApi()
  const hydrated = useHydrated()
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(forgotPasswordForm),
    defaultValues: { email: '' },
  })
  const ask = useMutation({
    mutationFn: (email: string) => api.collection('users').requestPasswordReset(email),
    onSuccess: (_, email) => onSent(email),
  })
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void handleSubmit(({ email }) => ask.mutate(email))(event)}
      className="grid gap-2"
    >
      {ask.error ? <ErrorState title="Data Error" message={errorMessage(ask.error)} /> : null}
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        inputMode="email"
        error={formState.errors.email?.message}
        {...register('email')}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        disabled={!hydrated}
        pending={ask.isPending}
      >
        Send link
      </Button>
    </form>
  )
}
